"""Players that look one move ahead or none: alone on what they observe, and compiled on many games at once.

All of them set up from the book or at random. A one-ply player weighs a move with how likely the enemy's pieces are
what: looking at each piece alone, by counting, or knowing layouts that the enemy uses. What it says of every move is
the advice that networks may take.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from math import isfinite
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from apprenti.agents.base import AgentBase
from apprenti.core.compiled import announcing
from apprenti.core.data import JsonObject
from apprenti.core.errors import BadAgent, UnknownName
from apprenti.core.protocols import AnyAgent, PlaysSome
from apprenti.core.seeds import Chance, pick
from apprenti.games.luzhanqi.agents.known_layouts import TRUST, beliefs_with, check_prior, usual_layouts
from apprenti.games.luzhanqi.agents.one_ply_kernel import (
    DISTANCE,  # noqa: F401  # for others: this is the door to the kernel
    attack_values,
    initial_odds,
    score_moves,
)
from apprenti.games.luzhanqi.agents.scores_kernel import MOVE_FEATURES, POINT_FEATURES, features_all, score_all
from apprenti.games.luzhanqi.board import ACTION_OF, POINTS, SLOTS, parse_move
from apprenti.games.luzhanqi.fast.arrays import blank_world, rules_array
from apprenti.games.luzhanqi.layout import book, book_layout, uniform_layout, varied_layout
from apprenti.games.luzhanqi.moves import NO_PIECE, WON, fight
from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.pieces import BOMB, ENGINEER, FLAG, MINE, TYPES
from apprenti.games.luzhanqi.rules import Rules

LAYOUTS = {"book": book_layout, "varied": varied_layout, "uniform": uniform_layout}


def next_piece(seen: Observation, legal: Sequence[str], rng: Chance, known: Sequence[str]) -> str:
    """Where a game asks for the army piece by piece: as a known layout goes on or, failing that, any piece."""
    fitting = [layout for layout in known if layout.startswith(seen.layout)]
    return pick(rng, fitting)[len(seen.layout)] if fitting else pick(rng, legal)


@dataclass(frozen=True)
class Player(AgentBase):
    """Sets up from the book or at random; how it moves is for its kinds to say."""

    plays: ClassVar[tuple[str, ...]] = ("luzhanqi",)
    kind: ClassVar[str]
    """What agent files call it."""
    layouts: str = "varied"
    """Where its layouts come from: the `book`, the book with exchanges (`varied`), or all legal ones (`uniform`)."""

    def __post_init__(self) -> None:
        for option in fields(self):
            value, kind = getattr(self, option.name), type(option.default)
            whole = isinstance(value, int) and not isinstance(value, bool)
            number = whole or (isinstance(value, float) and isfinite(value))
            if not {int: whole, float: number, str: isinstance(value, str)}[kind]:
                raise BadAgent(f"option {option.name} is of type {kind.__name__}, not {value!r}.")
        if self.layouts not in LAYOUTS:
            raise UnknownName("source of layouts", str(self.layouts), LAYOUTS)

    def arrange(self, rules: Rules, rng: Chance) -> str:
        return LAYOUTS[self.layouts](rules, rng)

    def choose(self, observation: Observation, legal: Sequence[str], rng: Chance) -> str:
        if observation.record is None:
            return next_piece(observation, legal, rng, self._usual(observation.rules))
        return self.move(observation, legal, rng)

    def _usual(self, rules: Rules) -> Sequence[str]:
        return {"book": book(rules), "varied": usual_layouts(rules).split(), "uniform": ()}[self.layouts]

    def move(self, seen: Observation, legal: Sequence[str], rng: Chance) -> str:
        """One of the legal moves."""
        raise NotImplementedError

    def describe(self) -> tuple[str, JsonObject]:
        return self.kind, {option.name: getattr(self, option.name) for option in fields(self)}


@dataclass(frozen=True)
class RandomPlayer(Player):
    """Any legal move, each as likely."""

    kind = "luzhanqi-random"
    layouts: str = "uniform"

    def move(self, seen: Observation, legal: Sequence[str], rng: Chance) -> str:
        return pick(rng, legal)


def can_win(seen: Observation, move: str) -> bool:
    """Whether a move is an attack that can win, by what is known of the piece it meets, and meets no mine.

    A bomb may meet any piece, an engineer also a mine, and where the flag may be any piece takes the risk.
    """
    origin, target = parse_move(move)
    board = seen.record.board if seen.record else ()
    if not board or board[target] == NO_PIECE:
        return False
    kind, types = seen.own_types[board[origin] % SLOTS], seen.deduced[board[target] % SLOTS]
    if kind == BOMB or types >> FLAG & 1:
        return True
    wins = any(types >> other & 1 and fight(kind, other, seen.rules) == WON for other in range(TYPES))
    return wins and (kind == ENGINEER or not types >> MINE & 1)


@dataclass(frozen=True)
class AttackingPlayer(Player):
    """Any attack that can win, each as likely; where there is none, any move.

    A player who attacks any piece plays worse than at random: it loses its army to mines and to those who won before.
    """

    kind = "luzhanqi-attacks"
    layouts: str = "uniform"

    def move(self, seen: Observation, legal: Sequence[str], rng: Chance) -> str:
        return pick(rng, [move for move in legal if can_win(seen, move)] or legal)


Odds = NDArray[np.float64]


def action_numbers(legal: Sequence[str]) -> NDArray[np.int64]:
    """The numbers of moves."""
    return np.array([ACTION_OF[parse_move(move)] for move in legal], dtype=np.int64)


@dataclass(frozen=True)
class OnePlyPlayer(Player):
    """Plays the move that is worth most at once; of equal ones, any."""

    fear: float = 0.1
    """How much the danger for the moving piece counts."""
    march: float = 1.0
    """How many points a move nearer to the flag is worth."""

    def odds(self, seen: Observation) -> Odds:
        """For each slot of the enemy, how likely each type is."""
        raise NotImplementedError

    @announcing("a one-ply player of Luzhanqi", score_moves)
    def scores(self, seen: Observation, legal: Sequence[str]) -> NDArray[np.float64]:
        """What each move is worth."""
        rules, values, scores = rules_array(seen.rules), attack_values(seen.rules), np.empty(len(legal))
        weights = float(self.fear), float(self.march)
        score_moves(rules, blank_world(seen), action_numbers(legal), self.odds(seen), values, *weights, scores)
        return scores

    def move(self, seen: Observation, legal: Sequence[str], rng: Chance) -> str:
        scores = self.scores(seen, legal)
        scores += 1e-3 * np.array([rng.random() for _ in legal])
        return legal[int(np.argmax(scores))]


@dataclass(frozen=True)
class GreedyPlayer(OnePlyPlayer):
    """Looks at each enemy piece alone: the odds of the beginning among the types this piece can still be."""

    kind = "luzhanqi-greedy"

    def odds(self, seen: Observation) -> Odds:
        sets = np.array(seen.deduced)[:, None] >> np.arange(TYPES) & 1
        odds = sets * initial_odds()
        return np.asarray(odds / np.maximum(odds.sum(axis=1, keepdims=True), 1e-9))


@dataclass(frozen=True)
class ExpectedValuePlayer(OnePlyPlayer):
    """Knows exactly how likely each piece is what, from everything that was seen."""

    kind = "luzhanqi-expected"
    fear: float = 0.5
    prior: float = 0.0
    """The weight of layouts beside counting in what it believes, from 0 to 1."""
    known: str = ""
    """Layouts that the enemy uses, with spaces between them; none for the usual ones."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_prior(self.prior, self.known)

    def odds(self, seen: Observation) -> Odds:
        return beliefs_with(seen, self.prior, self.known).marginals()


