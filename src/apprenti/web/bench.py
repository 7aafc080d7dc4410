"""How fast the page's server is: many games at once, keys that are pressed, the first page."""

import asyncio
import json
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from http.client import HTTPConnection
from pathlib import Path
from time import perf_counter

import numpy as np
from websockets.asyncio.client import ClientConnection, connect

from apprenti.core.children import command
from apprenti.core.data import JsonData
from apprenti.core.seeds import Stream, pick
from apprenti.lab.bench.machine import Figure
from apprenti.learn.methods import config_class
from apprenti.web.scenes import SCENES

GAMES, MOVES, KEYS, RUNS = 200, 10, 300, 1000
"""Games at once, moves in each, keys that are pressed, runs in the folder."""


class Visitor:
    """Speaks to a server as a page does."""

    def __init__(self, address: str, process: int) -> None:
        self.process = process
        self.host, _, token = address.removeprefix("http://").partition("/")
        self.headers = {"Origin": f"http://{self.host}"}
        self.headers["Cookie"] = self._ask("GET", f"/{token}")[0]["set-cookie"].partition(";")[0]

    def _ask(self, method: str, path: str, body: str = "") -> tuple[dict[str, str], bytes]:
        line = HTTPConnection(self.host, timeout=60)
        line.request(method, path, body or None, self.headers)
        answer = line.getresponse()
        headers, data = {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        line.close()
        return headers, data

    def begin(self, asked: JsonData) -> str:
        """A new game."""
        return str(json.loads(self._ask("POST", "/api/new", json.dumps(asked))[1])["id"])

    def first_page(self) -> tuple[int, float]:
        """Bytes of all that the first page needs, and seconds to get it, one after the other."""
        began = perf_counter()
        page = self._ask("GET", "/")[1].decode()
        files = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
        sizes = [len(self._ask("GET", path)[1]) for path in ("/", *files, "/api/class", "/api/games", "/api/played")]
        return sum(sizes), perf_counter() - began

    def list_runs(self) -> float:
        """Seconds for a page of the list of runs."""
        began = perf_counter()
        self._ask("GET", f"/api/runs?first={RUNS - 50}")
        return perf_counter() - began

    def live(self, key: str) -> connect:
        """The line of a game."""
        return connect(f"ws://{self.host}/live/{key}", additional_headers=self.headers)


@contextmanager
def started() -> Iterator[Visitor]:
    """A visitor of a server of its own."""
    with tempfile.TemporaryDirectory(prefix="apprenti-bench-") as folder:
        make_runs(Path(folder))
        words = command("apprenti", "web", "--no-browser", "--port", "0")
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=folder)
        assert process.stdout is not None
        try:
            yield Visitor(process.stdout.readline().split()[-1], process.pid)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


def make_runs(folder: Path) -> None:
    """A folder of many runs that have ended."""
    about = {"format": 1, "method": "tabular", "config": asdict(config_class("tabular")()), "versions": {}}
    for number in range(RUNS):
        run = folder / "runs" / f"r{number:04}"
        run.mkdir(parents=True)
        (run / "run.json").write_text(json.dumps(about))
        (run / "metrics.jsonl").write_text('{"generation": 1, "games": 10, "seconds": 1.0}\n')


async def next_position(socket: ClientConnection, number: int) -> JsonData:
    """The next position with at least this number of moves at which it is the person's turn, or the last one."""
    while True:
        view: JsonData = json.loads(await socket.recv())
        if view["type"] == "position" and view["number"] >= number and (view["your_turn"] or view["outcome"]):
            return view


async def played(visitor: Visitor, key: str, number: int) -> list[float]:
    """Seconds from each move to the agent's answer, in one of many games."""
    times, rng = [], Stream(number)
    async with visitor.live(key) as socket:
        view = await next_position(socket, 0)
        for _ in range(MOVES):
            await asyncio.sleep(1 + 2 * rng.random())  # a person thinks two seconds
            began = perf_counter()
            await socket.send(json.dumps({"type": "move", "move": pick(rng, view["legal"])}))
            view = await next_position(socket, view["number"] + 2)
            times.append(perf_counter() - began)
            if view["outcome"]:
                break
    return times


async def pressed(visitor: Visitor, asked: JsonData, keys: Sequence[str]) -> list[float]:
    """Seconds from each key to the position after it."""
    times = []
    async with visitor.live(visitor.begin({**asked, "seed": 1})) as socket:
        await next_position(socket, 0)
        for number in range(KEYS):
            began = perf_counter()
            await socket.send(json.dumps({"type": "move", "move": keys[number % len(keys)]}))
            view = await next_position(socket, number + 1)
            times.append(perf_counter() - began)
            if view["outcome"]:
                break
    return times


async def all_played(visitor: Visitor, asked: JsonData, games: int) -> list[float]:
    """The waiting times of many games at once, against agents that answer at once."""
    keys = [visitor.begin({**asked, "seed": number}) for number in range(games)]
    times_of_all = await asyncio.gather(*(played(visitor, key, number) for number, key in enumerate(keys)))
    return [time for times in times_of_all for time in times]


def figures(quick: bool = False) -> Iterator[Figure]:
    """All figures of the page."""
    games = GAMES // 10 if quick else GAMES
    with started() as visitor:
        size, seconds = visitor.first_page()
        yield Figure("first page: size of all files", size, "bytes")
        yield Figure("first page: all files, one after the other", seconds, "s")
        yield Figure(f"list of {RUNS} runs, for the first time", 1000 * visitor.list_runs(), "ms")
        yield Figure(f"list of {RUNS} runs, again", 1000 * visitor.list_runs(), "ms")
        for scenes in map(SCENES.load, SCENES):
            asked = {name: value for name, value in scenes.bench.items() if name != "keys"}
            if keys := scenes.bench.get("keys"):
                name = f"{asked['game'].capitalize()}, from a key to its position"
                yield from quantiles(name, asyncio.run(pressed(visitor, asked, keys)))
            elif asked:
                name = f"{games} games at once, each a move in 2 s: its answer"
                yield from quantiles(name, asyncio.run(all_played(visitor, asked, games)))


def quantiles(name: str, times: list[float]) -> Iterator[Figure]:
    """The median, and what 95 % of the times do not exceed."""
    for words, share in (("median", 0.5), ("95 %", 0.95)):
        yield Figure(f"{name}, {words}", 1000 * float(np.quantile(times, share)), "ms")
