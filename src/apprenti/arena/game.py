"""One game from beginning to end, decision by decision."""

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from apprenti.core.seeds import Chance, Stream, seed_of
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import State, Tally, deal, press, start


def seeds_of_game(root: int, index: int) -> tuple[int, int]:
    """The seeds of game `index` of an evaluation: one for the pieces, one for the player's own chance."""
    return seed_of(root, "game", index, "pieces"), seed_of(root, "game", index, "player")


@dataclass(frozen=True)
class Played:
    """A game that has been played."""

    tally: Tally
    reason: str
    died: bool
    """Whether the rules ended it, and not a limit."""
    moves: tuple[str, ...] = ()
    seconds: float = 0.0
    """Time the player took to decide."""
    slowest: float = 0.0
    """Time the player took for its slowest decision."""
    index: int = 0
    """Which game of an evaluation it is."""


@dataclass
class Clock:
    """How long decisions took."""

    moves: list[str] = field(default_factory=list)
    seconds: float = 0.0
    slowest: float = 0.0

    def decide(self, agent: Any, state: State, rng: Chance) -> str:
        """Ask the agent, keep the time, and return its move as text."""
        legal = state.legal if agent.acts == "placements" else state.legal_commands
        began = perf_counter()
        move = str(agent.choose(state.observation(), legal, rng))
        taken = perf_counter() - began
        self.seconds += taken
        self.slowest = max(self.slowest, taken)
        self.moves.append(move)
        return move


def play_game(agent: Any, rules: Rules, seeds: tuple[int, int], watch: Callable[[State], None] | None = None) -> Played:
    """Let an agent play; `watch` is shown every state."""
    chance, luck = Stream(seeds[0]), Stream(seeds[1])
    state, clock = start(rules), Clock()
    while not state.outcome:
        state = deal(state, chance) if state.waiting else press(state, clock.decide(agent, state, luck))
        if watch:
            watch(state)
    outcome = state.outcome
    return Played(state.tally, outcome.reason, not outcome.truncated, tuple(clock.moves), clock.seconds, clock.slowest)
