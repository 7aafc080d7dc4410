"""Lessons 4, 5, 6, 10 and 12: strategies, whether one is better, evolution, search in weight space, honest numbers."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from apprenti.agents.base import RandomAgent
from apprenti.arena.game import play_game, seeds_of_game
from apprenti.core.errors import ApprentiError
from apprenti.core.plugins import GAMES
from apprenti.lab.exercises import Exercise, Mistake, Part, Words, short

Numbers = list[float]

# 4 --------------------------------------------------------------------------------------------------------------------


def kept(moves: Sequence[Any], criterion: Callable[[Any], float]) -> list[Any]:
    """The moves for which the criterion is smallest."""
    least = min(map(criterion, moves))
    return [move for move in moves if criterion(move) == least]


def filtered(moves: Sequence[Any], criteria: Sequence[Callable[[Any], float]]) -> list[Any]:
    """One criterion after the other."""
    for criterion in criteria:
        moves = kept(moves, criterion)
    return list(moves)


def evaluation(lines: float, heights: float, holes: float, bumpiness: float, weights: Sequence[float]) -> float:
    """The report's f(L, H, T, B)."""
    a, b, c, d = weights
    return a * lines - b * heights - c * holes - d * bumpiness


class _Pupil:
    """A function as an agent."""

    said: Any = None

    def __init__(self, choose: Callable[..., Any]) -> None:
        self._choose = choose

    def choose(self, observation: Any, legal: Any, rng: Any) -> Any:
        self.said = self._choose(observation, legal, rng)
        return self.said


GAMES_PLAYED, TIMES_BETTER = 3, 3


def judge_agent(choose: Callable[..., Any]) -> Words | None:
    """A few games of Tetris on 6 by 10: only legal moves, and many more lines than by lot."""
    game = GAMES.load("tetris")
    rules = game.rules(size="6x10", max_pieces=60)

    def lines(agent: Any) -> float:
        games = [play_game(game, rules, [agent], seeds_of_game(4, index)) for index in range(GAMES_PLAYED)]
        return sum(float(str(played.measures["lines"])) for played in games) / GAMES_PLAYED

    pupil = _Pupil(choose)
    try:
        own, lot = lines(pupil), lines(RandomAgent())
    except ApprentiError:
        return Words(f"choose renvoie {short(pupil.said)}, qui n'est pas un coup de legal.",
                     f"choose returns {short(pupil.said)}, which is not one of legal.")  # fmt: skip
    except Exception as error:
        return Words(f"choose s'arrête sur une erreur en pleine partie : {type(error).__name__}: {error}.",
                     f"choose stops with an error during a game: {type(error).__name__}: {error}.")  # fmt: skip
    if own < TIMES_BETTER * max(lot, 1):
        return Words(
            f"les coups sont légaux, mais {own:.1f} lignes par partie, ce n'est guère mieux que le hasard ({lot:.1f}).",
            f"the moves are legal, but {own:.1f} lines a game is hardly better than chance ({lot:.1f}).",
        )
    return None


def _length(word: str) -> float:
    return len(word)


def _vowels(word: str) -> float:
    return sum(letter in "aeiouy" for letter in word)


WORDS = ["tetris", "bot", "an", "of", "zoo", "it", "brrr", "pfffft"]

