"""The runs of a folder, as they are listed and looked at: what each has come to, and how long it still takes."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from apprenti.core.errors import ApprentiError
from apprenti.core.plugins import Registry
from apprenti.core.text import printable
from apprenti.lab.train import build_config
from apprenti.store.agentfile import read_agent
from apprenti.store.runs import Run

LATEST = 10
"""Steps that say how long the next ones take."""


def planned_steps(method: str, stored: dict[str, Any]) -> int | None:
    """How many steps a run has; None if this version does not take its options."""
    try:
        return build_config(method, stored).steps
    except ApprentiError:
        return None


def summary_of(run: Run) -> dict[str, Any]:
    """A run in one line."""
    if damage := run.damage():
        return {"run": run.name, "damaged": damage}
    described, rows = run.about(), run.metrics()
    config = described["config"]
    found = {
        "run": run.name,
        "method": described["method"],
        "rules": " ".join(str(config[name]) for name in ("game", "rules", "size") if config.get(name)),
        "criteria": config.get("criteria"),
        "generation": rows[-1]["generation"] if rows else 0,
        "of": planned_steps(described["method"], config),
        "best": max((row["best"] for row in rows if "best" in row), default=None),
        "seconds": rows[-1]["seconds"] if rows else 0.0,
    }
    return {name: printable(value) if isinstance(value, str) else value for name, value in found.items()}


def seconds_left(rows: Sequence[dict[str, float]], steps: int) -> float:
    """How long a run still takes, if it goes on as in its last steps."""
    latest = rows[-LATEST:]
    if not latest:
        return 0.0
    first, last = latest[0], latest[-1]
    done = last["generation"] - first["generation"]
    each = (last["seconds"] - first["seconds"]) / done if done else last["seconds"] / max(1, last["generation"])
    return each * max(0, steps - last["generation"])


def weights_of(run: Run) -> Any:
    """The weights learned so far, by criterion, where it learns any; a list of such weights if there are regimes."""
    if not run.agent_path.exists():
        return {}
    return read_agent(run.agent_path).config.get("weights", {})


def flat(weights: Any) -> dict[str, Any]:
    """Weights by criterion; those of regimes by criterion and the number of the regime."""
    if not isinstance(weights, list):
        return dict(weights)
    return {f"{name} {place}": weight for place, each in enumerate(weights, 1) for name, weight in each.items()}


PICTURES: Registry[Any] = Registry("picture of a run", "pictures")
"""What only some learners have to show: each draws it into the folder of a run, or returns None."""


def own_pictures(run: Run) -> dict[str, Path]:
    """The pictures that only this run's learner has, drawn anew."""
    drawn = {name: PICTURES.load(name)(run) for name in PICTURES}
    return {name: path for name, path in drawn.items() if path}
