"""A program that speaks the engine protocol, as an agent."""

import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import ClassVar

from apprenti.agents.base import AgentBase
from apprenti.agents.process import BAD_LAYOUT, Foul
from apprenti.core.errors import BadAgent, BadRules, Forfeit
from apprenti.core.seeds import Chance, below
from apprenti.games.luzhanqi.agents.engine.conversation import Conversation, Limits
from apprenti.games.luzhanqi.agents.engine.one_side import check_told
from apprenti.games.luzhanqi.agents.engine.protocol import OTHERWISE
from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.rules import Rules

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
        self._games: list[Conversation] = []
        """The game it plays; two, while it plays against itself."""

    def __reduce__(self) -> tuple[object, ...]:
        return EngineAgent, (self.command, self.limits)  # a copy has a program of its own

    def check(self, rules: Rules) -> None:
        try:
            check_told(rules)
        except BadRules as error:
            raise BadAgent(str(error)) from None

    def arrange(self, rules: Rules, rng: Chance) -> str:
        return self.arrange_as(0, rules, rng)

    def arrange_as(self, player: int, rules: Rules, rng: Chance) -> str:
        self._leave([game for game in self._games if not game.answer][-1:])
        command = with_seed(self.command, below(rng, 10**9)) if SEED in " ".join(self.command) else self.command
        return self._start(command, rules, player).layout

    def choose(self, observation: Observation, legal: Sequence[str], rng: Chance) -> str:
        if observation.record is None:
            return self._next_piece(observation, rng)
        game = next((game for game in self._games if game.follows(observation)), None)
        game = game or self._change_side(observation)
        with self._forfeits(game):
            return game.move(observation, legal)

    def _next_piece(self, seen: Observation, rng: Chance) -> str:
        if not seen.layout:
            self.arrange_as(seen.player, seen.rules, rng)
        fitting = [game.layout for game in self._games if not game.answer and game.layout.startswith(seen.layout)]
        if not fitting:
            raise BadAgent("an engine plays only with the army it has set up.")
        return fitting[-1][len(seen.layout)]

    def _change_side(self, seen: Observation) -> Conversation:
        """It was told that it moves first, and moves second: start it again. It has to set up the same army."""
        assert seen.record is not None
        for game in self._games:
            if not game.answer and game.player != seen.player and game.layout == seen.layout:
                self._leave([other for other in self._games if other is not game])
                game = self._start(game.command, seen.rules, seen.player)
                with self._forfeits(game):
                    if game.layout != seen.layout:
                        raise Foul(BAD_LAYOUT, "it sets up another army when it moves second, and was not told before")
                if game.follows(seen):
                    return game
        raise BadAgent("an engine plays only games that it has set up, from the first move on and every move.")

    def _start(self, command: Sequence[str], rules: Rules, player: int) -> Conversation:
        game = Conversation(command, rules, player, self.limits)
        self._games.append(game)
        with self._forfeits(game):
            list(game.begin())
        return game

    @contextmanager
    def _forfeits(self, game: Conversation) -> Iterator[None]:
        try:
            yield
        except Foul as foul:
            self._leave([other for other in self._games if other is not game])
            raise Forfeit(f"the engine {' '.join(self.command)!r} loses the game: {foul}.") from None

    def _leave(self, staying: Sequence[Conversation] = ()) -> None:
        """End all games but some."""
        for game in self._games:
            if game not in staying:
                game.end(OTHERWISE)
                game.close()
        self._games = list(staying)

    def close(self) -> None:
        """End the program, with all it started."""
        self._leave()


def engine_agent(command: str) -> EngineAgent:
    """An agent from a command line, with or without `engine:` before it."""
    return EngineAgent(command_line(command.removeprefix(PREFIX)))


def read_engine(text: str, inner: None) -> tuple[EngineAgent, str, Rules]:
    """`engine:PROGRAM`."""
    return engine_agent(text), "luzhanqi", Rules()
