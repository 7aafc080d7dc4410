"""Lessons 7, 8, 9 and 11: decisions, learning from reward, networks, hidden information."""

from collections.abc import Mapping, Sequence

from apprenti.games.mnk.rules import PRESETS
from apprenti.games.mnk.state import symmetries
from apprenti.lab.exercises import Exercise, Mistake, Part, Words

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

DECISIONS = Exercise(
    7,
    Words("Décider : Bellman", "Decisions: Bellman"),
    (
        Part(
            "q_value(law, values, gamma)",
            Words("Q d'une action : la somme des p · (r + γ V(s′)) ; law est une liste de (s′, p, r), un état absent vaut 0",
                  "Q of an action: the sum of p · (r + γ V(s′)); law is a list of (s′, p, r), a missing state is worth 0"),
            q_value, [(law, OLD, gamma) for law in LAWS for gamma in (0.9, 1.0, 0.0)],
            (Mistake(lambda law, v, g: sum(p * r for _, p, r in law) + g * max(v.get(s, 0.0) for s, _, _ in law),
                     Words("le hasard ne choisit pas l'état le plus favorable : V(s′) se moyenne aussi.",
                           "chance does not choose the best state: V(s′) is averaged, too.")),
             Mistake(lambda law, v, g: sum(p * (r + v.get(s, 0.0)) for s, p, r in law),
                     Words("γ est oublié : une récompense plus tardive compte moins.",
                           "γ is forgotten: a later reward counts less."))),
        ),
        Part(
            "policy_value(q, policy)",
            Words("V^π d'un état : la moyenne des Q pondérée par la politique (deux dictionnaires action → nombre)",
                  "V^π of a state: the mean of Q weighted by the policy (two dictionaries, action → number)"),
            policy_value, [({"l": 1.0, "r": 3.0}, {"l": 0.5, "r": 0.5}), ({"l": 1.0, "r": 3.0}, {"r": 1.0}), ({"u": 2.0}, {"u": 1.0}),
                           ({"l": 1.0, "r": 3.0, "u": 8.0}, {"l": 0.25, "r": 0.75})],
            (Mistake(lambda q, p: max(q.values()), Words("c'est V* : une politique quelconque ne prend pas toujours le maximum.",
                                                         "that is V*: a policy does not always take the maximum.")),
             Mistake(lambda q, p: sum(q.values()) / len(q), Words("la moyenne doit être pondérée par la politique π.",
                                                                  "the mean has to be weighted by the policy π."))),
        ),
        Part(
            "sweep(model, values, gamma)",
            Words("un balayage d'itération de la valeur : les nouvelles valeurs, toutes calculées avec les anciennes",
                  "one sweep of value iteration: the new values, all computed from the old ones"),
            sweep, [(MODEL, {}, 0.9), (MODEL, OLD, 0.9), (MODEL, OLD, 1.0)],
            (Mistake(_in_place, Words("vous mélangez anciennes et nouvelles valeurs : lisez dans values, écrivez ailleurs.",
                                      "old and new values get mixed: read from values, write elsewhere.")),
             Mistake(_mean_sweep, Words("on prend la meilleure action (max), pas la moyenne des actions.",
                                        "the best action is taken (max), not the mean of the actions."))),
        ),
    ),
)  # fmt: skip


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


