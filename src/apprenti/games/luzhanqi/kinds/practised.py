"""What best responses win that were learned against one network each, and then against who else plays with it."""

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from apprenti.games.luzhanqi.game import GAME
from apprenti.games.luzhanqi.lab.best_response import Point, Practice, best_response
from apprenti.games.luzhanqi.lab.exploit import habits
from apprenti.games.luzhanqi.learn.deep.ppo_config import PpoConfig
from apprenti.lab.agents import NamedAgent, find
from apprenti.lab.kinds.fields import Options, blaming, read
from apprenti.lab.kinds.kind import Found, Kind, Part, file_name
from apprenti.lab.match import match
from apprenti.lab.results import Effort, GamesFile
from apprenti.store.runs import Run
from apprenti.views.plots import practice


@dataclass(frozen=True, kw_only=True)
class Row:
    """A network, how long somebody practises against it, and whom that one meets afterwards."""

    agent: str
    seconds: float
    """Of processor."""
    tests: int = 6
    """On the way, beside the one before it learns."""
    against: str = ""
    """Somebody else, who plays with the same network."""


@dataclass(frozen=True, kw_only=True)
class File:
    """A `[[row]]` for each network."""

    games: int = 400
    """Of each test."""
    layouts: int = 1000
    """That are drawn from an agent."""
    config: Options = field(default_factory=dict)
    """Options of PPO, where they are not the usual ones of a best response."""
    row: tuple[Row, ...]


def practised(practice: Practice, folder: Path, other: NamedAgent | None, effort: Effort, stored: GamesFile) -> Found:
    """The curve of a best response, and its match against somebody else, as plain data."""
    run = Run(folder)
    curve = best_response(practice, lambda point: None, run)
    found: Found = {"agent": practice.agent.name, "curve": [_plain(point) for point in curve]}
    if other:
        played = match(GAME, practice.rules, (find(str(run.agent_path), GAME), other), effort, stored=stored)
        found |= {"match": played.to_json(), "interrupted": played.interrupted}
    return found


def _plain(point: Point) -> Found:
    return {"seconds": point.seconds, "moves": point.moves, "share": point.share, "ci95": list(point.ci95)}


class Practised(Kind[File]):
    """A line for each network."""

    File = File
    headings = ("network", "seconds of a core", "moves", "before it learned", "at the end", "the same against")

    def divide(self) -> list[Part]:
        return [self._part(row) for row in self.settings.first(self.plan.row)]

    def _part(self, row: Row) -> Part:
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
        work = partial(practised, training, folder, other, effort, self.games_of(name, key))
        return Part(name, key, work)

    def cells(self, found: Found) -> list[str]:
        first, last = found["curve"][0], found["curve"][-1]
        also = f"{found['match']['against']}: {_said(found['match'])}" if "match" in found else "-"
        return [
            found["agent"], f"{last['seconds']:.0f}", str(last["moves"]), _said(first), f"**{_said(last)}**", also,
        ]  # fmt: skip

    def draw(self, path: Path) -> None:
        practice({one["agent"]: one["curve"] for one in self.found}, self.experiment.title, path)


def _said(measured: Found) -> str:
    """A share of the points with its interval."""
    low, high = measured["ci95"]
    return f"{measured['share']:.1%} ({100 * low:.0f} … {100 * high:.0f})"
