"""Processes of ours: none of them looks for a module in the folder that one works in.

That folder may have been given to its user, with modules in it. Python looks there first for `-m` and `-c`, so
whatever we start is started with `-P` and with the places where this process finds modules, but for that one.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock

OURS = str(Path(__file__).resolve().parents[2])
"""Where the package is."""
_STARTING = RLock()


def _is_working_folder(place: str) -> bool:
    try:
        return Path(place).samefile(Path())
    except (OSError, ValueError):  # what is not there gives no module
        return not place


def places() -> list[str]:
    """Where this process finds modules, without the working folder; our own package is found wherever it is."""
    others = [place for place in sys.path if not _is_working_folder(place)]
    return others if OURS in others else [*others, OURS]


def command(module: str, *words: str) -> list[str]:
    """The command that runs a module of ours with some words, as `python -m` does."""
    run = "import runpy; runpy.run_module(sys.argv.pop(1), None, '__main__', True)"
    return [sys.executable, "-P", "-c", f"import sys; sys.path[:] = {places()!r}; {run}", module, *words]


@contextmanager
def working_folder_last() -> Iterator[None]:
    """While workers of `multiprocessing` start: they get our places, and what a notebook has beside it comes last."""
    with _STARTING:
        path, chosen = list(sys.path), os.environ.get("PYTHONSAFEPATH")
        first = places()
        sys.path[:] = [*first, *(place for place in path if place not in first)]
        os.environ["PYTHONSAFEPATH"] = "1"
        try:
            yield
        finally:
            sys.path[:] = path
            os.environ.pop("PYTHONSAFEPATH")
            os.environ.update({"PYTHONSAFEPATH": chosen} if chosen is not None else {})


@contextmanager
def elsewhere() -> Iterator[None]:
    """Work in Python's own folder for a moment, for a library that reads or passes on whatever it is used in."""
    try:
        before = str(Path.cwd())
    except OSError:  # it was removed
        before = ""
    os.chdir(Path(os.__file__).parent)
    try:
        yield
    finally:
        with suppress(OSError):
            os.chdir(before)
