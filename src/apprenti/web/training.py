"""Runs on the page: what is learned here, forms that begin more, and curves while they grow."""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from apprenti.core.data import JsonData
from apprenti.core.errors import ApprentiError, BadFile, BadOption, UnknownName
from apprenti.core.plugins import GAMES
from apprenti.lab.agents import full_name, zoo
from apprenti.lab.forms import BadForm, check, config_from, form_of, words_of
from apprenti.lab.jobs import Resume, Train
from apprenti.lab.presets import presets_of
from apprenti.lab.queue import Job, Jobs
from apprenti.lab.runs import (
    PICTURES,
    flat,
    own_pictures,
    planned_steps,
    portrait_of,
    seconds_left,
    summary_of,
    weights_of,
)
from apprenti.lab.train import agents_named
from apprenti.learn.learner import LearnerConfig
from apprenti.learn.methods import METHODS, renamed
from apprenti.store.agentfile import read_agent
from apprenti.store.files import is_there
from apprenti.store.runs import ROOT, Run, check_name
from apprenti.views.numbers import CURVES
from apprenti.web.answers import Streams, event_of, reads, writes
from apprenti.web.choices import check_text
from apprenti.web.language import in_language, language_of
from apprenti.web.messages import ByPupil, Longer, Nothing, RunAsked
from apprenti.web.school import School

LISTED = 50
"""Runs on one page of the list."""
MOST_FOLLOWED = 12
"""Runs whose curves are shown over each other."""
DEEP = "apprenti.learn.deep."


