"""A recipe: stages of learning, each on its own board and from where the last one stopped, then fresh games."""

from bisect import bisect_right
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from apprenti.arena.statistics import from_json
from apprenti.core.data import JsonData, JsonMapping
from apprenti.core.errors import BadFile
from apprenti.games.tetris.criteria import size_of
from apprenti.games.tetris.learn.criteria import parse
from apprenti.games.tetris.weights import Layout
from apprenti.lab.kinds.fields import REST, read, rules_of
from apprenti.lab.kinds.kind import Finding, Kind, Part, grouped, markdown
from apprenti.lab.kinds.runs import RunPlan
from apprenti.lab.kinds.scores import Amount, how_often, play_alone, saying_what_is_estimated
from apprenti.lab.runs import weights_of
from apprenti.learn.methods import config_class
from apprenti.store.agentfile import read_agent
from apprenti.store.runs import Run
from apprenti.views.numbers import mean_and_interval
from apprenti.views.plots import training_curves

METHOD = "cma"


@dataclass(frozen=True, kw_only=True)
class Test(Amount):
    """Fresh games with what a stage has learned."""

    size: str
    record: str
    agent: str = ""
    """A player to measure in the same way instead, to compare with."""


@dataclass(frozen=True, kw_only=True)
class Stage:
    """What a stage does, and how it is measured."""

    tests: tuple[Test, ...] = ()
    seed: int = 0
    """Added to the experiment's."""
    config: JsonData = field(default_factory=dict, metadata=REST)


@dataclass(frozen=True, kw_only=True)
class File:
    """A `[[stage]]` for each stage of learning, with its `tests`, criteria and all else that differs."""

    stage: tuple[Stage, ...]
    config: JsonData = field(default_factory=dict)
    short_config: JsonData


def continued(weights: JsonData, layout: Layout) -> tuple[float, ...]:
    """Weights as a vector of length 1 for criteria that may be others: 0 for what is new, nothing for what is gone."""
    numbers: list[float] = []
    for name in layout.names:
        size = size_of(name, layout.width)
        weight = weights.get(name, [0.0] * size)
        numbers += weight if isinstance(weight, list | tuple) else [weight]
    length = float(np.linalg.norm(numbers))
    return tuple(float(w) for w in np.array(numbers) / (length or 1.0))


def begun(learned: JsonMapping, layout: Layout, heights: tuple[int, ...]) -> tuple[float, ...]:
    """The vector a stage begins with, from the agent of the one before: each regime as that was at its height.

    Units begin with nothing.
    """
    was = learned.get("heights", [])
    regimes = learned["weights"] if was else [learned["weights"]]
    each = [continued(regimes[bisect_right(was, height)], layout) for height in (0, *heights)]
    return tuple(number for weights in each for number in weights)


class Recipe(Kind[File]):
    """A line for each test. A stage begins with the weights of the one before."""

    File = File
    headings = ("stage", "learning", "test board", "fresh games (deaths)", "record", "lines", "95 % interval")

    def divide(self) -> list[Part]:
        self.runs: dict[int, Run] = {}
        if any(self.config_of(place).units for place in range(1, len(self.plan.stage))):
            raise BadFile(f"{self.where}: no stage can follow one with units, whose network no other begins with.")
        parts = []
        for place, stage in enumerate(self.plan.stage, 1):
            self.config_of(place)
            before = {"config": self.plan.config, "stages": [asdict(one) for one in self.plan.stage[:place]]}
            parts.append(Part(f"stage {place}", before, partial(self._learn, place)))
            for test in stage.tests:
                key = {**before, "test": asdict(test)}
                name = f"{test.agent or f'stage {place}'} on {test.size}"
                parts.append(Part(name, key, partial(self._test, place, test, name)))
        return parts

    def config_of(self, place: int) -> Any:
        """The options of a stage, but for where it begins."""
        stage, settings = self.plan.stage[place - 1], self.settings
        options = {**self.plan.config, **stage.config, "seed": settings.seed + stage.seed, "workers": settings.workers}
        cls, where = config_class(METHOD), f"stage {place} of {self.where}"
        whole = read(cls, options, where, (Stage,))
        short = read(cls, {**options, **self.plan.short_config}, f"short_config of {where}")
        return short if settings.short else whole

    def run_of(self, place: int) -> Run:
        """The finished run of a stage, and before it those of the stages before."""
        if place not in self.runs:
            config = self.config_of(place)
            if place > 1:
                layout = Layout(parse(config.criteria), config.game().width)
                learned = read_agent(self.run_of(place - 1).agent_path).config
                config = replace(config, initial_weights=begun(learned, layout, config.regimes))
            self.runs[place] = RunPlan(f"stage-{place}", METHOD, config).trained(self.folder / "runs")
        return self.runs[place]

    def _learn(self, place: int) -> Finding:
        run = self.run_of(place)
        metrics, config = run.metrics(), run.about()["config"]
        return {"stage": place, **metrics[-1], "config": config, "weights": weights_of(run), "curve": metrics}

    def _test(self, place: int, test: Test, name: str) -> Finding:
        """Fresh games, with seeds that no stage has seen."""
        known, settings = self.find(test.agent or str(self.run_of(place).agent_path), None), self.settings
        effort = replace(test.effort(settings), seed=settings.seed + 100_000)
        rules = rules_of(known.game, known.rules, {"size": test.size}, self.where)
        stored = self.stored(name, asdict(self.plan)) if test.rare else None
        finding = play_alone(known, rules, effort, stored)
        if finding["interrupted"]:
            raise KeyboardInterrupt
        about = {"size": test.size, "record": test.record, "agent": test.agent, "seconds": finding["seconds"]}
        split = {"repetitions": finding["repetitions"]} if "repetitions" in finding else {}
        return {"stage": place, **about, **split, **finding["statistics"]["lines"]}

    def numbers(self) -> list[Finding]:
        return [
            {**{name: value for name, value in stage.items() if name != "curve"}, "tests": tests}
            for stage, *tests in grouped(self.findings, "stage")
        ]

    def table(self) -> str:
        both = [(stage, test) for stage, *tests in grouped(self.findings, "stage") for test in tests]
        headings = saying_what_is_estimated(self.headings, [from_json(test) for _, test in both], "lines")
        return markdown(headings, [self._line(stage, test) for stage, test in both])

    def _line(self, stage: Finding, test: Finding) -> list[str]:
        summary = from_json(test).whole
        who = [test["agent"], "-"] if test["agent"] else [str(stage["stage"]), f"{stage['seconds']:.0f} s"]
        return [
            *who, test["size"], how_often(test, summary), test["record"], *mean_and_interval(summary),
        ]  # fmt: skip

    def draw(self, path: Path) -> None:
        stages = [stage for stage, *_ in grouped(self.findings, "stage")]
        curves = {f"stage {one['stage']}, {one['config']['size']}": [one["curve"]] for one in stages}
        training_curves(curves, self.experiment.title, path)
