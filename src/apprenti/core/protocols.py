"""The nouns of the project: a state, an agent and what more one can do, how a game ends and what is written down of it.

What a game is stands in `core/game.py`. A room that handles any game says `AnyState`, `AnyAgent`, `AnyGame`; a game
names its own types, `State[Move, Observation]`, `Agent[Observation, Move]`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal, Protocol, Self, TypeAlias, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from apprenti.core.data import Arrays, JsonObject
from apprenti.core.seeds import Chance

CHANCE: Literal[-1] = -1
"""The turn of chance: a card is dealt, a die is rolled."""
OVER: Literal[-2] = -2
"""No player's turn: the game has ended."""

AnyMove: TypeAlias = Any
"""What a game calls a move: a placement, a cell, a text. Each game reads and writes its own."""
AnyRules: TypeAlias = Any
"""A frozen, hashable value that says which variant of a game is played."""
AnyObservation: TypeAlias = Any
"""What one player knows."""
MoveT = TypeVar("MoveT")
Observation_co = TypeVar("Observation_co", covariant=True)
Observation_contra = TypeVar("Observation_contra", contravariant=True)
Move_contra = TypeVar("Move_contra", contravariant=True)
StopFlag: TypeAlias = NDArray[np.int64]
"""An array whose first number, set to 1, ends all games under way at their next move."""
Measures: TypeAlias = Mapping[str, float | tuple[float, ...]]
"""What a game counts, by name: points, rounds, captures; how often each of some things happened."""


class Reason(Enum):
    """Why a game ended. A game has its own members, each with a code, which is stored, and words for people."""

    words: str

    def __new__(cls, code: str, words: str) -> Self:
        """A member: what is stored, and what is said."""
        member = object.__new__(cls)
        member._value_ = code
        member.words = words
        return member

    @property
    def code(self) -> str:
        """What is stored and compared."""
        return str(self.value)

    def __str__(self) -> str:
        return self.words


class CommonReason(Reason):
    """Reasons that every game has."""

    BY_RULES = "rules", "the rules ended it"
    """By one of the game's own reasons: compiled games do not say which."""
    STOPPED = "stopped", "a limit stopped the game"
    FORFEIT = "forfeit", "a player could not go on"
    RESIGNED = "resigned", "resigned"


@dataclass(frozen=True)
class Outcome:
    """How a game ended and why. `winner` is a player's number, None for a draw or a game for one."""

    reason: Reason
    winner: int | None = None
    truncated: bool = False
    """True when a limit stopped the game and not its rules."""
    scores: tuple[float, ...] = ()
    """What each player got: the score of a game for one; 1, ½ or 0 where players meet."""

    @classmethod
    def between_two(cls, reason: Reason, winner: int | None = None, truncated: bool = False) -> "Outcome":
        """The end of a game for two: a point for the winner, half a point each for a draw."""
        scores = (0.5, 0.5) if winner is None else (float(winner == 0), float(winner == 1))
        return cls(reason, winner, truncated, scores)


