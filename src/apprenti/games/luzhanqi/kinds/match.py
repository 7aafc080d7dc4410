"""Matches that say how exploitable agents of Luzhanqi are: by rivals who know their layouts, by best responses."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from apprenti.core.data import JsonData
from apprenti.core.errors import UnknownName
from apprenti.games.luzhanqi.game import GAME
from apprenti.games.luzhanqi.lab.best_response import Point, Practice, best_response
from apprenti.games.luzhanqi.lab.exploit import EXPLOITERS, exploit, habits, uniform_habits
from apprenti.games.luzhanqi.learn.config import PpoConfig
from apprenti.games.luzhanqi.pieces import FLAG
from apprenti.lab.agents import NamedAgent, find
from apprenti.lab.kinds.fields import blaming, read
from apprenti.lab.kinds.kind import Finding, Kind, Part, file_name
from apprenti.lab.kinds.scores import Amount
from apprenti.lab.match import match
from apprenti.lab.results import Effort, GamesFile
from apprenti.store.runs import Run
from apprenti.views.plots import curves, strengths


@dataclass(frozen=True, kw_only=True)
class ExploitRow:
    """An agent, who exploits it, and how many games."""

    agent: str
    by: str
    games: int = 0


@dataclass(frozen=True, kw_only=True)
class ExploitFile:
    """A `[[row]]` for each agent and exploiter."""

    games: int = 100
    """Of each match, unless a row says otherwise."""
    layouts: int = 1000
    """That are drawn from an agent."""
    row: tuple[ExploitRow, ...]


def both_matches(
    agent: NamedAgent, by: str, layouts: int, effort: Effort, stored: Callable[[str], GamesFile | None]
) -> Finding:
    """Both matches, and the habit that is farthest from chance, as plain data."""
    seen = habits(agent.agent, agent.rules, layouts, effort.seed)
    exploited = exploit(agent, agent.rules, by, seen, effort, stored=stored)
    words = seen.words(uniform_habits(agent.rules, layouts, effort.seed)) or ["nothing"]
    return {
        **exploited.to_json(), "agent": agent.name, "habit": words[0], "different": len(set(seen.layouts)),
        "flag_entropy_bits": seen.entropy(FLAG), "interrupted": exploited.interrupted,
    }  # fmt: skip


class Exploit(Kind[ExploitFile]):
    """A line for each agent and exploiter."""

    File = ExploitFile
    headings = ("agent", "exploiter", "games", "knows nothing", "knows its layouts", "its plainest habit")

    def divide(self) -> list[Part]:
        return [self._part(row) for row in self.settings.first(self.plan.row)]

    def _part(self, row: ExploitRow) -> Part:
        with blaming(self.where):
            agent = self.find(row.agent, GAME)
            if row.by not in EXPLOITERS:
                raise UnknownName("exploiter", row.by, EXPLOITERS)
            effort = Amount(games=row.games or self.plan.games).effort(self.settings)
        layouts = 50 if self.settings.short else self.plan.layouts
        key = {"agent": row.agent, "by": row.by, "games": effort.games, "layouts": layouts}
        name = f"{row.by} exploits {agent.name}"

        def stored(rival: str) -> GamesFile:
            return self.games_of(name, {**key, "rival": rival})

        return Part(name, key, partial(both_matches, agent, row.by, layouts, effort, stored))

    def cells(self, finding: Finding) -> list[str]:
        shares = [
            f"**{one['share']:.1%}** ({100 * one['ci95'][0]:.0f} … {100 * one['ci95'][1]:.0f})" if one["games"] else "-"
            for one in (finding["plain"], finding["informed"])
        ]
        return [finding["agent"], finding["exploiter"], str(finding["informed"]["games"]), *shares, finding["habit"]]

    def draw(self, path: Path) -> None:
        lines = {
            f"{one['exploiter']} against {one['agent']}": {
                "knows nothing": one["plain"]["share"], "knows its layouts": one["informed"]["share"],
            }
            for one in self.findings
        }  # fmt: skip
        strengths(lines, self.experiment.title, path)


@dataclass(frozen=True, kw_only=True)
class ResponseRow:
    """A network, how long somebody practises against it, and whom that one meets afterwards."""

    agent: str
    seconds: float
    """Of processor."""
    tests: int = 6
    """On the way, beside the one before it learns."""
    against: str = ""
    """Somebody else, who plays with the same network."""


@dataclass(frozen=True, kw_only=True)
class ResponseFile:
    """A `[[row]]` for each network."""

    games: int = 400
    """Of each test."""
    layouts: int = 1000
    """That are drawn from an agent."""
    config: JsonData = field(default_factory=dict)
    """Options of PPO, where they are not the usual ones of a best response."""
    row: tuple[ResponseRow, ...]


def learned_response(
    practice: Practice, folder: Path, other: NamedAgent | None, effort: Effort, stored: GamesFile
) -> Finding:
    """The curve of a best response, and its match against somebody else, as plain data."""
    run = Run(folder)
    curve = best_response(practice, lambda point: None, run)
    finding: Finding = {"agent": practice.agent.name, "curve": [_plain(point) for point in curve]}
    if other:
        played = match(GAME, practice.rules, (find(str(run.agent_path), GAME), other), effort, stored=stored)
        finding |= {"match": played.to_json(), "interrupted": played.interrupted}
    return finding


def _plain(point: Point) -> Finding:
    return {"seconds": point.seconds, "moves": point.moves, "share": point.share, "ci95": list(point.ci95)}


class BestResponse(Kind[ResponseFile]):
    """A line for each network."""

    File = ResponseFile
    headings = ("network", "seconds of a core", "moves", "before it learned", "at the end", "the same against")

    def divide(self) -> list[Part]:
        return [self._part(row) for row in self.settings.first(self.plan.row)]

    def _part(self, row: ResponseRow) -> Part:
        settings, plan = self.settings, self.plan
        games, seconds, layouts = (4, 1.0, 50) if settings.short else (plan.games, row.seconds, plan.layouts)
        with blaming(self.where):
            agent, effort = self.find(row.agent, GAME), Effort(games, settings.seed, settings.workers)
            other = self.find(row.against, GAME) if row.against else None
            seen = habits(agent.agent, agent.rules, layouts, settings.seed)
            training = Practice(agent, agent.rules, seen, seconds, games, settings.seed, row.tests, plan.config)
            read(PpoConfig, dict(plan.config), f"config of {self.where}")
        name = f"best response to {agent.name}"
        key = {"agent": row.agent, "seconds": seconds, "games": games, "layouts": layouts, "tests": row.tests}
        key |= {"config": plan.config}
        folder = self.folder / "runs" / file_name(name, self._key(key))
        key |= {"against": row.against}
        work = partial(learned_response, training, folder, other, effort, self.games_of(name, key))
        return Part(name, key, work)

    def cells(self, finding: Finding) -> list[str]:
        first, last = finding["curve"][0], finding["curve"][-1]
        also = f"{finding['match']['against']}: {_share(finding['match'])}" if "match" in finding else "-"
        return [
            finding["agent"], f"{last['seconds']:.0f}", str(last["moves"]), _share(first), f"**{_share(last)}**", also,
        ]  # fmt: skip

    def draw(self, path: Path) -> None:
        named = {f"against {one['agent']}": [list(map(_point, one["curve"]))] for one in self.findings}
        axes = "seconds of a core", "% of the points, with 95 % intervals"
        curves(named, *axes, self.experiment.title, path, level=50)


def _point(measured: Finding) -> tuple[float, ...]:
    """A time, the share of the points by then, and its interval, in per cent."""
    return measured["seconds"], *(100 * one for one in (measured["share"], *measured["ci95"]))


def _share(measured: Finding) -> str:
    """A share of the points with its interval."""
    low, high = measured["ci95"]
    return f"{measured['share']:.1%} ({100 * low:.0f} … {100 * high:.0f})"
