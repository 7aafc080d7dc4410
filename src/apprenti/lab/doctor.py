"""What this machine has, what is missing or slow, and the command that mends it."""

import os
import platform
import shutil
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from apprenti import __version__
from apprenti.arena.executors import cores
from apprenti.core.machine import find_cache, free_memory, in_words
from apprenti.core.plugins import EXTRAS

PARTS = ("numpy", "numba", "scipy", "safetensors", "cmaes", "matplotlib", "rich", "tyro")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "firefox")


@dataclass(frozen=True)
class Finding:
    """One thing: what it is, what was found, and what to do about it if anything is to be done."""

    what: str
    found: str
    mend: str = ""


def examine() -> list[Finding]:
    """Look at everything; nothing is changed."""
    about = [Finding("apprenti", __version__), Finding("python", f"{platform.python_version()} on {platform.system()}")]
    return [*about, *map(_part, PARTS), *_extras(), _cores(), Finding("memory", f"{in_words(free_memory())} free"),
            _registers(), _cache(), _browser()]  # fmt: skip


def _version(module: str) -> str:
    try:
        return version(module)
    except PackageNotFoundError:
        return ""


def _part(name: str) -> Finding:
    version_here = _version(name)
    return Finding(name, version_here or "missing", "" if version_here else "pip install --force-reinstall apprenti")


def _extras() -> list[Finding]:
    """Each extra with the versions of its modules."""
    rows = []
    for extra in dict.fromkeys(EXTRAS.values()):
        versions = {name: _version(name) for name, of in EXTRAS.items() if of == extra}
        text = ", ".join(f"{name} {number or 'missing'}" for name, number in versions.items())
        rows.append(
            Finding(f"extra {extra}", text, "" if all(versions.values()) else f"pip install 'apprenti[{extra}]'")
        )
    return rows


def _cores() -> Finding:
    return Finding("cores", f"{cores()} of {os.cpu_count()}")


def _registers() -> Finding:
    from apprenti.lab.bench.machine import register_bits

    bits = register_bits()
    return Finding("registers", f"{bits} bits", "" if bits >= 256 else "compiled games are slower on this processor")


def _cache() -> Finding:
    cache = find_cache()
    if cache.folder is None:
        return Finding("compiled code", "not kept: every start compiles anew", cache.trouble)
    return Finding("compiled code", f"{cache.folder.parent}, {in_words(size_of(cache.folder.parent))}")


def _browser() -> Finding:
    browser = next((name for name in BROWSERS if shutil.which(name)), "")
    return Finding("browser", browser or "none found", "" if browser else "install one to see the page")


def size_of(folder: Path) -> int:
    """Bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def clean(everything: bool = False) -> tuple[list[Path], int]:
    """Remove compiled code of other versions of the sources, or all of it; what was removed, and its bytes."""
    folder = find_cache().folder
    if folder is None or not folder.name.startswith("compiled-"):  # a folder that the user named is the user's
        return [], 0
    old = [path for path in folder.parent.glob("compiled-*") if everything or path != folder]
    size = sum(map(size_of, old))
    for path in old:
        shutil.rmtree(path, ignore_errors=True)
    return old, size
