"""A wall of games: one agent on many seeds, or the newest generation of a run that learns, with the running mean."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from time import monotonic

from apprenti.arena.statistics import summarise, wilson
from apprenti.core.data import JsonData
from apprenti.core.errors import BadOption, UnknownName
from apprenti.core.game import AnyGame
from apprenti.core.plugins import GAMES
from apprenti.core.protocols import Outcome
from apprenti.lab.runs import population_of, runs_with_population
from apprenti.lab.session import Session
from apprenti.store.runs import find_run
from apprenti.web.choices import agent_for, rules_from
from apprenti.web.live import plain
from apprenti.web.messages import WallAsked
from apprenti.web.scenes import scenes_of
from apprenti.web.school import School

FEWEST, MOST = 1, 64
FRAME = 1 / 15
"""Seconds between two pictures, at least."""
SHOWN = 3.0
"""Seconds for which a generation is shown at least."""


@dataclass
class Games:
    """What a wall shows: one agent on consecutive seeds, or the players of a generation, all on one seed."""

    game: AnyGame
    sessions: list[Session]
    generation: int | None = None
    """Of a run that learns; None for one agent."""
    finished: bool = True
    """Whether no other generation comes after it."""


@dataclass
class Wall:
    """Games that are played move by move, all together."""

    games: Games
    build: Callable[[], Games]
    pool: ThreadPoolExecutor
    speed: float
    """Moves a second in every game; 0 for as fast as can be drawn."""
    ended: list[Outcome] = field(default_factory=list)

    @property
    def game(self) -> AnyGame:
        """What is played."""
        return self.games.game

    @property
    def sessions(self) -> list[Session]:
        """The games."""
        return self.games.sessions

    @classmethod
    async def of(cls, asked: WallAsked, pool: ThreadPoolExecutor, school: School) -> "Wall":
        """The wall that an address asks for."""
        if not FEWEST <= asked.games <= MOST or not 0 <= asked.seed < 2**62 or not 0 <= asked.speed <= 1000:
            raise BadOption(f"a wall has {FEWEST} to {MOST} games, a seed of at least 0 and a speed of 0 to 1000.")
        build = partial(of_run, asked) if asked.run else partial(of_agent, asked, school)
        return cls(await asyncio.get_running_loop().run_in_executor(pool, build), build, pool, asked.speed)

    async def events(self) -> AsyncIterator[str]:
        """The stream: first all boards, then what has changed, until all games of the last generation are over."""
        yield self._event(list(range(len(self.sessions))))
        loop, looked = asyncio.get_running_loop(), monotonic()
        while any(session.outcome is None for session in self.sessions) or not self.games.finished:
            began = monotonic()
            if not self.games.finished and began - looked > SHOWN:
                looked = began
                if await loop.run_in_executor(self.pool, self.is_next):
                    yield self._event(list(range(len(self.sessions))))
            changed = await loop.run_in_executor(self.pool, self._round, began)
            if changed:
                yield self._event(changed)
            pause = max(FRAME, 1 / self.speed if self.speed else 0.0) - (monotonic() - began)
            await asyncio.sleep(max(0.0, pause))
        yield "event: done\ndata: {}\n\n"

    def is_next(self) -> bool:
        """Whether there is a newer generation; it is shown from now on."""
        newest = self.build()
        if newest.generation == self.games.generation:
            self.games.finished = newest.finished
            return False
        self.games, self.ended = newest, []
        return True

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
            self.ended.append(session.outcome)

    def _event(self, changed: list[int]) -> str:
        scenes = scenes_of(self.game)
        boards = [
            {"board": number, "name": self._name(session), "scene": scenes.scene(session.state, None),
             "over": session.outcome is not None, "moves": len(session.moves),
             "score": session.outcome.scores[0] if session.outcome else self._score(session)}
            for number, session in ((number, self.sessions[number]) for number in changed)
        ]  # fmt: skip
        about = {"generation": self.games.generation, "count": len(self.sessions)}
        data = {"module": scenes.module, **about, "boards": boards, "statistics": self.statistics()}
        return f"data: {json.dumps(data, allow_nan=False, separators=(',', ':'))}\n\n"

    def _name(self, session: Session) -> str:
        """What tells a game from the others: its player, or its seed."""
        return str(session.seed) if self.games.generation is None else session.names[0]

    def _score(self, session: Session) -> float | None:
        """What has been counted so far in a game for one."""
        if self.game.players > 1:
            return None
        counted = self.game.measures(session.state).get(self.game.unit(session.rules))
        return plain(counted) if isinstance(counted, int | float) else None

    def statistics(self) -> JsonData:
        """The mean of the games that have ended, with its interval of 95 %; beside it the estimate if some were cut."""
        count, scores = len(self.ended), [outcome.scores[0] for outcome in self.ended]
        unit = self.game.unit(self.sessions[0].rules) if self.game.players == 1 else "points"
        about: JsonData = {"ended": count, "unit": unit, "cut": 0, "estimated": None}
        if not count:
            return {**about, "mean": None, "low": None, "high": None}
        if self.game.players == 1:
            deaths = sum(not outcome.truncated for outcome in self.ended)
            summary = summarise(scores, deaths, exponential=self.game.exponential)
            mean, (low, high) = summary.mean, summary.ci95
            if summary.is_cut:
                about |= {"cut": count - deaths, "estimated": plain(summary.estimated_mean)}
        else:
            mean = sum(scores) / count
            low, high = wilson(sum(scores), count)
        return {**about, "mean": plain(mean), "low": plain(low), "high": plain(high)}


def of_agent(asked: WallAsked, school: School) -> Games:
    """One agent on consecutive seeds."""
    game = GAMES.load(asked.game)
    first = agent_for(asked.agent, game.name, school)
    rules = rules_from(game, asked.options, first.rules)
    others = [agent_for(asked.against or game.opponent(rules), game.name, school)] * (game.players - 1)
    for each in (first, *others):
        each.check(game, rules)
    players = [scenes_of(game).quick(each.agent, rules) for each in (first, *others)]
    names = [each.name for each in (first, *others)]
    return Games(game, [Session.new(game, rules, players, names, asked.seed + number) for number in range(asked.games)])


def of_run(asked: WallAsked) -> Games:
    """The players of a run's newest generation, the best first if the run knows them, all with the same deals."""
    offered = runs_with_population(GAMES.load(asked.game))
    if asked.run not in offered:
        raise UnknownName("run", asked.run[:40], offered or ["none of ga, ce or cma yet"])
    population = population_of(find_run(asked.run))
    quick = scenes_of(population.game).quick
    sessions = [
        Session.new(population.game, population.rules, [quick(player, population.rules)], [str(number)], asked.seed)
        for number, player in enumerate(population.players[: asked.games], 1)
    ]
    return Games(population.game, sessions, population.generation, population.finished)
