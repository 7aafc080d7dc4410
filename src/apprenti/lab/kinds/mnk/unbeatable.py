"""SARSA with many options and seeds: how many games until no opponent can win."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from apprenti.games.mnk.fast.exact import meets, never_loses, share_optimal
from apprenti.games.mnk.fast.tree import tree_of
from apprenti.lab.kinds.kind import Kind, Report
from apprenti.learn.mnk.sarsa import Sarsa, SarsaConfig
from apprenti.views.plots import games_needed


@dataclass(frozen=True)
class Way:
    """How one seed went."""

    seed: int
    reached: int | None
    """Games until the player could not lose any more for the first time; None for never."""
    stays: int | None
    """Games from which on it could not lose until the end; None if it can in the end."""
    can_lose: float
    """How often the worst opponent beats it in the end."""
    optimal: float
    """In what share of the positions its choice is optimal in the end."""
    against_perfect: float
    """Its share of the points against the perfect player in the end, as X and as O: at most a half."""


def way_of(config: SarsaConfig, every: int) -> Way:
    """Learn, and look every so many games whether any opponent can beat the first player."""
    learner = Sarsa(config)
    tree = tree_of(config.rules, config.symmetric)
    reached = stays = None
    while not learner.done:
        learner.play_until(min(config.games, learner.played + every))
        if never_loses(tree, learner.best_moves(tree)):
            reached = reached or learner.played
            stays = stays or learner.played
        else:
            stays = None
    best = learner.best_moves(tree)
    can_lose = max(side.loss for side in meets(tree, best, "worst"))
    points = sum(side.score for side in meets(tree, best, "perfect")) / 2
    return Way(config.seed, reached, stays, can_lose, share_optimal(tree, best), points)


@dataclass(frozen=True)
class Ways:
    """All seeds of one configuration."""

    group: str
    name: str
    ways: tuple[Way, ...]

    def middle(self, which: str) -> float | None:
        """The median number of games, `reached` or `stays`; None if fewer than half of the seeds came there."""
        found = [getattr(way, which) or float("inf") for way in self.ways]
        return None if median(found) == float("inf") else median(found)

    def games(self, which: str) -> list[int]:
        """The games of the seeds that came there."""
        return [getattr(way, which) for way in self.ways if getattr(way, which) is not None]

    def to_json(self) -> dict[str, Any]:
        """Everything that was found."""
        return {"group": self.group, "name": self.name, "ways": [way.__dict__ for way in self.ways]}

    def cells(self) -> list[str]:
        """The line of the table."""
        games = {which: self.middle(which) for which in ("reached", "stays")}
        shown = {which: "-" if value is None else f"{value:,.0f}".replace(",", " ") for which, value in games.items()}
        total = len(self.ways)
        return [
            self.group,
            self.name,
            f"{len(self.games('reached'))} of {total}",
            shown["reached"],
            f"**{len(self.games('stays'))}** of {total}",
            shown["stays"],
            f"{np.mean([way.optimal for way in self.ways]):.1%}",
            f"{np.mean([way.can_lose for way in self.ways]):.0%}",
            f"{np.mean([way.against_perfect for way in self.ways]):.1%}",
        ]


class Unbeatable(Kind):
    """A `[[run]]` for each configuration: its `group` is what is changed, its `name` to what."""

    needs = ("seeds", "every", "short_config", "run.group", "run.name")
    headings = (
        "changed", "to", "unbeatable at some time", "median games", "unbeatable in the end", "median games since",
        "optimal in the end", "lost to the worst opponent", "points against perfect",
    )  # fmt: skip
    pictures = ("png", "svg")
    found: list[Ways]

    def run(self, report: Report) -> Iterator[None]:
        """Every configuration with every seed."""
        data, short, seed = self.data, self.settings.short, self.settings.seed
        seeds, every = (2, 500) if short else (data["seeds"], data["every"])
        rows = self.settings.first(data["run"], 3)
        for done, row in enumerate(rows):
            options = {**data.get("config", {}), **row.get("config", {}), **(data["short_config"] if short else {})}
            ways = []
            for number in range(seeds):
                said = f"{row['group']} {row['name']}, seed {number + 1} of {seeds}"
                report((done + number / seeds) / len(rows), said)
                ways.append(way_of(SarsaConfig(seed=seed + number, **options), every))
            self.found.append(Ways(row["group"], row["name"], tuple(ways)))
            yield

    def draw(self, path: Path) -> None:
        """The games that each configuration needed."""
        drawn = [(f"{row.group}: {row.name}", row.games("reached"), row.games("stays")) for row in self.found]
        games_needed(drawn, len(self.found[0].ways), self.experiment.title, path)
