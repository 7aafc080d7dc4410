"""Exact values of small windows as criteria of a large board: alone, and on top of known criteria."""

from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

import numpy as np

from apprenti.arena.statistics import as_json, from_json, summarise
from apprenti.core.errors import BadFile, UnknownName
from apprenti.core.protocols import Compiles
from apprenti.core.seeds import seed_of
from apprenti.games.tetris.agents.optimal import OptimalAgent
from apprenti.games.tetris.criteria import SETS
from apprenti.games.tetris.fast.answers import has_answers
from apprenti.games.tetris.fast.exact_windows import GROUPS, ExactWindows
from apprenti.games.tetris.fast.players import CompiledPlayer
from apprenti.games.tetris.lab.solve import Problem, solve_and_keep
from apprenti.games.tetris.learn.choice_model import Teacher, collect
from apprenti.games.tetris.learn.window_player import SEARCHES, Effort, WindowPlayer, taught
from apprenti.games.tetris.rules import Rules
from apprenti.lab.agents import find
from apprenti.lab.kinds.fields import blaming
from apprenti.lab.kinds.kind import Found, Kind, Part
from apprenti.lab.kinds.scores import agent_alone
from apprenti.views.numbers import number
from apprenti.views.plots import comparison


@dataclass(frozen=True, kw_only=True)
class Row:
    """Which windows, beside which set of criteria."""

    group: str = ""
    """all, columns, heights or sum; none for the criteria alone."""
    criteria: str = ""
    """A set; none for windows alone."""
    weights: str = ""
    """How they are found: least-squares, cross-entropy or cma-es; none for the choices of the teacher."""
    learn_size: str = ""
    """The board on which they are found, if it is another one."""

    @property
    def name(self) -> str:
        """What it is called."""
        what = " and ".join(filter(None, [self.criteria, f"windows: {self.group}" if self.group else ""]))
        where = f" on {self.learn_size}" if self.learn_size else ""
        return f"{what}, {self.weights}{where}" if self.weights else what

    @property
    def names(self) -> tuple[str, ...]:
        """Its criteria; the player of a value function counts lines too."""
        names = SETS[self.criteria] if self.criteria else ()
        return tuple(dict.fromkeys((*names, "lines"))) if self.weights == "least-squares" else names

    @property
    def key(self) -> Found:
        """All that its weights depend on."""
        searched = {"weights": self.weights, "learn_size": self.learn_size} if self.weights else {}
        return {"group": self.group, "criteria": self.criteria, **searched}


@dataclass(frozen=True, kw_only=True)
class File:
    """A `[[row]]` for each choice of windows and criteria; all learn from the choices of `teacher`."""

    row: tuple[Row, ...]
    window: str
    """The small board that is solved on every wall."""
    size: str
    teacher: str
    player: str
    states: int
    games: int
    iterations: int = 30
    """Of least squares (a third), cross-entropy and CMA-ES."""
    population: int = 40


class Windows(Kind[File]):
    """A line for each choice."""

    File = File
    headings = ("criteria", "weights", "games", "lines", "95 % interval")

    def divide(self) -> list[Part]:
        plan, settings = self.plan, self.settings
        with blaming(self.where):
            self.rules = Rules.preset("simplified", plan.size)
            self.problem = Problem(
                Rules.preset("simplified", "4x4" if settings.short else plan.window), check_games=0, curve_games=0,
                workers=settings.workers, every_wall=True,
            )  # fmt: skip
            for row in plan.row:
                for name, known in ((row.group, GROUPS), (row.criteria, SETS), (row.weights, SEARCHES)):
                    if name and name not in known:
                        raise UnknownName(f"group, set or weights of {row.name or 'a row'}", name, known)
                self._learned_on(row)
        for name in (plan.teacher, plan.player):
            agent_alone(self.find, name, "tetris", {"rules": "simplified", "size": plan.size}, self.where)
            compiled_teacher(name, self.rules)
        keys = {"window": self.problem.size, "size": plan.size, "teacher": plan.teacher, "player": plan.player}
        amounts = {"states": 50, "games": 4} if settings.short else {"states": plan.states, "games": plan.games}
        return [
            Part(row.name, {**keys, **amounts, **row.key, **self._effort(row)}, partial(self._work, row, **amounts))
            for row in settings.first(plan.row)
        ]

    def _learned_on(self, row: Row) -> Rules:
        """The board on which a row's weights are found."""
        rules = Rules.preset("simplified", row.learn_size or self.plan.size)
        if rules.width != self.rules.width or (rules != self.rules and row.group in ("all", "heights")):
            raise BadFile(f"learn_size of {row.name}: there it would have other weights.")
        return rules

    def _effort(self, row: Row) -> Found:
        """How much is played to find a row's weights."""
        if not row.weights:
            return {}
        if self.settings.short:
            return {"iterations": 2, "population": 4, "games": 1}
        few = 3 if row.weights == "least-squares" else 1
        return {"iterations": self.plan.iterations // few, "population": self.plan.population}

    @cached_property
    def windows(self) -> ExactWindows:
        """The solved table, kept in the folder of the results: it is large, and the next run finds it there."""
        name, root = self.problem.name, self.folder / "tables"
        if not (root / name / "agent.json").exists():
            solve_and_keep(self.problem, name, root)
        agent = find(str(root / name / "agent.json")).agent
        assert isinstance(agent, OptimalAgent)
        return ExactWindows.of(agent.table)

    def _work(self, row: Row, states: int, games: int) -> Found:
        """Learn the weights, then play."""
        rules, seed = self.rules, self.settings.seed
        learned = replace(self._learned(row, states), rules=rules)
        pairs = [(seed_of(seed, "windows", i), 0) for i in range(games)]
        scores = [float(one.tally.lines) for one in learned.play(rules, pairs)]
        return {"name": row.name, "weights": len(learned.weights), "games": games, "lines": as_json(summarise(scores))}

    def _learned(self, row: Row, states: int) -> WindowPlayer:
        """The player with weights from the teacher, or from a search that begins with these."""
        rules = self._learned_on(row)
        teacher, player = (compiled_teacher(name, rules) for name in (self.plan.teacher, self.plan.player))
        choices = collect(rules, row.names, Teacher(teacher, player), states, self.settings.seed)
        windows = self.windows if row.group else None
        learned = taught(rules, row.names, windows, row.group, choices)
        if not row.weights:
            return learned
        described = choices.with_more(windows.numbers(rules, choices.columns, row.group)) if windows else choices
        effort = Effort(**self._effort(row), seed=self.settings.seed)
        return SEARCHES[row.weights](learned, np.maximum(described.scale, 1e-3), effort)

    def cells(self, found: Found) -> list[str]:
        summary = from_json(found["lines"])
        low, high = summary.ci95
        return [
            found["name"], str(found["weights"]), str(found["games"]), f"**{number(summary.mean, 3)}**",
            f"{number(low, 3)} … {number(high, 3)}",
        ]  # fmt: skip

    def draw(self, path: Path) -> None:
        comparison({one["name"]: from_json(one["lines"]) for one in self.found}, "lines", self.experiment.title, path)


def compiled_teacher(name: str, rules: Rules) -> CompiledPlayer:
    """A player whose choices can be learned from."""
    agent = find(name).agent
    compiled = agent.compiled(rules) if isinstance(agent, Compiles) else None
    if not has_answers(compiled, rules):
        raise BadFile(f"{name} cannot teach: it must be a weighted sum of criteria that leaves nothing to luck.")
    return compiled
