"""`apprenti clean`: remove compiled code that is no longer used."""

from dataclasses import dataclass

from apprenti.core.machine import in_words
from apprenti.lab.doctor import clean


@dataclass(frozen=True)
class Options:
    """Remove compiled code of earlier versions. Runs, results and replays are left alone."""

    all: bool = False
    """Remove the compiled code of this version, too: the next start compiles anew."""


def run(options: Options) -> None:
    """Remove it, and say how much it was."""
    removed, size = clean(options.all)
    print(f"removed {len(removed)} folders of compiled code, {in_words(size)}.")
