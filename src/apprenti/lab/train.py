"""Train: the one place where a learner, its run folder and whoever watches come together."""

import platform
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from time import perf_counter
from typing import Any

from apprenti import __version__
from apprenti.core.errors import BadFile
from apprenti.core.protocols import Learner
from apprenti.learn.methods import METHODS, learner_class
from apprenti.store.agentfile import AgentFile, write_agent
from apprenti.store.runs import ROOT, Checkpoint, Run, check_name, fresh_name

CURVE_EVERY = 20.0
"""Seconds between two pictures of the curve."""


@dataclass(frozen=True)
class Progress:
    """A run at one moment."""

    run: Run
    method: str
    done: int
    steps: int
    seconds: float
    history: list[dict[str, Any]]


Watcher = Callable[[Progress], None]


def versions() -> dict[str, str]:
    """What a result may depend on."""
    import numba
    import numpy

    return {
        "apprenti": __version__, "python": platform.python_version(), "numpy": numpy.__version__,
        "numba": numba.__version__,
    }  # fmt: skip


def build_learner(method: str, config: dict[str, Any]) -> Learner:
    """A learner from the options in a run folder; options of another version are named."""
    cls = learner_class(method)
    known = {field.name for field in fields(cls.Config)}
    if set(config) != known:
        more, less = sorted(set(config) - known), sorted(known - set(config))
        parts = [f"{what} {', '.join(names)}" for what, names in (("unknown:", more), ("missing:", less)) if names]
        said = "; ".join(parts)
        raise BadFile(f"this run was made with other options than {method} has now ({said}): start it anew.")
    learner: Learner = cls(cls.Config(**config))
    return learner


def train(method: str, config: Any, name: str = "", root: Path = ROOT, watch: Watcher | None = None) -> Run:
    """Begin a run and go on to its end."""
    learner = learner_class(method)(config)  # refuses impossible options before a folder is made
    run = Run(root / check_name(name or fresh_name(method, root)))
    with run.locked():
        run.begin(method, asdict(config), versions())
        _go_on(run, method, learner, 0.0, [], watch)
    return run


def resume(run: Run, watch: Watcher | None = None, say: Callable[[str], None] = lambda _: None) -> Run:
    """Go on with a run from its newest checkpoint, to the bit as if nothing had happened."""
    about = run.about()
    with run.locked():
        learner = build_learner(about["method"], about["config"])
        for what, version in versions().items():
            if about["versions"].get(what) != version:
                began = about["versions"].get(what)
                say(f"this run began with {what} {began}, now it is {version}: the rest may differ.")
        checkpoint = run.load()
        seconds = 0.0
        if checkpoint:
            if checkpoint.warning:
                say(checkpoint.warning)
            try:
                learner.restore(checkpoint.state)
            except (KeyError, TypeError, ValueError) as error:
                raise BadFile(f"the checkpoint of {run.folder} does not fit its options ({error!r}).") from None
            seconds = checkpoint.seconds
        run.trim_metrics(checkpoint.generation if checkpoint else 0)
        _go_on(run, about["method"], learner, seconds, run.metrics(), watch)
    return run


def _go_on(
    run: Run, method: str, learner: Learner, spent: float, history: list[dict[str, Any]], watch: Watcher | None
) -> None:
    """Step until done; every step is kept before the next begins."""
    learner.warm_up()
    began, drawn = perf_counter() - spent, perf_counter()
    try:
        while not learner.done:
            metrics = learner.step()
            seconds = perf_counter() - began
            history.append({**metrics, "seconds": round(seconds, 3)})
            run.save(Checkpoint(learner.steps[0], learner.state(), seconds), history[-1])
            save_agent(run, method, learner)
            if watch:
                watch(Progress(run, method, *learner.steps, seconds, history))
            if perf_counter() - drawn > CURVE_EVERY:
                drawn = perf_counter()
                draw_curve(run)
    except KeyboardInterrupt:
        interrupt = getattr(getattr(learner, "objective", None), "interrupt", None)
        if interrupt:
            interrupt()
        raise
    draw_curve(run)


def save_agent(run: Run, method: str, learner: Learner) -> None:
    """Write the agent so far."""
    kind, config = learner.agent().describe()
    about = run.about()["config"]
    rules = {"name": about["rules"], "size": about["size"]}
    source = f"learned by {METHODS[method][2]}, run {run.name}, generation {learner.steps[0]}, seed {about['seed']}"
    title = f"{method} run {run.name}"
    write_agent(run.agent_path, AgentFile(run.name, title, "tetris", kind, config, rules, source))


def draw_curve(run: Run) -> None:
    """Draw the curve of a run so far."""
    from apprenti.views.plots import learning_curve

    learning_curve(run.metrics(), f"run {run.name}", run.folder / "curve.png")
