"""Measurements on the page: who, how many games, and the interval while it narrows."""

import asyncio
import contextlib
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from apprenti.core.errors import ApprentiError, BadOption
from apprenti.core.protocols import Game, Rules
from apprenti.games.catalogue import GAMES
from apprenti.lab.effort import Effort
from apprenti.lab.forms import option_words
from apprenti.lab.rare_events import process_of
from apprenti.lab.results import csv_lines
from apprenti.learn.value_iteration import ValueConfig
from apprenti.store.runs import check_name
from apprenti.web.answers import Streams, event_of, reads, said, writes
from apprenti.web.choices import agent_for, full_name, reasons_of, rules_from
from apprenti.web.games import dict_of, text_of
from apprenti.web.jobs import Job, Jobs
from apprenti.web.scenes import Data
from apprenti.web.school import School

MOST_AGENTS, MOST_GAMES = 16, 100_000
LISTED = 50
KINDS = ("measure", "solve")
"""What is listed here; a command line's is of nobody, and shown to everybody."""
QUIET = ["--json", "--so-far", "{folder}/so-far.json"]
"""What only the page needs of a command."""


class Measuring:
    """The addresses of measurements."""

    def __init__(self, jobs: Jobs, streams: Streams, school: School) -> None:
        self.jobs, self.streams, self.school = jobs, streams, school

    def routes(self) -> list[Route]:
        """What can be read, and what can be asked for."""
        return [
            writes("/api/measure", self.measure),
            writes("/api/measure/solve", self.solve),
            reads("/api/measures", self.listing),
            reads("/api/measures/{key}", self.one),
            reads("/api/measures/{key}/csv", self.csv),
            reads("/api/stream/measures/{key}", self.stream),
        ]

    async def measure(self, request: Request) -> Data:
        """Begin to measure, or wait for it; what cannot be measured is refused now."""
        asked = await said(request)
        words = await asyncio.to_thread(words_for, asked)
        game = text_of(asked, "game")
        self.school.allow("measure", game, [full_name(name, game) for name in asked["agents"]])
        who, agents = self.school.pupil(text_of(asked, "who")), asked["agents"]
        rare = asked.get("rare") is True
        job = self.jobs.add("measure", ", ".join(agents), [*words, *([] if rare else ["--every-game"]), *QUIET], who)
        return {"id": job.key}

    async def solve(self, request: Request) -> Data:
        """Begin to solve a small game for one exactly, or wait for it."""
        asked = await said(request)
        self.school.allow("measure", text_of(asked, "game"))
        words, who = solve_words(asked), self.school.pupil(text_of(asked, "who"))
        name = f"solve {text_of(asked, 'game')} {text_of(asked, 'name')}".strip()
        return {"id": self.jobs.add("solve", name, [*words, *QUIET], who).key}

    async def listing(self, request: Request) -> Data:
        """The newest measurements."""
        return {"measures": await asyncio.to_thread(self._listing, request.query_params.get("who", ""))}

    def _listing(self, who: str) -> list[Data]:
        found = []
        for job in reversed(self.jobs.all()):
            asked = self.jobs.asked(job)
            if asked.get("kind") in KINDS and (not who or asked.get("who") in ("", who)):
                with contextlib.suppress(ApprentiError):
                    found.append({**job.view(), "command": command_of(asked)})
            if len(found) >= LISTED:
                break
        return found

    async def one(self, request: Request) -> Data:
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
        job, told = self.jobs.get(request.path_params["key"]), ""

        def news() -> list[str]:
            nonlocal told
            now = event_of(view_of(job))
            news, told = ([] if now == told else [now]), now
            return news

        return self.streams.of(news)


def words_for(asked: Data) -> list[str]:
    """The command line of a measurement: how many are named decides between evaluate, compare and tournament."""
    game, agents = GAMES.load(text_of(asked, "game")), asked.get("agents")
    if not isinstance(agents, list) or not all(isinstance(name, str) for name in agents):
        raise BadOption("agents are named.")
    if not 1 <= len(set(agents)) == len(agents) <= MOST_AGENTS:
        raise BadOption(f"1 to {MOST_AGENTS} different agents are measured at once: choose some.")
    options, against = dict_of(asked, "options"), text_of(asked, "against")
    named = [agent_for(name, game.name) for name in agents]
    rules = rules_from(game, options, named[0].rules)
    opponents = [agent_for(against or game.opponent(rules), game.name)] if game.players > 1 and len(agents) == 1 else []
    for agent in (*named, *opponents):
        agent.check(game, rules)
    if asked.get("rare") is True:
        for agent in named:
            process_of(agent, rules)
    command = "evaluate" if len(agents) == 1 else "compare" if game.players == 1 else "tournament"
    rest = [word for agent in opponents for word in ("--against", agent.name)]
    return [command, *agents, "--game", game.name, *rest, *rule_words(game, options), *effort_words(game, asked)]


