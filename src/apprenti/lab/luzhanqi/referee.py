"""One game between two engines. The referee alone knows both layouts; whoever breaks the rules loses."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from time import perf_counter

from apprenti.core.errors import ApprentiError, BadOption
from apprenti.games.luzhanqi import State, protocol
from apprenti.games.luzhanqi.board import move_name
from apprenti.games.luzhanqi.combat import DIED
from apprenti.games.luzhanqi.layout import check
from apprenti.games.luzhanqi.moves import NOBODY
from apprenti.games.luzhanqi.protocol import End, Go, Info, Result, Start
from apprenti.games.luzhanqi.rules import Rules
from apprenti.lab.luzhanqi.engine_process import BAD_LAYOUT, GARBAGE, ILLEGAL_MOVE, OUT_OF_TIME, EngineProcess, Foul

SIDES = ("south", "north")
Log = Callable[[str], None]
LONGEST = 10**9
"""Nobody waits so many seconds."""


@dataclass(frozen=True)
class Limits:
    """Seconds an engine has."""

    game: int = 1800
    """For all its moves of a game; the engines are told."""
    move: float = 60.0
    """For one move; the protocol does not tell the engines."""
    start: float = 60.0
    """To say its name, and to set up."""

    def __post_init__(self) -> None:
        if not (1 <= self.game < LONGEST and 0 < self.move < LONGEST and 0 < self.start < LONGEST):
            raise BadOption("times are positive: --time at least 1 second, --move-time and --start-time above 0.")


@dataclass
class Refereed:
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


def referee(rules: Rules, commands: Sequence[Sequence[str]], limits: Limits, log: Log = lambda line: None) -> Refereed:
    """Let two engines play, the first one south and first to move."""
    game = Refereed()
    with _running(commands, log) as engines:
        win: list[int] = [protocol.OTHERWISE, protocol.OTHERWISE]
        try:
            _Table(rules, engines, limits, game).play()
            if game.winner is not None:
                win[game.winner], win[1 - game.winner] = protocol.WON, protocol.LOST
        finally:
            for engine, result in zip(engines, win, strict=True):
                with suppress(Foul):
                    engine.say(str(End(result)))
    return game


@contextmanager
def _running(commands: Sequence[Sequence[str]], log: Log) -> Iterator[list[EngineProcess]]:
    """The engines while they run; they are ended whatever happens."""
    engines: list[EngineProcess] = []
    began = perf_counter()

    def listener(side: str) -> Callable[[str, str], None]:
        return lambda arrow, text: log(f"{perf_counter() - began:9.3f} {side} {arrow} {text}")

    with ExitStack() as stack:
        for side, command in zip(SIDES, commands, strict=True):
            engines.append(EngineProcess(command, listener(side)))
            stack.callback(engines[-1].close)
        for engine in engines:
            stack.callback(engine.dismiss)  # first of all, so that both leave at the same time
        yield engines


@dataclass
class _Table:
    """Where a game is played."""

    rules: Rules
    engines: Sequence[EngineProcess]
    limits: Limits
    game: Refereed

    def play(self) -> None:
        """Play to the end, or to the first foul."""
        self._ask_both([str(Info(protocol.VERSION))] * 2, "NAME")
        orders = [str(Start(side, self.limits.game, self.rules.quiet_limit)) for side in (0, 1)]
        layouts = self._ask_both(orders, "ARRAY") if not self.game.fouls else []
        for side, layout in enumerate(layouts):
            with self._fouls_of(side):
                self._check_layout(layout)
        if self.game.fouls:
            return
        state = self.game.state = State.start(layouts[0], layouts[1], self.rules)
        while not state.outcome and not self.game.fouls:
            with self._fouls_of(state.to_move):
                state = self.game.state = self._one_move(state)

    @contextmanager
    def _fouls_of(self, side: int) -> Iterator[None]:
        try:
            yield
        except Foul as foul:
            self.game.fouls[side] = foul

    def _ask_both(self, orders: Sequence[str], word: str) -> list[str]:
        """Ask both engines at once; their answers, if both give one."""
        answers = ["", ""]
        for side in (0, 1):
            with self._fouls_of(side):
                self.engines[side].say(orders[side])
        for side in {0, 1} - set(self.game.fouls):
            with self._fouls_of(side):
                answers[side] = self._answer(side, word, self.limits.start)
        return answers if not self.game.fouls else []

    def _answer(self, side: int, word: str, seconds: float) -> str:
        line = self.engines[side].hear(seconds)
        try:
            return protocol.read_answer(line, word)
        except ApprentiError as error:
            raise Foul(GARBAGE, str(error)) from None

    def _check_layout(self, layout: str) -> None:
        try:
            check(layout, self.rules)
        except ApprentiError as error:
            raise Foul(BAD_LAYOUT, str(error)) from None

    def _one_move(self, state: State) -> State:
        """Ask for a move, play it, and tell what came of it."""
        side = state.to_move
        self.engines[side].say(protocol.write_go(self._go(state), side))
        text = self._timed_answer(side)
        try:
            origin, target = protocol.read_move(text, side)
            state = state.play(move_name(origin, target))
        except ApprentiError as error:
            raise Foul(ILLEGAL_MOVE, str(error)) from None
        self.game.moves.append(move_name(origin, target))
        assert state.record is not None
        result = Result(state.record.moves[-1].result, state.record.flags[1 - side])
        with suppress(Foul):  # who is gone after a move has made it; the next one is missed
            self.engines[side].say(protocol.write_result(result, side))
        return state

    def _go(self, state: State) -> Go:
        """What the player to move is told of the move before."""
        record, side = state.record, state.to_move
        assert record is not None
        if not record.moves:
            return Go(None, DIED, NOBODY)
        last = record.moves[-1]
        return Go((last.origin, last.target), last.result, record.flags[1 - side])

    def _timed_answer(self, side: int) -> str:
        """A move, while there is time for it."""
        left = self.limits.game - self.game.seconds[side]
        began = perf_counter()
        try:
            answer = self._answer(side, "BESTMOVE", min(left, self.limits.move))
        finally:
            self.game.seconds[side] += perf_counter() - began
        if self.game.seconds[side] > self.limits.game:
            raise Foul(OUT_OF_TIME, f"it needed more than {self.limits.game} s for its moves")
        return answer
