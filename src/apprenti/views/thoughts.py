"""What an agent thinks of a position: what each move is worth to it, what that is made of, and what it says."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from textwrap import wrap

from apprenti.core.data import JsonObject
from apprenti.core.protocols import AnyAgent, AnyMove, AnyObservation, Contributes, Explains, Valued

FEW = 4
"""Moves that are shown in full where there is little room."""
LINES = 2
"""Lines with the values of the others."""
NAME = 18
"""Letters of the name of a criterion there."""
WIDTH = NAME + 9 * FEW


@dataclass(frozen=True)
class ValuedMove:
    """A move, its value, and the terms of it where the value is a sum."""

    move: AnyMove
    value: float
    terms: Mapping[str, float] = field(default_factory=dict)

    def to_json(self, text: str) -> JsonObject:
        """The move as plain data; what is infinite is null."""
        terms = {name: finite(term) for name, term in self.terms.items()}
        return {"move": text, "value": finite(self.value), "contributions": terms}


@dataclass(frozen=True)
class Thoughts:
    """Moves, the best first, and whatever else an agent says."""

    moves: tuple[ValuedMove, ...] = ()
    words: str = ""

    @property
    def names(self) -> list[str]:
        """Of the terms, in their order."""
        return list(dict.fromkeys(name for one in self.moves for name in one.terms if math.isfinite(one.terms[name])))

    def named(self, name: Callable[[AnyMove], str]) -> "Thoughts":
        """The same for people, who know moves by the names on the board."""
        return replace(self, moves=tuple(replace(one, move=name(one.move)) for one in self.moves))


def finite(value: float) -> float | None:
    """A number as JSON can hold it."""
    return value if math.isfinite(value) else None


def thinks(agent: AnyAgent) -> bool:
    """Whether an agent can say what it thinks."""
    return isinstance(agent, Explains | Valued | Contributes)


def thoughts_of(agent: AnyAgent, observation: AnyObservation) -> Thoughts:
    """What an agent thinks of a position in which it is to move; of equals the first comes first."""
    terms = agent.contributions(observation) if isinstance(agent, Contributes) else {}
    values = {move: sum(parts.values()) for move, parts in terms.items()}
    if isinstance(agent, Valued):
        values = dict(agent.values(observation))
    moves = [ValuedMove(move, value, terms.get(move, {})) for move, value in values.items()]
    words = agent.explain(observation) if isinstance(agent, Explains) else ""
    return Thoughts(tuple(sorted(moves, key=lambda one: -one.value)), words)


def shown(value: float) -> str:
    """A value in at most eight letters; there is no −0.00."""
    if not math.isfinite(value):
        return "the end" if value < 0 else "∞"
    text = f"{round(value, 2) + 0.0:.2f}"
    return text if len(text) <= 8 else f"{value:.2e}"


def rows_of(thoughts: Thoughts) -> tuple[list[str], list[list[str]]]:
    """Headings, and a row for each move: its value, and each term of it."""
    names = thoughts.names
    rows = [
        [str(one.move), shown(one.value), *(shown(one.terms[name]) if name in one.terms else "-" for name in names)]
        for one in thoughts.moves
    ]
    return ["move", "value", *(name.replace("_", " ") for name in names)], rows


def whole(thoughts: Thoughts) -> str:
    """A line for each move."""
    headings, rows = rows_of(thoughts)
    lines = [] if not rows else aligned([headings, *rows])
    return "\n".join([*lines, *thoughts.words.splitlines()])


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of text as columns; the first is of words, the others are of numbers."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join([row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))])
        for row in rows
    ]


def brief(thoughts: Thoughts) -> str:
    """The best few moves, a column for each, and the values of the others: for a place beside a board."""
    best, others = thoughts.moves[:FEW], thoughts.moves[FEW:]
    lines = []
    if best:
        lines = [_line("", [f"{rank}: {one.move}" for rank, one in enumerate(best, 1)])]
        lines += [
            _line(name.replace("_", " "), [shown(one.terms[name]) if name in one.terms else "-" for one in best])
            for name in thoughts.names
        ]
        lines.append(_line("value", [shown(one.value) for one in best]))
    rest = "  ".join(f"{one.move} {_shortly(one.value)}" for one in others)
    return "\n".join([*lines, *wrap(rest, WIDTH)[:LINES], *thoughts.words.splitlines()])


def _shortly(value: float) -> str:
    """A large value without its decimals; of one that is less than 10 they say the most."""
    return shown(value) if abs(value) < 10 else shown(value).partition(".")[0]


def _line(name: str, cells: Sequence[str]) -> str:
    return name[:NAME].ljust(NAME) + "".join(cell.rjust(9) for cell in cells)
