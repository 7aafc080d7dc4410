"""How fast the page's server is: many games at once, the keys of Tetris, the first page."""

import asyncio
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from time import perf_counter
from typing import Any

import numpy as np
from websockets.asyncio.client import ClientConnection, connect

from apprenti.core.seeds import Stream, pick
from apprenti.lab.bench.machine import Figure
from apprenti.web.app import STATIC

GAMES, MOVES, KEYS = 200, 10, 300
"""Games at once, moves in each, keys of a game of Tetris."""


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

    def begin(self, said: dict[str, Any]) -> str:
        """A new game."""
        return str(json.loads(self._ask("POST", "/api/new", json.dumps(said))[1])["id"])

    def first_page(self) -> float:
        """Seconds for all files that the first page needs, one after the other."""
        began = perf_counter()
        for path in ("/", *(f"/static/{each.relative_to(STATIC)}" for each in STATIC.rglob("*.*")), "/api/games"):
            self._ask("GET", path)
        return perf_counter() - began

    def live(self, key: str) -> connect:
        """The line of a game."""
        return connect(f"ws://{self.host}/live/{key}", additional_headers=self.headers)


@contextmanager
def started() -> Iterator[Visitor]:
    """A visitor of a server of its own."""
    with tempfile.TemporaryDirectory(prefix="apprenti-bench-") as folder:
        words = [sys.executable, "-m", "apprenti", "web", "--no-browser", "--port", "0", "--folder", folder]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        try:
            yield Visitor(process.stdout.readline().split()[-1], process.pid)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


async def heard(socket: ClientConnection, number: int) -> dict[str, Any]:
    """The next position with so many moves at which it is the person's turn, or the last one."""
    while True:
        view: dict[str, Any] = json.loads(await socket.recv())
        if view["type"] == "position" and view["number"] >= number and (view["your_turn"] or view["outcome"]):
            return view


async def played(visitor: Visitor, key: str, number: int) -> list[float]:
    """Seconds from each move to the agent's answer, in one of many games."""
    times, rng = [], Stream(number)
    async with visitor.live(key) as socket:
        view = await heard(socket, 0)
        for _ in range(MOVES):
            await asyncio.sleep(1 + 2 * rng.random())  # a person thinks two seconds
            began = perf_counter()
            await socket.send(json.dumps({"type": "move", "move": pick(rng, view["legal"])}))
            view = await heard(socket, view["number"] + 2)
            times.append(perf_counter() - began)
            if view["outcome"]:
                break
    return times


async def pressed(visitor: Visitor) -> list[float]:
    """Seconds from each key of Tetris to the position after it."""
    times = []
    async with visitor.live(visitor.begin({"game": "tetris", "players": [""], "seed": 1})) as socket:
        await heard(socket, 0)
        for number in range(KEYS):
            began = perf_counter()
            await socket.send(json.dumps({"type": "move", "move": ("L0", "H0", "R0", "N")[number % 4]}))
            view = await heard(socket, number + 1)
            times.append(perf_counter() - began)
            if view["outcome"]:
                break
    return times


async def all_played(visitor: Visitor, games: int) -> list[float]:
    """The waiting times of many games at once, against agents that answer at once."""
    said = {"game": "mnk", "options": {"size": "10x10x5"}, "players": ["", "mnk-random"]}
    keys = [visitor.begin({**said, "seed": number}) for number in range(games)]
    found = await asyncio.gather(*(played(visitor, key, number) for number, key in enumerate(keys)))
    return [time for times in found for time in times]


def figures(quick: bool = False) -> Iterator[Figure]:
    """All figures of the page."""
    games = GAMES // 10 if quick else GAMES
    with started() as visitor:
        yield Figure("first page: size of all files", sum(each.stat().st_size for each in STATIC.rglob("*.*")), "bytes")
        yield Figure("first page: all files, one after the other", visitor.first_page(), "s")
        keys = asyncio.run(pressed(visitor))
        yield Figure("Tetris, from a key to its position, median", 1000 * float(np.median(keys)), "ms")
        yield Figure("Tetris, from a key to its position, 95 %", 1000 * float(np.quantile(keys, 0.95)), "ms")
        times = asyncio.run(all_played(visitor, games))
        for name, share in (("median", 0.5), ("95 %", 0.95)):
            time = 1000 * float(np.quantile(times, share))
            yield Figure(f"{games} games at once, each a move in 2 s: its answer, {name}", time, "ms")
