"""Criteria chosen automatically, in several ways: which, how many, and the lines of each set's player."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

import numpy as np

from apprenti.arena.statistics import as_json, from_json, summarise
from apprenti.core.errors import BadOption, UnknownName
from apprenti.core.seeds import seed_of
from apprenti.games.tetris.criteria import CRITERIA
from apprenti.games.tetris.fast.players import play
from apprenti.games.tetris.kinds.windows import compiled_teacher
from apprenti.games.tetris.learn.choice_model import Choices, Teacher, collect, joined
from apprenti.games.tetris.learn.criteria_selection import METHODS, Step, nested
from apprenti.games.tetris.learn.objective import Objective
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.weights import Layout
from apprenti.lab.kinds.fields import blaming
from apprenti.lab.kinds.kind import Found, Kind, Part, markdown
from apprenti.views.numbers import number
from apprenti.views.plots import by_count


@dataclass(frozen=True, kw_only=True)
class File:
    """Ways to choose among all criteria that are one number, from the choices of `teacher`."""

    methods: tuple[str, ...]
    size: str
    teacher: str
    player: str
    folds: int
    states: int
    """In each fold."""
    most: int
    """Criteria of the largest set."""
    games: int
    """Fresh games of the player of each set."""

    def __post_init__(self) -> None:
        if self.folds < 3:
            raise BadOption(f"folds are at least 3: one to test, one to judge, one to learn from; not {self.folds}.")
        if not 1 <= self.most <= len(POOL):
            raise BadOption(f"most is from 1 to {len(POOL)}, not {self.most}.")
        for name in self.methods:
            if name not in METHODS:
                raise UnknownName("way to choose criteria", name, METHODS)


POOL = tuple(
    name for name, criterion in CRITERIA.items() if not (criterion.size or criterion.is_change or name == "constant")
)
"""What is chosen from. A change differs from its criterion by the same number for all placements of a piece."""


class Selection(Kind[File]):
    """A part for each way to choose; a line for each set."""

    File = File
    pictures = ("png", "svg")

    def divide(self) -> list[Part]:
        plan, short = self.plan, self.settings.short
        with blaming(self.where):
            self.rules = Rules.preset("simplified", plan.size)
            self.teacher = Teacher(
                compiled_teacher(plan.teacher, self.rules), compiled_teacher(plan.player, self.rules)
            )
        states, games = (60, 2) if short else (plan.states, plan.games)
        most = min(plan.most, 2) if short else plan.most
        key = {"size": plan.size, "teacher": plan.teacher, "player": plan.player, "folds": plan.folds}
        amounts = {"states": states, "most": most, "games": games}
        return [
            Part(name, {**key, **amounts, "method": name}, partial(self._chosen, name, **amounts))
            for name in self.settings.first(plan.methods)
        ]

    @cached_property
    def _folds(self) -> list[Choices]:
        """Choices of games that have nothing to do with each other."""
        states, seed = 60 if self.settings.short else self.plan.states, self.settings.seed
        return [collect(self.rules, POOL, self.teacher, states, 1000 * seed + one) for one in range(self.plan.folds)]

    def _chosen(self, method: str, states: int, most: int, games: int) -> Found:
        """The sets of a way to choose, what nested validation says of it, and games of each set's player."""
        judged, data = nested(self._folds, method, most), joined(self._folds)
        return {
            "method": method, "sizes": judged.sizes, "losses": judged.losses,
            "stable": dict(Counter(POOL[one] for chosen in judged.sets for one in chosen).most_common()),
            "path": [self._played(step, data, games) for step in METHODS[method](data, most)],
        }  # fmt: skip

    @cached_property
    def _objective(self) -> Objective:
        """One compilation for the players of all sets."""
        return Objective(self.rules, Layout(POOL, self.rules.width), 1)

    def _played(self, step: Step, data: Choices, games: int) -> Found:
        """The player of a set, and its fresh games."""
        vector = np.zeros(len(POOL))
        vector[list(step.which)] = step.weights / data.scale[list(step.which)]
        seeds = [(seed_of(self.settings.seed, "selection", i), 0) for i in range(games)]
        results = play(self.rules, self._objective.player(vector), seeds)
        weights = {POOL[one]: float(vector[one]) for one in step.which}
        return {"weights": weights, "lines": as_json(summarise([float(one.tally.lines) for one in results]))}

    def table(self) -> str:
        judged = markdown(
            ["way", "criteria in each fold", "−log likelihood there", "chosen in all folds"],
            [self._judged(one) for one in self.found],
        )
        lines = [self._line(one["method"], step) for one in self.found for step in one["path"]]
        return judged + "\n" + markdown(["way", "criteria", "lines", "95 % interval", "which"], lines)

    def _judged(self, one: Found) -> list[str]:
        losses, always = one["losses"], [name for name, n in one["stable"].items() if n == len(one["sizes"])]
        sizes = ", ".join(map(str, one["sizes"]))
        return [one["method"], sizes, f"{np.mean(losses):.3f} ± {np.std(losses):.3f}", ", ".join(always) or "-"]

    def _line(self, method: str, step: Found) -> list[str]:
        summary = from_json(step["lines"])
        interval = f"{number(summary.ci95[0], 3)} … {number(summary.ci95[1], 3)}"
        names = list(step["weights"])
        return [method, str(len(names)), f"**{number(summary.mean, 3)}**", interval, ", ".join(names)]

    def draw(self, path: Path) -> None:
        curves = {
            one["method"]: [(len(list(step["weights"])), from_json(step["lines"])) for step in one["path"]]
            for one in self.found
        }
        by_count(curves, self.experiment.title, path)
