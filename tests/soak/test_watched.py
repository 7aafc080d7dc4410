"""Fifty games are watched for long, and the server's memory stays where it is. `make soak PART=watched`."""

import asyncio
import json
from collections import Counter
from itertools import count
from pathlib import Path
from time import monotonic

import pytest
from websockets.exceptions import ConnectionClosed

from apprenti.web.bench import started
from apprenti.web.games import MOST_GAMES
from tests.soak.campaign import MINUTES

GAMES = 50
KINDS = [
    {"game": "tetris", "players": ["dellacherie"], "options": {"size": "10x8"}},
    {"game": "gomoku", "players": ["mnk-random", "mnk-one-ply"]},
    {"game": "luzhanqi", "players": ["luzhanqi-random", "luzhanqi-attacks"]},
]
PAUSE = 1.0
"""Seconds between two moves of a game, as a person watches it."""
MOMENTS = 120
"""How often the memory is looked at."""


def megabytes(process):
    """The memory of a process, as Linux counts it."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def begun(visitor, number):
    return visitor.begin({**KINDS[number % len(KINDS)], "seed": number})


async def position(socket):
    """The next position."""
    while (message := json.loads(await socket.recv()))["type"] != "position":
        pass
    return message


async def watched(visitor, key, end, done):
    """A game until it has ended, over one line."""
    async with visitor.live(key) as socket:
        view = await position(socket)
        while view["outcome"] is None and monotonic() < end:
            await socket.send(json.dumps({"type": "step", "moves": 1}))
            view = await position(socket)
            done["moves"] += 1
            await asyncio.sleep(PAUSE)


async def watch(visitor, numbers, end, done):
    """One game after the other, until the time is over. A lost line is opened again, as the page does it."""
    while monotonic() < end:
        key = await asyncio.to_thread(begun, visitor, next(numbers))
        while True:
            try:
                await watched(visitor, key, end, done)
                break
            except (TimeoutError, OSError, ConnectionClosed):  # a machine that was held up longer than a line lives
                done["lost lines"] += 1
        done["games"] += 1


async def campaign(visitor, seconds):
    """Fifty pages; the memory at many moments."""
    end, numbers, done = monotonic() + seconds, count(), Counter()
    for _ in range(MOST_GAMES):  # as many as are remembered, so that only a leak makes more of them
        await asyncio.to_thread(begun, visitor, next(numbers))
    pages = [asyncio.create_task(watch(visitor, numbers, end, done)) for _ in range(GAMES)]
    memory = [megabytes(visitor.process)]
    while monotonic() < end:
        await asyncio.sleep(seconds / MOMENTS)
        memory.append(megabytes(visitor.process))
        if len(memory) % (MOMENTS // 6) == 1:
            print(f"{seconds * (len(memory) - 1) / MOMENTS / 60:g} min: {memory[-1]:.0f} MB, {dict(done)}", flush=True)
    await asyncio.gather(*pages)
    return memory, done


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_watched_games_leave_no_memory_behind():
    with started() as visitor:
        memory, done = asyncio.run(campaign(visitor, 60 * MINUTES))
        asyncio.run(watched(visitor, begun(visitor, 0), monotonic() + 3 * PAUSE, done))  # it still answers
    fifth = len(memory) // 5
    before, after = max(memory[fifth : 2 * fifth]), max(memory[-fifth:])
    print(f"\n{MINUTES:g} min, {GAMES} watched games: {dict(done)}; server's memory {memory[0]:.0f} MB at first, "
          f"{before:.0f} MB in the second fifth, {after:.0f} MB in the last")  # fmt: skip
    assert done["moves"] > GAMES
    assert after < 1.1 * before
