"""Algorithm 1 of the report: actor-critic with eligibility traces (Sutton and Barto 2018, section 13.5).

Where two players share a model, it may change between a decision and its judgement: all gradients are then those of
the model as it is when it is updated.

A recurrent model is a simple recurrent network (Elman 1990): beside a state it is shown its actor's hidden layer at the
last decision of the episode, as inputs like others: gradients do not go further back.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from apprenti.core.mlp import Mlp, Vector, draw, log_gradient, restricted


@dataclass(frozen=True, kw_only=True)
class Rates:
    """λ and α of actor and critic, and the discount."""

    lam_actor: float = 0.5
    """λ of the actor's traces."""
    lam_critic: float = 0.5
    """λ of the critic's traces."""
    learning_rate_actor: float = 1e-6
    """α of the actor."""
    learning_rate_critic: float = 1e-6
    """α of the critic."""
    gamma: float = 1.0
    """Discount of a move later."""
    softmax_twice: bool = False
    """Softmax on the softmax's legal part, as the report can be read; default: softmax on the legal part alone."""


@dataclass
class Model:
    """Actor and critic: shared by everybody who plays."""

    actor: Mlp
    critic: Mlp
    rates: Rates
    recurrent: bool = False
    """Whether it is shown what its hidden layer was."""

    def policy(self, x: Vector, legal: NDArray[np.int64]) -> Vector:
        """The probabilities of the legal actions."""
        return restricted(self.actor.forward(x)[-1], legal, self.rates.softmax_twice)

    def value(self, x: Vector) -> float:
        """The critic's judgement."""
        return float(self.critic.forward(x)[-1][0])


@dataclass
class Episode:
    """One player's episode: traces and the last decision, still to be judged."""

    model: Model
    z_theta: list[Vector] = field(init=False)
    z_w: list[Vector] = field(init=False)
    discount: float = 1.0
    """I of the algorithm."""
    last: tuple[Vector, NDArray[np.int64], int] | None = None
    """State, legal actions and which of them was chosen."""
    context: Vector = field(default_factory=lambda: np.zeros(0))
    """The hidden layer of a recurrent actor at the last decision; zeros before the first."""

    def __post_init__(self) -> None:
        if self.model.recurrent:
            self.context = np.zeros(len(self.model.actor.layers[0]))
        self.z_theta = [np.zeros_like(layer) for layer in self.model.actor.layers]
        self.z_w = [np.zeros_like(layer) for layer in self.model.critic.layers]

    def act(self, x: Vector, legal: NDArray[np.int64], luck: float) -> int:
        """A ~ π(·|S): a place in `legal`, drawn and never the most likely one on purpose."""
        x = np.concatenate([x, self.context])
        chosen = draw(self.model.policy(x, legal), luck)
        self.last = x, legal, chosen
        if self.model.recurrent:
            self.context = self.model.actor.forward(x)[1]
        return chosen

    def learn(self, reward: float, after: Vector | None) -> float:
        """Judge the last decision by its reward and the next state (None if that is final); return δ."""
        if self.last is None:
            return 0.0
        model, rates = self.model, self.model.rates
        x, legal, chosen = self.last
        seen = model.critic.forward(x)
        ahead = rates.gamma * model.value(np.concatenate([after, self.context])) if after is not None else 0.0
        delta = reward + ahead - float(seen[-1][0])
        _decay_and_add(self.z_w, rates.gamma * rates.lam_critic, model.critic.gradient(seen, np.ones(1)), 1.0)
        acted = model.actor.forward(x)
        back = log_gradient(acted[-1], legal, chosen, rates.softmax_twice)
        slope = model.actor.gradient(acted, back)
        _decay_and_add(self.z_theta, rates.gamma * rates.lam_actor, slope, self.discount)
        model.critic.add(rates.learning_rate_critic * delta, self.z_w)
        model.actor.add(rates.learning_rate_actor * delta, self.z_theta)
        self.discount *= rates.gamma
        self.last = None
        return delta


def _decay_and_add(traces: list[Vector], decay: float, slope: list[Vector], scale: float) -> None:
    for trace, change in zip(traces, slope, strict=True):
        trace *= decay
        trace += scale * change
