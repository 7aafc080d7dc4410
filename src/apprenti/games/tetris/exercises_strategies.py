"""Lessons 4, 5, 6, 10 and 12: strategies, whether one is better, evolution, search in weight space, honest numbers."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from apprenti.agents.base import RandomAgent
from apprenti.arena.game import play_game, seeds_of_game
from apprenti.core.data import AnyFunction
from apprenti.core.errors import ApprentiError
from apprenti.core.plugins import GAMES
from apprenti.games.tetris.exercises import TEXTS
from apprenti.lab.exercises import Words, exercise, part, short

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

    chosen: Any = None

    def __init__(self, choose: AnyFunction) -> None:
        self._choose = choose

    def choose(self, observation: Any, legal: Any, rng: Any) -> Any:
        self.chosen = self._choose(observation, legal, rng)
        return self.chosen


GAMES_PLAYED, TIMES_BETTER = 3, 3


def judge_agent(choose: AnyFunction) -> Words | None:
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
        return Words(f"choose renvoie {short(pupil.chosen)}, qui n'est pas un coup de legal.",
                     f"choose returns {short(pupil.chosen)}, which is not one of legal.")  # fmt: skip
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

STRATEGIES = exercise(
    TEXTS,
    4,
    part(
        "kept(moves, criterion)",
        kept,
        [(WORDS, _length), (WORDS, _vowels), (["a"], _length), ([3, -1, 2, -1], lambda x: x)],
        lambda m, c: min(m, key=c),
        lambda m, c: [min(m, key=c)],
        lambda m, c: [x for x in m if c(x) == max(map(c, m))],
    ),
    part(
        "filtered(moves, criteria)",
        filtered,
        [(WORDS, [_length, _vowels]), (WORDS, [_vowels, _length]), (WORDS, []), (WORDS, [_length])],
        lambda m, cs: kept(m, cs[-1]) if cs else list(m),
        lambda m, cs: filtered(m, cs[::-1]),
    ),
    part(
        "evaluation(lines, heights, holes, bumpiness, weights)",
        evaluation,
        [
            (1, 20, 2, 5, (0.76, 0.51, 0.36, 0.18)),
            (0, 1, 0, 0, (1, 1, 1, 1)),
            (4, 0, 0, 0, (2, 1, 1, 1)),
            (0, 0, 3, 1, (0, 0, 1, 2)),
        ],
        lambda el, h, t, b, w: w[0] * el + w[1] * h + w[2] * t + w[3] * b,
    ),
    part("choose(observation, legal, rng)", lambda observation, legal, rng: legal[0], (), judge=judge_agent),
)


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

STATISTICS = exercise(
    TEXTS,
    5,
    part(
        "mean(scores)",
        mean,
        [(scores,) for scores in SCORES],
        lambda s: sorted(s)[len(s) // 2],
        lambda s: sum(s) // len(s),
    ),
    part(
        "deviation(scores)",
        deviation,
        [(scores,) for scores in SCORES],
        lambda s: deviation(s) * math.sqrt((len(s) - 1) / len(s)),
        lambda s: deviation(s) ** 2,
    ),
    part(
        "interval(scores)",
        interval,
        [(scores,) for scores in SCORES],
        lambda s: (mean(s) - 1.96 * deviation(s), mean(s) + 1.96 * deviation(s)),
    ),
    part(
        "games_needed(deviation, half_width)",
        lambda s, width: math.ceil((1.96 * s / width) ** 2 - 1e-9),
        [(10, 1), (100, 10), (50, 1), (7, 3)],
        lambda s, width: math.ceil(1.96 * s / width),
        lambda s, width: int((1.96 * s / width) ** 2),
    ),
)


# 6 --------------------------------------------------------------------------------------------------------------------


def roulette(fitness: Sequence[float], u: float) -> int:
    """Who is drawn by a ball that stops at the part u of the wheel."""
    ball = u * sum(fitness)
    for number, share in enumerate(fitness):
        ball -= share
        if ball < 0:
            return number
    return len(fitness) - 1


def crossed(one: Sequence[Any], other: Sequence[Any], point: int) -> tuple[list[Any], list[Any]]:
    """Both children."""
    return [*one[:point], *other[point:]], [*other[:point], *one[point:]]


def mutated(genes: Sequence[float], draws: Sequence[float], changes: Sequence[float], rate: float) -> Numbers:
    """A gene changes where its draw is below the rate."""
    return [gene + change if draw < rate else gene for gene, draw, change in zip(genes, draws, changes, strict=True)]


EVOLUTION = exercise(
    TEXTS,
    6,
    part(
        "roulette(fitness, u)",
        roulette,
        [([1, 1, 2], u) for u in (0.0, 0.24, 0.26, 0.49, 0.51, 0.99)] + [([0, 5], 0.0), ([3], 0.7), ([1, 9], 0.2)],
        lambda f, u: int(u * len(f)),
        lambda f, u: max(range(len(f)), key=f.__getitem__),
    ),
    part(
        "crossed(one, other, point)",
        crossed,
        [([1, 2, 3, 4], [5, 6, 7, 8], p) for p in range(5)] + [([0], [1], 1)],
        lambda a, b, p: (a[:p] + b[p:], a[p:] + b[:p]),
        lambda a, b, p: a[:p] + b[p:],
    ),
    part(
        "mutated(genes, draws, changes, rate)",
        mutated,
        [([1, 2, 3], [0.0, 0.5, 0.9], [10, 10, 10], 0.4), ([1], [0.3], [1], 0.3), ([0.5, 0.5], [0.1, 0.1], [-1, 1], 1)],
        lambda g, d, c, r: [x + y for x, y in zip(g, c, strict=True)],
        lambda g, d, c, r: [x + y if z > r else x for x, y, z in zip(g, c, d, strict=True)],
    ),
)


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

WEIGHT_SEARCH = exercise(
    TEXTS,
    10,
    part(
        "elite(scores, part)",
        elite,
        [([5, 9, 1, 7], 0.5), ([3, 1, 2], 0.34), ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.1), ([4, 8], 0.01)],
        lambda s, p: sorted(s, reverse=True)[: max(1, round(p * len(s)))],
        lambda s, p: sorted(range(len(s)), key=lambda i: s[i])[: max(1, round(p * len(s)))],
    ),
    part(
        "refitted(vectors)",
        refitted,
        [(vectors,) for vectors in VECTORS],
        lambda v: ([mean(x) for x in v], [deviation(x) ** 2 * (len(x) - 1) / len(x) if len(x) > 1 else 0.0 for x in v]),
        lambda v: (refitted(v)[0], [math.sqrt(x) for x in refitted(v)[1]]),
    ),
    part(
        "noise(generation)",
        lambda t: max(5 - t / 10, 0),
        [(0,), (10,), (49,), (50,), (80,)],
        lambda t: 5 - t / 10,
        lambda t: 5.0,
    ),
)


# 12 -------------------------------------------------------------------------------------------------------------------

HONESTY = exercise(
    TEXTS,
    12,
    part(
        "splitting(reached, started)",
        lambda reached, started: math.prod(r / s for r, s in zip(reached, started, strict=True)),
        [([10, 20, 5], [100, 100, 100]), ([1], [4]), ([0, 3], [10, 10]), ([50, 50], [100, 200])],
        lambda r, s: sum(x / y for x, y in zip(r, s, strict=True)),
        lambda r, s: r[-1] / s[-1],
    ),
    part(
        "mean_of_cut(lines, finished)",
        lambda lines, finished: sum(lines) / sum(map(bool, finished)),
        [([10, 20, 30], [True, False, True]), ([5], [True]), ([100, 100, 1], [False, False, True])],
        lambda el, f: sum(el) / len(el),
        lambda el, f: sum(x for x, end in zip(el, f, strict=True) if end) / sum(map(bool, f)),
    ),
    part(
        "only_s_and_z(pieces)",
        lambda n: (2 / 7) ** n,
        [(1,), (2,), (10,), (0,)],
        lambda n: 2 / 7 * n,
        lambda n: (1 / 7) ** n,
    ),
)

EXERCISES = (STRATEGIES, STATISTICS, EVOLUTION, WEIGHT_SEARCH, HONESTY)
