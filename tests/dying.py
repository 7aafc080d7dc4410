"""A process that dies at one of its file operations, without a process."""

import builtins
import os
from contextlib import contextmanager, suppress
from unittest import mock

OPERATIONS = ("open", "write", "fsync", "replace", "rename", "unlink", "close", "link", "chmod", "mkdir")


class Death(BaseException):
    """Nothing is tidied up after it: from now on every file operation dies, too."""


@contextmanager
def dying_at(place):
    """Die at this file operation, counted from 1; yields a list that is not empty afterwards if it came to that."""
    died, count = [], 0

    def counted(real):
        def operation(*arguments, **options):
            nonlocal count
            count += 1
            if died or count == place:
                died.append(real)
                raise Death
            return real(*arguments, **options)

        return operation

    with mock.patch.multiple(os, **{name: counted(getattr(os, name)) for name in OPERATIONS}):
        opening = mock.patch.object(builtins, "open", counted(builtins.open))
        with opening, mock.patch("io.open", counted(builtins.open)), suppress(Death):
            yield died
