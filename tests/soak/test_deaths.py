"""Deaths and full disks at every file operation, kills at random moments: nothing is lost. `make soak PART=deaths`."""

import asyncio
import itertools
import shutil

import pytest

from apprenti.core.errors import ApprentiError
from apprenti.core.plugins import GAMES
from apprenti.core.protocols import Steerable
from apprenti.core.seeds import Stream
from apprenti.lab.train import resume, train
from apprenti.learn.methods import METHODS
from apprenti.store.runs import Run
from apprenti.web.games import Games
from apprenti.web.messages import NewGame
from tests.contracts.test_learners import outcome, wrong_after_kills
from tests.dying import dying_at, full_disk_at
from tests.learn.tiny import config
from tests.soak.campaign import MINUTES, campaign

STEPS = 2
ENDS = {"dies": dying_at, "has no room": full_disk_at}


# Learners -------------------------------------------------------------------------------------------------------------


def ends_of_runs(method, folder, step=1):
    """A run that ends at its first file operation, its second (or one some steps later), and so on, is gone on with."""
    options = config(method, iterations=STEPS)
    straight = outcome(train(method, options, "one", folder / "straight"))
    for how, ending in ENDS.items():
        for place in itertools.count(1, step):
            root, copy, wrong = folder / "ended", folder / "copy", ""
            with ending(place) as ended:
                wrong = error_of(lambda root=root: train(method, options, "one", root))
            if not ended:
                break
            shutil.rmtree(copy, ignore_errors=True)
            if root.exists():
                shutil.move(root, copy)  # the lock of the dead is still held here
            found = wrong or gone_on(method, options, copy) != straight
            yield f"{method} {how} at file operation {place}: {wrong or 'another end'}" if found else ""
        shutil.rmtree(root)


def error_of(work):
    """What somebody whose disk is full would see, if it is no sentence."""
    try:
        work()
    except ApprentiError:
        return ""
    except OSError as error:  # the command line makes a sentence of it
        return "" if error.errno else repr(error)
    except Exception as error:
        return repr(error)
    return ""


def gone_on(method, options, root):
    """The run, begun again if there is nothing of it yet."""
    run = Run(root / "one")
    if (run.folder / "run.json").exists():
        return outcome(resume(run))
    return outcome(train(method, options, "one", root))


def kills(method, folder):
    """Killed again and again until the end."""
    rng = Stream.named(1, "soak", method)
    for number in itertools.count():
        count, wrong = wrong_after_kills(method, folder / str(number), rng, 10)
        yield f"{method} after {count} kills: {str(wrong)[:200]}" if wrong else ""


@pytest.mark.parametrize("method", METHODS)
def test_learners(method, tmp_path):
    part = MINUTES / len(METHODS)
    campaign(f"ends of {method} at file operations", ends_of_runs(method, tmp_path / "ends"), 200, part / 2)
    (tmp_path / "kills").mkdir()
    campaign(f"kills of {method}", kills(method, tmp_path / "kills"), minutes=part / 2)


# Games of the page ----------------------------------------------------------------------------------------------------


async def ended_game(folder, name, how, place):
    """A game whose server ends at a file operation; its id, how many moves were shown, whether it ended so."""
    game, games, shown = GAMES.load(name), Games(folder), asyncio.Queue()
    options = {"luzhanqi": {"rules": "mini"}, "tetris": {"max_pieces": 9}}.get(name, {})
    players = ["", *["random"] * (game.players - 1)]
    live = await games.new(NewGame(game=name, players=tuple(players), options=options, seed=place))
    live.pages[shown] = None
    await live.go_on()
    with how(place) as ended:
        for _ in range(4):
            await next_move(live)
            if ended:
                break
    games.close()
    early = isinstance(live.session.state, Steerable)  # who presses keys is shown a move before it is written down
    last = max((view["number"] for view in drained(shown)), default=0) - early
    return live.key, last, bool(ended)


async def next_move(live):
    """The person's move and all that follows from it."""
    session, work = live.session, []
    if live.over or session.state.turn != live.you:
        return
    live.move(session.game.write_move(session.state.legal_moves()[0]), work.append)
    for each in work:
        try:
            await each
        except ApprentiError:
            continue  # the page is told that it could not be written down


def drained(queue):
    while not queue.empty():
        yield queue.get_nowait()


def ends_of_games(folder, names=tuple(GAMES)):
    """Servers that end at a file operation, of every game."""
    for number, (name, (how, ending)) in enumerate(itertools.product(names, ENDS.items())):
        for place in itertools.count(1):
            here = folder / f"{number}-{place}"
            here.mkdir()
            key, last, ended = asyncio.run(ended_game(here, name, ending, place))
            if not ended:
                break
            yield asyncio.run(lost(here, key, last if how == "dies" else 0, f"{name} {how} at file operation {place}"))


async def lost(folder, key, last, what):
    """What is lost for the next server; a page whose disk is full was told so."""
    games = Games(folder)
    try:
        live = await games.get(key)
    except ApprentiError as error:
        return f"{what}: {error}" if last > 0 else ""
    finally:
        games.close()
    return f"{what}: {len(live.session.moves)} moves, but {last} were shown" if len(live.session.moves) < last else ""


def test_games_of_the_page(tmp_path):
    campaign("ends of the page's server at file operations", ends_of_games(tmp_path))
