"""Players of Tetris measured: on boards of many sizes, before dealers, with some of their weights changed."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from apprenti.core.data import JsonData
from apprenti.core.errors import BadFile, BadOption
from apprenti.core.protocols import AnyRules
from apprenti.games.tetris.agents.linear import LinearAgent
from apprenti.lab.agents import NamedAgent
from apprenti.lab.kinds import scores
from apprenti.lab.kinds.fields import blaming
from apprenti.lab.kinds.kind import Finding, Kind, Part, grouped, markdown
from apprenti.lab.kinds.scores import Amount, agent_alone, play_alone, summary_of, uninterrupted
from apprenti.lab.results import Effort
from apprenti.views.numbers import number
from apprenti.views.plots import curves, dots


def mean_of(finding: Finding, unit: str) -> float:
    """The mean of what is counted in lines, or in pieces."""
    return summary_of({**finding, "unit": unit}).mean


@dataclass(frozen=True, kw_only=True)
class SizesFile(Amount):
    """All boards from the first to the last of `widths` and of `heights`."""

    agent: str
    widths: tuple[int, int]
    heights: tuple[int, int]


class Sizes(Kind[SizesFile]):
    """One agent on boards of many sizes (the thesis' figure 1.2): a line for each number of rows."""

    File = SizesFile
    pictures = ("png", "svg")

    def divide(self) -> list[Part]:
        (narrow, wide), (low, high) = ((4, 5), (4, 6)) if self.settings.short else (self.plan.widths, self.plan.heights)
        self.widths, self.heights = range(narrow, wide + 1), range(low, high + 1)
        return [self._part(f"{width}x{height}") for width in self.widths for height in self.heights]

    def _part(self, size: str) -> Part:
        plan = self.plan
        agent, rules = agent_alone(self.find, plan.agent, "tetris", {"size": size}, self.where, plan.rare)
        with blaming(self.where):
            effort = plan.effort(self.settings)
        key = {**asdict(plan), "size": size}
        stored = self.stored(size, key) if plan.rare else None
        return Part(size, key, lambda: {"size": size, **play_alone(agent, rules, effort, stored)})

    def means(self) -> dict[str, float]:
        """The mean lines of a game by board."""
        return {one["size"]: mean_of(one, "lines") for one in self.findings}

    def table(self) -> str:
        means = {size: number(mean, 3) for size, mean in self.means().items()}
        lines = [[str(h), *(means.get(f"{w}x{h}", "-") for w in self.widths)] for h in self.heights]
        return markdown(["rows \\ columns", *map(str, self.widths)], lines)

    def draw(self, path: Path) -> None:
        means = self.means()
        named = {
            f"{w} columns": [[(h, means[f"{w}x{h}"]) for h in self.heights if f"{w}x{h}" in means]] for w in self.widths
        }
        curves(named, "rows", "mean lines a game", self.experiment.title, path, log="y")


@dataclass(frozen=True, kw_only=True)
class Dealer:
    """A way to deal pieces, what it is called, and how many games are played; one, where nothing is left to chance."""

    name: str
    randomiser: str
    games: int = 1
    share: float = 0.0
    """The probability of a piece that it deals where all seven are as likely: then that of its games there is shown."""

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise BadOption(f"share is a probability, from 0 to 1, not {self.share:g}.")


@dataclass(frozen=True, kw_only=True)
class DealersFile:
    """Every agent plays before every dealer."""

    agents: tuple[str, ...]
    dealer: tuple[Dealer, ...]
    size: str
    short_size: str
    max_pieces: int = 0
    """Stop a game after this number of pieces; 0 for never."""


class Dealers(Kind[DealersFile]):
    """How long players last before dealers: a line for each agent, a column for each dealer."""

    File = DealersFile

    def divide(self) -> list[Part]:
        agents = self.settings.first(self.plan.agents)
        return [self._part(agent, dealer) for agent in agents for dealer in self.plan.dealer]

    def _part(self, name: str, dealer: Dealer) -> Part:
        size = self.plan.short_size if self.settings.short else self.plan.size
        options = {"size": size, "randomiser": dealer.randomiser, "max_pieces": self.plan.max_pieces}
        agent, rules = agent_alone(self.find, name, "tetris", options, self.where)
        with blaming(self.where):
            games = min(dealer.games, 4) if self.settings.short else dealer.games
            effort = Effort(games, self.settings.seed, self.settings.workers)
        key = {"agent": name, **asdict(dealer), **options}
        return Part(f"{name}, {dealer.name}", key, partial(self._play, agent, rules, effort, dealer))

    def _play(self, agent: NamedAgent, rules: AnyRules, effort: Effort, dealer: Dealer) -> Finding:
        """Play; the odds of a game under uniform pieces are its importance weight, share to the power of pieces."""
        games = uninterrupted(agent, rules, effort)
        finding = {"dealer": dealer.name, **games.to_json(), "unit": games.unit, "moves": games.moves}
        if dealer.share:
            odds = [record.length * math.log10(dealer.share) for record in games.records]
            finding["log10"] = max(odds) + math.log10(sum(10 ** (one - max(odds)) for one in odds) / len(odds))
        return finding

    def table(self) -> str:
        names = [f"{dealer.name} ({dealer.games} game{'s' * (dealer.games > 1)})" for dealer in self.plan.dealer]
        lines = [[of[0]["agent"], *map(self._cell, of)] for of in grouped(self.findings, "agent")]
        return markdown(["agent", *names], lines)

    def _cell(self, one: Finding) -> str:
        pieces, lines = (number(mean_of(one, unit), 3) for unit in ("pieces", "lines"))
        likely = f"; probability 10^{one['log10']:.0f}" if "log10" in one else ""
        estimated = " (estimated whole games)" if summary_of(one).is_cut else ""
        return f"**{pieces}** pieces, {lines} lines{estimated}{likely}"

    def draw(self, path: Path) -> None:
        rows = {
            of[0]["agent"]: {one["dealer"]: mean_of(one, "pieces") for one in of}
            for of in grouped(self.findings, "agent")
        }
        dots(rows, "pieces a game", self.experiment.title, path)


@dataclass(frozen=True, kw_only=True)
class Row(scores.Row):
    """A variant: what it is called, the weights that are other ones, and the criteria that it goes without."""

    name: str
    weights: JsonData = field(default_factory=dict)
    without: tuple[str, ...] = ()
    flips: bool = False
    """Beside it, the same with each of its numbers of the other sign, one at a time."""


@dataclass(frozen=True, kw_only=True)
class VariantsFile(scores.File):
    """A `[[row]]` for each variant."""

    row: tuple[Row, ...]


def flipped(weights: JsonData) -> Iterator[tuple[str, JsonData]]:
    """The same weights with one number of the other sign, and which; one for each number."""
    for name, weight in weights.items():
        if not isinstance(weight, Sequence):
            yield f"{name} {-weight:+g}", {**weights, name: -weight}
            continue
        for place, one in enumerate(weight):
            yield f"{name} {place + 1} {-one:+g}", {**weights, name: [*weight[:place], -one, *weight[place + 1 :]]}


class Variants(scores.Scores):
    """A player with other signs, other criteria, other rules: a line for each variant."""

    File: ClassVar[type[Any]] = VariantsFile

    def divide(self) -> list[Part]:
        rows: Sequence[Any] = self.settings.first(self.plan.row)
        parts = []
        for place, row in enumerate(rows, 1):
            where = f"row {place} of {self.where}"
            parts.append(self._part(row, where))
            for name, weights in flipped(self._weights(row, where)) if row.flips else ():
                parts.append(self._part(replace(row, name=name, weights=weights, flips=False), where))
        return parts

    def _weights(self, row: Row, where: str) -> JsonData:
        agent, _ = super().agent_of(replace(row, rare=False), where)
        if not isinstance(agent.agent, LinearAgent):
            raise BadFile(f"{where}: {row.agent} is no weighted sum of criteria, and has no variants.")
        known: JsonData = {**agent.agent.weights, **row.weights}
        return {name: weight for name, weight in known.items() if name not in row.without}

    def agent_of(self, row: Any, where: str) -> tuple[NamedAgent, AnyRules]:
        agent, rules = super().agent_of(row, where)
        with blaming(f"weights of {where}"):
            return replace(agent, name=row.name, agent=LinearAgent(self._weights(row, where))), rules

    @classmethod
    def score(cls, finding: Any) -> None:
        """A variant is no agent of the zoo."""
