"""The addresses at which one learns, measures and reproduces, and looks things up: agents, people, experiments."""

import asyncio
import contextlib
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from apprenti.arena.executors import cores
from apprenti.arena.statistics import counted, wilson
from apprenti.core.data import JsonData
from apprenti.core.errors import ApprentiError, BadFile, BadOption, UnknownName
from apprenti.lab.agents import zoo
from apprenti.lab.experiments import cost_of, known, read
from apprenti.lab.jobs import RESULTS, SHORT, Reproduce
from apprenti.lab.kinds.kind import KINDS, Settings
from apprenti.lab.people import Rated, meetings, rated_games, standings
from apprenti.lab.queue import Job, Jobs
from apprenti.store.agentfile import AgentFile, read_agent
from apprenti.store.files import check_unlinked, read_json, read_text
from apprenti.store.runs import ROOT, Run
from apprenti.web.answers import Streams, reads, writes
from apprenti.web.measuring import Measuring
from apprenti.web.messages import AtOnce, ByPupil, ExperimentAsked
from apprenti.web.school import School
from apprenti.web.training import Training


class Laboratory:
    """What the page can do beside playing and watching."""

    def __init__(self, school: School) -> None:
        self.school, self.jobs, self.streams = school, Jobs(), Streams()
        if school.at_once:
            self.jobs.limit = school.at_once
        self.parts = [part(self.jobs, self.streams, school) for part in (Training, Measuring, Library)]

    def routes(self) -> list[BaseRoute]:
        """All addresses."""
        own = [
            reads("/api/class", self.about_class),
            reads("/api/jobs", self.queue),
            writes("/api/jobs/at-once", self.at_once, AtOnce),
            writes("/api/jobs/{key}/stop", self.stop, ByPupil),
        ]
        return [*own, *(route for part in self.parts for route in part.routes()), *charts()]

    async def about_class(self, request: Request) -> JsonData:
        """What this class sees, and how many cores there are."""
        return {**self.school.to_json(), "cores": cores()}

    async def queue(self, request: Request) -> JsonData:
        """What waits and goes on."""
        return {"jobs": await asyncio.to_thread(self.jobs.active), "at_once": self.jobs.at_once}

    async def at_once(self, request: Request, asked: AtOnce) -> JsonData:
        """How many jobs go on at once."""
        self.jobs.choose(asked.number)
        return {"at_once": self.jobs.at_once}

    async def stop(self, request: Request, asked: ByPupil) -> JsonData:
        """Stop a job; it keeps what it knows."""
        await asyncio.to_thread(self.jobs.get(request.path_params["key"]).stop)
        return {}


def charts() -> list[BaseRoute]:
    """plotly's own JavaScript, from the installed package."""
    spec = find_spec("plotly")
    folder = (
        Path(spec.submodule_search_locations[0]) / "package_data" if spec and spec.submodule_search_locations else None
    )
    return [Mount("/plotly", StaticFiles(directory=folder))] if folder and folder.is_dir() else []


LARGEST_TABLE = 200_000
LONG_LIST = 64
"""Numbers of an agent's file that are shown of one list."""


class Library:
    """The addresses of agents and experiments."""

    def __init__(self, jobs: Jobs, streams: Streams, school: School) -> None:
        self.jobs, self.school = jobs, school

    def routes(self) -> list[Route]:
        """What can be read, and what can be asked for."""
        return [
            reads("/api/zoo", self.zoo),
            reads("/api/agent/{name}", self.agent),
            reads("/api/people", self.people),
            reads("/api/experiments", self.experiments),
            reads("/api/experiments/{name}", self.experiment),
            reads("/api/experiments/{name}/picture", self.picture),
            writes("/api/experiments/{name}/run", self.run, ExperimentAsked),
        ]

    async def zoo(self, request: Request) -> JsonData:
        """Every shipped agent that this class sees."""
        names = [name for name in zoo() if self.school.shows(name)]
        return {"agents": await asyncio.to_thread(lambda: [about_agent(read_agent(zoo()[name])) for name in names])}

    async def agent(self, request: Request) -> JsonData:
        name = request.path_params["name"]
        self.school.allow_agent(name)
        path = zoo().get(name) or {p.parent.name: p for p in ROOT.glob("*/agent.json")}.get(name)
        if path is None:
            raise UnknownName("agent", name[:80], ["none of that name in the zoo or among the runs"])
        file = await asyncio.to_thread(read_agent, path)
        return {**about_agent(file), "name": name, "run": Run(path.parent).name if name not in zoo() else "",
                "config": shortened(dict(file.config)), "arrays": {k: list(v.shape) for k, v in file.arrays.items()},
                "results": await asyncio.to_thread(self._measured, name)}  # fmt: skip

    def _measured(self, name: str) -> list[JsonData]:
        """The measurements here that name an agent."""
        views = []
        for job in reversed(self.jobs.all()):
            asked = self.jobs.asked(job)
            if asked.get("kind") == "measure" and name in asked.get("command", ()):
                with contextlib.suppress(ApprentiError):
                    views.append(job.view())
        return views[:20]

    async def people(self, request: Request) -> JsonData:
        """How people did against agents, in games that they let be counted."""
        games, wrong = await asyncio.to_thread(rated_games)
        names = sorted({each.game for each in games})
        by_game = {name: [each for each in games if each.game == name] for name in names}
        return {"games": [{"game": name, **ladder_of(some)} for name, some in by_game.items()], "wrong": wrong}

    async def experiments(self, request: Request) -> JsonData:
        """Every experiment, and whether it was run here."""
        return {"experiments": await asyncio.to_thread(self._experiments)}

    def _experiments(self) -> list[JsonData]:
        latest = self.jobs.latest("reproduce")
        return [self._experiment(path, latest.get(name)) for name, path in known().items()]

    def _experiment(self, path: Path, job: Job | None) -> JsonData:
        name = path.stem
        try:
            described, cost = described_experiment(path, path.stat().st_mtime), cost_of(path)
        except (ApprentiError, OSError) as error:  # somebody's own file; the others are still worth seeing
            about = {"name": name, "title": name, "question": str(error), "kind": ""}
            return {**about, "cost": {}, "whole": {}, "short": {}}
        state = job.state() if job else ""
        active = {"job": job.view()} if job and state in ("waiting", "running", "failed") else {}
        return {**described, **active, "cost": cost, "whole": done_in(RESULTS / name), "short": done_in(SHORT / name)}

    async def experiment(self, request: Request) -> JsonData:
        """One experiment: its question, its file, its tables here."""
        path = self._known(request.path_params["name"])
        name = path.stem
        described = await asyncio.to_thread(self._experiment, path, self.jobs.of("reproduce", name))
        source = await asyncio.to_thread(read_text, check_unlinked(path))
        places = {"whole": RESULTS / name, "short": SHORT / name}
        tables = {what: await asyncio.to_thread(tables_in, place) for what, place in places.items()}
        parts = await asyncio.to_thread(parts_of, path, path.stat().st_mtime)
        commands = {what: Reproduce(experiment=name, short=what == "short").command() for what in ("whole", "short")}
        more = {"source": source[:LARGEST_TABLE], "tables": tables, "commands": commands, "parts": parts}
        return {**described, **more}

    async def picture(self, request: Request) -> Response:
        """The picture of an experiment that was run here."""
        name = self._known(request.path_params["name"]).stem
        folder = SHORT if request.query_params.get("short") == "1" else RESULTS
        path = folder / name / "picture.png"
        if not check_unlinked(path).is_file():
            raise UnknownName("picture", name, ["none yet"])
        return FileResponse(path)

    async def run(self, request: Request, asked: ExperimentAsked) -> JsonData:
        """Run an experiment, short or whole; it plays agents of its own choice, and not in a class with a list."""
        if self.school.agents:
            raise BadOption("this class plays the agents of its class file only: experiments are run without one.")
        use = Reproduce(experiment=self._known(request.path_params["name"]).stem, short=asked.short)
        return {"id": self.jobs.add(use, self.school.pupil(asked.who)).key}

    def _known(self, name: str) -> Path:
        paths = known()
        if name not in paths:
            raise UnknownName("experiment", name[:80], paths)
        return paths[name]