LEARNING = Exercise(
    8,
    Words("Q-learning et SARSA", "Q-learning and SARSA"),
    (
        Part(
            "q_learning(old, reward, next_values, alpha, gamma)",
            Words("la nouvelle valeur Q(s, a) ; next_values sont les Q(s′, ·), une liste vide à la fin de la partie",
                  "the new value Q(s, a); next_values are the Q(s′, ·), an empty list at the end of the game"),
            q_learning, STEPS,
            (Mistake(lambda o, r, n, a, g: r + g * max(n, default=0.0),
                     Words("la cible remplace toute l'ancienne valeur : n'avancez que d'une part alpha.",
                           "the target replaces all of the old value: move only by the part alpha.")),
             Mistake(lambda o, r, n, a, g: o + a * (r + g * max(n, default=0.0)),
                     Words("la valeur grossit sans fin : l'erreur est cible − ancienne valeur.",
                           "the value grows without end: the error is target − old value.")),
             Mistake(lambda o, r, n, a, g: o + a * (r + max(n, default=0.0) - o),
                     Words("gamma est oublié.", "gamma is forgotten."))),
        ),
        Part(
            "sarsa(old, reward, next_value, alpha, gamma)",
            Words("la nouvelle valeur Q(s, a) d'après SARSA ; next_value est Q(s′, a′) du coup vraiment joué",
                  "the new value Q(s, a) by SARSA; next_value is Q(s′, a′) of the move that was really made"),
            sarsa, [(0.0, 1.0, 2.0, 0.5, 0.9), (1.0, 0.0, 0.0, 0.1, 1.0), (3.0, -1.0, 2.0, 0.3, 0.5)],
            (Mistake(lambda o, r, n, a, g: o + g * (r + a * n - o),
                     Words("alpha et gamma sont échangés (comme dans un rapport célèbre…) : alpha est le pas.",
                           "alpha and gamma are exchanged (as in a certain report): alpha is the step.")),),
        ),
        Part(
            "canonical(cells)",
            Words("parmi les 8 images (rotations, symétries) d'une grille de 9 caractères, la première dans l'ordre alphabétique",
                  "of the 8 images (turns, reflections) of a grid of 9 characters, the first in alphabetical order"),
            canonical, [(cells,) for cells in BOARDS],
            (Mistake(_turns_only, Words("les rotations y sont, pas les symétries : il y a huit images, pas quatre.",
                                        "the turns are there, the reflections are not: there are eight images, not four.")),
             Mistake(lambda c: "".join(sorted(c)), Words("trier les cases détruit la position : ce sont les 8 images qu'on compare.",
                                                         "to sort the cells destroys the position: compare the 8 images."))),
        ),
    ),
)  # fmt: skip


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

NETWORKS = Exercise(
    9,
    Words("Un réseau au lieu d'une table", "A network instead of a table"),
    (
        Part(
            "layer(weights, biases, inputs)",
            Words("une couche : pour chaque neurone, max(0, somme des w·x + biais)", "a layer: for each neuron, max(0, sum of w·x + bias)"),
            layer, LAYERS,
            (Mistake(_no_relu, Words("sans max(0, ·), deux couches n'en font qu'une : il manque ReLU.",
                                     "without max(0, ·) two layers are only one: ReLU is missing.")),
             Mistake(lambda w, b, x: layer(w, [0] * len(b), x), Words("les biais sont oubliés.", "the biases are forgotten."))),
        ),
        Part(
            "dqn_target(reward, next_values, over, gamma)",
            Words("la cible : r + γ max Q(s′, ·), ou r seul si la partie est finie (over)",
                  "the target: r + γ max Q(s′, ·), or r alone if the game is over"),
            dqn_target, [(1.0, [2.0, 3.0], False, 0.9), (1.0, [2.0, 3.0], True, 0.9), (-1.0, [0.0], False, 0.5), (0.0, [-4.0, -2.0], False, 1.0)],
            (Mistake(lambda r, n, o, g: r + g * max(n), Words("quand la partie est finie, plus rien ne vient : la cible est r.",
                                                              "when the game is over nothing more comes: the target is r.")),
             Mistake(lambda r, n, o, g: r if o else r + g * sum(n) / len(n),
                     Words("on suppose le meilleur coup ensuite : max, pas la moyenne.", "the best move is assumed next: max, not the mean."))),
        ),
        Part(
            "descended(weights, gradient, rate)",
            Words("les poids après un pas de descente de gradient", "the weights after one step of gradient descent"),
            descended, [([1, 2], [10, -10], 0.1), ([0], [1], 1), ([5, 5, 5], [0, 1, 2], 0.5)],
            (Mistake(lambda w, g, r: [x + r * y for x, y in zip(w, g, strict=True)],
                     Words("vous montez : pour réduire l'erreur on va contre le gradient.", "you climb: to reduce the error go against the gradient.")),),
        ),
    ),
)  # fmt: skip


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

