"""A process that dies at one of its file operations, or whose disk is full from there on, without a process."""

import builtins
import errno
import os
from contextlib import contextmanager, suppress
from unittest import mock

OPERATIONS = ("open", "write", "fsync", "replace", "rename", "unlink", "close", "link", "chmod", "mkdir")
ADDING = ("open", "write", "fsync", "link", "mkdir")
"""What a full disk refuses."""


class Death(BaseException):
    """Nothing is tidied up after it: from now on every file operation dies, too."""


@contextmanager
def dying_at(place):
    """Die at this file operation, counted from 1; yields a list that is not empty afterwards if it came to that."""
    with _failing_at(place, OPERATIONS, Death) as failed, suppress(Death):
        yield failed


@contextmanager
def full_disk_at(place):
    """No file can be begun or grow from this file operation on; yields a list as above."""
    with _failing_at(place, ADDING, lambda: OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))) as failed:
        yield failed


@contextmanager
def _failing_at(place, operations, error):
    failed, count = [], 0

    def counted(real):
        def operation(*arguments, **options):
            nonlocal count
            if operations is ADDING and real in (true_open, builtins_open) and not _adds(arguments, options):
                return real(*arguments, **options)
            count += 1
            if failed or count == place:
                failed.append(real)
                raise error()
            return real(*arguments, **options)

        return operation

    true_open, builtins_open = os.open, builtins.open
    with mock.patch.multiple(os, **{name: counted(getattr(os, name)) for name in operations}):
        opening = counted(builtins.open)
        with mock.patch.object(builtins, "open", opening), mock.patch("io.open", opening):
            yield failed


def _adds(arguments, options):
    """Whether an `open` is for more than reading."""
    how = arguments[1] if len(arguments) > 1 else options.get("mode", options.get("flags", "r"))
    return bool(how & (os.O_WRONLY | os.O_RDWR)) if isinstance(how, int) else how[:1] != "r" or "+" in how