STRATEGIES = Exercise(
    4,
    Words("Stratégies : des fonctions en paramètre", "Strategies: functions as parameters"),
    (
        Part(
            "kept(moves, criterion)",
            Words("les coups pour lesquels la fonction criterion est minimale, tous, dans leur ordre",
                  "the moves for which the function criterion is smallest, all of them, in their order"),
            kept,
            [(WORDS, _length), (WORDS, _vowels), (["a"], _length), ([3, -1, 2, -1], lambda x: x)],
            (
                Mistake(lambda m, c: min(m, key=c),
                        Words("vous renvoyez un seul coup : il faut la liste de tous les ex æquo.",
                              "you return one move: the list of all that tie is asked for.")),
                Mistake(lambda m, c: [min(m, key=c)],
                        Words("il y a des ex æquo : gardez-les tous, le critère suivant les départagera.",
                              "there are ties: keep them all, the next criterion will part them.")),
                Mistake(lambda m, c: [x for x in m if c(x) == max(map(c, m))],
                        Words("vous gardez les plus grands ; un bon coup a peu de trous : c'est le minimum.",
                              "you keep the largest; a good move has few holes: it is the smallest.")),
            ),
        ),
        Part(
            "filtered(moves, criteria)",
            Words("ce qui reste après avoir filtré par chaque critère de la liste, l'un après l'autre",
                  "what is left after filtering by each criterion of the list, one after the other"),
            filtered,
            [(WORDS, [_length, _vowels]), (WORDS, [_vowels, _length]), (WORDS, []), (WORDS, [_length])],
            (
                Mistake(lambda m, cs: kept(m, cs[-1]) if cs else list(m),
                        Words("chaque filtre repart de tous les coups : il doit repartir de ceux qui restent.",
                              "each filter starts from all moves: it has to start from those that are left.")),
                Mistake(lambda m, cs: filtered(m, cs[::-1]),
                        Words("l'ordre des critères est renversé : le premier de la liste passe en premier.",
                              "the order of the criteria is reversed: the first of the list comes first.")),
            ),
        ),
        Part(
            "evaluation(lines, heights, holes, bumpiness, weights)",
            Words("la note a·L − b·H − c·T − d·B, avec weights = (a, b, c, d)",
                  "the value a·L − b·H − c·T − d·B, with weights = (a, b, c, d)"),
            evaluation,
            [(1, 20, 2, 5, (0.76, 0.51, 0.36, 0.18)), (0, 1, 0, 0, (1, 1, 1, 1)), (4, 0, 0, 0, (2, 1, 1, 1)),
             (0, 0, 3, 1, (0, 0, 1, 2))],
            (
                Mistake(lambda el, h, t, b, w: w[0] * el + w[1] * h + w[2] * t + w[3] * b,
                        Words("hauteurs, trous et relief sont des défauts : ils se soustraient.",
                              "heights, holes and bumpiness are faults: they are subtracted.")),
            ),
        ),
        Part(
            "choose(observation, legal, rng)",
            Words("un agent de Tetris : un coup de legal, bien meilleur que le hasard",
                  "a player of Tetris: one of legal, much better than chance"),
            lambda observation, legal, rng: legal[0], (), judge=judge_agent,
        ),
    ),
)  # fmt: skip


# 5 --------------------------------------------------------------------------------------------------------------------


def mean(scores: Sequence[float]) -> float:
    """The mean."""
    return sum(scores) / len(scores)


def deviation(scores: Sequence[float]) -> float:
    """The standard deviation of a sample."""
    centre = mean(scores)
    return math.sqrt(sum((score - centre) ** 2 for score in scores) / (len(scores) - 1))


def interval(scores: Sequence[float]) -> tuple[float, float]:
    """Mean ± 1.96 s / √n."""
    half = 1.96 * deviation(scores) / math.sqrt(len(scores))
    return mean(scores) - half, mean(scores) + half


SCORES = [[12, 30, 7, 51, 24], [3, 3], [100, 0, 50, 25, 25, 4], [1, 2, 3, 4, 5, 6, 7, 8]]

