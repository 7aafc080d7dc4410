"""A wall of games: one agent on many seeds at once, with the running mean of the games that have ended."""

import asyncio
import json
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from time import monotonic

from apprenti.arena.ratings import wilson
from apprenti.arena.statistics import summarise
from apprenti.core.errors import BadOption
from apprenti.core.protocols import Game
from apprenti.games.catalogue import GAMES
from apprenti.lab.session import Session
from apprenti.web.choices import agent_for, rules_from
from apprenti.web.live import plain
from apprenti.web.scenes import Data, scenes_of

FEWEST, MOST = 1, 64
FRAME = 1 / 15
"""Seconds between two pictures, at least."""


@dataclass
class Wall:
    """Games on consecutive seeds, played move by move, all together."""

    game: Game
    sessions: list[Session]
    pool: ThreadPoolExecutor
    speed: float
    """Moves a second in every game; 0 for as fast as can be drawn."""
    ended: list[float] = field(default_factory=list)
    shown: set[int] = field(default_factory=set)
    """Games whose end has been sent."""

    @classmethod
    async def of(cls, said: dict[str, str], pool: ThreadPoolExecutor) -> "Wall":
        """The wall that an address asks for."""
        try:
            count, seed, speed = int(said.get("games", "16")), int(said.get("seed", "1")), float(said.get("speed", "5"))
            options = json.loads(said.get("options", "{}"))
        except (ValueError, RecursionError):
            raise BadOption("a wall is asked for by numbers: games, seed and speed.") from None
        if not FEWEST <= count <= MOST or not 0 <= seed < 2**62 or not 0 <= speed <= 1000 or type(options) is not dict:
            raise BadOption(f"a wall has {FEWEST} to {MOST} games, a seed of at least 0 and a speed of 0 to 1000.")
        game, sessions = await asyncio.get_running_loop().run_in_executor(
            pool, lambda: cls._built(said, options, count, seed)
        )
        return cls(game, sessions, pool, speed)

    @staticmethod
    def _built(said: dict[str, str], options: Data, count: int, seed: int) -> tuple[Game, list[Session]]:
        game = GAMES.load(said.get("game", ""))
        first = agent_for(said.get("agent", ""), game.name)
        rules = rules_from(game, options, first.rules)
        others = [agent_for(said.get("against") or game.opponent(rules), game.name)] * (game.players - 1)
        for each in (first, *others):
            each.check(game, rules)
        players, names = [each.agent for each in (first, *others)], [each.name for each in (first, *others)]
        return game, [Session.new(game, rules, players, names, seed + number) for number in range(count)]

    async def events(self) -> AsyncIterator[str]:
        """The stream: first all boards, then what has changed, until all games are over."""
        yield self._event(list(range(len(self.sessions))))
        loop = asyncio.get_running_loop()
        while any(session.outcome is None for session in self.sessions):
            began = monotonic()
            changed = await loop.run_in_executor(self.pool, self._round, began)
            yield self._event(changed)
            pause = max(FRAME, 1 / self.speed if self.speed else 0.0) - (monotonic() - began)
            await asyncio.sleep(max(0.0, pause))
        yield "event: done\ndata: {}\n\n"

    def _round(self, began: float) -> list[int]:
        """One move in every game; without a speed, as many as there is time for until the next picture."""
        running = [number for number, session in enumerate(self.sessions) if session.outcome is None]
        while True:
            for number in running:
                self._step(self.sessions[number])
            if self.speed or monotonic() - began > FRAME / 2:
                return running

    def _step(self, session: Session) -> None:
        """One decision, and what chance deals."""
        if session.outcome is not None:
            return
        session.decide()
        if session.outcome is not None:
            self.ended.append(session.outcome.scores[0])

    def _event(self, changed: list[int]) -> str:
        scenes = scenes_of(self.game)
        boards = [
            {"board": number, "seed": session.seed, "scene": scenes.scene(session.state, None),
             "over": session.outcome is not None, "moves": len(session.moves),
             "score": session.outcome.scores[0] if session.outcome else self._score(session)}
            for number, session in ((number, self.sessions[number]) for number in changed)
        ]  # fmt: skip
        data = {"module": scenes.module, "boards": boards, "statistics": self.statistics()}
        return f"data: {json.dumps(data, allow_nan=False, separators=(',', ':'))}\n\n"

    def _score(self, session: Session) -> float | None:
        """What has been counted so far in a game for one."""
        if self.game.players > 1:
            return None
        counted = self.game.measures(session.state).get(self.game.unit(session.rules))
        return plain(counted) if isinstance(counted, int | float) else None

    def statistics(self) -> Data:
        """The mean of the games that have ended, with its interval of 95 %."""
        count = len(self.ended)
        unit = self.game.unit(self.sessions[0].rules) if self.game.players == 1 else "points"
        if not count:
            return {"ended": 0, "mean": None, "low": None, "high": None, "unit": unit}
        if self.game.players == 1:
            summary = summarise(self.ended)
            mean, (low, high) = summary.mean, summary.ci95
        else:
            mean = sum(self.ended) / count
            low, high = wilson(sum(self.ended), count)
        return {"ended": count, "unit": unit, "mean": plain(mean), "low": plain(low), "high": plain(high)}
