"""Options that learners of Tetris share."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from apprenti.core.errors import BadOption, BadRules
from apprenti.games.tetris.fast.players import why_not
from apprenti.games.tetris.rules import Rules
from apprenti.learn.learner import LearnerConfig
from apprenti.learn.options import HUGE, at_least_0, positive, share
from apprenti.learn.tetris.criteria import Layout, Vector


@dataclass(frozen=True, kw_only=True)
class TetrisConfig(LearnerConfig):
    """What is played, and on how many cores."""

    rules: str = "simplified"
    """simplified, overflow, strict or tetrisbot."""
    size: str = "10x10"
    """Columns x rows."""
    workers: int = 0
    """Cores to use; 0 for all. The result does not depend on it."""

    def __post_init__(self) -> None:
        at_least_0(self, "workers")

    @property
    def other_rules(self) -> dict[str, Any]:
        """In what the rules differ from those that are named."""
        return {}

    @property
    def made_for(self) -> dict[str, Any]:
        """The rules as agent files have them."""
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
    """A set (tetrisbot, dellacherie, bertsekas, bcts, dt, rv, apprenti, lagoudakis, tsitsiklis, thesis), or names."""
    first: tuple[float, ...] = ()
    """Weights to begin with, one for each component (not for ga); none to begin from nothing."""

    def first_weights(self, layout: Layout, otherwise: Vector) -> Vector:
        """The vector to begin with: the one that was given, or another."""
        if not self.first:
            return otherwise
        if len(self.first) != layout.size or not (np.abs(self.first) <= HUGE).all():
            raise BadOption(
                f"--first takes {layout.size} finite weights for these criteria, and got {len(self.first)}."
            )
        return np.array(self.first)


@dataclass(frozen=True, kw_only=True)
class SearchConfig(LinearConfig):
    """Options of learners that judge candidates by their games."""

    racing: bool = True
    """Candidates that can no longer reach the elite stop playing; --no-racing lets all play on."""


@dataclass(frozen=True, kw_only=True)
class QConfig(TetrisConfig):
    """Options of Q-learning, with a table or with a network."""

    pieces: str = ""
    """Set of pieces: domino, small (five of at most 2 x 2 cells), rapid or classic; empty for the set of the rules."""
    gamma: float = 0.95
    """Discount of a move later."""
    epsilon_max: float = 1.0
    """Share of random moves at first."""
    epsilon_min: float = 0.0
    """Share of random moves in the end."""
    epsilon_delta: float = 0.0001
    """How fast it falls: by exp(-delta) with every episode, or with every move of all games (dqn)."""
    test_games: int = 20
    """Fresh games with what was learned after each generation; 0 for none."""
    test_pieces: int = 1000
    """Longest of these games in pieces."""
    generations: int = 20
    """How many times progress is kept."""

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "generations", "test_pieces")
        share(self, "gamma", "epsilon_max", "epsilon_min")
        at_least_0(self, "epsilon_delta", "test_games")

    @property
    def steps(self) -> int:
        """Generations."""
        return self.generations

    @property
    def other_rules(self) -> dict[str, Any]:
        """The pieces, if they are not those of the rules."""
        return {"pieces": self.pieces} if self.pieces else {}

    def epsilon_at(self, time: int) -> float:
        """The share of random moves: ε_min + (ε_max − ε_min)·exp(−δ·time)."""
        return self.epsilon_min + (self.epsilon_max - self.epsilon_min) * math.exp(-self.epsilon_delta * time)