STATISTICS = Exercise(
    5,
    Words("Est-ce mieux ?", "Is it better?"),
    (
        Part(
            "mean(scores)", Words("la moyenne", "the mean"), mean, [(scores,) for scores in SCORES],
            (Mistake(lambda s: sorted(s)[len(s) // 2], Words("c'est la médiane ; on demande la moyenne.",
                                                             "that is the median; the mean is asked for.")),
             Mistake(lambda s: sum(s) // len(s), Words("la division // perd la partie décimale : utilisez /.",
                                                       "the division // loses the decimals: use /."))),
        ),
        Part(
            "deviation(scores)",
            Words("l'écart type d'un échantillon (on divise par n − 1)", "the standard deviation of a sample (divide by n − 1)"),
            deviation, [(scores,) for scores in SCORES],
            (Mistake(lambda s: deviation(s) * math.sqrt((len(s) - 1) / len(s)),
                     Words("vous divisez par n : pour un échantillon, on divise par n − 1.",
                           "you divide by n: for a sample, divide by n − 1.")),
             Mistake(lambda s: deviation(s) ** 2, Words("c'est la variance : il manque la racine carrée.",
                                                        "that is the variance: the square root is missing."))),
        ),
        Part(
            "interval(scores)",
            Words("l'intervalle de confiance à 95 % de la moyenne : moyenne ± 1,96 s / √n",
                  "the 95 % confidence interval of the mean: mean ± 1.96 s / √n"),
            interval, [(scores,) for scores in SCORES],
            (Mistake(lambda s: (mean(s) - 1.96 * deviation(s), mean(s) + 1.96 * deviation(s)),
                     Words("c'est l'étendue des parties, pas celle de la moyenne : divisez par √n.",
                           "that is the spread of games, not of the mean: divide by √n.")),),
        ),
        Part(
            "games_needed(deviation, half_width)",
            Words("le nombre de parties pour que 1,96 s / √n ne dépasse pas half_width",
                  "how many games until 1.96 s / √n is at most half_width"),
            lambda s, width: math.ceil((1.96 * s / width) ** 2 - 1e-9),
            [(10, 1), (100, 10), (50, 1), (7, 3)],
            (Mistake(lambda s, width: math.ceil(1.96 * s / width),
                     Words("pour une précision double il faut quatre fois plus de parties : il manque un carré.",
                           "twice the precision takes four times the games: a square is missing.")),
             Mistake(lambda s, width: int((1.96 * s / width) ** 2),
                     Words("un nombre de parties est entier et suffisant : arrondissez au-dessus.",
                           "a number of games is whole and has to be enough: round up."))),
        ),
    ),
)  # fmt: skip


# 6 --------------------------------------------------------------------------------------------------------------------


def roulette(fitness: Sequence[float], u: float) -> int:
    """Who is drawn by a ball that stops at the part u of the wheel."""
    ball = u * sum(fitness)
    for number, part in enumerate(fitness):
        ball -= part
        if ball < 0:
            return number
    return len(fitness) - 1


def crossed(one: Sequence[Any], other: Sequence[Any], point: int) -> tuple[list[Any], list[Any]]:
    """Both children."""
    return [*one[:point], *other[point:]], [*other[:point], *one[point:]]


def mutated(genes: Sequence[float], draws: Sequence[float], changes: Sequence[float], rate: float) -> Numbers:
    """A gene changes where its draw is below the rate."""
    return [gene + change if draw < rate else gene for gene, draw, change in zip(genes, draws, changes, strict=True)]


