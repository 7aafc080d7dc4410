"""`apprenti replay FILE`: show a recorded game and verify it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Annotated, Any

import tyro

from apprenti.arena.game import OnState
from apprenti.cli.progress import progress
from apprenti.cli.terminal import on_terminal
from apprenti.cli.viewer import Viewer, check_speed, on_screen
from apprenti.core.data import JsonObject
from apprenti.core.errors import printable
from apprenti.core.game import AnyGame
from apprenti.core.protocols import CHANCE, AnyState
from apprenti.lab.session import Quit, result_of, title_of
from apprenti.store.replay import Replay, read_replay
from apprenti.views.numbers import counted
from apprenti.views.view import Look, view_of


@dataclass(frozen=True, kw_only=True)
class Options:
    """Show a recorded game and verify it: it is played again, and must lead where it says.

    Keys: space pauses, n goes one step on, + and - change the speed, q quits.
    """

    file: tyro.conf.Positional[Annotated[Path, tyro.conf.arg(metavar="FILE")]]
    """A replay, as --record writes them."""
    speed: float = 5.0
    """Moves per second; 0 for as fast as possible."""
    verify: bool = False
    """Only verify it, and print one line."""
    json: bool = False
    """Only verify it, and print one JSON object and nothing else."""


def run(options: Options) -> None:
    """Show or verify a replay."""
    speed, replay = check_speed(options.speed), read_replay(options.file)
    game = replay.load_game()
    if on_terminal() and not (options.verify or options.json):
        print(printable(show(replay, game, speed)))
        return
    with progress(f"verify {options.file}", quiet=options.json) as report:
        done = count()
        state = followed(replay, lambda state, move: report(next(done) / (2 * len(replay.moves) + 2), ""))
    if options.json:
        print(json.dumps(summary(replay, game, state), ensure_ascii=False))
        return
    moves, rules = counted(len(replay.moves), "move"), game.describe(game.rules_from_json(replay.rules))
    print(printable(f"verified: {result(replay, game, state)}; {moves}; {rules}"))
    if not options.verify:
        print(view_of(game).screen(state, Look(colour=False, by_keys=by_keys(replay, game))))


def followed(replay: Replay, on_state: OnState) -> AnyState:
    """Play a replay again, state by state; return the last one."""
    last, moves = None, iter(replay.moves)
    for state in replay.states():
        on_state(state, "" if last is None or last.turn == CHANCE else next(moves))
        last = state
    assert last is not None, "every game has a first state"
    return last


def show(replay: Replay, game: AnyGame, speed: float) -> str:
    """Show a replay on the terminal; it is verified when it has been seen to the end."""
    title = title_of(game, tuple(map(printable, replay.players)), "replay")
    viewer = Viewer(view_of(game), title, speed, by_keys=by_keys(replay, game))
    try:
        with on_screen(viewer):
            state = followed(replay, viewer.show)
        return f"verified: {result(replay, game, state)}"
    except Quit:
        return f"left after {viewer.moves} of {counted(len(replay.moves), 'move')}; not verified."


def by_keys(replay: Replay, game: AnyGame) -> bool:
    """Whether the game was played key by key."""
    return bool(set(view_of(game).keys.values()) & set(replay.moves))


def result(replay: Replay, game: AnyGame, state: AnyState) -> str:
    """How it ended; in a game for one, also who played."""
    who = f"{replay.players[0]}, " if game.players == 1 else ""
    return who + result_of(game, replay.players, state, state.outcome or replay.outcome)


def summary(replay: Replay, game: AnyGame, state: AnyState) -> JsonObject:
    """What a verified replay says."""
    data: Mapping[str, Any] = replay.to_json()
    outcome = state.outcome or replay.outcome
    return {
        "verified": True,
        "agent": replay.players[0],
        **data,
        **data["measures"],
        "description": game.describe(game.rules_from_json(replay.rules)),
        "end": outcome.reason.code if outcome else None,
        "position": game.write_state(state),
    }
