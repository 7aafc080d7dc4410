"""Criteria chosen automatically from the choices of a player, and exact values of small windows as criteria."""

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

import numpy as np

from apprenti.arena.statistics import as_json, from_json, summarise
from apprenti.core.errors import BadFile, BadOption, UnknownName
from apprenti.core.protocols import Compiles
from apprenti.core.seeds import seed_of
from apprenti.games.tetris.agents.optimal import OptimalAgent
from apprenti.games.tetris.criteria import CRITERIA, SETS
from apprenti.games.tetris.fast.players import CompiledPlayer, has_answers, play
from apprenti.games.tetris.fast.windows import GROUPS, ExactWindows
from apprenti.games.tetris.lab.solve import Problem, solve_and_keep
from apprenti.games.tetris.learn.criteria_selection import METHODS, Choices, Step, Teacher, collect, joined, nested
from apprenti.games.tetris.learn.objective import Objective
from apprenti.games.tetris.learn.window_player import SEARCHES, Effort, WindowPlayer, taught
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.weights import Layout
from apprenti.lab.agents import find
from apprenti.lab.kinds.fields import blaming
from apprenti.lab.kinds.kind import Finding, Kind, Part, markdown
from apprenti.lab.kinds.scores import agent_alone
from apprenti.views.numbers import mean_and_interval
from apprenti.views.plots import comparison, curves


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


class Criteria(Kind[File]):
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

    def _chosen(self, method: str, states: int, most: int, games: int) -> Finding:
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

    def _played(self, step: Step, data: Choices, games: int) -> Finding:
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
            [self._judged(one) for one in self.findings],
        )
        lines = [self._line(one["method"], step) for one in self.findings for step in one["path"]]
        return judged + "\n" + markdown(["way", "criteria", "lines", "95 % interval", "which"], lines)

    def _judged(self, one: Finding) -> list[str]:
        losses, always = one["losses"], [name for name, n in one["stable"].items() if n == len(one["sizes"])]
        sizes = ", ".join(map(str, one["sizes"]))
        return [one["method"], sizes, f"{np.mean(losses):.3f} ± {np.std(losses):.3f}", ", ".join(always) or "-"]

    def _line(self, method: str, step: Finding) -> list[str]:
        summary, names = from_json(step["lines"]), list(step["weights"])
        return [method, str(len(names)), *mean_and_interval(summary), ", ".join(names)]

    def draw(self, path: Path) -> None:
        named = {one["method"]: [[_point(step) for step in one["path"]]] for one in self.findings}
        curves(named, "criteria", "mean lines a game", self.experiment.title, path, log="y")


def _point(step: Finding) -> tuple[float, ...]:
    """The number of criteria, the score of their player, and its interval."""
    summary = from_json(step["lines"])
    return len(step["weights"]), summary.mean, *summary.ci95


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
    def key(self) -> Finding:
        """All that its weights depend on."""
        searched = {"weights": self.weights, "learn_size": self.learn_size} if self.weights else {}
        return {"group": self.group, "criteria": self.criteria, **searched}


@dataclass(frozen=True, kw_only=True)
class WindowsFile:
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


class Windows(Kind[WindowsFile]):
    """A line for each choice."""

    File = WindowsFile
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

    def _effort(self, row: Row) -> Finding:
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

    def _work(self, row: Row, states: int, games: int) -> Finding:
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

    def cells(self, finding: Finding) -> list[str]:
        summary = from_json(finding["lines"])
        return [finding["name"], str(finding["weights"]), str(finding["games"]), *mean_and_interval(summary)]

    def draw(self, path: Path) -> None:
        comparison(
            {one["name"]: from_json(one["lines"]) for one in self.findings}, "lines", self.experiment.title, path
        )


def compiled_teacher(name: str, rules: Rules) -> CompiledPlayer:
    """A player whose choices can be learned from."""
    agent = find(name).agent
    compiled = agent.compiled(rules) if isinstance(agent, Compiles) else None
    if not has_answers(compiled, rules):
        raise BadFile(f"{name} cannot teach: it must be a weighted sum of criteria that leaves nothing to luck.")
    return compiled