class Training:
    """The addresses of runs."""

    def __init__(self, jobs: Jobs, streams: Streams, school: School) -> None:
        self.jobs, self.streams, self.school = jobs, streams, school

    def routes(self) -> list[Route]:
        """What can be read, and what can be asked for."""
        return [
            reads("/api/methods", self.methods),
            reads("/api/methods/{method}", self.form),
            writes("/api/command", self.command, RunAsked),
            writes("/api/train", self.train, RunAsked),
            reads("/api/runs", self.listing),
            reads("/api/stream/runs", self.stream),
            reads("/api/runs/{name}", self.one),
            reads("/api/runs/{name}/own", self.own),
            reads("/api/runs/{name}/picture/{picture}", self.picture),
            writes("/api/runs/{name}/pause", self.pause, ByPupil),
            writes("/api/runs/{name}/go-on", self.go_on, Longer),
            writes("/api/runs/{name}/remove", self.remove),
        ]

    async def methods(self, request: Request) -> JsonData:
        """The learners there are."""
        return {"methods": [{"name": name, "about": METHODS[name].about} for name in self.school.methods()]}

    async def form(self, request: Request) -> JsonData:
        """The form of a learner, with what can be chosen at once."""
        method = self.school.method(request.path_params["method"])
        fields, presets = await asyncio.to_thread(lambda: (form_of(method), presets_of(method)))
        return {"method": method, "about": METHODS[method].about, "fields": fields, "presets": presets}

    async def command(self, request: Request, asked: RunAsked) -> JsonData:
        """The command line that a form stands for; refused with the learner's own sentence."""
        method = self.school.method(asked.method)
        config = await asyncio.to_thread(config_from, method, asked.options)
        return {"command": ["apprenti", *words_of(method, config, asked.name)]}

    async def train(self, request: Request, asked: RunAsked) -> JsonData:
        """Begin a run, or let it wait for its turn."""
        method, who = self.school.method(asked.method), self.school.pupil(asked.who)
        check_opens_nothing(asked.options)
        config = await asyncio.to_thread(config_from, method, asked.options)
        if not METHODS[method].where.startswith(DEEP):  # torch is not loaded here: its learners refuse when they begin
            await asyncio.to_thread(check, method, config)
        for option, agent in agents_named(config).items():
            if agent not in zoo() and not is_there(ROOT / agent):
                raise BadForm("on the page an agent of the zoo or of a run here is named, in full.", option)
        await asyncio.to_thread(self._check_agents, config)
        name = self._fresh(method, asked.name, who)
        self.jobs.add(Train(method=method, config=asdict(config), run=name), who)
        return {"run": name}

    def _check_agents(self, config: LearnerConfig) -> None:
        """Refuse agents that the class does not see, under whatever name."""
        for name in agents_named(config).values():
            for game in GAMES if self.school.agents else ():  # which the learner is for is known where it is loaded
                self.school.allow_agent(full_name(name, GAMES.load(game)))

    def _fresh(self, method: str, name: str, who: str) -> str:
        """A name for a new run: the one that was asked for, if it is free, or the method and a number."""
        taken = {path.name for path in ROOT.glob("*")} | set(zoo())
        taken |= {job["name"] for job in self.jobs.active() if job["kind"] == "train"}
        stem = f"{who}." if who else ""
        if not name:
            number = 1
            while f"{stem}{method}-{number}" in taken:
                number += 1
            return f"{stem}{method}-{number}"
        name = name if name.startswith(stem) else stem + name
        try:
            check_name(name)
        except BadFile as error:
            raise BadForm(str(error), "name") from None
        if name in taken:
            raise BadForm(f"there is a run or an agent called {name} already: choose another name.", "name")
        return name

    async def listing(self, request: Request) -> JsonData:
        """A page of the list of runs, the newest first, and the queue."""
        query = request.query_params
        first = number_in(query.get("first", ""))
        return await asyncio.to_thread(self._listing, query.get("find", "")[:80], first, query.get("who", "")[:80])

    def _listing(self, find: str, first: int, who: str) -> JsonData:
        waiting = self.jobs.active()
        begun = {path.parent.name for path in ROOT.glob("*/run.json")}
        latest = self.jobs.latest("train")
        queued = [job for job in waiting if job["kind"] == "train" and job["name"] not in begun]
        newest = sorted(begun, key=lambda name: -changed(name))
        matching = [name for name in newest if find in name and (not who or name.startswith(f"{who}."))]
        shown = matching[first : first + LISTED]
        return {
            "runs": [{**cached_summary(name), **state_of(Run(ROOT / name), latest.get(name))} for name in shown],
            "count": len(matching),
            "listed": LISTED,
            "queued": queued,
            "jobs": waiting,
            "at_once": self.jobs.at_once,
            "most": self.jobs.limit,
        }

    def _state(self, run: Run) -> JsonData:
        return state_of(run, self.jobs.of("train", run.name))

    def _run(self, name: str) -> Run:
        """A run by its name, which is looked up and never made into a path."""
        if name in {path.parent.name for path in ROOT.glob("*/run.json")}:
            return Run(ROOT / name)
        raise UnknownName("run", name[:80], ["none of that name (any more)"])

    async def one(self, request: Request) -> JsonData:
        """Everything about a run but its curves; one that waits for its first turn has no folder yet."""
        name = request.path_params["name"]
        queued = self.jobs.of("train", name)
        unbegun = ("waiting", "running", "failed")
        if queued and not (ROOT / name / "run.json").exists() and queued.state() in unbegun:
            asked, view = self.jobs.asked(queued), queued.view()
            return {"run": name, "method": asked.get("method", ""), "config": asked.get("config", {}),
                    "state": view["state"], "sentence": view["sentence"], "command": asked["command"],
                    "generation": 0, "of": None, "weights": {}, "seconds": 0.0, "game": ""}  # fmt: skip
        return await asyncio.to_thread(self._one, self._run(name))

    def _one(self, run: Run) -> JsonData:
        about = run.about()
        config = renamed(about["method"], about["config"])
        about_run = {**summary_of(run), **self._state(run), "config": config, "versions": about["versions"]}
        with contextlib.suppress(ApprentiError):
            about_run["game"] = read_agent(run.agent_path).game if run.agent_path.exists() else ""
            about_run["weights"] = flat(weights_of(run))
        own = command_of(about["method"], config, run.name)
        return {**about_run, "command": own, "curves": CURVES, "past": run.past()}

    async def own(self, request: Request) -> JsonData:
        """What only this run's learner has to show: its population, its Gaussian, pictures."""
        run = self._run(request.path_params["name"])
        portrait = await asyncio.to_thread(portrait_of, run)
        return {**portrait, "pictures": await asyncio.to_thread(lambda: list(own_pictures(run)))}

    async def picture(self, request: Request) -> Response:
        """One of those pictures."""
        run, name = self._run(request.path_params["name"]), request.path_params["picture"]
        path = run.folder / f"{name}.png"
        if name not in PICTURES or not path.exists():
            raise UnknownName("picture", name[:40], list(PICTURES))
        return FileResponse(path)

    async def pause(self, request: Request, asked: ByPupil) -> JsonData:
        """Interrupt a run; what it has stored is stored."""
        name = request.path_params["name"]
        job = self.jobs.of("train", name)
        if job is None or job.state() not in ("waiting", "running"):
            if Run(ROOT / self._run(name).name).is_running():
                raise BadOption(f"{name} was begun on a command line: press Ctrl-C there.")
            raise BadOption(f"{name} does not learn now.")
        job.stop()
        return {}

    async def go_on(self, request: Request, asked: Longer) -> JsonData:
        """Go on with a run, or make it longer."""
        run = self._run(request.path_params["name"])
        state = self._state(run)["state"]
        if state in ("running", "waiting"):
            raise BadOption(f"{run.name} goes on already.")
        about, iterations = run.about(), asked.iterations
        config = renamed(about["method"], about["config"])
        if not 0 <= iterations <= 10**9:
            raise BadForm("--iterations is a whole number.", "iterations")
        steps = planned_steps(about["method"], about["config"])
        if state == "done" and iterations <= (steps or 0):
            raise BadForm(
                f"this run has done its {steps} iterations: name more of them to make it longer.", "iterations"
            )
        who = self.school.pupil(asked.who)
        if self.school.agents:
            await asyncio.to_thread(self._check_agents, config_from(about["method"], config))
        use = Resume(run=run.name, iterations=iterations)
        self.jobs.add(use, who, method=about["method"], config=about["config"])
        return {}

    async def remove(self, request: Request, asked: Nothing) -> JsonData:
        """Remove a run for good."""
        run = self._run(request.path_params["name"])
        if self._state(run)["state"] in ("running", "waiting"):
            raise BadOption(f"{run.name} goes on: pause it first.")
        await asyncio.to_thread(run.remove)
        return {}

    async def stream(self, request: Request) -> Response:
        """The curves of some runs as they grow. An event's id says what was sent, so a lost line costs nothing."""
        names = request.query_params.get("runs", "").split(",")
        if not 1 <= len(names) <= MOST_FOLLOWED:
            raise BadOption(f"1 to {MOST_FOLLOWED} runs are followed at once.")
        last = request.headers.get("last-event-id", request.query_params.get("after", "")).split(".")
        sent = [number_in(text) for text in last] + [0] * len(names)
        language = language_of(request)
        followed = [Followed(Run(ROOT / check_name(name)), done) for name, done in zip(names, sent, strict=False)]

        def news() -> list[str]:
            events = []
            for one in followed:
                if news_of_one := one.news(self._state):
                    identity = ".".join(str(each.sent) for each in followed)
                    events.append(event_of(in_language(news_of_one, language), identity))
            return events

        return self.streams.of(news)


