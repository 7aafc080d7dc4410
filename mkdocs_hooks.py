"""What MkDocs does beside its plug-ins: pages outside docs/, the course, the reference."""

import inspect
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent
OUTSIDE = ("CONTRIBUTING*.md", "CHANGELOG.md", "examples/*.py")
"""What pages link to and docs/ does not have."""
ENGLISH_ONLY = {
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "api.md",
    "architecture.md",
    "formats.md",
    "kernel.md",
    "reference.md",
}
"""What is written for and by the code."""
WIDE = {"results-for-people.md"}
"""What is to be seen on one screen: no table of contents beside it."""
IN_ENGLISH = "Cette page n'existe qu'en anglais."
HEADING = re.compile(r"^(#+) ([^\n]+)$|^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
"""A heading, or a block of code, whose comments are none."""
LINK_OUT = re.compile(r"(?<=\]\()(?:(?:\.\./)?course/(?:en|fr)/(?:README|LISEZMOI)(?=\.md)|\.\./|docs/)")
NUMBER = re.compile(r"^ *```.*?^ *```|`[^`\n]*`|(?<=\d) (?=\d{3}(?!\d))", re.MULTILINE | re.DOTALL)
FRENCH_SPACE = re.compile(r"^ *```.*?^ *```|`[^`\n]*`|<[^>]+>| (?=[:;?!»%](?![\[=]))|(?<=«) ", re.MULTILINE | re.DOTALL)
"""Before these signs French has a space at which no line ends."""
ITEM = re.compile(r"(?:-|\d\.) +")


def on_config(config: Any) -> Any:
    """Build from a folder that has all of it; make the anchors that the forges make."""
    if Path(config.docs_dir) == ROOT / "docs":  # and not when the second language is built
        config.docs_dir = str(Path(config.site_dir).parent / "docs")
        config.mdx_configs["toc"]["slugify"] = slug
        gather(Path(config.docs_dir))
    return config


on_config.mkdocs_priority = 100  # before i18n looks at the folder


def slug(heading: str, separator: str = "-") -> str:
    """The anchor of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", separator)


def headings(markdown: str) -> list[tuple[int, str]]:
    """Depth and text of every heading."""
    return [(len(found[1]), found[2]) for found in HEADING.finditer(markdown) if found[1]]


def gather(folder: Path) -> None:
    """Put docs/, what it links to and the reference into one folder, every page in both languages."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs", folder)
    for path in (path for pattern in OUTSIDE for path in ROOT.glob(pattern)):
        copy = folder / path.relative_to(ROOT)
        copy.parent.mkdir(exist_ok=True)
        shutil.copyfile(path, copy)
    (folder / "reference.md").write_text(reference(), encoding="utf-8")
    run = ["--run"] if os.environ.get("RUN_LESSONS") else []
    subprocess.run([sys.executable, str(ROOT / "course" / "pages.py"), str(folder), *run], check=True)
    for page in (page for page in folder.glob("*.md") if not page.name.endswith(".fr.md")):
        french, english = page.with_suffix(".fr.md"), page.read_text(encoding="utf-8")
        known = page.name in ENGLISH_ONLY
        translated = in_english(english) if known else with_anchors(french.read_text(encoding="utf-8"), english)
        head = "---\nhide: [toc]\n---\n\n" if page.name in WIDE else ""
        for path, text in ((page, english), (french, translated)):
            spaced = with_french_spaces(text) if path is french else text
            path.write_text(head + with_lists(with_whole_numbers(inside(spaced))), encoding="utf-8")


def inside(markdown: str) -> str:
    """Links out of docs/ as links to the pages that were put there."""
    return LINK_OUT.sub(lambda found: "course" if "course" in found[0] else "", markdown)


def in_english(english: str) -> str:
    """A page that says in French under its title that it is in English."""
    title, text = english.split("\n", 1)
    return f'{title}\n\n!!! note "{IN_ENGLISH}"\n\n{text}'


def with_whole_numbers(markdown: str) -> str:
    """No line ends within 10 000; code stays as it is."""
    return NUMBER.sub(lambda found: "\u202f" if found[0] == " " else found[0], markdown)


def with_french_spaces(markdown: str) -> str:
    """No line begins with a colon or a closing quote; code and tags stay as they are."""
    return FRENCH_SPACE.sub(lambda found: "\u00a0" if found[0] == " " else found[0], markdown)


def with_lists(markdown: str) -> str:
    """Lists as Python-Markdown wants them: four spaces before all of an item, an empty line before a list."""
    lines: list[str] = []
    depth, code, apart = 0, False, False
    for line in markdown.splitlines():
        item = None if code else ITEM.match(line)
        if item:
            lines += [""] if (apart or not depth) and lines and lines[-1] else []
            depth = len(item[0])
        elif line and not line.startswith(" " * depth):
            depth = 0
        lines.append("    " + line[depth:] if depth and line and not item else line)
        apart = not item and (apart or not line)  # the item has parts, so the next one begins apart
        code ^= line.lstrip().startswith("```")
    return "\n".join(lines) + "\n"


def with_anchors(french: str, english: str) -> str:
    """A French page whose headings have the anchors of the English ones: a link is right in both languages."""
    anchors = iter([slug(text) for _, text in headings(english)])
    return HEADING.sub(lambda found: f"{found[0]} {{#{next(anchors)}}}" if found[1] else found[0], french)


def reference() -> str:
    """Every name of `import apprenti` with its signature and its docstring."""
    import apprenti

    names = sorted((name for name in apprenti.__all__ if name != "__version__"), key=str.lower)
    entries = [entry(name, getattr(apprenti, name)) for name in names]
    return "\n\n".join(["# Reference", "What the docstrings say of every name of `import apprenti`.", *entries])


def entry(name: str, value: Any, level: str = "##") -> str:
    """A name; of a class also its public methods."""
    if not callable(value):
        return f"{level} `{name}`\n\n`{value!r}`"
    text = f"{level} `{name}`\n\n```python\n{signature(name, value)}\n```\n\n{inspect.getdoc(value) or ''}"
    own = vars(value).items() if inspect.isclass(value) else ()
    methods = [(key, one) for key, one in own if inspect.isfunction(one) and not key.startswith("_") and one.__doc__]
    return "\n\n".join([text, *(entry(f"{name}.{key}", one, "###") for key, one in methods)])


def signature(name: str, value: Any) -> str:
    """How it is called, or that it is a class."""
    return f"class {name}" if inspect.isclass(value) else name + str(inspect.signature(value))
