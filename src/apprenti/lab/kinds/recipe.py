"""A recipe: stages of learning, each on its own board and from where the last one stopped, then fresh games."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from apprenti.arena.statistics import as_json
from apprenti.games.tetris.features import size_of
from apprenti.lab.agents import Known, find
from apprenti.lab.evaluate import Effort, evaluate
from apprenti.lab.kinds.kind import Kind, Report, Settings, markdown
from apprenti.lab.kinds.trained import runs_folder, trained_run
from apprenti.learn.methods import config_class
from apprenti.learn.tetris.criteria import Layout, parse
from apprenti.store.runs import Run
from apprenti.views.numbers import number
from apprenti.views.plots import training_curves


def continued(weights: dict[str, Any], layout: Layout) -> tuple[float, ...]:
    """Weights as a vector of length 1 for criteria that may be others: 0 for what is new, nothing for what is gone."""
    numbers: list[float] = []
    for name in layout.names:
        size = size_of(name, layout.width)
        weight = weights.get(name, [0.0] * size)
        numbers += weight if isinstance(weight, list | tuple) else [weight]
    length = float(np.linalg.norm(numbers))
    return tuple(float(w) for w in np.array(numbers) / (length or 1.0))


def test(known: Known, row: dict[str, Any], settings: Settings) -> dict[str, Any]:
    """Fresh games, with seeds that no stage has seen."""
    short, seed = settings.short, settings.seed + 100_000
    rules = known.rules.changed(row["size"], max_pieces=20_000 if short else 0)
    effort = Effort(20 if short else row["games"], seed, settings.workers, seconds=row.get("seconds", 0.0))
    evaluation = evaluate(known, rules, effort)
    return {
        "size": row["size"],
        "record": row["record"],
        "seconds": evaluation.seconds,
        **as_json(evaluation.summary("lines")),
    }


@dataclass(frozen=True)
class Stage:
    """What has come of a stage."""

    number: int
    run: Run
    tests: list[dict[str, Any]] = field(default_factory=list)

    @property
    def known(self) -> Known:
        """The player it has learned."""
        return find(str(self.run.agent_path))

    def to_json(self) -> dict[str, Any]:
        """The end of its run, and its tests."""
        return {
            "stage": self.number,
            **self.run.metrics()[-1],
            "config": self.run.about()["config"],
            "tests": self.tests,
            "weights": dict(self.known.agent.weights),
        }

    def cells(self, score: dict[str, Any]) -> list[str]:
        """A test's line of the table; None is no end in sight."""
        mean, low, high = (float("inf") if x is None else x for x in (score["mean"], *score["ci95"]))
        seconds = self.run.metrics()[-1]["seconds"]
        return [
            f"{self.number}", f"{seconds:.0f} s", score["size"], f"{score['games']} ({score['deaths']})",
            score["record"], f"**{number(mean, 3)}**", f"{number(low, 3)} … {number(high, 3)}",
        ]  # fmt: skip


class Recipe(Kind):
    """A `[[stage]]` for each stage of learning, with its `tests`, criteria and all else that differs.

    A stage begins with the weights of the one before; its `seed`, if it has one, is added to the experiment's.
    """

    needs = ("short_config", "stage")
    headings = ("stage", "learning", "test board", "fresh games (deaths)", "record", "lines", "95 % interval")
    found: list[Stage]

    def run(self, report: Report) -> Iterator[None]:
        """Learn in stages, and measure each stage's player on fresh games."""
        stages = self.data["stage"]
        for done, options in enumerate(stages):
            report(done / len(stages), f"stage {done + 1} of {len(stages)}")
            stage = Stage(done + 1, self.train(options))
            self.found.append(stage)
            yield
            for wanted in options.get("tests", self.data.get("tests", [])):
                stage.tests.append(test(stage.known, wanted, self.settings))
                yield

    def train(self, own: dict[str, Any]) -> Run:
        """One stage, beginning with what the stage before has learned; a finished one is taken up as it is."""
        options = {**self.data.get("config", {}), **own}
        options |= {"seed": self.settings.seed + own.get("seed", 0), "workers": self.settings.workers}
        options.pop("tests", None)
        method = options.pop("method", "cma")
        if self.settings.short:
            options |= self.data["short_config"]
        config, name = config_class(method)(**options), f"stage-{len(self.found) + 1}"
        if self.found:
            layout = Layout(parse(config.criteria), config.game().width)
            config = replace(config, initial_weights=continued(dict(self.found[-1].known.agent.weights), layout))
        return trained_run(method, config, name, runs_folder(self.folder, self.settings))

    def table(self) -> str:
        """A line for each test."""
        return markdown(self.headings, [stage.cells(score) for stage in self.found for score in stage.tests])

    def draw(self, path: Path) -> None:
        """The curve of each stage."""
        curves = {}
        for stage in self.found:
            curves[f"stage {stage.number}, {stage.run.about()['config']['size']}"] = [stage.run.metrics()]
        training_curves(curves, self.experiment.title, path)
