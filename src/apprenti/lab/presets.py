"""Options that can be chosen at once: a minute to see a learner work, and the runs of our experiments with it."""

from functools import cache

from apprenti.core.data import JsonData
from apprenti.core.errors import ApprentiError
from apprenti.lab.experiments import known, read
from apprenti.lab.forms import config_from
from apprenti.learn.methods import METHODS

RECIPE, LEARNS_BY = "recipe", "cma"
"""The kind of experiment whose stages are runs, one from the other, and their method."""


@cache
def presets_of(method: str) -> list[JsonData]:
    """What can be chosen for a method, the quickest first."""
    minute = getattr(METHODS.get(method), "minute", {})
    presets = [{"title": "", "options": dict(minute), "from": ""}] if minute else []
    for preset in (preset for name in sorted(known(), key=len) for preset in _of_experiment(name, method)):
        if all(preset["options"] != other["options"] for other in presets):  # others repeat the same run
            presets.append(preset)
    return presets


def _of_experiment(name: str, method: str) -> list[JsonData]:
    """The runs of an experiment that its file spells out; a row may name a method of its own."""
    try:
        experiment = read(name)
        data = experiment.data
        rows = [row for row in data.get("run", []) if row.get("method", data.get("method")) == method]
        if experiment.kind == RECIPE and method == LEARNS_BY:  # its first stage: the next ones begin with its weights
            stage = {key: value for key, value in data["stage"][0].items() if key not in ("tests", "seed")}
            rows.append({"name": experiment.title, "config": stage})
        presets = [{"title": row.get("name", name), "options": {**data.get("config", {}), **row.get("config", {})},
                  "from": name} for row in rows]  # fmt: skip
        return [preset for preset in presets if _fits(method, preset["options"])]
    except (ApprentiError, AttributeError, TypeError, LookupError):  # somebody's own file, which `reproduce` explains
        return []


def _fits(method: str, options: JsonData) -> bool:
    """Whether the learner takes these options."""
    try:
        config_from(method, options)
    except ApprentiError:
        return False
    return True
