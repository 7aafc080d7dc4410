"""Lessons 7, 8, 9 and 11: decisions, learning from reward, networks, hidden information."""

from collections.abc import Mapping, Sequence

from apprenti.games.mnk.rules import PRESETS
from apprenti.games.mnk.state import symmetries
from apprenti.lab.exercises import exercise, part, texts_of

TEXTS = texts_of(__package__)
Law = Sequence[tuple[str, float, float]]
Values = Mapping[str, float]

# 7 --------------------------------------------------------------------------------------------------------------------


def q_value(law: Law, values: Values, gamma: float) -> float:
    """Σ p (r + γ V(s′))."""
    return sum(share * (reward + gamma * values.get(place, 0.0)) for place, share, reward in law)


def policy_value(q: Values, policy: Values) -> float:
    """Σ π(a) Q(a)."""
    return sum(policy.get(move, 0.0) * q[move] for move in q)


def sweep(model: Mapping[str, Mapping[str, Law]], values: Values, gamma: float) -> dict[str, float]:
    """One step of value iteration: all states from the same old values."""
    return {place: max(q_value(law, values, gamma) for law in moves.values()) for place, moves in model.items()}


def _in_place(model: Mapping[str, Mapping[str, Law]], values: Values, gamma: float) -> dict[str, float]:
    values = dict(values)
    for place, moves in model.items():
        values[place] = max(q_value(law, values, gamma) for law in moves.values())
    return {place: values[place] for place in model}


def _mean_sweep(model: Mapping[str, Mapping[str, Law]], values: Values, gamma: float) -> dict[str, float]:
    return {p: sum(q_value(law, values, gamma) for law in m.values()) / len(m) for p, m in model.items()}


LAWS = [
    [("a", 0.8, 1.0), ("b", 0.2, -1.0)],
    [("end", 1.0, 1.0)],
    [("a", 0.5, 0.0), ("b", 0.25, 2.0), ("end", 0.25, 0.0)],
]
OLD = {"a": 10.0, "b": -2.0}
MODEL = {"a": {"go": LAWS[0], "stay": [("a", 1.0, 0.0)]}, "b": {"jump": LAWS[1], "walk": LAWS[2]}}

DECISIONS = exercise(
    TEXTS,
    7,
    part(
        "q_value(law, values, gamma)",
        q_value,
        [(law, OLD, gamma) for law in LAWS for gamma in (0.9, 1.0, 0.0)],
        lambda law, v, g: sum(p * r for _, p, r in law) + g * max(v.get(s, 0.0) for s, _, _ in law),
        lambda law, v, g: sum(p * (r + v.get(s, 0.0)) for s, p, r in law),
    ),
    part(
        "policy_value(q, policy)",
        policy_value,
        [
            ({"l": 1.0, "r": 3.0}, {"l": 0.5, "r": 0.5}),
            ({"l": 1.0, "r": 3.0}, {"r": 1.0}),
            ({"u": 2.0}, {"u": 1.0}),
            ({"l": 1.0, "r": 3.0, "u": 8.0}, {"l": 0.25, "r": 0.75}),
        ],
        lambda q, p: max(q.values()),
        lambda q, p: sum(q.values()) / len(q),
    ),
    part(
        "sweep(model, values, gamma)",
        sweep,
        [(MODEL, {}, 0.9), (MODEL, OLD, 0.9), (MODEL, OLD, 1.0)],
        _in_place,
        _mean_sweep,
    ),
)


# 8 --------------------------------------------------------------------------------------------------------------------


def q_learning(old: float, reward: float, next_values: Sequence[float], alpha: float, gamma: float) -> float:
    """Q ← Q + α (r + γ max Q′ − Q)."""
    return old + alpha * (reward + gamma * max(next_values, default=0.0) - old)


def sarsa(old: float, reward: float, next_value: float, alpha: float, gamma: float) -> float:
    """Q ← Q + α (r + γ Q(s′, a′) − Q)."""
    return old + alpha * (reward + gamma * next_value - old)


def canonical(cells: str) -> str:
    """The first, in the order of the alphabet, of all eight images."""
    images = symmetries(PRESETS["tictactoe"])
    return min("".join(cells[cell] for cell in image) for image in images)


BOARDS = ["X........", "..X......", ".X.......", "X.O.X...O", "XO.......", ".........", "...OX....", "O..X...X."]
STEPS = [
    (0.0, 1.0, [0.5, 2.0], 0.5, 0.9),
    (1.0, 0.0, [], 0.1, 0.9),
    (2.0, -1.0, [3.0], 1.0, 0.5),
    (4.0, 1.0, [1.0, -1.0], 0.2, 1.0),
]