class Followed:
    """A run whose curves somebody looks at."""

    def __init__(self, run: Run, sent: int) -> None:
        self.run, self.sent = run, sent
        self.last_state: JsonData = {}
        self._at: tuple[int, int] = (0, 0)
        """The file of metrics that was read, and how far."""

    def news(self, state_of: Callable[[Run], JsonData]) -> JsonData | None:
        """New rows, and how the run is doing if that has changed."""
        try:
            rows = self._rows()
            state = self._state(state_of)
        except (ApprentiError, OSError) as error:
            rows, state = [], {"state": "damaged", "sentence": str(error)}
        if not rows and state == self.last_state:
            return None
        self.last_state = state
        if rows:
            self.sent = int(rows[-1]["generation"])
        return {"run": self.run.name, "rows": rows, **state}

    def _rows(self) -> list[dict[str, float]]:
        path = self.run.folder / "metrics.jsonl"
        if not path.exists():
            return []
        status = path.stat()
        file, offset = self._at
        if file != status.st_ino or status.st_size < offset:  # it was written anew when the run went on
            offset = 0
        rows, offset = self.run.metrics_from(offset)
        self._at = (status.st_ino, offset)
        return [row for row in rows if row["generation"] > self.sent]

    def _state(self, state_of: Callable[[Run], JsonData]) -> JsonData:
        if not (self.run.folder / "run.json").exists() and (self.sent or self.last_state.get("of")):
            return {"state": "gone", "sentence": "this run was removed."}
        summary, state = cached_summary(self.run.name), state_of(self.run)
        left = summary.get("left") if state["state"] == "running" else None
        return {**state, "of": summary.get("of"), "left": left}


