"""The LuJunQi report's plan for its hyper-parameters: one option changed at a time, and what the actor then reaches."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

from apprenti.arena.ratings import wilson
from apprenti.lab.kinds.kind import Kind, Report
from apprenti.learn.learner import Diverged
from apprenti.learn.luzhanqi.actor_critic import ActorCritic, ActorCriticConfig
from apprenti.views.plots import strengths


@dataclass(frozen=True)
class Rated:
    """What one choice of options has come to."""

    name: str
    games: int
    seconds: float
    length: float
    flags: float
    tests: int
    share: float | None
    """Of the points against the random player; None where the weights grew beyond all bounds."""

    @property
    def ci95(self) -> tuple[float, float] | None:
        """Wilson's interval of the share."""
        return None if self.share is None else wilson(self.share * self.tests, self.tests)

    def to_json(self) -> dict[str, Any]:
        """Everything that was found."""
        return {**self.__dict__, "ci95": self.ci95}

    def cells(self) -> list[str]:
        """The line of the table."""
        if self.share is None or self.ci95 is None:
            reached = "the weights grew beyond all bounds"
        else:
            reached = f"{self.share:.0%} ({self.ci95[0]:.0%} … {self.ci95[1]:.0%})"
        return [self.name, str(self.games), f"{self.seconds:.0f} s", f"{self.length:.0f}", f"{self.flags:.0%}", reached]


def rate(name: str, config: ActorCriticConfig, tests: int) -> Rated:
    """Learn with these options, then meet the random player."""
    learner = ActorCritic(config)
    learner.warm_up()
    began, row, share = process_time(), {"length": 0.0, "flags": 0.0}, None
    try:
        while not learner.done:
            row = learner.step()
        share = learner.test(tests)
    except Diverged:
        pass  # the plan goes up to rates at which this is to be expected
    return Rated(name, learner.episode, process_time() - began, row["length"], row["flags"], tests, share)


class Rates(Kind):
    """A `[[run]]` for each choice of options."""

    needs = ("tests", "run.name")
    headings = ("options", "games", "core time", "moves a game", "flags taken", "points against random (95 % interval)")
    found: list[Rated]

    def run(self, report: Report) -> Iterator[None]:
        """Every row of the plan."""
        short, rows = self.settings.short, self.settings.first(self.data["run"])
        for done, row in enumerate(rows):
            report(done / len(rows), row["name"])
            options = {"test_games": 0, **self.data.get("config", {}), **row.get("config", {})}
            options |= {"seed": self.settings.seed, **(self.data.get("short_config", {}) if short else {})}
            self.found.append(rate(row["name"], ActorCriticConfig(**options), 4 if short else self.data["tests"]))
            yield

    def draw(self, path: Path) -> None:
        """The points of each choice."""
        strengths({row.name: {"random": row.share or 0.0} for row in self.found}, self.experiment.title, path)
