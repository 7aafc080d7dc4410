"""An agent of ours as an engine: it is told orders line by line, and answers.

It knows what the protocol tells it and nothing else: the own layout, the moves, their results, and a flag that has
been shown. Nothing is compiled while a clock runs, and an agent that thinks by the clock keeps to it.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, Protocol, runtime_checkable

from apprenti.core.errors import BadNotation
from apprenti.core.protocols import AnyAgent, Arranges
from apprenti.core.seeds import Stream
from apprenti.games.luzhanqi.agents.engine import protocol
from apprenti.games.luzhanqi.agents.engine.protocol import End, Go, Info, OneSide, Order, Result, Start, check_rules
from apprenti.games.luzhanqi.board import parse_move
from apprenti.games.luzhanqi.layout import book_layout
from apprenti.games.luzhanqi.rules import Rules


@runtime_checkable
class ThinksByTime(Protocol):
    """An agent that can be told how long to think about a move."""

    seconds: float


MOVES_TO_COME = 60
"""An agent that thinks by the clock takes at most this part of what is left for a move."""


def hurried(agent: Any, left: float) -> Any:
    """The same agent, thinking no longer for a move than it should with this many seconds left for the game."""
    most = max(left / MOVES_TO_COME, 0.001)
    is_slow = isinstance(agent, ThinksByTime) and agent.seconds > most
    return replace(agent, seconds=most) if is_slow else agent


def practise(agent: AnyAgent, rules: Rules) -> None:
    """Decide once on a board of its own, quickly, so that whatever has to be compiled is compiled."""
    rng = Stream(0)
    seen = OneSide.start(book_layout(rules, rng), 0, rules).observation
    hurried(agent, 0.0).choose(seen, seen.legal_moves(), rng)


@dataclass
class Engine:
    """Plays one game after another for the program that gives the orders."""

    name: str
    agent: AnyAgent
    rules: Rules
    seed: int = 1
    games: int = 0
    side: OneSide | None = None
    pending: tuple[int, int] | None = None
    """The own move whose result has not been told yet."""
    left: float = 0.0
    """Seconds left for this game."""
    _rng: Stream = field(default_factory=lambda: Stream(0))

    def __post_init__(self) -> None:
        check_rules(self.rules)

    @property
    def player(self) -> int:
        """The side it plays; before the first game, the first."""
        return self.side.player if self.side else 0

    def obey(self, line: str) -> str | None:
        """The answer to an order, if it has one; BadNotation if it cannot be obeyed."""
        order = protocol.read_order(line, self.player)
        if order is None:
            if line.strip():
                print(f"apprenti: {line.strip()[:60]!r} is no order of the protocol.", file=sys.stderr, flush=True)
            return None
        return self._answer(order)

    def _answer(self, order: Order) -> str | None:
        match order:
            case Info():
                practise(self.agent, self.rules)  # before the clock runs
                return f"NAME {self.name}"
            case Start():
                return f"ARRAY {self._begin(order)}"
            case Go():
                return f"BESTMOVE {self._move(order)}"
            case Result():
                self._learn(order)
            case End():
                self.side = self.pending = None
        return None

    def _begin(self, order: Start) -> str:
        """Set up the army for a new game."""
        self._rng = Stream.named(self.seed, "engine", self.games)
        self.games, self.left, self.pending = self.games + 1, float(order.time), None
        rules = replace(self.rules, quiet_limit=order.steps)
        layout = (self.agent.arrange if isinstance(self.agent, Arranges) else book_layout)(rules, self._rng)
        self.side = OneSide.start(layout, order.first, rules)
        return str(layout)

    def _move(self, order: Go) -> str:
        """Note the opponent's move, and decide."""
        began = perf_counter()
        side = self._in_game("GO")
        if order.move is not None:
            side = self.side = side.after(*order.move, order.result, order.flag)
        seen = side.observation
        legal = seen.legal_moves()
        if not legal:
            raise BadNotation("GO was told, but it is not this engine's turn, or it has no move.")
        move = hurried(self.agent, self.left).choose(seen, legal, self._rng)
        self.pending = parse_move(move)
        self.left = max(0.0, self.left - (perf_counter() - began))
        return protocol.write_move(*self.pending, side.player)

    def _learn(self, order: Result) -> None:
        """Note what came of the own move."""
        side = self._in_game("RESULT")
        if self.pending is None:
            raise BadNotation("RESULT was told, but no move was asked for.")
        self.side, self.pending = side.after(*self.pending, order.result, order.flag), None

    def _in_game(self, word: str) -> OneSide:
        if self.side is None:
            raise BadNotation(f"{word} was told, but no game has been started.")
        if word == "GO" and self.pending is not None:
            raise BadNotation("GO was told, but not the RESULT of the last move.")
        return self.side


def serve(engine: Engine, orders: Iterator[str]) -> None:
    """Obey until there are no more orders."""
    for line in orders:
        answer = engine.obey(line)
        if answer is not None:
            print(answer, flush=True)
