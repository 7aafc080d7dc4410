"""A person's Python file in a process of its own, with limits of time and memory.

This keeps mistakes apart: an endless loop, a crash, all of the memory. It is no wall against malice: the file runs as
its user and may do whatever its user may. Pupils' code is code.

The process that runs it is that of a module of ours, asked line by line (`EngineProcess`, which also ends whatever it
has started). What it prints itself goes nowhere; its answers are JSON, so that nothing of it is ever unpickled here.
"""

import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from apprenti.agents.process import EngineProcess
from apprenti.core.data import JsonObject
from apprenti.core.errors import BadOption

MB = 1 << 20
START = 30.0
"""Seconds that Python itself may take to begin."""
SHORTER = 1500
"""Characters of a sentence in an answer."""


@dataclass(frozen=True)
class Limits:
    """What a file may take."""

    seconds: float = 2.0
    """For one answer: a move."""
    game_seconds: float = 60.0
    """For all moves of a game."""
    memory: int = 2048
    """Megabytes of address space."""

    def __post_init__(self) -> None:
        if not 0.01 <= self.seconds <= 3600 or not 0.01 <= self.game_seconds <= 86_400:
            raise BadOption(
                f"a time limit is from 0.01 s to an hour, not {self.seconds:g} s and {self.game_seconds:g} s."
            )
        if not 256 <= self.memory <= 1_000_000:
            raise BadOption(f"--memory is from 256 megabytes on, not {self.memory}.")


def started(module: str, *words: str) -> EngineProcess:
    """A process of a module of ours that will run a person's file; it finds whatever packages we find."""
    begin = f"import runpy, sys; sys.path[:] = {sys.path!r}; runpy.run_module(sys.argv.pop(1), None, '__main__', True)"
    return EngineProcess([sys.executable, "-W", "ignore", "-c", begin, module, *words])


def heard(process: EngineProcess, seconds: float) -> JsonObject:
    """Its next answer; Foul if there is none in time, ValueError if it cannot be understood."""
    try:
        answer = json.loads(process.hear(seconds))
    except RecursionError:  # brackets within brackets
        raise ValueError("too deep") from None
    return dict(answer) if isinstance(answer, dict) else {}


def confined(memory: int) -> Callable[[JsonObject], None]:
    """In the process: take the limit of memory, and keep the way to answer to ourselves; how to answer."""
    with suppress(ImportError, ValueError, OSError):  # Windows has no such limit
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory * MB, memory * MB))
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)

    def answer(words: JsonObject) -> None:
        short: dict[str, Any] = {k: v[:SHORTER] if isinstance(v, str) else v for k, v in words.items()}
        answers.write(json.dumps(short) + "\n")
        answers.flush()

    return answer
