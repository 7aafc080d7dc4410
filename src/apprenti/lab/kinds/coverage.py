"""How many intervals of the splitting have the mean in them that playing gives."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from apprenti.arena.splitting import Levels, Splitting, choose_levels, split
from apprenti.arena.statistics import from_json
from apprenti.core.errors import BadOption
from apprenti.core.protocols import Rules
from apprenti.lab.agents import NamedAgent
from apprenti.lab.kinds.fields import blaming, check_parts
from apprenti.lab.kinds.kind import Found, Kind, Part, grouped
from apprenti.lab.kinds.scores import agent_alone, play_alone
from apprenti.lab.rare_events import process_of
from apprenti.lab.results import Effort
from apprenti.views.numbers import number
from apprenti.views.plots import comparison

BLOCK = 20
"""Intervals in a part."""


@dataclass(frozen=True, kw_only=True)
class File:
    """Every agent on boards of every size."""

    agents: tuple[str, ...]
    sizes: tuple[str, ...]
    intervals: int
    """Of each agent on each board, each with a seed of its own."""
    precision: float
    """Of an interval: half of it as a part of the mean."""
    trials: float = 1.0
    """Trials of a level, as a part of the usual number."""
    games: int = 10_000
    """That are played to know the mean."""
    seconds: float = 0.0
    """Stop playing after this time; 0 for no limit."""

    def __post_init__(self) -> None:
        for name in ("precision", "trials"):
            if not 0 < getattr(self, name) <= 1:
                raise BadOption(f"{name} is above 0 and at most 1, not {getattr(self, name):g}.")
        if self.intervals < 1:
            raise BadOption(f"intervals is at least 1, not {self.intervals}.")


class Coverage(Kind[File]):
    """A line for each agent and board."""

    File = File
    headings = (
        "agent", "board", "played: mean lines", "95 % interval", "intervals by splitting", "with that mean in them",
        "half-width", "mean of their means",
    )  # fmt: skip

    def divide(self) -> list[Part]:
        agents, sizes = self.settings.first(self.plan.agents, 1), self.settings.first(self.plan.sizes, 1)
        return [part for name in agents for size in sizes for part in self._parts(name, size)]

    def _parts(self, name: str, size: str) -> list[Part]:
        agent, rules = agent_alone(self.find, name, "", {"size": size}, self.where, True)
        plan, settings, of = self.plan, self.settings, {"agent": name, "size": size}
        games, seconds = (20, 2.0) if settings.short else (plan.games, plan.seconds)
        with blaming(self.where):
            effort = Effort(games, settings.seed, settings.workers, seconds=seconds)
        key = {**of, "games": plan.games, "seconds": plan.seconds}
        played = Part(f"{name} on {size}", key, lambda: {"of": f"{name} {size}", **play_alone(agent, rules, effort)})
        key = {**of, "precision": plan.precision, "trials": plan.trials}
        whole = 2 if settings.short else plan.intervals
        check_parts(whole // BLOCK, self.where)
        return [
            played,
            *(
                Part(
                    f"{name} on {size}, intervals from {first}",
                    {**key, "first": first, "number": min(BLOCK, whole - first), "levels": "of the block"},
                    partial(self._intervals, agent, rules, range(first, min(first + BLOCK, whole))),
                )
                for first in range(0, whole, BLOCK)
            ),
        ]

    def _intervals(self, agent: NamedAgent, rules: Rules, which: range) -> Found:
        """Intervals, each with repetitions and a seed of its own; a block has its own levels, whose pilot is as dear
        as several intervals."""
        first = 1000 * self.settings.seed
        levels = choose_levels(process_of(agent, rules), first + which.start).scaled(self.plan.trials)
        found = [self._interval(agent, rules, levels, first + place) for place in which]
        return {"of": f"{agent.name} {rules.width}x{rules.height}", "intervals": found}

    def _interval(self, agent: NamedAgent, rules: Rules, levels: Levels, seed: int) -> list[float]:
        process, cores = process_of(agent, rules), Effort(workers=self.settings.workers).cores
        *_, found = split(process, seed, cores, self.plan.precision, "lines", Splitting(levels))
        return [found.mean("lines"), *found.interval("lines")]

    def numbers(self) -> list[Found]:
        found = []
        for played, *blocks in grouped(self.found, "of"):
            intervals = [one for block in blocks for one in block["intervals"]]
            found.append({**played, "intervals": intervals, "hits": _hits(played, intervals)})
        return found

    def cells(self, found: Found) -> list[str]:
        summary, intervals, hits = from_json(found["statistics"]["lines"]), np.array(found["intervals"]), found["hits"]
        low, high = (number(bound, 3) for bound in summary.ci95)
        said = [found["agent"], found["rules"]["size"], number(summary.mean, 3), f"{low} … {high}", str(len(intervals))]
        if not len(intervals):
            return [*said, "-", "-", "-"]
        means, lows, highs = intervals.T
        half = np.mean((highs - lows) / (2 * means))
        ratio = 1 / np.mean(1 / means) / summary.mean
        return [*said, f"{hits} ({hits / len(intervals):.0%})", f"± {half:.0%}", f"{ratio:.3f} of the played"]

    def draw(self, path: Path) -> None:
        summaries = {one["of"]: from_json(one["statistics"]["lines"]) for one in self.numbers()}
        comparison(summaries, "lines", self.experiment.title, path)


def _hits(played: Found, intervals: list[list[float]]) -> int:
    mean = from_json(played["statistics"]["lines"]).mean
    return sum(low <= mean <= high for _, low, high in intervals)
