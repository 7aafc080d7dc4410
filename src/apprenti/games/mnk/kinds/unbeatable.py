"""SARSA with many options and seeds: how many games until no opponent can win."""

from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from apprenti.lab.kinds.kind import Found, grouped
from apprenti.lab.kinds.runs import RunPlan, RunRow, RunsFile, TrainingKind
from apprenti.learn.methods import learner_class
from apprenti.views.plots import games_needed


@dataclass(frozen=True, kw_only=True)
class Row(RunRow):
    """What is changed, and to what."""

    group: str

    @property
    def label(self) -> str:
        return f"{self.group}: {self.name}"


@dataclass(frozen=True, kw_only=True)
class File(RunsFile):
    """A `[[run]]` for each configuration: its `group` is what is changed, its `name` to what."""

    run: tuple[Row, ...]
    method: str = "sarsa"
    seeds: int


def way_of(metrics: list[dict[str, Any]]) -> Found:
    """How one seed went: when the player could not lose for the first time, since when, and what it is in the end.

    `reached` and `stays` are games, None for never; `can_lose` is how often the worst opponent beats it in the end,
    `optimal` the share of the positions in which its choice is, `against_perfect` its points, at most a half.
    """
    reached = stays = None
    for row in metrics:
        safe = row["can_lose"] == 0
        reached = reached or (row["games"] if safe else None)
        stays = (stays or row["games"]) if safe else None
    told = {name: metrics[-1][name] for name in ("can_lose", "optimal", "against_perfect")}
    return {"reached": reached, "stays": stays, **told}


def games_of(ways: list[Found], which: str) -> list[int]:
    """The games of the seeds that came there: `reached` or `stays`."""
    return [way[which] for way in ways if way[which] is not None]


def middle(ways: list[Found], which: str) -> str:
    """The median number of games; a dash if fewer than half of the seeds came there."""
    found = median(way[which] or float("inf") for way in ways)
    return "-" if found == float("inf") else f"{found:,.0f}".replace(",", " ")


class Unbeatable(TrainingKind[File]):
    """A line for each configuration."""

    File = File
    headings = (
        "changed", "to", "unbeatable at some time", "median games", "unbeatable in the end", "median games since",
        "optimal in the end", "lost to the worst opponent", "points against perfect",
    )  # fmt: skip
    pictures = ("png", "svg")

    few = 3

    def repeats(self, row: Row) -> int:
        return 2 if self.settings.short else self.plan.seeds

    def learn(self, row: Row, plan: RunPlan) -> Found:
        learner, metrics = learner_class(plan.method)(plan.config), []
        while not learner.done:
            metrics.append(learner.step())
        names = {"group": row.group, "name": row.name, "label": row.label, "seed": plan.config.seed}
        return {**names, **way_of(metrics)}

    def numbers(self) -> list[Found]:
        return [
            {"group": ways[0]["group"], "name": ways[0]["name"], "ways": ways} for ways in grouped(self.found, "label")
        ]

    def cells(self, found: Found) -> list[str]:
        ways, total = found["ways"], len(found["ways"])
        reached, stays = (len(games_of(ways, which)) for which in ("reached", "stays"))
        optimal, lost, points = (
            np.mean([way[name] for way in ways]) for name in ("optimal", "can_lose", "against_perfect")
        )
        return [
            found["group"], found["name"], f"{reached} of {total}", middle(ways, "reached"), f"**{stays}** of {total}",
            middle(ways, "stays"), f"{optimal:.1%}", f"{lost:.0%}", f"{points:.1%}",
        ]  # fmt: skip

    def draw(self, path: Path) -> None:
        groups = grouped(self.found, "label")
        drawn = [(ways[0]["label"], games_of(ways, "reached"), games_of(ways, "stays")) for ways in groups]
        games_needed(drawn, len(groups[0]), self.experiment.title, path)
