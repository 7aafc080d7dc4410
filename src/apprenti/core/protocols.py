"""The nouns of the project, as protocols: what a game, a state, an agent and a learner are to everybody else."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Literal, Protocol, Self, TypeAlias, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from apprenti.core.data import Arrays, JsonObject, SavedState, Shape
from apprenti.core.seeds import Chance

CHANCE: Literal[-1] = -1
"""The turn of chance: a piece is dealt, a die is rolled."""
OVER: Literal[-2] = -2
"""Nobody's turn: the game has ended."""

Move: TypeAlias = Any
"""What a game calls a move: a placement, a cell, a text. Each game reads and writes its own."""
Rules: TypeAlias = Any
"""A frozen, hashable value that says which variant of a game is played."""
Observation: TypeAlias = Any
"""What one player knows."""
StopFlag: TypeAlias = NDArray[np.int64]
"""An array whose first number, set to 1, ends all games under way at their next move."""
Measures: TypeAlias = Mapping[str, float | tuple[float, ...]]
"""What a game counts, by name: lines, points, pieces; how often one, two, … lines were removed at once."""


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
class State(Protocol):
    """A game at one moment: frozen, hashable, with no chance inside."""

    @property
    def rules(self) -> Rules:
        """The rules it is played by."""

    @property
    def turn(self) -> int:
        """Whose turn it is: a player's number, CHANCE or OVER."""

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; None while it goes on."""

    def legal_moves(self) -> Sequence[Move]:
        """The moves of the player whose turn it is; none at a turn of chance or when the game is over."""

    def play(self, move: Move) -> Self:
        """The state after a move, or, at a turn of chance, after one of `chances`; IllegalMove if there is no such."""

    def deal(self, rng: Chance) -> Self:
        """At a turn of chance, the state after what chance brought."""

    def chances(self) -> Sequence[tuple[Move, float]]:
        """At a turn of chance, all that can happen and how likely it is; `play` makes it happen."""

    def observation(self, player: int) -> Observation:
        """What one player knows, and nothing else; the state itself where nothing is hidden."""


@runtime_checkable
class Agent(Protocol):
    """Who decides. An agent never learns while it plays, prints nothing and touches no file.

    What one can do beyond that is a protocol of its own below.
    """

    def choose(self, observation: Observation, legal: Sequence[Move], rng: Chance) -> Move:
        """One of the legal moves."""


@runtime_checkable
class PlaysSome(Protocol):
    """An agent that does not play every game: it says which, and refuses rules that it was not made for."""

    plays: tuple[str, ...]
    """Families of games."""

    def check(self, rules: Rules) -> None:
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

    def arrange(self, rules: Rules, rng: Chance) -> str:
        """The set-up as text."""


@runtime_checkable
class ArrangesAs(Protocol):
    """An agent that has to know which side it will have before it sets up."""

    def arrange_as(self, player: int, rules: Rules, rng: Chance) -> str:
        """The set-up of this side as text."""


@runtime_checkable
class Valued(Protocol):
    """An agent that can say what each move is worth to it."""

    def values(self, observation: Observation) -> Mapping[Move, float]:
        """The value of each legal move; −∞ for one that is worth less than anything, as it ends the game."""


@runtime_checkable
class Stochastic(Protocol):
    """An agent that can say how likely each of its moves is."""

    def probabilities(self, observation: Observation, legal: Sequence[Move]) -> Sequence[float]:
        """The probability of each legal move."""


@runtime_checkable
class Contributes(Protocol):
    """An agent whose value of a move is a sum: it can say what each criterion contributes."""

    def contributions(self, observation: Observation) -> Mapping[Move, Mapping[str, float]]:
        """For each legal move the terms of its value, by name; they add up to the move's value."""


@runtime_checkable
class Explains(Protocol):
    """An agent that can say why, in text: what it believes and what it likes."""

    def explain(self, observation: Observation) -> str:
        """A few lines for people."""


@runtime_checkable
class KnowsGame(Protocol):
    """An agent of every game that has to be told which one it plays: it searches it, or reads its positions."""

    def for_game(self, game: "Game") -> Agent:
        """The same agent, for this game."""


@runtime_checkable
class Compiles(Protocol):
    """An agent that has a compiled form for its game."""

    def compiled(self, rules: Rules) -> Any:
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
    """What the game counts, by name: lines, points, pieces."""
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
        """The same, for games that stop after so many moves."""


