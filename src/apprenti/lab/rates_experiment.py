"""The LuJunQi report's plan for its hyper-parameters: one option changed at a time, and what the actor then reaches."""

from collections.abc import Callable
from dataclasses import dataclass
from time import process_time
from typing import Any

from apprenti.arena.ratings import wilson
from apprenti.learn.actor_critic import ActorCritic, ActorCriticConfig, Diverged

Report = Callable[[float, str], None]
HEADINGS = ["options", "games", "core time", "moves a game", "flags taken", "points against random (95 % interval)"]


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
        """The row of a table."""
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


def rates(
    data: dict[str, Any], seed: int, short: bool, report: Report, keep: Callable[[list[Rated]], None]
) -> list[Rated]:
    """Every row of the plan."""
    rows, found = data["run"][: 2 if short else None], []
    for done, row in enumerate(rows):
        report(done / len(rows), row["name"])
        options = {"test_games": 0, **data.get("config", {}), **row.get("config", {}), "seed": seed}
        config = ActorCriticConfig(**{**options, **(data.get("short_config", {}) if short else {})})
        found.append(rate(row["name"], config, 4 if short else data["tests"]))
        keep(found)
    return found
