"""Learned networks in numpy alone: the one that plays, and the placement model that puts the army on its half.

The first computes what `learn/deep/policy_network.py` computes with torch. The second sets up piece by piece, the most
restricted first (flag, mines, bombs, then by rank), so that the rest always fits: it sees what stands where and which
piece is next, and says how much it likes each point.
"""

from collections.abc import Sequence
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apprenti.agents.base import AgentBase, ComparedByArrays, check_number
from apprenti.core.compiled import announcing
from apprenti.core.data import Arrays, JsonObject
from apprenti.core.errors import BadAgent, BadOption
from apprenti.core.mlp import draw
from apprenti.core.protocols import AnyAgent
from apprenti.core.seeds import Chance
from apprenti.games.luzhanqi.agents.known_layouts import beliefs_with, layouts_of, usual_layouts
from apprenti.games.luzhanqi.agents.players import NO_LAYOUTS, features, next_piece
from apprenti.games.luzhanqi.agents.scores_kernel import MOVE_FEATURES, POINT_FEATURES
from apprenti.games.luzhanqi.board import ACTION_OF, MOVES, POINTS, SLOTS, TURNED_ACTION, parse_move
from apprenti.games.luzhanqi.fast.arrays import blank_world, rules_array
from apprenti.games.luzhanqi.fast.primitives import at
from apprenti.games.luzhanqi.layout import MIRRORED_SLOTS, book, mirror, varied_layout
from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.pieces import BOMB, FLAG, MINE, NONE, TYPES
from apprenti.games.luzhanqi.planes import MOVE_INPUTS, PLANES, move_inputs
from apprenti.games.luzhanqi.report_state import PLACES, letters_of_layout
from apprenti.games.luzhanqi.rules import Rules

INPUTS = PLACES + TYPES
PLACER_SHAPES = {
    "placer.0.weight": (None, INPUTS), "placer.0.bias": (None,), "placer.2.weight": (SLOTS, None),
    "placer.2.bias": (SLOTS,),
}  # fmt: skip
"""The weights of a placement model; None for its hidden units."""

Array = NDArray[np.float32]


@cache
def order(rules: Rules) -> tuple[int, ...]:
    """The types of the pieces in the order in which they are placed."""
    first = (FLAG, MINE, BOMB)
    kinds = (*first, *(kind for kind in range(TYPES) if kind not in first))
    return tuple(kind for kind in kinds for _ in range(rules.counts[kind]))


@cache
def allowed(rules: Rules) -> NDArray[np.bool_]:
    """(types, slots): where a piece of each type may begin."""
    bits = rules_array(rules)[at.ALLOWED : at.ALLOWED + SLOTS]
    return np.asarray((bits[None, :] >> np.arange(TYPES)[:, None]) & 1 == 1)


class Placements(NamedTuple):
    """Armies as a model has placed them."""

    layouts: NDArray[np.int64]
    """(armies, slots): types, 12 where nothing stands."""
    slots: NDArray[np.int64]
    """(armies, pieces): where each piece went, in their order."""
    log_probabilities: Array
    """(armies, pieces): the log-probability of that."""


def seen_while_placing(rules: Rules, slots: NDArray[np.int64]) -> tuple[Array, NDArray[np.bool_]]:
    """(armies, pieces, …): what the network saw before each piece was placed, and where it might go."""
    armies, pieces = slots.shape
    inputs, free = np.zeros((armies, pieces, INPUTS), np.float32), np.ones((armies, pieces, SLOTS), np.bool_)
    rows = np.arange(armies)
    for number, kind in enumerate(order(rules)):
        inputs[:, number, PLACES + kind] = 1
        free[:, number] &= allowed(rules)[kind]
        for later in range(number + 1, pieces):
            inputs[rows, later, slots[:, number] * TYPES + kind] = 1
            free[rows, later, slots[:, number]] = False
    return inputs, free