def solve_words(asked: Data) -> list[str]:
    """The command line that solves a game; a board that is too large is refused when it has begun."""
    game, options, name = GAMES.load(text_of(asked, "game")), dict_of(asked, "options"), text_of(asked, "name")
    if game.players != 1:
        raise BadOption(f"{game.name} is a game for {game.players}: games for one are solved here.")
    rules_from(game, options)
    gamma, residual = asked.get("gamma", 1.0), asked.get("residual", 1e-6)
    if type(gamma) not in (int, float) or type(residual) not in (int, float):
        raise BadOption("gamma and residual are numbers.")
    ValueConfig(gamma, residual)
    stored = ["--name", check_name(name)] if name else []
    return ["solve", "--game", game.name, *rule_words(game, options), "--gamma", f"{gamma:g}",
            "--residual", f"{residual:g}", *stored]  # fmt: skip


def rule_words(game: Game, options: Data) -> list[str]:
    """What is asked of the rules, as it is typed."""
    usual = game.Options()
    return [w for name, value in options.items() if value != getattr(usual, name) for w in option_words(name, value)]


def effort_words(game: Game, asked: Data) -> list[str]:
    """How much is played, as it is typed."""
    games, seed, precision = asked.get("games", 100), asked.get("seed", 1), asked.get("precision", 0)
    if type(games) is not int or not 1 <= games <= MOST_GAMES:
        raise BadOption(f"games is from 1 to {MOST_GAMES} on the page; the command line plays more.")
    if type(seed) is not int or not 0 <= seed < 2**53 or type(precision) not in (int, float):
        raise BadOption("a seed is a whole number from 0 to 2⁵³ − 1, and a precision a part of the mean, like 0.05.")
    Effort(games, seed, 0, precision)
    if precision and game.players > 1:
        raise BadOption("a precision is for games for one: say how many games.")
    more = [*(["--precision", str(precision)] if precision else []), *(["--rare"] if asked.get("rare") is True else [])]
    return ["--games", str(games), "--seed", str(seed), *more]


def command_of(asked: Data) -> list[str]:
    """The command that measures the same: without what only the page needs."""
    words = [word for word in asked["words"] if word != "--page"]
    cut = min((words.index(word) for word in ("--every-game", "--json") if word in words), default=len(words))
    return ["apprenti", *words[:cut]]


def view_of(job: Job) -> Data:
    """A measurement as it is now: what it printed, or what it knows so far."""
    asked, view = job.asked(), job.view()
    result = job.result()
    so_far = job.so_far()
    if asked["kind"] == "solve":
        numbers = {name: value for name, value in (result or {}).items() if isinstance(value, int | float | str)}
        return {**view, "command": command_of(asked), "part": 1.0 if result else 0.0, "results": [], "ratings": [],
                "is_match": False, "curve": so_far.get("curve", []), "solved": numbers}  # fmt: skip
    found = results_in(result) if result else so_far.get("results", [])
    part = 1.0 if result else so_far.get("part", 0.0)
    ratings = (result or {}).get("agents", []) if result and "matches" in result else []
    told = [told_of(one) for one in found]
    return {**view, "command": command_of(asked), "part": part, "results": told, "ratings": ratings,
            "is_match": bool(told) and "against" in told[0]}  # fmt: skip


def results_in(printed: Data) -> list[Data]:
    """The single results that a command printed: of one agent, of several, or matches."""
    several = printed.get("matches") or printed.get("agents")
    return list(several) if several else [printed] if printed else []


def told_of(one: Data) -> Data:
    """A result as the page shows it: its numbers and its scores, without a line for every game."""
    rest = {name: value for name, value in one.items() if name != "every_game"}
    rest["words"] = reasons_of(one["game"])
    if "against" in one:
        return rest
    unit = unit_of(one)
    statistics: Any = one.get("statistics", {}).get(unit, {})
    scores = [line[unit] for line in one["every_game"] if unit in line] if "every_game" in one else one.get("scores")
    return {
        **rest,
        "unit": unit,
        "mean": statistics.get("mean"),
        "ci95": statistics.get("ci95"),
        "scores": scores or [],
    }


def unit_of(one: Data) -> str:
    """What the rules of a result count."""
    game = GAMES.load(one["game"])
    rules: Rules = game.rules_from_json(one["rules"])
    return game.unit(rules)