def ladder_of(games: list[Rated]) -> JsonData:
    """The meetings of a game, each with Wilson's interval of its share, and everybody's Elo."""
    met = []
    for (person, agent), points in meetings(games).items():
        low, high = wilson(sum(points), len(points))
        share = {"share": sum(points) / len(points), "low": low, "high": high}
        met.append({"person": person, "agent": agent, "counted": counted(points), **share})
    elo = [{"name": name, "elo": each.elo, "half": each.half} for name, each in standings(games).items()]
    return {"meetings": met, "elo": elo}


def about_agent(file: AgentFile) -> JsonData:
    """An agent as a line of the table."""
    names = ("name", "title", "game", "kind", "rules", "source", "published", "measured")
    return {name: getattr(file, name) for name in names}


def shortened(value: Any) -> Any:
    """Plain data without the rest of long lists: a page is read by people."""
    if isinstance(value, dict):
        return {name: shortened(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [shortened(one) for one in value[:LONG_LIST]]
    return value


@lru_cache(maxsize=512)
def described_experiment(path: Path, changed: float) -> JsonData:
    """The title and the question of an experiment."""
    experiment = read(str(path))
    return {"name": path.stem, "title": experiment.title, "question": experiment.question, "kind": experiment.kind}


@lru_cache(maxsize=512)
def parts_of(path: Path, changed: float) -> list[str]:
    """The parts that a whole experiment is made of; none if its file is wrong, which it says when it is run."""
    with contextlib.suppress(ApprentiError):
        experiment = read(str(path))
        return [part.name for part in KINDS.load(experiment.kind)(experiment, Settings(), RESULTS / path.stem).parts]
    return []


def done_in(folder: Path) -> JsonData:
    """What was done of an experiment in a folder: settings, progress; empty if it never ran."""
    try:
        settings = read_json(folder / "settings.json", "the settings of an experiment")
    except ApprentiError:
        return {}
    progress: JsonData = {}
    with contextlib.suppress(ApprentiError):
        progress = read_json(folder / "progress.json", "the progress of an experiment")
    time = (folder / "settings.json").stat().st_mtime
    return {**progress, **settings, "time": time, "picture": (folder / "picture.png").is_file()}


def tables_in(folder: Path) -> list[JsonData]:
    """The tables that an experiment wrote, each its headings and its rows; none if it never came to one."""
    try:
        lines = read_text(check_unlinked(folder / "table.md"), LARGEST_TABLE).splitlines()
    except BadFile:
        return []
    tables: list[JsonData] = []
    rows = [cells_of(line) for line in lines if line.startswith("|")]
    for row, after in zip(rows, [*rows[1:], []], strict=False):
        if after and is_rule(after):
            tables.append({"headings": row, "rows": []})
        elif tables and not is_rule(row):
            tables[-1]["rows"].append(row)
    return tables


def cells_of(line: str) -> list[str]:
    """The cells of a line of a table, without the stars that make them bold."""
    return [cell.strip().replace("**", "") for cell in line.strip().strip("|").split("|")]


def is_rule(row: list[str]) -> bool:
    """Whether it is the line below the headings."""
    return all(cell and set(cell) <= set("-:") for cell in row)