class Placer:
    """The network, in numpy alone."""

    def __init__(self, arrays: Arrays) -> None:
        if missing := [name for name in PLACER_SHAPES if name not in arrays]:
            raise BadAgent(f"a placement model needs the arrays {', '.join(PLACER_SHAPES)}: {missing[0]} is missing.")
        self.weights = {name: np.asarray(arrays[name], np.float32) for name in PLACER_SHAPES}
        first, bias, second, other = self.weights.values()
        hidden = bias.shape[0] if bias.ndim == 1 else -1
        if first.shape != (hidden, INPUTS) or second.shape != (SLOTS, hidden) or other.shape != (SLOTS,):
            raise BadAgent(f"a placement model has {INPUTS} inputs and {SLOTS} outputs.")

    def logits(self, inputs: Array) -> Array:
        """How much it likes each point."""
        first, bias, second, other = self.weights.values()
        return np.asarray(np.maximum(inputs @ first.T + bias, 0) @ second.T + other)

    def place(self, rules: Rules, numbers: NDArray[np.float64]) -> Placements:
        """(armies, pieces) random numbers of [0, 1) → as many armies."""
        armies = len(numbers)
        rows, layouts = np.arange(armies), np.full((armies, SLOTS), NONE, np.int64)
        slots, log_probabilities = np.zeros(numbers.shape, np.int64), np.zeros(numbers.shape, np.float32)
        inputs = np.zeros((armies, INPUTS), np.float32)
        for number, kind in enumerate(order(rules)):
            inputs[:, PLACES:] = np.arange(TYPES) == kind
            logits = np.where(allowed(rules)[kind] & (layouts == NONE), self.logits(inputs), -np.inf)
            likely = np.exp(logits - logits.max(axis=1, keepdims=True), dtype=np.float64)
            likely /= likely.sum(axis=1, keepdims=True)
            reached = likely.cumsum(axis=1) > numbers[:, number, None]
            last = SLOTS - 1 - (likely[:, ::-1] > 0).argmax(axis=1)  # where rounding leaves the sum below the number
            chosen = np.where(reached.any(axis=1), (reached & (likely > 0)).argmax(axis=1), last)
            slots[:, number], log_probabilities[:, number] = chosen, np.log(likely[rows, chosen])
            layouts[rows, chosen] = kind
            inputs[rows, chosen * TYPES + kind] = 1
        return Placements(layouts, slots, log_probabilities)


EXPECTED = 512


