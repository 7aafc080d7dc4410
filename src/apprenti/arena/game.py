"""One game from beginning to end, decision by decision, for any number of players."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Self

from apprenti.core.errors import Forfeit
from apprenti.core.game import AnyGame
from apprenti.core.protocols import (
    CHANCE,
    AnyAgent,
    AnyMove,
    AnyRules,
    AnyState,
    GameRecord,
    GameSeeds,
    PressesKeys,
    Steerable,
)
from apprenti.core.seeds import Stream, seed_of

OnState = Callable[[AnyState, str], None]
"""Shown every state, with the move that led to it; empty for the first one and for what chance brought."""


def seeds_of_game(root: int, index: int, players: int = 1) -> GameSeeds:
    """The seeds of game `index` of a series: for what is dealt, for each side's set-up, for each side's choices.

    Where several players meet, as many games in a row as there are players share their openings and deals: agents
    change sides.
    """
    if players == 1:
        return GameSeeds(seed_of(root, "game", index, "pieces"), (0,), (seed_of(root, "game", index, "player"),))
    group, sides = index // players, range(players)
    return GameSeeds(
        seed_of(root, "pair", group, "chance"),
        tuple(seed_of(root, "pair", group, side) for side in sides),
        tuple(seed_of(root, "duel", index, side) for side in sides),
    )


def choices(agent: AnyAgent, state: AnyState) -> Sequence[AnyMove]:
    """What an agent can choose from: keys if it presses keys and the game has them, else the legal moves."""
    if isinstance(agent, PressesKeys) and agent.presses_keys and isinstance(state, Steerable):
        return state.legal_keys()
    return state.legal_moves()


@dataclass
class GameInProgress:
    """A game under way: its state, and what has to be written down of it."""

    game: AnyGame
    agents: Sequence[AnyAgent]
    state: AnyState
    seeds: GameSeeds
    moves: list[str] = field(default_factory=list)
    slowest: float = 0.0
    taken: float = 0.0
    """The time of the last decision."""
    why: str = ""
    """What the player did wrong who could not go on."""

    def __post_init__(self) -> None:
        self.opening = self.game.opening(self.state)
        self.outcome = self.state.outcome
        self.seconds = [0.0] * self.game.players
        self._chance = Stream(self.seeds.chance)
        self._streams = [Stream(seed) for seed in self.seeds.players]

    @classmethod
    def begin(cls, game: AnyGame, rules: AnyRules, agents: Sequence[AnyAgent], seeds: GameSeeds) -> Self:
        """The game before its first move; agents that set up an army have done so."""
        return cls(game, agents, game.start(rules, [Stream(seed) for seed in seeds.setups], agents), seeds)

    def step(self) -> str:
        if self.state.turn == CHANCE:
            self.state = self.state.deal(self._chance)
            text = ""
        else:
            move = self._decide(self.state.turn)
            self.state = self.state.play(move)
            text = self.game.write_move(move)
            self.moves.append(text)
        self.outcome = self.state.outcome
        return text

    def _decide(self, side: int) -> AnyMove:
        """Ask the agent whose turn it is, and take the time."""
        agent = self.agents[side]
        legal = choices(agent, self.state)
        began = perf_counter()
        move = agent.choose(self.state.observation(side), legal, self._streams[side])
        self.taken = perf_counter() - began
        self.seconds[side] += self.taken
        self.slowest = max(self.slowest, self.taken)
        return move

    def record(self) -> GameRecord:
        """The game as it ended."""
        assert self.outcome is not None, "the game goes on"
        return GameRecord(
            self.outcome, self.game.measures(self.state), tuple(self.moves), self.opening, self.seeds.chance,
            tuple(self.seconds), self.slowest, len(self.moves), why=self.why,
        )  # fmt: skip


def play_game(
    game: AnyGame, rules: AnyRules, agents: Sequence[AnyAgent], seeds: GameSeeds, on_state: OnState | None = None
) -> GameRecord:
    """Let agents play, side 0 first. Who forfeits loses; everything else that goes wrong is an error."""
    try:
        playing = GameInProgress.begin(game, rules, agents, seeds)
    except Forfeit as forfeit:
        times = (0.0,) * game.players
        return GameRecord(game.forfeited(forfeit.side), seed=seeds.chance, seconds=times, why=str(forfeit))
    if on_state:
        on_state(playing.state, "")
    while playing.outcome is None:
        try:
            move = playing.step()
        except Forfeit as forfeit:
            playing.why = str(forfeit)
            playing.outcome = game.forfeited(playing.state.turn)
            break
        if on_state:
            on_state(playing.state, move)
    return playing.record()
