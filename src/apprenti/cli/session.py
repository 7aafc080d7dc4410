"""One game followed move by move, so that it can be left at any time and still be kept."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Annotated, Any

import tyro

from apprenti.arena.game import play_game, seeds_of_game
from apprenti.core.seeds import Chance
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import State, start
from apprenti.store.replay import Replay

Seed = Annotated[int | None, tyro.conf.arg(metavar="INT", help_behavior_hint="(default: drawn, and shown)")]


class Quit(Exception):
    """The person leaves."""


@dataclass
class Session:
    """A game being played. It sits in for its agent and notes the moves."""

    name: str
    agent: Any
    rules: Rules
    seed: int
    moves: list[str] = field(default_factory=list)
    state: State = field(init=False)
    _said: str = field(init=False, default="")

    def __post_init__(self) -> None:
        self.state = start(self.rules)

    @property
    def acts(self) -> str:
        """Whether the agent gives placements or commands."""
        return str(self.agent.acts)

    def choose(self, observation: Any, legal: Sequence[Any], rng: Chance) -> Any:
        """What the agent says."""
        move = self.agent.choose(observation, legal, rng)
        self._said = str(move)
        return move

    def play(self, show: Callable[[State], None] | None = None) -> None:
        """Play to the end, or until somebody leaves; `show` is given every state."""

        def see(state: State) -> None:
            if self._said:  # a move counts only now that it has been played
                self.moves.append(self._said)
            self._said, self.state = "", state
            if show:
                show(state)

        with suppress(Quit):
            play_game(self, self.rules, seeds_of_game(self.seed, 0), see)

    def replay(self) -> Replay:
        """The game so far."""
        tally, pieces_seed = self.state.tally, seeds_of_game(self.seed, 0)[0]
        return Replay(self.name, self.rules, pieces_seed, tuple(self.moves), tally.lines, tally.points, tally.pieces)

    @property
    def result(self) -> str:
        """How it ended, and with what."""
        return f"{result_of(self.state)} ({self.name}, seed {self.seed})"


def drawn_seed(seed: int | None) -> int:
    """The seed that was asked for, or one from the system's randomness, short enough to be typed again."""
    from secrets import randbelow

    return randbelow(1_000_000) if seed is None else seed


def counted(number: int, word: str) -> str:
    """A number of things."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def result_of(state: State) -> str:
    """How a game ended, and with what, in one line."""
    tally = state.tally
    words = [counted(tally.lines, "line"), counted(tally.pieces, "piece")]
    if state.rules.points != "lines":
        words.insert(0, counted(tally.points, "point"))
    return f"{state.outcome.reason if state.outcome else 'left early'}: {', '.join(words)}"
