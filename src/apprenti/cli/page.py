"""A board and the words that belong to it, made to fit a terminal of any height."""

import re
import shutil
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from apprenti.views.view import Look, View

CUT = "the board is cut: enlarge the window"
"""Said where it is, in few enough words for a window that is too small."""


def page(
    view: View, state: Any, look: Look, title: Sequence[str], said: Sequence[str], keys: Sequence[str], rows: int
) -> str:
    """The screen: who plays, the board, what is said and what can be pressed, beside the board or around it."""
    line = "   ".join(re.sub(" +", " ", key) for key in keys)

    def board(small: bool, words: Sequence[str] = ()) -> str:
        return view.screen(state, replace(look, small=small, words=tuple(words)))

    if view.beside:
        return beside(board, ["", *title, *said], keys, line, rows)
    return framed(["   ".join(title), ""], board, [*said, *([line] if keys else [])], rows)


def too_wide(screen: str) -> bool:
    """Whether lines of a screen are cut at the edge of the terminal."""
    columns = shutil.get_terminal_size().columns
    return any(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) > columns for line in screen.split("\n"))


def wrapped(line: str) -> list[str]:
    """A line as it fits on the terminal: nothing is cut."""
    columns = shutil.get_terminal_size().columns
    return textwrap.wrap(line, columns) if len(line) > columns else [line]


def beside(
    board: Callable[[bool, Sequence[str]], str], words: Sequence[str], keys: Sequence[str], line: str, rows: int
) -> str:
    """The board with words beside it. Where these are too many, the keys stand on one line and empty lines go."""
    tall, flat = [*words, *(["", *keys] if keys else [])], [*filter(None, words), *([line] if keys else [])]
    drawn = [board(small, said) for small, said in ((False, tall), (False, flat), (True, tall), (True, flat))]
    return next((screen for screen in drawn if screen.count("\n") < rows), drawn[-1])


def framed(above: Sequence[str], board: Callable[[bool], str], below: Sequence[str], rows: int) -> str:
    """The board between words; `board(True)` is the board drawn smaller.

    Where the terminal is too narrow the board is drawn smaller. Where it is too low the empty lines go first, then the
    board is drawn smaller, then the words above go, then the last rows of the board. Whatever of the board is cut, is
    said. What is below says how to play, and stays.
    """
    below = [part for line in below for part in wrapped(line)]
    large, small = board(False), board(True)
    large = small if too_wide(large) else large
    above = [*([CUT] if too_wide(small) else []), *above]
    whole = [*above, *large.split("\n"), *below]
    if len(whole) <= rows:
        return "\n".join(whole)
    above, below = list(filter(None, above)), list(filter(None, below))
    for drawn in (large.split("\n"), small.split("\n")):
        if len(above) + len(drawn) + len(below) <= rows:
            return "\n".join([*above, *drawn, *below])
    room = max(0, rows - len(below))
    said = [] if len(drawn) <= room else [CUT]
    return "\n".join([*[*said, *drawn][:room], *below])
