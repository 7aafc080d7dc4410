"""Errors of the user as one sentence on standard error, and the exit code that goes with it."""

import os
import sys
from collections.abc import Callable

from apprenti.core.errors import ApprentiError


def exit_code(run: Callable[[], int]) -> int:
    """What a program returns: 2 for an error of the user, of the disk or of memory, 130 for Ctrl-C."""
    try:
        return run()
    except ApprentiError as error:
        return _told(str(error), 2)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # nothing more can be said there
        return _told("the program that read the output has ended.", 2)
    except OSError as error:  # the disk is full, a name is too long
        if error.filename is None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return _told(f"{error.strerror or error}.", 2)
    except MemoryError:
        return _told("there is not enough memory for this: choose smaller numbers.", 2)
    except KeyboardInterrupt:
        return _told("interrupted.", 130)


def _told(sentence: str, code: int) -> int:
    print(f"apprenti: {sentence}", file=sys.stderr)
    return code
