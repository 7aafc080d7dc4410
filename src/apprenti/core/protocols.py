"""The nouns of the project, as protocols: what an outcome, a game, an agent and a learner are to everybody else."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Self, TypeVar

from apprenti.core.seeds import Chance


@dataclass(frozen=True)
class Outcome:
    """How a game ended and why. `winner` is a player's number, None for a draw or a game for one."""

    reason: str
    winner: int | None = None
    truncated: bool = False
    """True when a limit stopped the game and not its rules."""


class LearnerConfig(Protocol):
    """The options of a learner: a frozen dataclass whose fields are its command line."""

    @property
    def seed(self) -> int:
        """Root of all random streams."""
        ...

    @property
    def steps(self) -> int:
        """How many steps a run has."""
        ...

    @property
    def may_change(self) -> frozenset[str]:
        """Options that may be changed when a run has begun: what it has learned so far does not depend on them."""
        ...


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
        ...

    @property
    def made_for(self) -> dict[str, Any]:
        """The rules its agents are made for, as agent files have them: `name`, `size`, and what is different."""
        ...

    @property
    def done(self) -> bool:
        """Whether there is nothing left to do."""
        ...

    @property
    def steps(self) -> tuple[int, int]:
        """Steps done, and all of them."""
        ...

    def warm_up(self) -> None:
        """Compile what will be needed; nothing is learned."""
        ...

    def step(self) -> dict[str, float]:
        """Learn a little; return what can be said of it."""
        ...

    def state(self) -> dict[str, Any]:
        """Everything the next step depends on, as plain data."""
        ...

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a saved state."""
        ...

    def agent(self) -> Any:
        """The agent so far."""
        ...


class Agent(Protocol):
    """Who decides. An agent never learns while it plays, prints nothing and touches no file.

    One that can be kept has `describe() → (kind, options)`, and `arrays()` if it has large tables or networks. One of a
    game for two may have `family` (the only games it plays), `check(rules)` (BadAgent for a board that is not its own)
    and `values(observation)` (what each move is worth, for hints).
    """

    def choose(self, observation: Any, legal: Sequence[Any], rng: Chance) -> Any:
        """One of the legal moves."""
        ...


class Position(Protocol):
    """A state of a game for two: immutable, hashable, with no chance inside."""

    @property
    def to_move(self) -> int:
        """Whose turn it is: 0 or 1."""
        ...

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; None while it goes on."""
        ...

    def legal_moves(self) -> Sequence[Any]:
        """The moves of the player to move; none when the game is over."""
        ...

    def play(self, move: Any) -> Self:
        """The state after a move; IllegalMove if it is not legal."""
        ...

    def observation(self, player: int) -> Any:
        """What one player knows; the state itself where nothing is hidden."""
        ...


class GameForTwo(Protocol):
    """What the arena, the store and the command line need to know of a game for two. One object a game, `GAME`."""

    name: str
    family: str
    """The name in the files of agents: an agent of a family can play every game of it, if the board is its own."""
    sides: tuple[str, str]
    """What the two players are called; player 0 moves first."""
    options: str
    """What can be chosen, for the list of games: `--size 5x5x4`, `--rules ccgc, western`."""

    def rules(self, text: str = "", size: str = "") -> Any:
        """The rules by the name of a preset and a size, either of them empty for the usual; BadRules otherwise."""
        ...

    def begin(self, rules: Any, players: Sequence[Agent], chances: Sequence[Chance]) -> Position:
        """The first position. Players who set up their army do it here, each with their own chance."""
        ...

    def opening(self, state: Position) -> str:
        """The first position as text: with the rules, all that is needed to begin again."""
        ...

    def reopen(self, rules: Any, opening: str) -> Position:
        """The first position from its text."""
        ...

    def read_move(self, state: Position, text: str) -> Any:
        """A move from text; BadNotation if it is none. Whether it is legal is the state's business."""
        ...

    def write_move(self, move: Any) -> str:
        """A move as text, without spaces."""
        ...

    def rules_to_json(self, rules: Any) -> dict[str, Any]:
        """Rules as plain data."""
        ...

    def rules_from_json(self, data: dict[str, Any]) -> Any:
        """Rules from plain data; BadRules if they are none."""
        ...

    def describe(self, rules: Any) -> str:
        """The rules on one line, for people."""
        ...
