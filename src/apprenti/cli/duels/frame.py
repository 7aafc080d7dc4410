"""A board between words above and below it, made to fit a terminal of any height."""

from collections.abc import Callable, Sequence


def framed(above: Sequence[str], board: Callable[[bool], str], below: Sequence[str], rows: int) -> str:
    """The screen; `board(True)` is the board drawn smaller.

    Where the terminal is too low the empty lines go first, then the board is drawn smaller, then the words above go,
    then the last rows of the board. What is below says how to play, and stays.
    """
    whole = [*above, *board(False).split("\n"), *below]
    if len(whole) <= rows:
        return "\n".join(whole)
    above, below = list(filter(None, above)), list(filter(None, below))
    for drawn in (board(False).split("\n"), board(True).split("\n")):
        if len(above) + len(drawn) + len(below) <= rows:
            return "\n".join([*above, *drawn, *below])
    return "\n".join([*drawn[: max(0, rows - len(below))], *below])
