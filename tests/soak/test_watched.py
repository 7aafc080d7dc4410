"""Fifty games are watched for long, and the server's memory stays where it is. `make soak PART=watched`."""

import asyncio
import json
from itertools import count
from pathlib import Path
from time import monotonic

import pytest

from apprenti.web.bench import started
from apprenti.web.games import MOST_GAMES
from tests.soak.campaign import MINUTES

GAMES = 50
KINDS = [
    {"game": "tetris", "players": ["dellacherie"], "options": {"size": "10x8"}},
    {"game": "gomoku", "players": ["mnk-random", "mnk-one-ply"]},
    {"game": "luzhanqi", "players": ["luzhanqi-random", "luzhanqi-attacks"]},
]
PAUSE = 0.5
"""Seconds between two moves of a game."""


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


async def watch(visitor, numbers, end, done):
    """One game after the other, until the time is over."""
    while monotonic() < end:
        key = await asyncio.to_thread(begun, visitor, next(numbers))
        async with visitor.live(key) as socket:
            view = await position(socket)
            while view["outcome"] is None and monotonic() < end:
                await socket.send(json.dumps({"type": "step", "moves": 1}))
                view = await position(socket)
                done["moves"] += 1
                await asyncio.sleep(PAUSE)
        done["games"] += 1


async def campaign(visitor, seconds):
    """Fifty pages; the memory at a hundred moments."""
    end, numbers, done = monotonic() + seconds, count(), {"games": 0, "moves": 0}
    for _ in range(MOST_GAMES):  # as many as are remembered, so that only a leak makes more of them
        await asyncio.to_thread(begun, visitor, next(numbers))
    pages = [asyncio.create_task(watch(visitor, numbers, end, done)) for _ in range(GAMES)]
    memory = []
    while monotonic() < end:
        await asyncio.sleep(seconds / 100)
        memory.append(megabytes(visitor.process))
    await asyncio.gather(*pages)
    return memory, done


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_watched_games_leave_no_memory_behind():
    with started() as visitor:
        memory, done = asyncio.run(campaign(visitor, 60 * MINUTES))
    fifth = len(memory) // 5
    before, after = max(memory[fifth : 2 * fifth]), max(memory[-fifth:])
    print(f"\n{MINUTES:g} min, {GAMES} watched games: {done['games']} games and {done['moves']} moves; server's memory "
          f"{memory[0]:.0f} MB at first, {before:.0f} MB in the second fifth, {after:.0f} MB in the last")  # fmt: skip
    assert done["moves"] > GAMES
    assert after < 1.1 * before