def check_informed(known: str) -> None:
    """Refuse who knows nothing."""
    if not known.split():
        raise BadAgent(f"known layouts are 25 letters each, with spaces between, not {known!r}.")


@dataclass(frozen=True)
class InformedPlayer(ExpectedValuePlayer):
    """The expected-value player, who knows layouts that the enemy uses."""

    kind = "luzhanqi-informed"
    prior: float = TRUST

    def __post_init__(self) -> None:
        super().__post_init__()
        check_informed(self.known)


@dataclass(frozen=True)
class OtherLayoutsAgent(AgentBase):
    """Moves as an agent does, with layouts from elsewhere."""

    plays = ("luzhanqi",)
    agent: AnyAgent
    layouts: str

    def arrange(self, rules: Rules, rng: Chance) -> str:
        return LAYOUTS[self.layouts](rules, rng)

    def choose(self, observation: Observation, legal: Sequence[str], rng: Chance) -> str:
        move: str = self.agent.choose(observation, legal, rng)
        return move


def read_layouts(layouts: str, inner: tuple[AnyAgent, Rules] | None) -> tuple[AnyAgent, str, Rules]:
    """`layouts:uniform,NAME`."""
    if inner is None:
        raise BadAgent(
            f"write layouts:uniform,luzhanqi-expected, a source of layouts and a player, not {layouts!r:.60}."
        )
    if layouts not in LAYOUTS:
        raise UnknownName("source of layouts", layouts, LAYOUTS)
    agent, rules = inner
    if isinstance(agent, PlaysSome) and "luzhanqi" not in agent.plays:
        raise BadAgent("layouts are for players of luzhanqi: name one, like layouts:uniform,luzhanqi-expected.")
    return OtherLayoutsAgent(agent, layouts), "luzhanqi", rules