@runtime_checkable
class State(Protocol[MoveT, Observation_co]):
    """A game at one moment: frozen, hashable, with no chance inside."""

    @property
    def rules(self) -> AnyRules:
        """The rules it is played by."""

    @property
    def turn(self) -> int:
        """Whose turn it is: a player's number, CHANCE or OVER."""

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; None while it goes on."""

    def legal_moves(self) -> Sequence[MoveT]:
        """The moves of the player whose turn it is; none at a turn of chance or when the game is over."""

    def play(self, move: MoveT) -> Self:
        """The state after a move, or, at a turn of chance, after one of `chances`; IllegalMove if there is no such."""

    def deal(self, rng: Chance) -> Self:
        """At a turn of chance, the state after what chance brought."""

    def chances(self) -> Sequence[tuple[MoveT, float]]:
        """At a turn of chance, all that can happen and how likely it is; `play` makes it happen."""

    def observation(self, player: int) -> Observation_co:
        """What one player knows, and nothing else; the state itself where nothing is hidden."""


@runtime_checkable
class Agent(Protocol[Observation_contra, MoveT]):
    """Who decides. An agent never learns while it plays, prints nothing and touches no file.

    What one can do beyond that is a protocol of its own below.
    """

    def choose(self, observation: Observation_contra, legal: Sequence[MoveT], rng: Chance) -> MoveT:
        """One of the legal moves."""


AnyState: TypeAlias = State[Any, Any]
AnyAgent: TypeAlias = Agent[Any, Any]


@runtime_checkable
class PlaysSome(Protocol):
    """An agent that does not play every game: it says which, and refuses rules that it was not made for."""

    plays: tuple[str, ...]
    """Families of games."""

    def check(self, rules: AnyRules) -> None:
        """BadAgent, with the reason, for rules it cannot play."""


@runtime_checkable
class PressesKeys(Protocol):
    """An agent that plays key by key where a game can be played so (`Steerable`), as a person does."""

    presses_keys: bool


@runtime_checkable
class Steerable(Protocol):
    """A state that can also be played key by key."""

    def legal_keys(self) -> Sequence[str]:
        """The keys that may be pressed now."""


@runtime_checkable
class Arranges(Protocol):
    """An agent that sets up its own army, where a game begins so."""

    def arrange(self, rules: AnyRules, rng: Chance) -> str:
        """The set-up as text."""


@runtime_checkable
class ArrangesAs(Protocol):
    """An agent that has to know which side it will have before it sets up."""

    def arrange_as(self, player: int, rules: AnyRules, rng: Chance) -> str:
        """The set-up of this side as text."""


@runtime_checkable
class Valued(Protocol[Observation_contra, MoveT]):
    """An agent that can say what each move is worth to it."""

    def values(self, observation: Observation_contra) -> Mapping[MoveT, float]:
        """The value of each legal move; −∞ for one that is worth less than anything, as it ends the game."""


@runtime_checkable
class Stochastic(Protocol[Observation_contra, Move_contra]):
    """An agent that can say how likely each of its moves is."""

    def probabilities(self, observation: Observation_contra, legal: Sequence[Move_contra]) -> Sequence[float]:
        """The probability of each legal move."""


@runtime_checkable
class Contributes(Protocol[Observation_contra, MoveT]):
    """An agent whose value of a move is a sum: it can say what each criterion contributes."""

    def contributions(self, observation: Observation_contra) -> Mapping[MoveT, Mapping[str, float]]:
        """For each legal move the terms of its value, by name; they add up to the move's value."""


@runtime_checkable
class Explains(Protocol[Observation_contra]):
    """An agent that can say why, in text: what it believes and what it likes."""

    def explain(self, observation: Observation_contra) -> str:
        """A few lines for people."""


@runtime_checkable
class Compiles(Protocol):
    """An agent that has a compiled form for its game."""

    def compiled(self, rules: AnyRules) -> Any:
        """What the game's kernel needs to play as this agent, or None where it cannot."""


@runtime_checkable
class Storable(Protocol):
    """An agent that can be written to a file and built again."""

    def describe(self) -> tuple[str, JsonObject]:
        """Its kind and its options."""


@runtime_checkable
class HasArrays(Protocol):
    """An agent with large tables or networks, which are stored beside its file."""

    def arrays(self) -> Arrays:
        """The arrays by name."""


@dataclass(frozen=True)
class GameSeeds:
    """Where the chance of one game comes from: a stream for what is dealt, one for each side's set-up and choices."""

    chance: int
    setups: tuple[int, ...]
    players: tuple[int, ...]


@dataclass(frozen=True)
class GameRecord:
    """A game that has been played."""

    outcome: Outcome
    measures: Measures = field(default_factory=dict)
    """What the game counts, by name."""
    moves: tuple[str, ...] = ()
    """As text; perhaps only the first ones, or none, for a game of a kernel."""
    opening: str = ""
    seed: int = 0
    """Of what chance dealt."""
    seconds: tuple[float, ...] = ()
    """Time each side took to decide."""
    slowest: float = 0.0
    """The time of the slowest decision."""
    length: int = 0
    """How many moves were made."""
    index: int = 0
    """Which game of a series it is."""
    first: int = 0
    """Which of the agents had side 0."""
    why: str = ""
    """What a player did wrong who forfeited the game, for people."""

    @property
    def points(self) -> float:
        """What the first named agent got."""
        return self.outcome.scores[(len(self.outcome.scores) - self.first) % len(self.outcome.scores)]

    def time_of(self, agent: int) -> float:
        """Seconds an agent took."""
        return self.seconds[(agent - self.first) % len(self.seconds)]


class Fast(Protocol):
    """A game in compiled form, with its agents: plays whole games without the interpreter."""

    @property
    def together(self) -> int:
        """Games that are best played in one call; 0 if it makes no difference."""

    @property
    def keeps_moves(self) -> bool:
        """Whether it can write moves down."""

    @property
    def stop(self) -> StopFlag:
        """Ends all games."""

    def play(self, seeds: Sequence[GameSeeds], moves: int = 0) -> list[GameRecord]:
        """Play a game for each of the seeds and write down that many of its first moves; a cut game is truncated."""

    def warm_up(self) -> None:
        """Compile now, before a clock starts."""

    def limited(self, moves: int) -> Self:
        """The same, for games that stop after a number of moves."""
