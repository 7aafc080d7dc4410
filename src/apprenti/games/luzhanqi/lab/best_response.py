"""What somebody wins who practises against one network alone: a best response by PPO, stored while it learns."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from time import process_time
from typing import TYPE_CHECKING, Any

from apprenti.arena.statistics import wilson
from apprenti.core.errors import BadFile, BadOption
from apprenti.games.luzhanqi.agents.known_layouts import layouts_of
from apprenti.games.luzhanqi.agents.network import PolicyNetworkAgent
from apprenti.games.luzhanqi.lab.exploit import Habits, habits
from apprenti.games.luzhanqi.rules import Rules
from apprenti.lab.agents import NamedAgent, find
from apprenti.lab.kinds.fields import read
from apprenti.lab.train import restored
from apprenti.store.agentfile import AgentFile, write_agent
from apprenti.store.runs import Checkpoint, Run

if TYPE_CHECKING:
    from apprenti.games.luzhanqi.learn.deep.best_response import BestResponse

BEGINS_AS = "luzhanqi-magnet"
"""The network that a best response begins as: our best."""
STORED_EVERY = 60.0
"""Seconds of learning after which it is stored again."""


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
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of PPO, where they differ."""

    def __post_init__(self) -> None:
        network = self.agent.agent
        if type(network) is not PolicyNetworkAgent or network.memory:
            raise BadOption(
                f"a best response is learned against a network without search and memory; {self.agent.name} is none."
            )

    def learner(self) -> "BestResponse":
        """The learner before its first step."""
        from apprenti.games.luzhanqi.learn.config import PpoConfig
        from apprenti.games.luzhanqi.learn.deep.best_response import BestResponse

        ours, frozen = find(BEGINS_AS, self.agent.game), self.agent.agent
        assert isinstance(ours.agent, PolicyNetworkAgent) and isinstance(frozen, PolicyNetworkAgent)
        usual = {
            "residual_policy": True, "features": True, "epochs": 1, "batch_size": 256, "learning_rate": 0.0003,
            "learned_part": 0.6, "past_share": 0.0, "temperature": 0.2, "random_layout_share": 1.0,
            "iterations": 10**6, "prior": frozen.prior, "seed": self.seed,
        }  # fmt: skip
        config: PpoConfig = read(PpoConfig, {**usual, **self.options}, "options of a best response")
        own = habits(ours.agent, self.rules, len(self.seen.layouts), self.seed + 1)
        return BestResponse(config, ours.agent, frozen, layouts_of(own.known), layouts_of(self.seen.known))


def best_response(practice: Practice, on_point: Callable[[Point], None], run: Run | None = None) -> list[Point]:
    """Learn against a frozen network for some time; what it gets before, on the way and after.

    With a folder it is stored there, gone on with after an interruption, and its agent is written.
    """
    learner = practice.learner()
    learner.warm_up()
    about = _about(learner, practice)
    curve, spent = _taken_up(learner, about, run)
    for point in curve:
        on_point(point)
    for test in range(len(curve), practice.tests + 1):
        spent = _learn(learner, about, spent, practice.seconds * test / practice.tests, run)
        points = sum(learner.measure(practice.games, practice.seed + 2 + test))
        share, interval = points / practice.games, wilson(points, practice.games)
        curve.append(Point(spent, learner.moves_played, share, interval))
        on_point(curve[-1])
        if run:
            _store(run, learner, about, spent, curve[-1])
    if run:
        _write(run, learner, practice)
    return curve


def _learn(learner: "BestResponse", about: dict[str, Any], spent: float, until: float, run: Run | None) -> float:
    """Learn until so many seconds have been spent in all; how many it were."""
    stored = spent
    while spent < until:
        began = process_time()
        learner.step()
        spent += process_time() - began
        if run and spent - stored > STORED_EVERY:
            stored = spent
            _store(run, learner, about, spent)
    return spent


def _about(learner: "BestResponse", practice: Practice) -> dict[str, Any]:
    """What a stored one has to have been begun with."""
    return dict(json.loads(json.dumps({**asdict(learner.config), "against": practice.agent.name})))


def _store(run: Run, learner: "BestResponse", about: dict[str, Any], spent: float, point: Point | None = None) -> None:
    row = {"generation": learner.iteration, "seconds": spent, "moves": learner.moves_played}
    measured = {"share": point.share, "low": point.ci95[0], "high": point.ci95[1]} if point else {}
    run.save(Checkpoint(learner.iteration, dict(learner.state()), spent, about), {**row, **measured})


def _taken_up(learner: "BestResponse", about: dict[str, Any], run: Run | None) -> tuple[list[Point], float]:
    """The curve so far, and the seconds that were spent on it."""
    if run is None:
        return [], 0.0
    try:
        run.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFile(f"cannot write to {run.folder}: {error.strerror}.") from None
    stored = run.take_up()
    if stored is None:
        return [], 0.0
    if stored.config != about:
        raise BadOption(f"{run.folder} holds a best response that was begun with other options: choose another folder.")
    restored(learner, stored.state)
    run.trim_metrics(stored.generation)
    rows = [row for row in run.metrics() if "share" in row]
    return [Point(r["seconds"], int(r["moves"]), r["share"], (r["low"], r["high"])) for r in rows], stored.seconds


def _write(run: Run, learner: "BestResponse", practice: Practice) -> None:
    agent, to = learner.agent(), practice.agent
    (kind, options), rules = agent.describe(), to.game.rules_to_json(practice.rules)
    source = f"learned by PPO against {to.name} alone, seed {practice.seed}"
    name, title = f"best-response-to-{to.name}", f"a best response to {to.name}"
    file = AgentFile(name, title, to.game.name, kind, options, rules, source, arrays=agent.arrays())
    write_agent(run.agent_path, file)
