"""What is won by practising against one network alone: a run of the method `best-response`, in a folder of its own."""

import json
from collections.abc import Callable, Set
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from apprenti.core.data import JsonMapping
from apprenti.core.errors import BadFile, BadOption
from apprenti.games.luzhanqi.agents.network import feed_forward
from apprenti.games.luzhanqi.lab.exploit import Habits
from apprenti.games.luzhanqi.learn.config import BestResponseConfig
from apprenti.games.luzhanqi.rules import Rules
from apprenti.lab.agents import NamedAgent, find
from apprenti.lab.kinds.fields import read
from apprenti.lab.train import Progress, prepared, resume, train_in, versions
from apprenti.store.agentfile import write_agent
from apprenti.store.runs import Checkpoint, Run

METHOD = "best-response"


@dataclass(frozen=True)
class Point:
    """A best response after some time of learning."""

    seconds: float
    """Of processor, without the tests."""
    moves: int
    share: float
    ci95: tuple[float, float]


@dataclass(frozen=True)
class Practice:
    """Against whom, for how long, and how often that is measured."""

    agent: NamedAgent
    rules: Rules
    seen: Habits
    """Layouts of the agent."""
    seconds: float
    games: int
    """Of each test."""
    seed: int
    tests: int = 6
    """Beside the one before it learns."""
    options: JsonMapping = field(default_factory=dict)
    """Of PPO, where they differ."""
    against: str = ""
    """How the agent is named, where that is not its name: a run or a file."""

    def __post_init__(self) -> None:
        feed_forward(self.agent.agent, self.agent.name)

    @property
    def config(self) -> BestResponseConfig:
        """The options of the run."""
        usual = {
            "against": self.against or self.agent.name, "seconds": self.seconds, "tests": self.tests,
            "test_games": self.games, "layouts": len(self.seen.layouts), "seed": self.seed,
        }  # fmt: skip
        config: BestResponseConfig = read(BestResponseConfig, {**usual, **self.options}, "options of a best response")
        return config


def best_response(practice: Practice, on_point: Callable[[Point], None], run: Run | None = None) -> list[Point]:
    """Learn against a frozen network for some time; what it gets before, on the way and after.

    With a folder it is stored there, gone on with after an interruption, and its agent is written.
    """
    if run is None:
        with TemporaryDirectory() as folder:
            return best_response(practice, on_point, Run(Path(folder) / METHOD))
    curve: list[Point] = []

    def watch(progress: Progress) -> None:
        for point in points(progress.history)[len(curve) :]:
            curve.append(point)
            on_point(point)

    config = practice.config
    _take_over(run, config, practice.agent.name)
    if (run.folder / "run.json").exists():
        _check_same(run, config)
        resume(run, watch)
    else:
        train_in(run, METHOD, config, watch)
    for point in points(run.metrics())[len(curve) :]:
        curve.append(point)
        on_point(point)
    _name(run, practice)
    return curve


def points(rows: list[dict[str, float]]) -> list[Point]:
    """The tests in the metrics of a run."""
    tests = []
    for row in rows:
        if "share_before" in row:
            tests.append(Point(0.0, 0, row["share_before"], (row["share_before_low"], row["share_before_high"])))
        if "share" in row:
            low, high = (row.get(f"share_{end}", row.get(end, 0.0)) for end in ("low", "high"))  # 0.2 wrote the latter
            seconds = row.get("processor_seconds", row["seconds"])
            tests.append(Point(seconds, int(row["moves"]), row["share"], (low, high)))
    return tests


def _check_same(run: Run, config: BestResponseConfig) -> None:
    """Refuse a folder with another run; what may change is changed."""
    about = run.about()
    if about["method"] != METHOD or _differs(config, about["config"], config.may_change):
        raise BadOption(f"{run.folder} holds a best response that was begun with other options: choose another folder.")
    run.describe({**about, "config": asdict(config)})


def _differs(config: BestResponseConfig, stored: JsonMapping, free: Set[str]) -> bool:
    """Whether a run was begun with other options, those that are free left out."""
    wanted = json.loads(json.dumps(asdict(config)))
    return any(wanted.get(name) != value for name, value in stored.items() if name not in free)


def _take_over(run: Run, config: BestResponseConfig, name: str) -> None:
    """Make a run of the method of a folder that `exploit --store` of version 0.2 has written."""
    try:
        run.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFile(f"cannot write to {run.folder}: {error.strerror}.") from None
    stored = None if (run.folder / "run.json").exists() else run.take_up()
    if stored is None:
        return
    free = config.may_change | {"prior", "against", "initial_weights"}  # which it did not write, or in another way
    if stored.config.get("against") != name or _differs(config, stored.config, free):
        raise BadOption(f"{run.folder} holds a best response that was begun with other options: choose another folder.")
    state = dict(prepared(METHOD, config)[0].state())
    arrays: Any = state["arrays"]
    tests = len(points([row for row in run.metrics() if row["generation"] <= stored.generation]))
    state |= {**stored.state, "spent": stored.seconds, "tests_made": tests, "arrays": arrays | stored.state["arrays"]}
    run.keep(Checkpoint(stored.generation, state, stored.seconds, asdict(config)))
    run.begin(METHOD, asdict(config), versions(METHOD))


def _name(run: Run, practice: Practice) -> None:
    """Call the agent what it is: a best response to another."""
    file, to = find(str(run.agent_path), practice.agent.game).file, practice.agent.name
    assert file is not None
    source = f"learned by PPO against {to} alone, seed {practice.seed}"
    name, title = f"best-response-to-{to}", f"a best response to {to}"
    write_agent(run.agent_path, replace(file, name=name, title=title, source=source))
