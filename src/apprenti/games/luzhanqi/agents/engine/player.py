"""A program that speaks the engine protocol, as an agent; and one game of it, in orders and answers.

It learns what its player knows and nothing else: the moves and their results come from the public record.
"""

import shlex
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar

from apprenti.agents.base import AgentBase
from apprenti.agents.process import (
    BAD_LAYOUT,
    GARBAGE,
    ILLEGAL_MOVE,
    OUT_OF_TIME,
    EngineProcess,
    Foul,
    Listener,
)
from apprenti.core.errors import ApprentiError, BadAgent, BadNotation, BadOption, BadRules, Forfeit
from apprenti.core.seeds import Chance, below
from apprenti.games.luzhanqi.agents.engine import protocol
from apprenti.games.luzhanqi.agents.engine.protocol import OTHERWISE, End, Go, Info, Order, Result, Start, check_rules
from apprenti.games.luzhanqi.board import move_name
from apprenti.games.luzhanqi.layout import check
from apprenti.games.luzhanqi.moves import DIED, MOVED, NO_POINT
from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.play import Move, Record, why_not
from apprenti.games.luzhanqi.rules import Rules

LONGEST = 10**9
"""Seconds that are too many for any limit."""


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


class Conversation:
    """A running program and one game of it. Foul for everything it does wrong."""

    def __init__(
        self,
        command: Sequence[str],
        rules: Rules,
        player: int,
        limits: Limits,
        listen: Listener = lambda arrow, text: None,
    ) -> None:
        self.command, self.rules, self.player, self.limits = command, check_rules(rules), player, limits
        self.layout = ""
        self.seconds = 0.0
        """What its moves took."""
        self.reported: tuple[Move, ...] = ()
        """The moves whose results it knows."""
        self.answer = ""
        """Its move after those; empty before the first."""
        process = EngineProcess(command, listen)
        self._process = process
        self.dismiss = process.dismiss
        self.close = weakref.finalize(self, process.close)  # also when it is forgotten, or Python ends

    def _say(self, order: Order) -> None:
        self._process.say(protocol.write_order(order, self.player))

    def _hear(self, word: str, seconds: float) -> str:
        line = self._process.hear(seconds)
        try:
            return protocol.read_answer(line, word)
        except BadNotation as error:
            raise Foul(GARBAGE, str(error)) from None

    def begin(self) -> Iterator[None]:
        """Ask for its name and its layout. In between, others can be asked: it yields before and after each answer."""
        self._say(Info(protocol.VERSION))
        yield
        self._hear("NAME", self.limits.start)
        yield
        self._say(Start(self.player, self.limits.game, self.rules.quiet_limit))
        yield
        layout = self._hear("ARRAY", self.limits.start)
        try:
            self.layout = check(layout, self.rules)
        except ApprentiError as error:
            raise Foul(BAD_LAYOUT, str(error)) from None

    @property
    def _is_own_move(self) -> bool:
        """Whether the first move that it has not been told of is its own."""
        return len(self.reported) % 2 == self.player

    def follows(self, seen: Observation) -> bool:
        """Whether this is what the player of this game knows next; it may also be asked for the same move again."""
        if seen.record is None or (seen.player, seen.layout) != (self.player, self.layout):
            return False
        known, new = seen.record.moves[: len(self.reported)], seen.record.moves[len(self.reported) :]
        own = [move_name(move.origin, move.target) for move in new[: self._is_own_move]]
        return known == self.reported and len(new) <= 2 and own in ([], [self.answer])

    def move(self, seen: Observation, legal: Sequence[str]) -> str:
        """Its move, one of the legal ones."""
        assert seen.record is not None, "the armies are not set up yet"
        moves = seen.record.moves
        if not self.answer or moves != self.reported:
            self.tell(seen.record)
            last, flag = moves[-1:], self._flag(seen.record, len(moves))
            self._say(Go(last[0][:2], last[0].result, flag) if last else Go(None, DIED, NO_POINT))
            self.reported = moves
            self.answer = self._legal(self._answer_in_time(), seen, legal)
        return self.answer

    def tell(self, record: Record) -> None:
        """Tell what came of its own move, if it does not know."""
        number = len(self.reported)
        if len(record.moves) > number and self._is_own_move:
            self.reported = record.moves[: number + 1]
            self._say(Result(record.moves[number].result, self._flag(record, number + 1)))

    def _flag(self, record: Record, moves: int) -> int:
        """Where the enemy's flag is, if that was public after this many moves."""
        enemy, fights = 1 - self.player, sum(move.result != MOVED for move in record.moves[:moves])
        shown = any(fight.revealed[enemy] for fight in record.fights[:fights])
        return record.flags[enemy] if shown else NO_POINT

    def _answer_in_time(self) -> str:
        began = perf_counter()
        try:
            answer = self._hear("BESTMOVE", min(self.limits.game - self.seconds, self.limits.move))
        finally:
            self.seconds += perf_counter() - began
        if self.seconds > self.limits.game:
            raise Foul(OUT_OF_TIME, f"it needed more than {self.limits.game} s for its moves")
        return answer

    def _legal(self, text: str, seen: Observation, legal: Sequence[str]) -> str:
        """The move, if it is one of the legal ones."""
        try:
            origin, target = protocol.read_move(text, self.player)
        except BadNotation as error:
            raise Foul(ILLEGAL_MOVE, str(error)) from None
        assert seen.record is not None
        if (move := move_name(origin, target)) not in legal:
            types = seen.own_types * 2  # by piece; of the other half nothing is asked
            raise Foul(ILLEGAL_MOVE, why_not(seen.rules, seen.record, types, origin, target))
        return move

    def end(self, win: int) -> None:
        """Tell how the game ended, to who still listens."""
        with suppress(Foul):
            self._say(End(win))