class Game(Protocol):
    """A family of rules and all that is needed to play under them. `core.game.GameBase` has most of it ready."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def family(self) -> str:
        """The name in the files of agents: an agent of a family plays every game of it, if the board is its own."""

    @property
    def players(self) -> int:
        """How many play."""

    @property
    def sides(self) -> tuple[str, ...]:
        """What the players are called; player 0 moves first."""

    @property
    def Options(self) -> type[Any]:  # noqa: N802  (it is a class)
        """A dataclass: what can be chosen. Its fields are the command line, their docstrings its help."""

    def rules(self, usual: Rules = None, **options: object) -> Rules:
        """The rules that fields of `Options` ask for; what is left open is as in `usual`, or as most people play."""

    def rules_to_json(self, rules: Rules) -> JsonObject:
        """Rules as plain data."""

    def rules_from_json(self, data: Mapping[str, Any]) -> Rules:
        """Rules from plain data; BadRules if they are none."""

    def describe(self, rules: Rules) -> str:
        """The rules on one line, for people."""

    def opponent(self, rules: Rules) -> str:
        """The agent that is met when none is named: the best that answers at once."""

    def start(self, rules: Rules, rng: Chance | Sequence[Chance], agents: Sequence[Agent] = ()) -> State:
        """The first state. Who sets up an army does it here: agents that can, with their own chance; others by lot."""

    def opening(self, state: Any) -> str:
        """The first state as text: with the rules, all that is needed to begin again."""

    def reopen(self, rules: Rules, opening: str) -> State:
        """The first state from its text."""

    def read_move(self, state: Any, text: str) -> Move:
        """A move from text; BadNotation if it is none. Whether it is legal is the state's business."""

    def write_move(self, move: Move) -> str:
        """A move as text, without spaces."""

    def read_state(self, rules: Rules, text: str) -> State:
        """A position from text; BadNotation if it is none."""

    def write_state(self, state: Any) -> str:
        """A position on one line."""

    def write_observation(self, observation: Observation) -> str:
        """What a player knows on one line: equal knowledge, equal text."""

    def reason(self, code: str) -> Reason:
        """A reason from its code; BadNotation if this game has no such end."""

    def unit(self, rules: Rules) -> str:
        """What a score counts, one of the measures: `lines`, `points`."""

    def measures(self, state: Any) -> Measures:
        """What is counted in a game, by name, the most usual first."""

    @property
    def exponential(self) -> bool:
        """Whether scores are close to exponential, as lifetimes are: then games cut short can be reckoned with."""

    def note(self, rules: Rules) -> str:
        """What has to be said beside a score, such as how ties are broken; empty if nothing."""

    def forfeited(self, player: int) -> Outcome:
        """The end of a game in which a player could not go on."""

    def fast(self, rules: Rules, agents: Sequence[Agent]) -> Fast | None:
        """The compiled form, or None where the readable rules have to play."""


@runtime_checkable
class Determinises(Protocol):
    """A game whose observations are not its states: it draws states that one player cannot tell from the true one."""

    def worlds(self, observation: Observation, rng: Chance) -> Iterator[State]:
        """Without end, states that fit what a player knows, each as likely as that player has to believe it is."""


@runtime_checkable
class Encodes(Protocol):
    """A game that says how it is put into numbers. Of others, environments give the text and number the legal moves."""

    def actions(self, rules: Rules) -> int:
        """How many actions there are."""

    def action_of(self, state: Any, move: Move) -> int:
        """The number of a legal move, as the player to move sees it."""

    def planes(self, observation: Observation, player: int) -> NDArray[np.number]:
        """What a player knows as numbers from 0 to 1; under the same rules always of the same shape."""


class LearnerConfig(Protocol):
    """The options of a learner: a frozen dataclass whose fields are its command line."""

    @property
    def seed(self) -> int:
        """Root of all random streams."""

    @property
    def steps(self) -> int:
        """How many steps a run has."""

    @property
    def may_change(self) -> frozenset[str]:
        """Options that may be changed when a run has begun: what it has learned so far does not depend on them."""


Config_co = TypeVar("Config_co", bound=LearnerConfig, covariant=True)


class Learner(Protocol[Config_co]):
    """What makes agents. It owns exploration and chance, and knows nothing of files or screens.

    Made from its config. N steps are, to the bit, the same as k steps, `state`, `restore` into a new learner, and N − k
    steps. `state` is plain data, and under the key `arrays` a dictionary of numpy arrays for whatever is large. A step
    takes from a fraction of a second to half a minute: the state is stored after every step.
    """

    game: str
    """The game it learns."""

    @property
    def config(self) -> Config_co:
        """Its options."""

    @property
    def made_for(self) -> JsonObject:
        """The rules its agents are made for, as agent files have them: `name`, `size`, and what is different."""

    @property
    def done(self) -> bool:
        """Whether there is nothing left to do."""

    @property
    def steps(self) -> tuple[int, int]:
        """Steps done, and all of them."""

    def warm_up(self) -> None:
        """Compile what will be needed; nothing is learned."""

    def step(self) -> dict[str, float]:
        """Learn a little; return what can be said of it."""

    def state(self) -> SavedState:
        """Everything the next step depends on, as plain data."""

    def shape(self) -> Shape:
        """What a saved state looks like; it is checked before `restore` gets it."""

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a saved state."""

    def agent(self) -> Storable:
        """The agent so far."""


@runtime_checkable
class BeginsAs(Protocol):
    """A learner that can begin with what an agent has learned, which its config names as `begins_as`."""

    def begin_as(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take what is large in that agent; BadOption if it does not fit."""


@runtime_checkable
class PlaysAgainst(Protocol):
    """A learner with a frozen opponent, which its config names as `against`; empty for none."""

    def play_against(self, agent: Agent) -> None:
        """Have this agent on the other side from now on; BadOption if it cannot be."""


@runtime_checkable
class HasPlayers(Protocol):
    """A learner of several players, each with a name and a policy of its own."""

    def players(self) -> Mapping[str, Storable]:
        """All of them by their names; `agent` is the first."""