EVOLUTION = Exercise(
    6,
    Words("Algorithmes génétiques", "Genetic algorithms"),
    (
        Part(
            "roulette(fitness, u)",
            Words("le numéro de l'individu tiré par la roulette ; u, entre 0 et 1, dit où la bille s'arrête",
                  "the number of the individual that the wheel draws; u, from 0 to 1, says where the ball stops"),
            roulette,
            [([1, 1, 2], u) for u in (0.0, 0.24, 0.26, 0.49, 0.51, 0.99)] + [([0, 5], 0.0), ([3], 0.7), ([1, 9], 0.2)],
            (Mistake(lambda f, u: int(u * len(f)), Words("tous ont la même chance : les parts doivent suivre l'aptitude.",
                                                         "all are equally likely: shares have to follow the fitness.")),
             Mistake(lambda f, u: max(range(len(f)), key=f.__getitem__),
                     Words("le meilleur gagne toujours : la roulette laisse aussi une chance aux autres.",
                           "the best always wins: the wheel gives the others a chance, too."))),
        ),
        Part(
            "crossed(one, other, point)",
            Words("les deux enfants d'un croisement en un point : le début de l'un, la fin de l'autre",
                  "both children of a one-point crossover: the beginning of one, the end of the other"),
            crossed, [([1, 2, 3, 4], [5, 6, 7, 8], p) for p in range(5)] + [([0], [1], 1)],
            (Mistake(lambda a, b, p: (a[:p] + b[p:], a[p:] + b[:p]),
                     Words("le second enfant est à l'envers : le début de other, puis la fin de one.",
                           "the second child is the wrong way round: the beginning of other, then the end of one.")),
             Mistake(lambda a, b, p: a[:p] + b[p:], Words("il y a deux enfants.", "there are two children."))),
        ),
        Part(
            "mutated(genes, draws, changes, rate)",
            Words("les gènes ; le gène i devient genes[i] + changes[i] si draws[i] < rate",
                  "the genes; gene i becomes genes[i] + changes[i] if draws[i] < rate"),
            mutated,
            [([1, 2, 3], [0.0, 0.5, 0.9], [10, 10, 10], 0.4), ([1], [0.3], [1], 0.3), ([0.5, 0.5], [0.1, 0.1], [-1, 1], 1)],
            (Mistake(lambda g, d, c, r: [x + y for x, y in zip(g, c, strict=True)],
                     Words("tous les gènes changent : seulement ceux dont le tirage est sous le taux.",
                           "all genes change: only those whose draw is below the rate.")),
             Mistake(lambda g, d, c, r: [x + y if z > r else x for x, y, z in zip(g, c, d, strict=True)],
                     Words("la comparaison est à l'envers : un taux de 0,1 doit toucher un gène sur dix, pas neuf.",
                           "the comparison is the wrong way round: a rate of 0.1 changes one gene in ten, not nine."))),
        ),
    ),
)  # fmt: skip


# 10 -------------------------------------------------------------------------------------------------------------------


def elite(scores: Sequence[float], part: float) -> list[int]:
    """The numbers of the best, the best first."""
    count = max(1, round(part * len(scores)))
    return sorted(range(len(scores)), key=lambda number: -scores[number])[:count]


def refitted(vectors: Sequence[Sequence[float]]) -> tuple[Numbers, Numbers]:
    """Mean and variance of each weight."""
    means = [mean(column) for column in zip(*vectors, strict=True)]
    columns = zip(means, zip(*vectors, strict=True), strict=True)
    return means, [mean([(value - centre) ** 2 for value in column]) for centre, column in columns]


VECTORS = [[[1, 2], [3, 4]], [[0, 0, 6], [0, 3, 0], [3, 0, 0]], [[5.0], [5.0]]]

WEIGHT_SEARCH = Exercise(
    10,
    Words("Entropie croisée", "Cross-entropy"),
    (
        Part(
            "elite(scores, part)",
            Words("les numéros des round(part · n) meilleurs scores (au moins un), le meilleur d'abord",
                  "the numbers of the round(part · n) best scores (at least one), the best first"),
            elite, [([5, 9, 1, 7], 0.5), ([3, 1, 2], 0.34), ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.1), ([4, 8], 0.01)],
            (Mistake(lambda s, p: sorted(s, reverse=True)[: max(1, round(p * len(s)))],
                     Words("vous renvoyez les scores : on demande les numéros des joueurs.",
                           "you return the scores: the numbers of the players are asked for.")),
             Mistake(lambda s, p: sorted(range(len(s)), key=lambda i: s[i])[: max(1, round(p * len(s)))],
                     Words("ce sont les pires : triez dans l'ordre décroissant.", "these are the worst: sort in descending order."))),
        ),
        Part(
            "refitted(vectors)",
            Words("le couple (moyennes, variances) de chaque poids sur l'élite (on divise par n)",
                  "the pair (means, variances) of each weight over the elite (divide by n)"),
            refitted, [(vectors,) for vectors in VECTORS],
            (Mistake(lambda v: ([mean(x) for x in v], [deviation(x) ** 2 * (len(x) - 1) / len(x) if len(x) > 1 else 0.0 for x in v]),
                     Words("la moyenne va de joueur en joueur, poids par poids : parcourez les colonnes.",
                           "the mean goes from player to player, weight by weight: walk along the columns.")),
             Mistake(lambda v: (refitted(v)[0], [math.sqrt(x) for x in refitted(v)[1]]),
                     Words("ce sont les écarts types : on demande les variances.",
                           "these are standard deviations: variances are asked for."))),
        ),
        Part(
            "noise(generation)",
            Words("le bruit de Szita et Lőrincz ajouté aux variances : 5 − t / 10, jamais négatif",
                  "the noise of Szita and Lőrincz that is added to the variances: 5 − t / 10, never negative"),
            lambda t: max(5 - t / 10, 0), [(0,), (10,), (49,), (50,), (80,)],
            (Mistake(lambda t: 5 - t / 10, Words("après la génération 50 le bruit devient négatif : bornez-le à 0.",
                                                 "after generation 50 the noise becomes negative: stop at 0.")),
             Mistake(lambda t: 5.0, Words("le bruit doit décroître avec la génération t.",
                                          "the noise has to shrink with the generation t."))),
        ),
    ),
)  # fmt: skip