def _turns_only(cells: str) -> str:
    turned = [cells]
    for _ in range(3):
        turned.append("".join(turned[-1][6 - 3 * (i % 3) + i // 3] for i in range(9)))
    return min(turned)


LEARNING = exercise(
    TEXTS,
    8,
    part(
        "q_learning(old, reward, next_values, alpha, gamma)",
        q_learning,
        STEPS,
        lambda o, r, n, a, g: r + g * max(n, default=0.0),
        lambda o, r, n, a, g: o + a * (r + g * max(n, default=0.0)),
        lambda o, r, n, a, g: o + a * (r + max(n, default=0.0) - o),
    ),
    part(
        "sarsa(old, reward, next_value, alpha, gamma)",
        sarsa,
        [(0.0, 1.0, 2.0, 0.5, 0.9), (1.0, 0.0, 0.0, 0.1, 1.0), (3.0, -1.0, 2.0, 0.3, 0.5)],
        lambda o, r, n, a, g: o + g * (r + a * n - o),
    ),
    part("canonical(cells)", canonical, [(cells,) for cells in BOARDS], _turns_only, lambda c: "".join(sorted(c))),
)


# 9 --------------------------------------------------------------------------------------------------------------------


def layer(weights: Sequence[Sequence[float]], biases: Sequence[float], inputs: Sequence[float]) -> list[float]:
    """ReLU(W x + b)."""
    sums = [sum(w * x for w, x in zip(row, inputs, strict=True)) + b for row, b in zip(weights, biases, strict=True)]
    return [max(0.0, value) for value in sums]


def _no_relu(weights: Sequence[Sequence[float]], biases: Sequence[float], inputs: Sequence[float]) -> list[float]:
    return [sum(w * x for w, x in zip(row, inputs, strict=True)) + b for row, b in zip(weights, biases, strict=True)]


def dqn_target(reward: float, next_values: Sequence[float], over: bool, gamma: float) -> float:
    """What the network is to answer."""
    return reward if over else reward + gamma * max(next_values)


def descended(weights: Sequence[float], gradient: Sequence[float], rate: float) -> list[float]:
    """One step downhill."""
    return [w - rate * g for w, g in zip(weights, gradient, strict=True)]


LAYERS = [
    ([[1, 2], [-1, 0]], [0, 1], [3, 4]),
    ([[0.5, -1, 2]], [-1], [2, 2, 2]),
    ([[1], [-1]], [0, 0], [5]),
    ([[1, 1]], [-9], [1, 2]),
]

NETWORKS = exercise(
    TEXTS,
    9,
    part("layer(weights, biases, inputs)", layer, LAYERS, _no_relu, lambda w, b, x: layer(w, [0] * len(b), x)),
    part(
        "dqn_target(reward, next_values, over, gamma)",
        dqn_target,
        [
            (1.0, [2.0, 3.0], False, 0.9),
            (1.0, [2.0, 3.0], True, 0.9),
            (-1.0, [0.0], False, 0.5),
            (0.0, [-4.0, -2.0], False, 1.0),
        ],
        lambda r, n, o, g: r + g * max(n),
        lambda r, n, o, g: r if o else r + g * sum(n) / len(n),
    ),
    part(
        "descended(weights, gradient, rate)",
        descended,
        [([1, 2], [10, -10], 0.1), ([0], [1], 1), ([5, 5, 5], [0, 1, 2], 0.5)],
        lambda w, g, r: [x + r * y for x, y in zip(w, g, strict=True)],
    ),
)


# 11 -------------------------------------------------------------------------------------------------------------------


def win_probability(mine: int, hidden: Mapping[int, int]) -> float:
    """How likely my rank beats a hidden piece, all equally likely."""
    return sum(count for rank, count in hidden.items() if rank < mine) / sum(hidden.values())


def posterior(prior: Values, likelihood: Values) -> dict[str, float]:
    """Bayes."""
    joint = {name: prior[name] * likelihood.get(name, 0.0) for name in prior}
    return {name: value / sum(joint.values()) for name, value in joint.items()}


def exploited(payoff: Sequence[Sequence[float]], mix: Sequence[float]) -> float:
    """What the best answer to a mixed strategy earns: the greatest mean of a row."""
    return max(sum(p * x for p, x in zip(mix, row, strict=True)) for row in payoff)


RPS = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
RANKS = [(5, {1: 2, 5: 1, 9: 1}), (9, {1: 1, 2: 1}), (1, {1: 3}), (4, {2: 1, 3: 2, 7: 1})]

SECRETS = exercise(
    TEXTS,
    11,
    part(
        "win_probability(mine, hidden)",
        win_probability,
        RANKS,
        lambda m, h: sum(n for r, n in h.items() if r <= m) / sum(h.values()),
        lambda m, h: sum(r < m for r in h) / len(h),
    ),
    part(
        "posterior(prior, likelihood)",
        posterior,
        [
            ({"bomb": 0.25, "mine": 0.75}, {"bomb": 1.0}),
            ({"a": 0.5, "b": 0.5}, {"a": 0.2, "b": 0.6}),
            ({"a": 0.2, "b": 0.3, "c": 0.5}, {"a": 1.0, "b": 1.0, "c": 0.5}),
        ],
        lambda p, k: {n: p[n] * k.get(n, 0.0) for n in p},
        lambda p, k: {n: k.get(n, 0.0) / sum(k.values()) for n in p},
    ),
    part(
        "exploited(payoff, mix)",
        exploited,
        [
            (RPS, [1 / 3] * 3),
            (RPS, [1, 0, 0]),
            (RPS, [0.5, 0.25, 0.25]),
            ([[2, 0], [1, 1]], [0.5, 0.5]),
            ([[3, -1], [0, 2]], [0.25, 0.75]),
        ],
        lambda a, m: max(sum(p * a[i][j] for i, p in enumerate(m)) for j in range(len(m))),
        lambda a, m: min(sum(p * x for p, x in zip(m, row, strict=True)) for row in a),
        lambda a, m: max(max(row) for row in a),
    ),
)

EXERCISES = (DECISIONS, LEARNING, NETWORKS, SECRETS)
