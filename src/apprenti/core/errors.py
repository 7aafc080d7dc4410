"""The errors a user can cause. The message is one sentence: what was expected, and what to do."""

from collections.abc import Iterable
from difflib import get_close_matches


class ApprentiError(Exception):
    """An error that is the input's fault; the command line prints it on one line and exits with 2."""

    def __reduce__(self) -> tuple[object, ...]:
        return _told, (type(self), str(self)), self.__dict__  # a worker's error reaches us whatever it was made from


def _told(kind: type[ApprentiError], message: str) -> ApprentiError:
    """An error by its message alone."""
    return kind.__new__(kind, message)


class UnknownName(ApprentiError):
    """A name that nothing is registered under."""

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        known = list(known)
        near = get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there is {', '.join(known)}."
        super().__init__(f"there is no {what} called {name!r}: {hint}")


class IllegalMove(ApprentiError):
    """A move the rules do not allow here."""


class Forfeit(ApprentiError):
    """A player who cannot or may not go on, and loses this game: a crash, an illegal move, no time left."""

    side: int = 0
    """Whose fault it is, where it is not simply the player whose turn it is: while armies are set up."""


class BadNotation(ApprentiError):
    """Text that is not a position, a move or a set of pieces."""


class BadRules(ApprentiError):
    """Rules that cannot be played."""


class BadAgent(ApprentiError):
    """An agent that cannot be built or cannot play this game."""


class BadFile(ApprentiError):
    """A file that cannot be read, or is not what it says it is."""


class BadPlugin(ApprentiError):
    """A package that adds something which cannot be loaded."""


class BadOption(ApprentiError):
    """An option outside its range."""


class MissingExtra(ApprentiError, ImportError):
    """A part of the project whose extra is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} cannot be used without an extra: pip install 'apprenti[{extra}]'.")