# 12 -------------------------------------------------------------------------------------------------------------------

HONESTY = Exercise(
    12,
    Words("Événements rares et expériences honnêtes", "Rare events and honest experiments"),
    (
        Part(
            "splitting(reached, started)",
            Words("la probabilité d'un événement rare : le produit des parts reached[i] / started[i] de chaque niveau",
                  "the probability of a rare event: the product of the parts reached[i] / started[i] of all levels"),
            lambda reached, started: math.prod(r / s for r, s in zip(reached, started, strict=True)),
            [([10, 20, 5], [100, 100, 100]), ([1], [4]), ([0, 3], [10, 10]), ([50, 50], [100, 200])],
            (Mistake(lambda r, s: sum(x / y for x, y in zip(r, s, strict=True)),
                     Words("franchir tous les niveaux, c'est un « et » : les probabilités se multiplient.",
                           "to pass all levels is an “and”: probabilities are multiplied.")),
             Mistake(lambda r, s: r[-1] / s[-1], Words("seul le dernier niveau est compté : multipliez-les tous.",
                                                       "only the last level counts here: multiply them all."))),
        ),
        Part(
            "mean_of_cut(lines, finished)",
            Words("la moyenne d'une partie entière quand certaines sont coupées : total des lignes / parties finies",
                  "the mean of a whole game when some were cut: all lines / games that ended"),
            lambda lines, finished: sum(lines) / sum(map(bool, finished)),
            [([10, 20, 30], [True, False, True]), ([5], [True]), ([100, 100, 1], [False, False, True])],
            (Mistake(lambda el, f: sum(el) / len(el),
                     Words("une partie coupée aurait duré plus longtemps : on divise par les parties finies.",
                           "a game that was cut would have gone on: divide by the games that ended.")),
             Mistake(lambda el, f: sum(x for x, end in zip(el, f, strict=True) if end) / sum(map(bool, f)),
                     Words("vous jetez les parties coupées, les plus longues : leurs lignes comptent au total.",
                           "you throw cut games away, the longest ones: their lines count in the total."))),
        ),
        Part(
            "only_s_and_z(pieces)",
            Words("la probabilité que toutes les pièces d'une suite de cette longueur soient des S ou des Z (7 pièces équiprobables)",
                  "the probability that all pieces of a sequence of this length are S or Z (7 pieces, equally likely)"),
            lambda n: (2 / 7) ** n, [(1,), (2,), (10,), (0,)],
            (Mistake(lambda n: 2 / 7 * n, Words("les tirages sont indépendants : on multiplie, on n'ajoute pas.",
                                                "draws are independent: multiply, do not add.")),
             Mistake(lambda n: (1 / 7) ** n, Words("deux pièces sur sept conviennent, S et Z.",
                                                   "two pieces of seven will do, S and Z."))),
        ),
    ),
)  # fmt: skip

EXERCISES = (STRATEGIES, STATISTICS, EVOLUTION, WEIGHT_SEARCH, HONESTY)
