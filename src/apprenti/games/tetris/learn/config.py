"""Options that learners of Tetris share."""

import math
from dataclasses import dataclass

import numpy as np

from apprenti.core.data import JsonObject
from apprenti.core.errors import BadOption, BadRules
from apprenti.games.tetris.fast.players import why_not
from apprenti.games.tetris.learn.criteria import Vector
from apprenti.games.tetris.rules import Rules
from apprenti.learn.learner import HUGE, LearnerConfig, at_least_0, one_of, positive, share


@dataclass(frozen=True, kw_only=True)
class TetrisConfig(LearnerConfig):
    """What is played, and on how many cores."""

    rules: str = "simplified"
    """simplified, overflow, strict or tetrisbot."""
    size: str = "10x10"
    """Columns x rows."""
    gravity_first: bool = True
    """Where pieces appear at the top (strict, tetrisbot) they come down one row before the first move, as published;
    --no-gravity-first for the rule our older runs had."""
    workers: int = 0
    """Cores to use; 0 for all. The result does not depend on it."""

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least_0(self, "workers")

    @property
    def other_rules(self) -> JsonObject:
        """In what the rules differ from those that are named."""
        return {} if self.gravity_first or not Rules.preset(self.rules).gravity_first else {"gravity_first": False}

    @property
    def made_for(self) -> JsonObject:
        return {"name": self.rules, "size": self.size, **self.other_rules}

    def game(self, **changes: object) -> Rules:
        """The rules."""
        rules = Rules.preset(self.rules, self.size, **self.other_rules, **changes)
        if reason := why_not(rules):
            raise BadRules(f"--size {self.size}: {reason}.")
        return rules


@dataclass(frozen=True, kw_only=True)
class LinearConfig(TetrisConfig):
    """Options of learners whose player is a weight for each criterion."""

    criteria: str = "dellacherie"
    """A set (tetrisbot, dellacherie, bertsekas, bcts, dt, rv, apprenti, lagoudakis, tsitsiklis, fahey, boehm, xtris,
    driessens, thesis), or names."""


@dataclass(frozen=True, kw_only=True)
class WarmStartConfig(LinearConfig):
    """Options of those of them that can begin with given weights."""

    initial_weights: tuple[float, ...] = ()
    """Weights to begin with, one for each component; none to begin from nothing."""

    def first_weights(self, otherwise: Vector, fewer: int = 0) -> Vector:
        """The vector to begin with: the one that was given, or another; or its first weights, if `fewer` are enough."""
        if not self.initial_weights:
            return otherwise
        given, size = len(self.initial_weights), len(otherwise)
        if given not in (size, fewer) or not (np.abs(self.initial_weights) <= HUGE).all():
            raise BadOption(f"--initial-weights takes {size} finite weights for these criteria, and got {given}.")
        return np.concatenate([self.initial_weights, otherwise[given:]])


@dataclass(frozen=True, kw_only=True)
class SearchConfig(LinearConfig):
    """Options of learners that judge candidates by their games."""

    population: int = 100
    """Candidates in each iteration."""
    measure: str = "games"
    """What judges a candidate: games, played to their end, or rare: parts of games, for those that hardly ever end."""
    games: int = 1
    """Games that judge a candidate; with --measure rare, repetitions of the splitting."""
    look: str = "none"
    """How candidates look ahead: none, or expectimax, at the mean over the piece that may come next."""
    finalists: int = 0
    """Vectors of the last iterations that are judged once more in the end; the best is the agent. 0 for the last."""
    final_games: int = 100
    """Games, or repetitions, that judge each of these, on seeds of their own."""
    max_pieces: int = 0
    """Longest game in pieces; 0 for no limit."""
    racing: bool = True
    """Candidates that can no longer reach the elite stop playing; --no-racing lets all play on."""

    def __post_init__(self) -> None:
        super().__post_init__()
        one_of(self, "measure", "games", "rare")
        one_of(self, "look", "none", "expectimax")
        positive(self, "games", "final_games")
        at_least_0(self, "max_pieces", "finalists")
        if self.measure == "rare" and self.max_pieces:
            raise BadOption("--measure rare is for whole games: add --max-pieces 0.")


@dataclass(frozen=True, kw_only=True)
class QConfig(TetrisConfig):
    """Options of Q-learning, with a table or with a network."""

    pieces: str = ""
    """Set of pieces: domino, small (five of at most 2 x 2 cells), rapid or classic; empty for the set of the rules."""
    gamma: float = 0.95
    """Discount of a move later."""
    epsilon: float = 1.0
    """ε: share of random moves at first."""
    epsilon_end: float = 0.0
    """Share of random moves in the end."""
    epsilon_decay: float = 0.0001
    """How fast ε falls: by exp(-decay) with every episode, or with every move of all games (dqn)."""
    test_games: int = 20
    """Fresh games after each iteration, which teach nothing; 0 for none."""
    test_pieces: int = 1000
    """Longest of these games in pieces."""

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "test_pieces")
        share(self, "gamma", "epsilon", "epsilon_end")
        at_least_0(self, "epsilon_decay", "test_games")

    @property
    def other_rules(self) -> JsonObject:
        return {**super().other_rules, **({"pieces": self.pieces} if self.pieces else {})}

    def epsilon_at(self, time: int) -> float:
        """The share of random moves: ε_end + (ε − ε_end)·exp(−decay·time)."""
        return self.epsilon_end + (self.epsilon - self.epsilon_end) * math.exp(-self.epsilon_decay * time)
