"""Measurements on the page: who, how many games, and the interval while it narrows."""

import asyncio
import contextlib
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from apprenti.arena.statistics import Rating, as_json, from_json
from apprenti.core.data import (
    AnyNumber,
    AnyOf,
    Anything,
    Each,
    Fields,
    Flag,
    JsonData,
    Maybe,
    Newer,
    Whole,
    Word,
    check,
)
from apprenti.core.errors import ApprentiError, BadOption
from apprenti.core.game import AnyGame
from apprenti.core.plugins import GAMES
from apprenti.core.protocols import AnyRules
from apprenti.lab.jobs import Measure, Solve
from apprenti.lab.queue import Job, Jobs
from apprenti.lab.rare_events import process_of
from apprenti.lab.results import Effort, csv_lines
from apprenti.learn.value_iteration import ValueConfig
from apprenti.store.runs import check_name
from apprenti.web.answers import Streams, event_of, reads, writes
from apprenti.web.choices import agent_for, reasons_of, rules_from
from apprenti.web.language import in_language, language_of
from apprenti.web.messages import MeasureAsked, SolveAsked
from apprenti.web.school import School

MOST_AGENTS, MOST_GAMES = 16, 100_000
LISTED = 50
KINDS = ("measure", "solve")
"""What is listed here; a command line's is of no pupil, and shown to all."""


class Measuring:
    """The addresses of measurements."""

    def __init__(self, jobs: Jobs, streams: Streams, school: School) -> None:
        self.jobs, self.streams, self.school = jobs, streams, school

    def routes(self) -> list[Route]:
        """What can be read, and what can be asked for."""
        return [
            writes("/api/measure", self.measure, MeasureAsked),
            writes("/api/measure/solve", self.solve, SolveAsked),
            reads("/api/measures", self.listing),
            reads("/api/measures/{key}", self.one),
            reads("/api/measures/{key}/csv", self.csv),
            reads("/api/stream/measures/{key}", self.stream),
        ]

    async def measure(self, request: Request, asked: MeasureAsked) -> JsonData:
        """Begin to measure, or wait for it; what cannot be measured is refused now."""
        self.school.allow("measure", asked.game)
        who, use = self.school.pupil(asked.who), await asyncio.to_thread(self._measure, asked)
        return {"id": self.jobs.add(use, who).key}

    def _measure(self, asked: MeasureAsked) -> Measure:
        """What is asked for: how many agents are named decides between evaluate, compare and tournament."""
        game, agents = GAMES.load(asked.game), asked.agents
        if not 1 <= len(set(agents)) == len(agents) <= MOST_AGENTS:
            raise BadOption(f"1 to {MOST_AGENTS} different agents are measured at once: choose some.")
        named = [agent_for(name, game.name, self.school) for name in agents]
        rules = rules_from(game, asked.options, named[0].rules)
        alone = game.players > 1 and len(agents) == 1
        rival = (asked.against or game.opponent(rules)) if alone else ""
        opponents = [agent_for(rival, game.name, self.school)] if alone else []
        for agent in (*named, *opponents):
            agent.check(game, rules)
        if asked.rare:
            for agent in named:
                process_of(agent, rules)
        check_effort(game, asked)
        return Measure(game=game.name, agents=agents, against=rival, options=asked.options, games=asked.games,
                       seed=asked.seed, precision=asked.precision, rare=asked.rare)  # fmt: skip

    async def solve(self, request: Request, asked: SolveAsked) -> JsonData:
        """Begin to solve a small game for one exactly, or wait for it."""
        self.school.allow("measure", asked.game)
        return {"id": self.jobs.add(solving(asked), self.school.pupil(asked.who)).key}

    async def listing(self, request: Request) -> JsonData:
        """The newest measurements."""
        return {"measures": await asyncio.to_thread(self._listing, request.query_params.get("who", ""))}

    def _listing(self, who: str) -> list[JsonData]:
        views = []
        for job in reversed(self.jobs.all()):
            asked = self.jobs.asked(job)
            if asked.get("kind") in KINDS and (not who or asked.get("who") in ("", who)):
                with contextlib.suppress(ApprentiError):
                    views.append(job.view())
            if len(views) >= LISTED:
                break
        return views

    async def one(self, request: Request) -> JsonData:
        """Everything about a measurement."""
        return await asyncio.to_thread(view_of, self.jobs.get(request.path_params["key"]))

    async def csv(self, request: Request) -> Response:
        """A line for every game."""
        job = self.jobs.get(request.path_params["key"])
        lines = [line for one in results_in(job.result() or {}) for line in one.get("every_game", [])]
        if not lines:
            raise BadOption("there are no single games in this measurement (yet).")
        return PlainTextResponse(csv_lines(lines), media_type="text/csv")

    async def stream(self, request: Request) -> Response:
        """A measurement while it goes on: every event is all that is known, so a lost line costs nothing."""
        job, last = self.jobs.get(request.path_params["key"]), ""
        language = language_of(request)

        def news() -> list[str]:
            nonlocal last
            now = event_of(in_language(view_of(job), language))
            news, last = ([] if now == last else [now]), now
            return news

        return self.streams.of(news)


