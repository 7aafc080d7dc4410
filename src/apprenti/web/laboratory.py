"""The addresses at which one learns, measures and reproduces; all of it goes on in jobs."""

import asyncio
from importlib.util import find_spec
from pathlib import Path

from starlette.requests import Request
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

from apprenti.arena.executors import cores
from apprenti.lab.queue import Jobs
from apprenti.web.answers import Streams, reads, writes
from apprenti.web.library import Library
from apprenti.web.measuring import Measuring
from apprenti.web.messages import AtOnce, ByPupil
from apprenti.web.scenes import Data
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

    async def about_class(self, request: Request) -> Data:
        """What this class sees, and how many cores there are."""
        return {**self.school.to_json(), "cores": cores()}

    async def queue(self, request: Request) -> Data:
        """What waits and goes on."""
        return {"jobs": await asyncio.to_thread(self.jobs.active), "at_once": self.jobs.at_once}

    async def at_once(self, request: Request, asked: AtOnce) -> Data:
        """How many jobs go on at once."""
        self.jobs.choose(asked.number)
        return {"at_once": self.jobs.at_once}

    async def stop(self, request: Request, asked: ByPupil) -> Data:
        """Stop a job; it keeps what it knows."""
        await asyncio.to_thread(self.jobs.get(request.path_params["key"]).stop)
        return {}


def charts() -> list[BaseRoute]:
    """plotly's own JavaScript, from the installed package."""
    found = find_spec("plotly")
    folder = (
        Path(found.submodule_search_locations[0]) / "package_data"
        if found and found.submodule_search_locations
        else None
    )
    return [Mount("/plotly", StaticFiles(directory=folder))] if folder and folder.is_dir() else []
