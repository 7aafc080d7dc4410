"""The errors a user can cause. The message is one sentence: what was expected, and what to do."""

import os
import re
import sys
from collections.abc import Callable, Iterable
from difflib import get_close_matches

LONGEST = 1000
"""Characters of a sentence."""
_QUOTED = re.compile(r"""(?<!\w)(['"])((?:(?!\1(?!\w)).){60})(?:(?!\1(?!\w)).)+\1""")
_WORD = re.compile(r"(\S{60})\S{140,}")


class ApprentiError(Exception):
    """An error that is the input's fault; the command line prints it on one line and exits with 2."""

    def __init__(self, message: str) -> None:
        super().__init__(bounded(message))

    def __reduce__(self) -> tuple[object, ...]:
        return (
            _by_message,
            (type(self), str(self)),
            self.__dict__,
        )  # a worker's error reaches us whatever it was made from


def _by_message(kind: type[ApprentiError], message: str) -> ApprentiError:
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
    """Text that is not a position, a move or what else a game reads."""


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


def bounded(message: str) -> str:
    """A sentence that is printable and has an end, whatever it quotes: 60 characters of a quotation are enough."""
    message = _without_middle(printable(message), 4 * LONGEST)
    return _without_middle(_WORD.sub(r"\1…", _QUOTED.sub(r"\1\2…\1", message)), LONGEST)


def _without_middle(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest * 2 // 3]} … {text[-longest // 3 + 3 :]}"


def printable(text: str) -> str:
    """Text without control characters: a stranger's words must not command the terminal."""
    return "".join(character for character in text if character.isprintable())


def exit_code(run: Callable[[], int], worded: Callable[[str], str] = str) -> int:
    """What a program returns: 2 for an error of the user, of the disk or of memory, 130 for Ctrl-C.

    `worded` puts a sentence into the language of who reads it.
    """
    try:
        return run()
    except ApprentiError as error:
        return _tell(worded(str(error)), 2)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # nothing more can be said there
        return _tell(worded("the program that read the output has ended."), 2)
    except OSError as error:  # the disk is full, a name is too long
        if error.filename is None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return _tell(f"{error.strerror or error}.", 2)
    except MemoryError:
        return _tell(worded("there is not enough memory for this: choose smaller numbers."), 2)
    except KeyboardInterrupt:
        return _tell(worded("interrupted."), 130)


def _tell(sentence: str, code: int) -> int:
    print(f"apprenti: {sentence}", file=sys.stderr)
    return code
