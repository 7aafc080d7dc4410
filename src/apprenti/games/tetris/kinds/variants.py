"""A player with some of its weights changed: other signs, other criteria, other rules."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from apprenti.core.errors import BadFile
from apprenti.core.protocols import Rules
from apprenti.games.tetris.agents.linear import LinearAgent
from apprenti.lab.agents import NamedAgent
from apprenti.lab.kinds import scores
from apprenti.lab.kinds.fields import Options, blaming
from apprenti.lab.kinds.kind import Part


@dataclass(frozen=True, kw_only=True)
class Row(scores.Row):
    """A variant: what it is called, the weights that are other ones, and the criteria that it goes without."""

    name: str
    weights: Options = field(default_factory=dict)
    without: tuple[str, ...] = ()
    flips: bool = False
    """Beside it, the same with each of its numbers of the other sign, one at a time."""


@dataclass(frozen=True, kw_only=True)
class VariantsFile(scores.File):
    """A `[[row]]` for each variant."""

    row: tuple[Row, ...]


def flipped(weights: Options) -> Iterator[tuple[str, Options]]:
    """The same weights with one number of the other sign, and which; one for each number."""
    for name, weight in weights.items():
        if not isinstance(weight, Sequence):
            yield f"{name} {-weight:+g}", {**weights, name: -weight}
            continue
        for place, one in enumerate(weight):
            yield f"{name} {place + 1} {-one:+g}", {**weights, name: [*weight[:place], -one, *weight[place + 1 :]]}


class Variants(scores.Scores):
    """A line for each variant."""

    File: ClassVar[type[Any]] = VariantsFile

    def divide(self) -> list[Part]:
        rows: Sequence[Any] = self.settings.first(self.plan.row)
        parts = []
        for number, row in enumerate(rows, 1):
            where = f"row {number} of {self.where}"
            parts.append(self._part(row, where))
            for name, weights in flipped(self._weights(row, where)) if row.flips else ():
                parts.append(self._part(replace(row, name=name, weights=weights, flips=False), where))
        return parts

    def _weights(self, row: Row, where: str) -> Options:
        agent, _ = super().agent_of(replace(row, rare=False), where)
        if not isinstance(agent.agent, LinearAgent):
            raise BadFile(f"{where}: {row.agent} is no weighted sum of criteria, and has no variants.")
        known: Options = {**agent.agent.weights, **row.weights}
        return {name: weight for name, weight in known.items() if name not in row.without}

    def agent_of(self, row: Any, where: str) -> tuple[NamedAgent, Rules]:
        agent, rules = super().agent_of(row, where)
        with blaming(f"weights of {where}"):
            return replace(agent, name=row.name, agent=LinearAgent(self._weights(row, where))), rules

    @classmethod
    def score(cls, found: Any) -> None:
        """A variant is no agent of the zoo."""