def state_of(run: Run, job: Job | None) -> JsonData:
    """How a run is doing: `running`, `waiting`, `paused`, `failed`, `done`, `damaged`; why it failed."""
    job_state = job.state() if job else ""
    if job and not (run.folder / "run.json").exists():  # it waits, or could not begin
        return {"state": job_state, "sentence": job.view()["sentence"] if job_state == "failed" else ""}
    summary = cached_summary(run.name)
    if "damaged" in summary:
        return {"state": "damaged", "sentence": summary["damaged"]}
    done = summary["of"] is not None and summary["generation"] >= summary["of"]
    if run.is_running() or job_state in ("running", "waiting"):
        doing = job.sentence() if job and job_state == "running" else ""
        return {"state": "waiting" if job_state == "waiting" else "running", "sentence": "", "doing": doing}
    failed = job_state == "failed" and job is not None and (not done or job.ended() > changed(run.name))
    state = "failed" if failed else "done" if done else "paused"
    return {"state": state, "sentence": job.view()["sentence"] if job and failed else ""}


def number_in(text: str) -> int:
    """A number that the page sent; 0 for anything else."""
    return int(text[:12]) if text[:12].isdecimal() else 0


def changed(name: str) -> float:
    """When a run last changed."""
    return max((_time(ROOT / name / file) for file in ("run.json", "metrics.jsonl")), default=0.0)


def _time(path: Path) -> float:
    with contextlib.suppress(OSError):
        return path.stat().st_mtime
    return 0.0


def cached_summary(name: str) -> JsonData:
    """A run in one line; it is read again when it has changed."""
    return _summary(name, *(_time(ROOT / name / file) for file in ("run.json", "metrics.jsonl")))


@lru_cache(maxsize=4096)
def _summary(name: str, *changed: float) -> JsonData:
    run = Run(ROOT / name)
    summary = summary_of(run)
    if summary.get("of"):
        summary["left"] = seconds_left(run.metrics(), summary["of"])
    return summary


def check_opens_nothing(options: JsonData) -> None:
    """Refuse options that name files: the command line is for that."""
    for name, value in options.items():
        for word in value if isinstance(value, list) else [value]:
            try:
                check_text(word if isinstance(word, str) else "")
            except BadOption as error:
                raise BadForm(str(error), name) from None


def command_of(method: str, config: JsonData, name: str) -> list[str]:
    """The command line that begins the same run; empty if this version does not take its options."""
    with contextlib.suppress(ApprentiError):
        return ["apprenti", *words_of(method, config_from(method, config), name)]
    return []