PREFIX = "engine:"
SEED = "{seed}"
"""Stands for a seed in a command line: another one for every game."""


def command_line(text: str) -> tuple[str, ...]:
    """The words of a command line; no shell is involved."""
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise BadAgent(f"{text!r} is no command line ({error}).") from None
    if not words:
        raise BadAgent(f"no program is named: write its command line after {PREFIX}.")
    return words


def with_seed(command: Sequence[str], seed: int) -> tuple[str, ...]:
    """The command line of one game."""
    return tuple(word.replace(SEED, str(seed)) for word in command)


class EngineAgent(AgentBase):
    """A program as an agent. It is started when it is first asked, and anew for every game; Forfeit if it fails."""

    plays: ClassVar[tuple[str, ...]] = ("luzhanqi",)

    def __init__(self, command: Sequence[str], limits: Limits | None = None) -> None:
        self.command, self.limits = tuple(command), limits or Limits()
        self.games: list[Conversation] = []
        """The game it plays; two, while it plays against itself."""

    def __reduce__(self) -> tuple[object, ...]:
        return EngineAgent, (self.command, self.limits)  # a copy has a program of its own

    def check(self, rules: Rules) -> None:
        try:
            check_rules(rules)
        except BadRules as error:
            raise BadAgent(str(error)) from None

    def arrange(self, rules: Rules, rng: Chance) -> str:
        return self.arrange_as(0, rules, rng)

    def arrange_as(self, player: int, rules: Rules, rng: Chance) -> str:
        self._leave([game for game in self.games if not game.answer][-1:])
        command = with_seed(self.command, below(rng, 10**9)) if SEED in " ".join(self.command) else self.command
        return self._start(command, rules, player).layout

    def choose(self, observation: Observation, legal: Sequence[str], rng: Chance) -> str:
        if observation.record is None:
            return self._next_piece(observation, rng)
        game = next((game for game in self.games if game.follows(observation)), None)
        game = game or self._change_side(observation)
        with self._forfeits(game):
            return game.move(observation, legal)

    def _next_piece(self, seen: Observation, rng: Chance) -> str:
        if not seen.layout:
            self.arrange_as(seen.player, seen.rules, rng)
        fitting = [game.layout for game in self.games if not game.answer and game.layout.startswith(seen.layout)]
        if not fitting:
            raise BadAgent("an engine plays only with the army it has set up.")
        return fitting[-1][len(seen.layout)]

    def _change_side(self, seen: Observation) -> Conversation:
        """It was told that it moves first, and moves second: start it again. It has to set up the same army."""
        assert seen.record is not None
        for game in self.games:
            if not game.answer and game.player != seen.player and game.layout == seen.layout:
                self._leave([other for other in self.games if other is not game])
                game = self._start(game.command, seen.rules, seen.player)
                with self._forfeits(game):
                    if game.layout != seen.layout:
                        raise Foul(BAD_LAYOUT, "it sets up another army when it moves second, and was not told before")
                if game.follows(seen):
                    return game
        raise BadAgent("an engine plays only games that it has set up, from the first move on and every move.")

    def _start(self, command: Sequence[str], rules: Rules, player: int) -> Conversation:
        game = Conversation(command, rules, player, self.limits)
        self.games.append(game)
        with self._forfeits(game):
            list(game.begin())
        return game

    @contextmanager
    def _forfeits(self, game: Conversation) -> Iterator[None]:
        try:
            yield
        except Foul as foul:
            self._leave([other for other in self.games if other is not game])
            raise Forfeit(f"the engine {' '.join(self.command)!r} loses the game: {foul}.") from None

    def _leave(self, staying: Sequence[Conversation] = ()) -> None:
        """End all games but some."""
        for game in self.games:
            if game not in staying:
                game.end(OTHERWISE)
                game.close()
        self.games = list(staying)

    def close(self) -> None:
        """End the program, with all it started."""
        self._leave()


def engine_agent(command: str) -> EngineAgent:
    """An agent from a command line, with or without `engine:` before it."""
    return EngineAgent(command_line(command.removeprefix(PREFIX)))


def read_engine(text: str, inner: None) -> tuple[EngineAgent, str, Rules]:
    """`engine:PROGRAM`."""
    return engine_agent(text), "luzhanqi", Rules()
