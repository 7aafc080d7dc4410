"""What the kinds of experiment that train have in common: a `[[run]]` for each choice of options, in a run folder.

A run that is there already is gone on with, or taken as it is: an interrupted experiment resumes.
"""

from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from apprenti import __version__
from apprenti.core.data import JsonData
from apprenti.core.errors import BadFile, BadOption, UnknownName
from apprenti.lab.agents import find
from apprenti.lab.kinds.fields import check_parts, read, rules_of
from apprenti.lab.kinds.kind import Finding, Kind, Part, file_name
from apprenti.lab.kinds.scores import play_alone, uninterrupted
from apprenti.lab.rare_events import RepetitionFile
from apprenti.lab.results import Effort
from apprenti.lab.train import build_learner, resume, train
from apprenti.learn.methods import METHODS, config_class
from apprenti.store.runs import Run


@dataclass(frozen=True, kw_only=True)
class RunRow:
    """A `[[run]]`: what it is called, and what differs from the options of all."""

    name: str
    there: str = "-"
    """What was published of it."""
    method: str = ""
    after: str = ""
    """The run of this experiment, named before it, whose agent it begins as."""
    config: JsonData = field(default_factory=dict)
    short_config: JsonData = field(default_factory=dict)
    """What differs in a short run."""

    @property
    def label(self) -> str:
        """What no other row is called."""
        return self.name


@dataclass(frozen=True, kw_only=True)
class RunsFile:
    """A learner, its options, and a `[[run]]` for each choice of what differs."""

    run: tuple[RunRow, ...]
    method: str = ""
    config: JsonData = field(default_factory=dict)
    short_config: JsonData = field(default_factory=dict)

    def __post_init__(self) -> None:
        labels = [row.label for row in self.run]
        if twice := [label for label in labels if labels.count(label) > 1]:
            raise BadOption(f"two runs are called {twice[0]!r}.")
        for number, row in enumerate(self.run):
            if row.after and row.after not in labels[:number]:
                raise BadOption(f"run {row.label!r} comes after {row.after!r}, which is no run before it.")


Plan = TypeVar("Plan", bound=RunsFile)


@dataclass(frozen=True)
class RunPlan:
    """A run that is to be: its name, its method and all of its options."""

    name: str
    method: str
    config: Any
    after: "RunPlan | None" = None
    """The run whose agent it begins as."""

    @property
    def key(self) -> Finding:
        """All that its end depends on."""
        options = {name: value for name, value in asdict(self.config).items() if name != "workers"}
        before = {"after": self.after.key} if self.after else {}
        return {"method": self.method, "config": options, "version": __version__, **before}

    def folder(self, root: Path) -> Path:
        """Where the run is."""
        return root / file_name(self.name, self.key)

    def trained(self, root: Path) -> Run:
        """The finished run: begun, gone on with, or taken as it is."""
        folder = self.folder(root)
        if (folder / "run.json").exists():
            return resume(Run(folder))
        config = self.config
        if self.after:
            config = replace(config, initial_weights=str(self.after.trained(root).agent_path))
        return train(self.method, config, folder.name, root)


class TrainingKind(Kind[Plan]):
    """A kind that trains: a part for each run, and for each of its repeats."""

    few = 2
    """Rows of a short run."""

    def repeats(self, row: Any) -> int:
        """Runs of a row; each has a seed of its own."""
        return 1

    def test(self, row: Any) -> Any:
        """What a result depends on beside its run: what is played with what was learned."""
        return None

    def measure(self, row: Any, run: Run) -> Finding:
        """What there is to say of a finished run."""
        raise NotImplementedError

    def divide(self) -> list[Part]:
        rows = list(enumerate(self.settings.first(self.plan.run, self.few), 1))
        check_parts(sum(self.repeats(row) for _, row in rows), self.where)
        most = max((self.repeats(row) for _, row in rows), default=0)
        return [
            self._repeat(row, number, repeat)
            for repeat in range(most)
            for number, row in rows
            if repeat < self.repeats(row)
        ]

    def _repeat(self, row: Any, number: int, repeat: int) -> Part:
        run, repeats = self.run_of(row, number, repeat), self.repeats(row)
        key = {**run.key, "row": self.row_key(row), "test": self.test(row)}
        name = f"{row.label}, {repeat + 1} of {repeats}" if repeats > 1 else row.label
        return Part(name, key, partial(self.learn, row, run))

    def row_key(self, row: Any) -> Finding:
        """What a result depends on in a row."""
        return asdict(row)

    def learn(self, row: Any, plan: RunPlan) -> Finding:
        """Train, or take up what is there, and measure it."""
        return self.measure(row, plan.trained(self.root))

    @property
    def root(self) -> Path:
        """Where the runs are."""
        return self.folder / "runs"

    def run_of(self, row: RunRow, number: int, repeat: int = 0) -> RunPlan:
        """The run of a row: the options of all, then its own, then those of a short run."""
        where, plan, settings = f"run {number} of {self.where}", self.plan, self.settings
        method = row.method or plan.method
        if method not in METHODS:
            raise UnknownName(f"method of {where}", method, METHODS) if method else BadFile(f"{where} needs method.")
        cls = config_class(method)
        options = {**plan.config, **row.config, "seed": settings.seed + repeat}
        if "workers" in {one.name for one in fields(cls)}:
            options["workers"] = settings.workers
        whole = read(cls, options, f"config of {where}")
        short = read(cls, {**options, **plan.short_config, **row.short_config}, f"short_config of {where}")
        return RunPlan(row.label, method, short if settings.short else whole, self._before(row, cls, where, repeat))

    def _before(self, row: RunRow, cls: type[Any], where: str, repeat: int) -> RunPlan | None:
        """The run whose agent a run begins as, if its row names one."""
        if not row.after:
            return None
        if not any(one.name == "initial_weights" and one.type is str for one in fields(cls)):
            raise BadFile(f"{where} comes after {row.after!r}, and its method cannot begin as another's agent.")
        number, before = next((n, one) for n, one in enumerate(self.plan.run, 1) if one.label == row.after)
        return self.run_of(before, number, repeat)

    def fresh_games(self, run: Run, name: str, games: int, rules: JsonData, rare: bool = False) -> Finding:
        """What the agent of a run makes of games that it has not seen; by splitting, if they hardly ever end."""
        known, settings = find(str(run.agent_path)), self.settings
        effort = Effort(games, 1000 + settings.seed, settings.workers)
        if settings.short:
            effort = replace(effort, games=4, seconds=2.0)
        chosen = rules_of(known.game, known.rules, rules, self.where)
        if rare:
            return play_alone(
                replace(known, name=name), chosen, effort, RepetitionFile(run.folder / "repetitions.json")
            )
        return dict(uninterrupted(replace(known, name=name), chosen, effort).to_json())


def learner_of(run: Run) -> Any:
    """The learner of a run as it was at its last checkpoint."""
    about, checkpoint = run.about(), run.load()
    learner = build_learner(about["method"], about["config"])
    if checkpoint:
        learner.restore(checkpoint.state)
    return learner
