"""One game of agents and persons, state by state, so that it can be left at any time and still be recorded."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Self

from apprenti.arena.game import GameInProgress, OnState, seeds_of_game
from apprenti.core.errors import Forfeit
from apprenti.core.game import AnyGame
from apprenti.core.protocols import CHANCE, AnyAgent, AnyMove, AnyRules, AnyState, CommonReason, Outcome
from apprenti.core.seeds import Chance, Stream
from apprenti.store.replay import Replay
from apprenti.views.view import view_of


class Quit(Exception):
    """The person leaves."""


class Resign(Exception):
    """The person gives up this game."""


class Undo(Exception):
    """The person takes the last move back."""


class Moment(NamedTuple):
    """What has to be restored when moves are taken back."""

    state: AnyState
    chance: int
    """Where the stream of what is dealt was."""
    moves: int


@dataclass(kw_only=True)
class Session(GameInProgress):
    """A game under way. Its deals and openings are those of the first game of `evaluate` with this seed."""

    rules: AnyRules
    names: tuple[str, ...]
    seed: int
    undo: bool = False
    """Whether moves may be taken back."""
    movers: list[int] = field(default_factory=list)
    """Who made each move."""
    past: list[Moment] = field(default_factory=list)

    @classmethod
    def new(
        cls,
        game: AnyGame,
        rules: AnyRules,
        agents: Sequence[AnyAgent],
        names: Sequence[str],
        seed: int,
        setup: Sequence[AnyAgent] = (),
    ) -> Self:
        """A game before its first move, side 0 first; `setup` are those who set up the armies, if not the players."""
        seeds = seeds_of_game(seed, 0, game.players)
        state = game.start(rules, [Stream(each) for each in seeds.setups], setup or agents)
        return cls(game, agents, state, seeds, rules=rules, names=tuple(names), seed=seed)

    @classmethod
    def again(
        cls, replay: Replay, agents: Sequence[AnyAgent], names: Sequence[str], seed: int, undo: bool = False
    ) -> Self:
        """A game taken up where its replay ends; `seed` is for what the players draw from now on."""
        game = replay.load_game()
        rules = game.rules_from_json(replay.rules)
        replayed = ReplayedMoves(replay.moves)
        seeds = replace(seeds_of_game(seed, len(replay.moves), game.players), chance=replay.seed)
        state = game.reopen(rules, replay.opening)
        players = [replayed] * game.players
        taken_up = cls(game, players, state, seeds, rules=rules, names=tuple(names), seed=seed, undo=undo)
        replayed.session = taken_up
        while taken_up.outcome is None and (replayed.left or taken_up.state.turn == CHANCE):
            taken_up.step()
        taken_up.agents, taken_up.outcome = agents, taken_up.outcome or replay.outcome
        return taken_up

    def play(self, on_state: OnState | None = None) -> None:
        """Play to the end; Quit if somebody leaves."""
        if on_state:
            on_state(self.state, "")
        while self.outcome is None:
            try:
                move = self.step()
                if on_state:
                    on_state(self.state, move)
            except Forfeit:
                self.outcome = self.game.forfeited(self.state.turn)
            except Resign:
                self.outcome = replace(self.game.forfeited(self.state.turn), reason=CommonReason.RESIGNED)
            except Undo:
                self.take_back(self.state.turn)

    def step(self) -> str:
        before, mover = Moment(self.state, self._chance.state, len(self.moves)), self.state.turn
        text = super().step()
        if self.undo:  # the states of a long game take a lot of memory
            self.past.append(before)
        if mover != CHANCE:
            self.movers.append(mover)
        return text

    def decide(self) -> None:
        """One decision, and what chance deals before and after it; who forfeits loses."""
        try:
            self.deal()
            if self.outcome is None:
                self.step()
            self.deal()
        except Forfeit:
            self.outcome = self.game.forfeited(self.state.turn)

    def deal(self) -> None:
        """Whatever chance has to bring."""
        while self.outcome is None and self.state.turn == CHANCE:
            self.step()

    def take_back(self, side: int) -> None:
        """Back to a player's last decision, if there was one."""
        for index in range(len(self.past) - 1, -1, -1):
            before = self.past[index]
            if before.state.turn == side:
                self.state, self._chance = before.state, Stream(before.chance)
                del self.past[index:], self.moves[before.moves :], self.movers[before.moves :]
                return

    def fork(self) -> Self:
        """A copy that goes on by itself, with the same agents."""
        twin = copy(self)
        twin.moves, twin.movers, twin.past = [*self.moves], [*self.movers], [*self.past]
        twin.seconds, twin._chance = [*self.seconds], copy(self._chance)
        twin._streams = [copy(stream) for stream in self._streams]
        return twin

    def timing(self, side: int) -> str:
        """The time of the last decision, and of one of this side in the mean."""
        made = max(1, self.movers.count(side))
        return f"time {self.taken:.2g} s, mean {self.seconds[side] / made:.2g} s a move"

    def replay(self) -> Replay:
        """The game so far; a deal that is due belongs to it."""
        self.deal()
        rules, measures = self.game.rules_to_json(self.rules), self.game.measures(self.state)
        seed, moves = self.seeds.chance, tuple(self.moves)
        return Replay(self.game.name, self.names, rules, self.opening, seed, moves, self.outcome, measures)

    def result(self, you: int | None = None) -> str:
        """How it ended, in a few words; `you` is the side of the person to whom they are said."""
        return result_of(self.game, self.names, self.state, self.outcome, you)


class ReplayedMoves:
    """Plays the moves of a replay, whatever its side."""

    session: Session

    def __init__(self, moves: Sequence[str]) -> None:
        self.moves = moves

    @property
    def left(self) -> int:
        """How many moves are still to be played."""
        return len(self.moves) - len(self.session.moves)

    def choose(self, observation: object, legal: Sequence[AnyMove], rng: Chance) -> AnyMove:
        return self.session.game.read_move(self.session.state, self.moves[len(self.session.moves)])


def result_of(
    game: AnyGame, names: Sequence[str], state: AnyState, outcome: Outcome | None, you: int | None = None
) -> str:
    """How a game ended, in a few words."""
    reason = outcome.reason.words if outcome else "left early"
    if game.players == 1:
        return f"{reason}: {view_of(game).score(state)}"
    if outcome is None:
        return reason
    if you is not None and outcome.reason is CommonReason.RESIGNED:
        return "you resigned"
    return f"{_winner(game, names, outcome, you)}: {reason}"


def _winner(game: AnyGame, names: Sequence[str], outcome: Outcome, you: int | None) -> str:
    """Who won."""
    if outcome.winner is not None:
        side = "" if you is not None else f" ({game.sides[outcome.winner]})"
        return "you win" if outcome.winner == you else f"{names[outcome.winner]}{side} wins"
    if len(set(outcome.scores)) < 2:
        return "a draw"
    return ", ".join(f"{name} {score:g}" for name, score in zip(names, outcome.scores, strict=True))


def title_of(game: AnyGame, names: Sequence[str], *more: str) -> tuple[str, ...]:
    """Who plays; where one plays alone there is room for more."""
    if game.players == 1:
        return (*names, *more)
    return tuple(f"{side} {name}" for side, name in zip(game.sides, names, strict=True))


def drawn_seed(seed: int | None) -> int:
    """The seed that was asked for, or one from the system's randomness, short enough to be typed again."""
    from secrets import randbelow

    return randbelow(1_000_000) if seed is None else seed