def solving(asked: SolveAsked) -> Solve:
    """What is asked to be solved; a board that is too large is refused when it has begun."""
    game = GAMES.load(asked.game)
    if game.players != 1:
        raise BadOption(f"{game.name} is a game for {game.players}: games for one are solved here.")
    rules_from(game, asked.options)
    ValueConfig(asked.gamma, asked.residual)
    agent = check_name(asked.name) if asked.name else ""
    return Solve(game=game.name, options=asked.options, gamma=asked.gamma, residual=asked.residual, agent=agent)


def check_effort(game: AnyGame, asked: MeasureAsked) -> None:
    """Refuse more games than a page should ask for, and a precision where there is none."""
    if not 1 <= asked.games <= MOST_GAMES:
        raise BadOption(f"games is from 1 to {MOST_GAMES} on the page; the command line plays more.")
    if not 0 <= asked.seed < 2**53:
        raise BadOption("a seed is a whole number from 0 to 2⁵³ − 1.")
    Effort(asked.games, asked.seed, 0, asked.precision)
    if asked.precision and game.players > 1:
        raise BadOption("a precision is for games for one: say how many games.")


_NUMBERS = Fields({}, {"*": AnyNumber()})
_KNOWN = Maybe(AnyNumber())
_SUMMARY = Fields(
    {
        **dict.fromkeys(("games", "deaths", "total", "mean", "deviation"), _KNOWN),
        "five_numbers": Each(_KNOWN, 5),
        "ci95": Each(_KNOWN, 2),
        "estimated_mean": Newer(_KNOWN),
        "estimated_ci95": Newer(Maybe(Each(_KNOWN, 2))),
    }
)
_RESULT = Fields(
    {"game": Word(), "rules": Fields({}, {"*": Anything()}), "agent": Word()},
    {
        "every_game": Each(Fields({}, {"*": AnyOf((AnyNumber(), Flag(), Word()))})),
        "statistics": Fields({}, {"*": _SUMMARY}),
        "scores": Each(AnyNumber()),
        "forfeits": Each(Fields({"agent": Word(), "games": Whole(), "why": Word()})),
        "against": Word(),
        "*": Anything(),
    },
)
"""What the page needs to know of a result."""


def view_of(job: Job) -> JsonData:
    """A measurement as it is now: what it came to, or what it knows so far."""
    view = job.view()
    empty: JsonData = {"part": 0.0, "results": [], "ratings": [], "is_match": False}
    try:
        return {**view, **empty, **_known(view["kind"], job.result(), job.so_far())}
    except ApprentiError as error:
        return {**view, **empty, "state": "failed", "sentence": str(error)}


def _known(kind: str, result: JsonData | None, so_far: JsonData) -> JsonData:
    """What a job has come to, as the page shows it; refused if it is no result."""
    if kind == "solve":
        numbers = {name: value for name, value in (result or {}).items() if isinstance(value, int | float | str)}
        curve = so_far.get("curve", [])
        check(Each(_NUMBERS), curve, "what is known so far")
        return {"part": 1.0 if result else 0.0, "curve": curve, "solved": numbers}
    if result is None:
        check(Fields({}, {"part": AnyNumber(), "results": Each(_RESULT), "curve": Anything()}), so_far, "what is known")
        results, part = so_far.get("results", []), so_far.get("part", 0.0)
    else:
        results, part = results_in(result), 1.0
    views = [told_of(one) for one in results]
    ratings = [rated(one) for one in result["agents"]] if result and "matches" in result else []
    return {"part": part, "results": views, "ratings": ratings, "is_match": bool(views) and "against" in views[0]}


def results_in(result: JsonData) -> list[JsonData]:
    """The single results of a job: of one agent, of several, or matches."""
    results = result.get("matches") or result.get("agents") or ([result] if result else [])
    check(Each(_RESULT), results, "this result")
    return list(results)


def rated(one: JsonData) -> JsonData:
    """A player's Elo with the bounds of its interval."""
    low, high = Rating(one["elo"], one["error"]).interval
    return {"agent": one["agent"], "elo": one["elo"], "ci95_low": low, "ci95_high": high}


SHOWN = ("mean", "ci95", "estimated_mean", "estimated_ci95", "five_numbers")
"""What the page shows of a summary, one of an older version too."""


def told_of(one: JsonData) -> JsonData:
    """A result as the page shows it: its numbers and its scores, without a line for every game."""
    rest = {name: value for name, value in one.items() if name != "every_game"}
    rest["words"] = reasons_of(one["game"])
    if "against" in one:
        return rest
    unit = unit_of(one)
    statistics: Any = one.get("statistics", {}).get(unit)
    summary = as_json(from_json(statistics)) if statistics else {}
    scores = [line[unit] for line in one["every_game"] if unit in line] if "every_game" in one else one.get("scores")
    return {
        **rest,
        "unit": unit,
        **{name: summary.get(name) for name in SHOWN},
        "scores": scores or [],
    }


def unit_of(one: JsonData) -> str:
    """What the rules of a result count."""
    game = GAMES.load(one["game"])
    rules: AnyRules = game.rules_from_json(one["rules"])
    return game.unit(rules)
