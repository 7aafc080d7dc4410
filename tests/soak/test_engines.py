"""Engines that do whatever they want: the other one wins, in time, and nothing is left. `make soak PART=engines`."""

import random
from time import monotonic

from apprenti.agents import process
from apprenti.games.luzhanqi import Rules
from apprenti.games.luzhanqi.agents.engine.player import Limits
from apprenti.games.luzhanqi.agents.engine.referee import referee
from apprenti.games.luzhanqi.layout import BOOK
from tests.games.luzhanqi.agents.engine.engines import assert_all_ended, engine_in
from tests.soak.campaign import campaign

MODES = ("sleep", "stubborn", "crash", "mute", "endless", "flood", "bytes", "daemon", "parent")
WORDS = (
    "NAME", "ARRAY", "BESTMOVE", "GO", "END", "RESULT", "INFO", "START", "", "name", "\N{SNOWMAN}", "-1", "G1H1",
    "H1G1", "A0A1", "Z9", "G1H1G1", "0" * 5000, "\x1b[2J", "%s", "G1_H1", BOOK[0], BOOK[0][:-1], BOOK[0][::-1],
)  # fmt: skip
LIMITS = Limits(game=3, move=0.3, start=1.0)
LONGEST = 30.0
"""Seconds for the two starts, an end that has to be forced, and a busy machine."""


def misbehaviour(rng):
    """What an engine does instead of an answer: one of the modes, or a few words at random."""
    words = [rng.choice(WORDS) for _ in range(rng.randint(1, 3))]
    return rng.choice(MODES) if rng.random() < 0.4 else "_".join(words).replace(" ", "_") or "x"


def cases(seed, folder):
    """One engine misbehaves at one order; the other is polite."""
    rng, number = random.Random(seed), 0
    while True:
        number += 1
        here = folder / str(number)
        here.mkdir()
        engine, side = engine_in(here), rng.randrange(2)
        mode, at = misbehaviour(rng), rng.choice(("INFO", "START", "GO"))
        commands = [engine(mode, at) if one == side else engine() for one in range(2)]
        yield wrong_with(commands, side, here)


def wrong_with(commands, side, folder):
    """What is wrong with a game, if anything."""
    began, what = monotonic(), f"{commands[side][4:6]} on side {side}"
    try:
        game = referee(Rules(), commands, LIMITS)
        assert_all_ended(folder)
    except BaseException as error:
        return f"{what}: {error!r}"
    if monotonic() - began > LONGEST:
        return f"{what}: it took {monotonic() - began:.0f} s"
    return f"{what}: {game.fouls}" if 1 - side in game.fouls or (game.fouls and game.winner != 1 - side) else ""


def test_hostile_engines(tmp_path, monkeypatch):
    monkeypatch.setattr(process, "GRACE", 0.2)
    campaign("hostile engines", cases(1, tmp_path))