def expected_layouts(rules: Rules, placer: Placer | None) -> str:
    """What an agent that sets up by a placement model expects of others: usual layouts, and as many like its own."""
    usual = usual_layouts(rules).split()
    if placer is None:
        return " ".join(usual)
    numbers = np.random.Generator(np.random.PCG64(1)).random((EXPECTED, sum(rules.counts)))
    own = placer.place(rules, numbers).layouts
    own[EXPECTED // 2 :] = own[EXPECTED // 2 :, MIRRORED_SLOTS]
    return " ".join([*usual[:EXPECTED], *map(letters_of_layout, own.tolist())])


RECALLED = 4
"""Planes that show the hidden state."""


def _sigmoid(x: Array) -> Array:
    return np.asarray(0.5 * (1 + np.tanh(0.5 * x)))


def _relu(x: Array) -> Array:
    return np.maximum(x, 0)


def outcome_chances(judged: Array) -> Array:
    """(games, 3): how likely a win, a draw and a loss are, from a value head of three numbers."""
    shifted = np.exp(judged - judged.max(axis=1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=1, keepdims=True))


def value_of(judged: Array) -> Array:
    """(games,) values from −1 to 1: of a head of one number, or P(win) − P(loss) of one of three."""
    if judged.shape[1] == 1:
        return np.asarray(np.tanh(judged[:, 0]))
    chances = outcome_chances(judged)
    return np.asarray(chances[:, 0] - chances[:, 2])


class PolicyNetworkAgent(ComparedByArrays, AgentBase):
    """Plays by a learned policy: drawn from it, or its most likely move when the temperature is 0."""

    plays = ("luzhanqi",)

    def __init__(self, temperature: float = 0.5, arrays: Arrays | None = None, prior: float = 0.0) -> None:
        """`prior`: how likely it thinks at first that the enemy has a usual layout, or one like its own."""
        if not 0 <= temperature <= 10:
            raise BadAgent(f"a temperature is from 0 to 10, not {temperature}.")
        check_number("prior", prior, 0, 1)
        self.temperature, self.prior = float(temperature), float(prior)
        self.weights = {name: np.asarray(array, np.float32) for name, array in (arrays or {}).items()}
        self.placer = Placer(self.weights) if any(name.startswith("placer.") for name in self.weights) else None
        self._expected: dict[Rules, str] = {}
        self._check()

    def _check(self) -> None:
        """Refuse weights that are not such a network, before anything is computed with them."""
        try:
            wrong = [name for name, shape in self._shapes().items() if self.weights[name].shape != shape]
        except (KeyError, IndexError) as error:
            raise BadAgent(f"these weights are not a network for luzhanqi ({error} is missing).") from None
        known = {*self._shapes(), *PLACER_SHAPES}
        wrong += [f"{name} is unknown" for name in self.weights if name not in known]
        if wrong or not all(np.isfinite(array).all() for array in self.weights.values()):
            raise BadAgent(f"these weights are not a network for luzhanqi: {', '.join(wrong) or 'not finite'}.")

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes the weights must have, given the first of them."""
        channels, hidden = self.weights["stem.weight"].shape[0], self.weights["judge.bias"].shape[0]
        keys, squeezed = self.weights["offer.bias"].shape[0], self.weights["squeeze.bias"].shape[0]
        judged = 3 if len(self.weights["value.bias"]) == 3 else 1
        shapes: dict[str, tuple[int, ...]] = {"place": (POINTS, channels)}
        linear = {
            "stem": (channels, PLANES),
            "offer": (keys, channels),
            "ask": (keys, channels),
            "squeeze": (squeezed, channels),
            "judge": (hidden, squeezed * POINTS),
            "value": (judged, hidden),
        }
        if self.recurrent_units:
            size = self.weights["remember.weight_hh"].shape[1]
            linear |= {"recall": (RECALLED * POINTS, size), "stem": (channels, PLANES + RECALLED)}
            gates = (4 if self.is_lstm else 3) * size
            shapes |= {
                f"remember.weight_{part}": (gates, inputs) for part, inputs in (("ih", MOVE_INPUTS), ("hh", size))
            }
            shapes |= {f"remember.bias_{part}": (gates,) for part in ("ih", "hh")}
        if self.features:
            linear["stem"] = (channels, linear["stem"][1] + POINT_FEATURES)
        if "advice" in self.weights or self.features:
            shapes["advice"] = (MOVE_FEATURES if self.features else 1,)
        for layer in range(self.layers):
            mixes = self.weights[f"mixes.{layer}"].shape[0]
            shapes[f"mixes.{layer}"] = (mixes, POINTS, POINTS)
            linear[f"joins.{layer}"] = (channels, mixes * channels)
        for name, (outputs, inputs) in linear.items():
            shapes |= {f"{name}.weight": (outputs, inputs), f"{name}.bias": (outputs,)}
        return shapes

    @cached_property
    def layers(self) -> int:
        """How many rounds of messages."""
        parts = (name.split(".") for name in self.weights)
        return len({part[1] for part in parts if part[0] in ("mixes", "joins") and len(part) > 1})

    @cached_property
    def recurrent_units(self) -> int:
        """How many numbers its hidden state has; 0 for a network without one."""
        return int(self.weights["remember.weight_hh"].shape[-1]) if "remember.weight_hh" in self.weights else 0

    @cached_property
    def is_lstm(self) -> bool:
        """Whether the cell is an LSTM, with four gates, instead of a GRU with three."""
        return bool(self.recurrent_units and len(self.weights["remember.weight_hh"]) == 4 * self.recurrent_units)

    @cached_property
    def features(self) -> bool:
        """Whether it is shown features of the points beside the planes, and all features of the moves."""
        return bool(self.weights["stem.weight"].shape[1] > PLANES + (RECALLED if self.recurrent_units else 0))

    def expected(self, rules: Rules) -> str:
        """The layouts that it expects of the enemy, with spaces between them; none where there is no book."""
        if rules not in self._expected:
            self._expected[rules] = expected_layouts(rules, self.placer) if book(rules) else ""
        return self._expected[rules]

    def hidden_state(self, observation: Observation) -> Array:
        """What it remembers of a game: a recurrent cell is given every move since the beginning."""
        record, size = observation.record, self.recurrent_units
        h, state = np.zeros((2, size), np.float32)
        if record is None or not record.moves:
            return h
        moves = np.array([(*move, number % 2) for number, move in enumerate(record.moves)], np.int64)
        inputs = move_inputs(moves, observation.player) @ self.weights["remember.weight_ih"].T
        inputs += self.weights["remember.bias_ih"]
        hidden, bias = self.weights["remember.weight_hh"], self.weights["remember.bias_hh"]
        for x in inputs:
            y = hidden @ h + bias
            if self.is_lstm:
                gate_in, forget, fresh, gate_out = np.split(x + y, 4)
                state = _sigmoid(forget) * state + _sigmoid(gate_in) * np.tanh(fresh)
                h = _sigmoid(gate_out) * np.tanh(state)
                continue
            reset, update = _sigmoid(x[:size] + y[:size]), _sigmoid(x[size : 2 * size] + y[size : 2 * size])
            fresh = np.tanh(x[2 * size :] + reset * y[2 * size :])
            h = (1 - update) * fresh + update * h
        return np.asarray(h, np.float32)

    def _linear(self, name: str, x: Array) -> Array:
        return np.asarray(x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"])

    def evaluate(self, planes: Array, hidden_state: Array | None = None) -> tuple[Array, Array]:
        """(games, planes, 12, 5) → logits of all pairs of points (games, 60, 60), and values (games,).

        The planes of the point features come last, if the network has them.
        """
        games = len(planes)
        x = planes.reshape(games, -1, POINTS)
        if self.recurrent_units:
            assert hidden_state is not None, "a network with recurrent units needs its hidden state"
            x = np.concatenate([x, self._linear("recall", hidden_state).reshape(games, RECALLED, POINTS)], axis=1)
        x = x.transpose(0, 2, 1)
        h = _relu(self._linear("stem", x) + self.weights["place"])
        for layer in range(self.layers):
            mix = self.weights[f"mixes.{layer}"]
            mixed = np.matmul(mix.reshape(-1, POINTS), h).reshape(games, len(mix), POINTS, -1).transpose(0, 2, 1, 3)
            h = h + _relu(self._linear(f"joins.{layer}", mixed.reshape(games, POINTS, -1)))
        offer, ask = self._linear("offer", h), self._linear("ask", h)
        logits = np.matmul(offer[..., :-1], ask[..., :-1].transpose(0, 2, 1)) / np.sqrt(offer.shape[-1] - 1)
        logits = logits + offer[..., -1:] + ask[..., -1:].transpose(0, 2, 1)
        judged = _relu(self._linear("judge", _relu(self._linear("squeeze", h)).reshape(games, -1)))
        return logits, value_of(self._linear("value", judged))

    @announcing("what a network of Luzhanqi is shown", features)
    def policy(self, observation: Observation, legal: Sequence[str]) -> tuple[NDArray[np.float64], float]:
        """The probability of each legal move, and the value for the player to move."""
        hidden_state = self.hidden_state(observation)[np.newaxis] if self.recurrent_units else None
        shown = None
        if "advice" in self.weights:
            layouts = layouts_of(self.expected(observation.rules)) if self.prior else NO_LAYOUTS
            shown = features(observation.rules, blank_world(observation)[None], self.prior, layouts)
        planes = observation.planes().reshape(1, PLANES, POINTS)
        if self.features and shown is not None:
            planes = np.concatenate([planes, shown.points], axis=1)
        logits, value = self.evaluate(planes, hidden_state)
        actions = [ACTION_OF[parse_move(move)] for move in legal]
        if observation.player == 1:
            actions = [TURNED_ACTION[action] for action in actions]
        chosen = np.array([logits[0][MOVES[action]] for action in actions], np.float64)
        if shown is not None:
            chosen += shown.moves[0, actions, : len(self.weights["advice"])] @ self.weights["advice"]
        chosen = np.exp((chosen - chosen.max()) / max(self.temperature, 1e-6))
        return np.asarray(chosen / chosen.sum()), float(value[0])

    def odds(self, observation: Observation) -> NDArray[np.float64]:
        """For each slot of the enemy, how likely each type is, as its features are made of (nearly)."""
        return beliefs_with(observation, self.prior, self.expected(observation.rules)).marginals()

    def choose(self, observation: Observation, legal: Sequence[str], rng: Chance) -> str:
        if observation.record is None:
            return next_piece(observation, legal, rng, usual_layouts(observation.rules).split())
        probabilities, _ = self.policy(observation, legal)
        return legal[int(probabilities.argmax()) if self.temperature == 0 else draw(probabilities, rng.random())]

    def arrange(self, rules: Rules, rng: Chance) -> str:
        if self.placer is None:
            return varied_layout(rules, rng)
        numbers = np.array([[rng.random() for _ in range(sum(rules.counts))]])
        layout = letters_of_layout(self.placer.place(rules, numbers).layouts[0].tolist())
        return mirror(layout) if rng.random() < 0.5 else layout

    def describe(self) -> tuple[str, JsonObject]:
        return "luzhanqi-network", {"temperature": self.temperature, "prior": self.prior}

    def arrays(self) -> Arrays:
        return dict(self.weights)


def feed_forward(agent: AnyAgent, name: str) -> PolicyNetworkAgent:
    """The agent, if it is a network without search and recurrent units, which plays many games at once in torch."""
    if type(agent) is not PolicyNetworkAgent or agent.recurrent_units:
        raise BadOption(f"a best response is learned against a network without search and memory; {name} is none.")
    return agent
