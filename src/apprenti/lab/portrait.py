"""What a run's learner has in mind now: the players of its generation, and the Gaussian they are drawn from."""

from typing import Any

from apprenti.core.protocols import Storable
from apprenti.lab.runs import flat
from apprenti.lab.train import build_learner, restored
from apprenti.learn.learner import DrawsFromGaussian, HasParents, HasPopulation
from apprenti.store.runs import Run

MOST = 200
"""Players that are told of."""


def portrait_of(run: Run) -> dict[str, Any]:
    """`axes`, `players` (numbers for each axis), `parents` (ranks before), `gaussian`; what a learner has of these."""
    about, checkpoint = run.about(), run.load()
    if checkpoint is None:
        return {}
    learner = build_learner(about["method"], about["config"])
    restored(learner, checkpoint.state)
    if not isinstance(learner, HasPopulation):
        return {}
    told = [_weights(agent) for agent in learner.candidate_agents()[:MOST]]
    found: dict[str, Any] = {"generation": checkpoint.generation}
    if told and told[0]:
        found |= {"axes": list(told[0]), "players": [list(one.values()) for one in told]}
    if isinstance(learner, HasParents):
        found["parents"] = learner.parents()[:MOST]
    if isinstance(learner, DrawsFromGaussian):
        mean, deviation = learner.mean_and_deviation()
        found["gaussian"] = {"mean": mean, "deviation": deviation}
    return found


def _weights(agent: Any) -> dict[str, float]:
    """The weights of a player by name; those of a group are numbered."""
    weights: Any = agent.describe()[1].get("weights", {}) if isinstance(agent, Storable) else {}
    found: dict[str, float] = {}
    for name, weight in flat(weights).items():
        many = weight if isinstance(weight, list | tuple) else None
        found |= {f"{name}[{i}]": float(w) for i, w in enumerate(many, 1)} if many else {name: float(weight)}
    return found
