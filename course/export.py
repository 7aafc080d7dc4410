"""Export the notebooks as static pages that need no network: `python course/export.py FOLDER [LESSON…]`.

`marimo export html` needs no network either, but its pages load marimo's own JavaScript from a CDN. Here they load it
from the folder `marimo` beside them, a copy (28 MB) of what the installed package has. Browsers load such modules from a
server only (`python -m http.server -d FOLDER`), not from files.
"""

import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

COURSE = Path(__file__).parent
CDN = re.compile(r"https://cdn\.jsdelivr\.net/npm/@marimo-team/frontend@[\w.-]+/dist")


def assets() -> Path:
    """What the installed marimo serves itself."""
    package = find_spec("marimo")
    if package is None or package.origin is None:
        raise SystemExit("the notebooks need marimo: pip install 'apprenti[docs]'.")
    return Path(package.origin).parent / "_static"


def export(notebook: Path, target: Path) -> None:
    """One notebook, run from the first cell to the last."""
    target.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "marimo", "export", "html", "--force", str(notebook.resolve()), "-o", str(target)]
    subprocess.run(command, check=True, cwd=target.parent, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    page = target.read_text(encoding="utf-8")
    target.write_text(CDN.sub("../marimo", page), encoding="utf-8")


def main(folder: str, *lessons: str) -> None:
    """All notebooks, or some of them, in both languages."""
    out = Path(folder).resolve()
    shutil.copytree(assets(), out / "marimo", dirs_exist_ok=True)
    for language in ("fr", "en"):
        for notebook in sorted((COURSE / language).glob("lesson_*.py")):
            if not lessons or notebook.stem.removeprefix("lesson_") in lessons:
                export(notebook, out / language / f"{notebook.stem}.html")


if __name__ == "__main__":
    main(*sys.argv[1:])
