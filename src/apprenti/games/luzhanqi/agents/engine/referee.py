"""One game between two engines. The referee alone knows both layouts; an engine that breaks the rules loses."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from time import perf_counter

from apprenti.agents.process import Foul
from apprenti.games.luzhanqi import State
from apprenti.games.luzhanqi.agents.engine.player import Conversation, Limits
from apprenti.games.luzhanqi.agents.engine.protocol import LOST, OTHERWISE, WON
from apprenti.games.luzhanqi.rules import Rules

SIDES = ("south", "north")
Log = Callable[[str], None]
__all__ = ["SIDES", "EngineGame", "Limits", "Log", "referee"]


@dataclass
class EngineGame:
    """A game that has been played, or broken off."""

    state: State | None = None
    """The last position; None if not both armies were set up."""
    moves: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    fouls: dict[int, Foul] = field(default_factory=dict)
    """By side, who broke the rules of the house."""

    @property
    def winner(self) -> int | None:
        """The side that won; None for a draw, or if both broke the rules."""
        if self.fouls:
            return 1 - next(iter(self.fouls)) if len(self.fouls) == 1 else None
        return self.state.outcome.winner if self.state and self.state.outcome else None

    @property
    def reason(self) -> str:
        """How it ended."""
        if self.fouls:
            return next(iter(self.fouls.values())).reason
        return str(self.state.outcome.reason) if self.state and self.state.outcome else "broken off"

    @contextmanager
    def fouls_of(self, engine: Conversation) -> Iterator[None]:
        """Write down what an engine does wrong."""
        try:
            yield
        except Foul as foul:
            self.fouls[engine.player] = foul


def referee(
    rules: Rules, commands: Sequence[Sequence[str]], limits: Limits, log: Log = lambda line: None
) -> EngineGame:
    """Let two engines play, the first one south and first to move."""
    game = EngineGame()
    with _running(rules, commands, limits, log) as engines:
        win = [OTHERWISE, OTHERWISE]
        try:
            _play(rules, engines, game)
            if game.winner is not None:
                win[game.winner], win[1 - game.winner] = WON, LOST
        finally:
            for engine, result in zip(engines, win, strict=True):
                engine.end(result)
        game.seconds = [engine.seconds for engine in engines]
    return game


@contextmanager
def _running(rules: Rules, commands: Sequence[Sequence[str]], limits: Limits, log: Log) -> Iterator[list[Conversation]]:
    """The engines while they run; they are ended whatever happens."""
    engines: list[Conversation] = []
    began = perf_counter()

    def listener(side: str) -> Callable[[str, str], None]:
        return lambda arrow, text: log(f"{perf_counter() - began:9.3f} {side} {arrow} {text}")

    with ExitStack() as stack:
        for side, command in enumerate(commands):
            engines.append(Conversation(command, rules, side, limits, listener(SIDES[side])))
            stack.callback(engines[-1].close)
        for engine in engines:
            stack.callback(engine.dismiss)  # first of all, so that both leave at the same time
        yield engines


def _play(rules: Rules, engines: Sequence[Conversation], game: EngineGame) -> None:
    """Play to the end, or to the first foul."""
    beginnings = [engine.begin() for engine in engines]
    for answered in (False, True, False, True):  # both are asked before one of them is waited for
        for engine, beginning in zip(engines, beginnings, strict=True):
            with game.fouls_of(engine):
                next(beginning, None)
        if answered and game.fouls:
            return
    state = game.state = State.start(engines[0].layout, engines[1].layout, rules)
    while not state.outcome and not game.fouls:
        engine = engines[state.to_move]
        with game.fouls_of(engine):
            game.moves.append(engine.move(state.observation(engine.player), state.legal_moves()))
            state = game.state = state.play(game.moves[-1])
            assert state.record is not None
            with suppress(Foul):  # who is gone after a move has made it; the next one is missed
                engine.tell(state.record)