_EXPECTED = ExpectedValuePlayer()


NO_LAYOUTS = np.empty((0, SLOTS), np.int64)


def scores(
    rules: Rules, games: NDArray[np.int64], fear: float, march: float, counted: bool,
    layouts: NDArray[np.int64] = NO_LAYOUTS, trust: float = TRUST,
) -> NDArray[np.float64]:  # fmt: skip
    """(games, actions): what each move is worth as the player to move sees it, in points; −∞ where it is not legal.

    `counted`: whether the odds of the enemy's types fit the counts of the army (nearly), or look at each piece alone.
    `layouts`: some that the enemy is known to use, for who counts; `trust`: their weight beside counting.
    """
    out = np.empty((len(games), rules.actions))
    score_all(
        rules_array(rules), games, initial_odds(), attack_values(rules), fear, march, counted, layouts, trust, out
    )
    return out


class Features(NamedTuple):
    """What the expected-value player knows of games (nearly: its odds are scaled, not counted)."""

    moves: NDArray[np.float32]
    """(games, actions, 3): what a move is worth, what its fight is worth, whether it takes back; 0 if it is illegal."""
    points: NDArray[np.float32]
    """(games, 5, 60): of each enemy piece the chance of flag, mine and bomb, its entropy and its worth."""


def features(
    rules: Rules, games: NDArray[np.int64], prior: float = 0.0, layouts: NDArray[np.int64] = NO_LAYOUTS
) -> Features:
    """Features of all moves and points, as the players to move see them.

    `prior`: how likely it is at first that the enemy has one of these `layouts`.
    """
    made = Features(
        np.empty((len(games), rules.actions, MOVE_FEATURES), np.float32),
        np.empty((len(games), POINT_FEATURES, POINTS), np.float32),
    )
    options = float(_EXPECTED.fear), float(_EXPECTED.march)
    layouts = layouts if prior else NO_LAYOUTS
    features_all(rules_array(rules), games, initial_odds(), attack_values(rules), *options, layouts, prior, *made)
    return made


def advice(
    rules: Rules, games: NDArray[np.int64], prior: float = 0.0, layouts: NDArray[np.int64] = NO_LAYOUTS
) -> NDArray[np.float32]:
    """(games, actions): what the expected-value player says of each move; 0 where it is not legal."""
    return features(rules, games, prior, layouts).moves[..., 0]
