"""How games are shown and pointed at in a terminal: a view for each family of games, and one that does for any game."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from apprenti.core.game import AnyGame
from apprenti.core.plugins import Registry
from apprenti.core.protocols import AnyAgent, AnyMove, AnyRules, AnyState
from apprenti.views.thoughts import Thoughts, brief, thinks, thoughts_of, whole

StateT = TypeVar("StateT", bound=AnyState)
NAMED = 20
"""Legal moves that are named where there is nothing better to say."""


@dataclass(frozen=True)
class Look:
    """How somebody looks at a position."""

    eyes: int | None = None
    """Whose knowledge is shown, a player's number; None for everything."""
    colour: bool = True
    cursor: int | None = None
    """The point the arrow keys are on."""
    chosen: int | None = None
    """The point that has been picked up."""
    last: tuple[int, ...] = ()
    """The points of the last move."""
    hints: Mapping[AnyMove, float] = field(default_factory=dict)
    """The value of each move, where somebody asked."""
    open: bool = False
    """Everything is shown, from the place of `eyes`: the game is over."""
    small: bool = False
    """Drawn smaller, if it can be, because the terminal is low."""
    by_keys: bool = False
    """The game is played key by key."""
    numbers: bool = False
    """Rows and columns are numbered, where they are not so anyway."""
    words: tuple[str, ...] = ()
    """What is to be said beside the board, for a view that has room there."""


class View(Generic[StateT]):
    """What the terminal needs to know of a family of games. A view says how it draws, and whatever it can do better."""

    keys: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """What a key of the terminal plays, where a game is played key by key."""
    key_help: ClassVar[tuple[str, ...]] = ()
    """What to tell a person of these keys."""
    beside: ClassVar[bool] = False
    """Words stand beside the board, and not above and below it."""
    pace: ClassVar[str] = "moves"
    """What is counted a second."""

    def screen(self, state: StateT, look: Look) -> str:
        """The board as text."""
        raise NotImplementedError

    def start(self, state: StateT) -> int | None:
        """The point the cursor begins on; None where there is no cursor."""
        return None

    def walk(self, state: StateT, point: int, key: str, eyes: int) -> int:
        """Where an arrow key takes the cursor."""
        return point

    def pick(self, state: StateT, chosen: int | None, point: int) -> tuple[int | None, AnyMove | None]:
        """What Enter means on a point: (the point now picked up, the move if it is complete)."""
        return None, None

    def points(self, move: str) -> tuple[int, ...]:
        """The points that a move touches."""
        return ()

    def how(self, state: StateT) -> str:
        """How a move is given, on one line."""
        raise NotImplementedError

    def named(self, state: StateT, move: str) -> str:
        """A move as the board names it."""
        return move

    def said(self, state: StateT, move: str) -> str:
        """The move that led to a state, and what came of it."""
        return self.named(state, move)

    def about(self, rules: AnyRules) -> tuple[str, ...]:
        """How the game is played and what the signs on the board mean, for people; lines of up to 80 columns."""
        return ()

    def score(self, state: StateT) -> str:
        """What has been counted so far in a game for one."""
        return ""

    def shows(self, before: StateT | None, state: StateT) -> bool:
        """Whether a state is worth a picture where every picture is kept."""
        return True

    def explains(self, agent: AnyAgent) -> bool:
        """Whether there is something to say of what an agent thinks."""
        return thinks(agent)

    def explain(self, agent: AnyAgent, player: int, state: StateT, small: bool = False) -> str:
        if state.turn != player:
            return ""
        return (brief if small else whole)(self.named_in(state, thoughts_of(agent, state.observation(player))))

    def named_in(self, state: StateT, thoughts: Thoughts) -> Thoughts:
        """What an agent thinks of moves, by the names that the board gives them."""
        return thoughts.named(lambda move: self.named(state, str(move)))

    def solved(self, rules: AnyRules, values: Mapping[str, float], policy: Mapping[str, str]) -> str:
        """A drawing (SVG) of what every state of a solved game is worth; empty where there is none."""
        return ""

    def statistics(self, state: StateT) -> list[str]:
        """What can be counted on the board, for who asks for it."""
        return []


AnyView: TypeAlias = View[Any]
"""What shows some game, where any will do."""


@dataclass(frozen=True)
class TextView(View[AnyState]):
    """A game that has no view: its notation, and moves that are typed."""

    game: AnyGame

    def screen(self, state: AnyState, look: Look) -> str:
        eyes, game = look.eyes, self.game
        text = game.write_state(state) if eyes is None else game.write_observation(state.observation(eyes))
        return f"{text}\nhint: {best_of(look.hints, self.game.write_move)}" if look.hints else text

    def how(self, state: AnyState) -> str:
        legal = [self.game.write_move(move) for move in state.legal_moves()]
        return f"one of {' '.join(legal[:NAMED])}{' …' if len(legal) > NAMED else ''}"

    def score(self, state: AnyState) -> str:
        numbers = self.game.measures(state).items()
        return ", ".join(f"{name} {number:g}" for name, number in numbers if not isinstance(number, tuple))


def worth(value: float) -> str:
    """The value of a move; there is no −0.00."""
    return f"{round(value, 2) + 0.0:+.2f}"


def best_of(hints: Mapping[AnyMove, float], name: Callable[[AnyMove], str] = str) -> str:
    """The five best moves and what they are worth; a single one is worth playing."""
    best = sorted(hints, key=lambda move: -hints[move])[:5]
    return ", ".join(f"{name(move)} {worth(hints[move])}" if len(hints) > 1 else name(move) for move in best)


VIEWS: Registry[AnyView] = Registry("view", "views")


def view_of(game: AnyGame) -> AnyView:
    """The view of a game: its family's, or the one that does for any game."""
    return VIEWS.load(game.family) if game.family in VIEWS else TextView(game)
