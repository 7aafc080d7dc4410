"""One game behind an environment, by its readable rules, and how it is put into numbers.

A game that `Encodes` says itself what its observations and actions are. Of any other, an observation is the text of
what the player knows (`Game.write_observation`), as codes of fixed length with zeros after it, and action i is the i-th
legal move.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from apprenti.core.data import JsonData
from apprenti.core.errors import BadOption, IllegalMove
from apprenti.core.game import AnyGame, Encodes
from apprenti.core.plugins import GAMES, small_game
from apprenti.core.protocols import CHANCE, AnyAgent, AnyMove, AnyRules, AnyState, Outcome
from apprenti.core.seeds import Stream

Numbers = NDArray[np.number]
Mask = NDArray[np.int8]
Info = dict[str, Any]
"""What Gymnasium calls info: masks, names, whatever a step has to say."""


class EnvGame(ABC):
    """A game under way. It is all data: copies and pickles go on as the game itself would."""

    players: int = 2

    @property
    @abstractmethod
    def state(self) -> Any:
        """The state by the readable rules."""

    @property
    @abstractmethod
    def to_act(self) -> int:
        """Whose action is next; after the end, whose it would be."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How it ended; None while it goes on."""

    @property
    @abstractmethod
    def mask(self) -> Mask:
        """The legal actions of the player to act; none when the game is over."""

    @abstractmethod
    def planes(self, player: int) -> Numbers:
        """What a player knows."""

    @abstractmethod
    def act(self, action: int) -> None:
        """Play a legal action of the player to act; IllegalMove for any other."""

    @abstractmethod
    def play(self, move: AnyMove) -> None:
        """Play a move."""

    @property
    def rewards(self) -> tuple[float, ...]:
        """What the last action brought each player: at the end 1 to a winner, −1 to a loser of two, else 0."""
        if not self.outcome:
            return (0.0,) * self.players
        return tuple((self.players * score - 1) / (self.players - 1) for score in self.outcome.scores)


class Encoding(Protocol):
    """What an environment has to know of its games."""

    def spaces(self) -> tuple[spaces.Box, spaces.Discrete]:
        """What is observed, and what can be done."""

    def empty_mask(self) -> Mask:
        """A mask that allows nothing."""

    def begin(self, chance: Stream, agents: tuple[AnyAgent, ...], sides: Sequence[Stream] = ()) -> EnvGame:
        """A new game; agents that set up an army do so."""


@dataclass(frozen=True)
class GameEncoding:
    """Any game under some rules, in numbers."""

    game: AnyGame
    rules: AnyRules
    most_moves: int = 256
    """Actions of a game that does not say how many it has."""
    text_length: int = 512
    """Codes of an observation of a game that has no planes."""

    @cached_property
    def encoder(self) -> Encodes[Any, Any, Any] | None:
        """The game, if it says how it is put into numbers; asked once, for asking takes long."""
        return self.game if isinstance(self.game, Encodes) else None

    @cached_property
    def size(self) -> int:
        """How many actions there are."""
        return self.encoder.actions(self.rules) if self.encoder else self.most_moves

    def spaces(self) -> tuple[spaces.Box, spaces.Discrete]:
        """What is observed, and what can be done."""
        seen = self.begin(Stream(0), ()).planes(0)
        high = 1 if self.encoder else 255
        box: spaces.Box = spaces.Box(0, high, seen.shape, seen.dtype.type)
        return box, spaces.Discrete(self.size)

    def empty_mask(self) -> Mask:
        """A mask that allows nothing."""
        return np.zeros(self.size, np.int8)

    def begin(self, chance: Stream, agents: tuple[AnyAgent, ...], sides: Sequence[Stream] = ()) -> "ReadableGame":
        """A new game."""
        return ReadableGame(self, self.game.start(self.rules, sides or chance, agents), chance)

    def planes(self, state: AnyState, player: int) -> Numbers:
        """What a player knows."""
        seen = state.observation(player)
        if self.encoder:
            return self.encoder.planes(seen, player)
        text = self.game.write_observation(seen).encode()[: self.text_length]
        return np.frombuffer(text.ljust(self.text_length, b"\0"), np.uint8)

    def score(self, state: AnyState) -> float:
        """What has been counted so far in a game for one."""
        counted = self.game.measures(state)[self.game.unit(self.rules)] if self.game.players == 1 else 0.0
        assert not isinstance(counted, tuple), "the unit of a score is one number"
        return counted

    def moves(self, state: AnyState) -> dict[int, AnyMove]:
        """The legal moves by their actions."""
        legal = state.legal_moves()
        if self.encoder:
            return {self.encoder.action_of(state, move): move for move in legal}
        if len(legal) > self.most_moves:
            raise BadOption(
                f"there are {len(legal)} legal moves here: make the environment with most_moves that large."
            )
        return dict(enumerate(legal))


def read_game(game: str | AnyGame, options: JsonData) -> GameEncoding:
    """A game by name, else the small one, with its options, those of its rules and those of `GameEncoding`."""
    game = GAMES.load(game or small_game()) if isinstance(game, str) else game
    form = {name: options.pop(name) for name in ("most_moves", "text_length") if name in options}
    return GameEncoding(game, game.rules(**game.typed(options)), **form)


class ReadableGame(EnvGame):
    """A game by the readable rules; chance deals as soon as it has to."""

    def __init__(self, form: GameEncoding, state: AnyState, chance: Stream) -> None:
        self.form, self.chance, self.players = form, chance, form.game.players
        self._to_act, self._score, self._gained = 0, 0.0, 0.0
        self._go_on(state)

    def _go_on(self, state: AnyState) -> None:
        while state.turn == CHANCE:
            state = state.deal(self.chance)
        self._state = state
        self._to_act = state.turn if state.turn >= 0 else (self._to_act + 1) % self.players
        self._moves = self.form.moves(state)
        score = self.form.score(state)
        self._score, self._gained = score, score - self._score

    @property
    def state(self) -> AnyState:
        return self._state

    @property
    def to_act(self) -> int:
        return self._to_act

    @property
    def outcome(self) -> Outcome | None:
        return self.state.outcome

    @property
    def mask(self) -> Mask:
        mask = self.form.empty_mask()
        mask[list(self._moves)] = 1
        return mask

    def planes(self, player: int) -> Numbers:
        return self.form.planes(self.state, player)

    def act(self, action: int) -> None:
        if action not in self._moves:
            raise IllegalMove(f"action {action} is not legal now: choose one that the mask allows.")
        self.play(self._moves[action])

    def play(self, move: AnyMove) -> None:
        self._go_on(self._state.play(move))

    @property
    def rewards(self) -> tuple[float, ...]:
        return (self._gained,) if self.players == 1 else super().rewards