SECRETS = Exercise(
    11,
    Words("Information cachée", "Hidden information"),
    (
        Part(
            "win_probability(mine, hidden)",
            Words("la probabilité que mon grade batte une pièce cachée ; hidden : grade → combien il en reste (à égalité, personne ne gagne)",
                  "the probability that my rank beats a hidden piece; hidden: rank → how many are left (equal ranks: nobody wins)"),
            win_probability, RANKS,
            (Mistake(lambda m, h: sum(n for r, n in h.items() if r <= m) / sum(h.values()),
                     Words("à grade égal les deux pièces tombent : ce n'est pas une victoire.", "at equal ranks both pieces fall: that is no win.")),
             Mistake(lambda m, h: sum(r < m for r in h) / len(h),
                     Words("il reste plusieurs pièces de certains grades : comptez les pièces, pas les grades.",
                           "there are several pieces of some ranks: count pieces, not ranks."))),
        ),
        Part(
            "posterior(prior, likelihood)",
            Words("la croyance après une observation (Bayes) : proportionnelle à prior · likelihood, de somme 1",
                  "the belief after an observation (Bayes): proportional to prior · likelihood, adding up to 1"),
            posterior, [({"bomb": 0.25, "mine": 0.75}, {"bomb": 1.0}), ({"a": 0.5, "b": 0.5}, {"a": 0.2, "b": 0.6}),
                        ({"a": 0.2, "b": 0.3, "c": 0.5}, {"a": 1.0, "b": 1.0, "c": 0.5})],
            (Mistake(lambda p, k: {n: p[n] * k.get(n, 0.0) for n in p},
                     Words("la somme n'est plus 1 : divisez par le total.", "it does not add up to 1 any more: divide by the total.")),
             Mistake(lambda p, k: {n: k.get(n, 0.0) / sum(k.values()) for n in p},
                     Words("la croyance d'avant est oubliée.", "the prior belief is forgotten."))),
        ),
        Part(
            "exploited(payoff, mix)",
            Words("ce que gagne en moyenne la meilleure réponse à une stratégie mixte ; payoff[i][j] : le gain du coup i contre le coup j",
                  "what the best answer to a mixed strategy earns; payoff[i][j]: what move i earns against move j"),
            exploited, [(RPS, [1 / 3] * 3), (RPS, [1, 0, 0]), (RPS, [0.5, 0.25, 0.25]), ([[2, 0], [1, 1]], [0.5, 0.5]), ([[3, -1], [0, 2]], [0.25, 0.75])],
            (Mistake(lambda a, m: max(sum(p * a[i][j] for i, p in enumerate(m)) for j in range(len(m))),
                     Words("lignes et colonnes sont échangées : la réponse choisit la ligne i.", "rows and columns are exchanged: the answer chooses row i.")),
             Mistake(lambda a, m: min(sum(p * x for p, x in zip(m, row, strict=True)) for row in a),
                     Words("c'est le gain du pire coup ; la meilleure réponse est le maximum.",
                           "that is what the worst move earns; the best answer is the maximum.")),
             Mistake(lambda a, m: max(max(row) for row in a),
                     Words("la réponse ne connaît que les probabilités, pas le coup : prenez la moyenne de chaque ligne.",
                           "the answer knows the probabilities, not the move: take the mean of each row."))),
        ),
    ),
)  # fmt: skip

EXERCISES = (DECISIONS, LEARNING, NETWORKS, SECRETS)
