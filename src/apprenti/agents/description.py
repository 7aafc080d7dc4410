"""Descriptions of agents as data: what a line of text names is known before anything is looked up, opened or run.

    description = name | prefix ":" arguments | prefix ":" description | prefix ":" arguments "," description

A description that starts a program (a Python file, `engine:PROGRAM`) is a `Program`. `parse`, which reads what comes
from files and requests, makes none, at any depth: it refuses the text. `parse_own` is for what a user has typed or
written in a script.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from apprenti.core.data import Arrays, JsonMapping
from apprenti.core.errors import BadAgent
from apprenti.core.plugins import Entry, Line, Registry
from apprenti.core.protocols import AnyAgent, AnyRules

KINDS: Registry[Callable[..., AnyAgent]] = Registry(
    "kind of agent",
    "agent_kinds",
    {
        "random": Entry("apprenti.agents.base:RandomAgent", "any legal move"),
        "random-moves": Entry("apprenti.agents.base:RandomAgent", "any legal move"),
        "q-values": Entry("apprenti.agents.base:QValuesAgent", "a learned table of any game"),
        "mcts": Entry("apprenti.agents.mcts:MctsAgent", "Monte-Carlo tree search"),
    },
)

ANY_GAME: Registry[Callable[[], AnyAgent]] = Registry(
    "agent",
    "agents",
    {
        "random": Entry("apprenti.agents.base:RandomAgent", "any legal move of any game"),
        "mcts": Entry("apprenti.agents.mcts:MctsAgent", "Monte-Carlo tree search in any game"),
    },
)
"""Agents that need no description, by the names people use for them: those of every game, and those of packages."""

DESCRIBED: Registry[Callable[..., tuple[AnyAgent, str, AnyRules]]] = Registry(
    "description", "lines", {"mcts": Line("apprenti.agents.mcts:read_mcts", "mcts:PLAYOUTS or mcts:PLAYOUTS,C")}
)
"""Agents that a line of text describes, by what stands before the colon."""


def build(kind: str, config: JsonMapping, arrays: Arrays | None = None) -> AnyAgent:
    """An agent of a kind with its options, and its `arrays` if it has any."""
    maker = KINDS.load(kind)
    try:
        return maker(**config, **({"arrays": arrays} if arrays else {}))
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        raise BadAgent(f"this is not how an agent of kind {kind} is described ({error}).") from None


DEEPEST = 8
"""Descriptions inside each other, at most."""
PYTHON = ".py"


@dataclass(frozen=True)
class Named:
    """A name: of the zoo, of a run, of a file that holds data."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Program:
    """Code that runs as its user, with all that the user may do."""

    prefix: str
    """What starts it: `.py` for a Python file, or the prefix of its description."""
    command: str

    def __str__(self) -> str:
        return self.command if self.prefix == PYTHON else f"{self.prefix}:{self.command}"


@dataclass(frozen=True)
class Composed:
    """What stands before the colon, its arguments, and the agent that it changes, if it is of that kind."""

    prefix: str
    arguments: str = ""
    agent: "Description | None" = None

    def __str__(self) -> str:
        parts = [self.arguments] if self.arguments or self.agent is None else []
        return f"{self.prefix}:{','.join([*parts, *([str(self.agent)] if self.agent else [])])}"


Description: TypeAlias = Named | Composed | Program


class ProgramRefused(BadAgent):
    """A program where only data is taken."""

    def __init__(self, program: str) -> None:
        super().__init__(
            f"{program:.60} would start a program: only what you type on a command line, or write in a script of "
            "yours, may name one, not a file or a request."
        )


def parse(text: str) -> Description:
    """The description that a file or a request has; refused if it names a program, however deep inside."""
    return _parsed(text, own=False, depth=0)


def parse_own(text: str) -> Description:
    """The description that a user has typed or written in a script, who may start programs."""
    return _parsed(text, own=True, depth=0)


def _parsed(text: str, own: bool, depth: int) -> Description:
    if depth > DEEPEST:
        raise BadAgent(f"an agent is described by at most {DEEPEST} descriptions inside each other.")
    prefix, colon, rest = text.partition(":")
    line = DESCRIBED.get(prefix) if colon else None
    assert line is None or isinstance(line, Line)
    if (line and line.program) or (line is None and Path(text).suffix == PYTHON):
        if not own:
            raise ProgramRefused(text)
        return Program(prefix, rest) if line else Program(PYTHON, text)
    if line is None:
        return Named(text)
    if not line.agent:
        return Composed(prefix, rest)
    arguments, comma, inner = rest.partition(",") if line.arguments else ("", ",", rest)
    return Composed(prefix, arguments, _parsed(inner, own, depth + 1) if comma else None)


def arguments_in(description: Description) -> Iterator[str]:
    """The arguments in a description: names of criteria, numbers."""
    if isinstance(description, Composed):
        yield description.arguments
        if description.agent:
            yield from arguments_in(description.agent)


def names_in(description: Description) -> Iterator[str]:
    """The names of agents in a description; what stands before a colon is one, too, if an agent is called so."""
    if isinstance(description, Named):
        yield description.name
    elif isinstance(description, Composed) and description.agent:
        yield from names_in(description.agent)
    elif isinstance(description, Composed) and description.prefix in ANY_GAME:
        yield description.prefix
