"""`apprenti replay FILE`: show a recorded game and verify it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

from apprenti.cli.progress import progress
from apprenti.cli.session import Quit, result_of, title_of
from apprenti.cli.terminal import on_terminal
from apprenti.cli.viewer import Viewer, check_speed, on_screen
from apprenti.core.protocols import CHANCE, Game, State
from apprenti.core.text import printable
from apprenti.store.replay import Replay, read_replay
from apprenti.views.numbers import counted
from apprenti.views.view import Look, view_of


@dataclass(frozen=True, kw_only=True)
class Options:
    """Show a recorded game and verify it: it is played again, and must lead where it says.

    Keys: space pauses, n goes one step on, + and - change the speed, q quits.
    """

    file: tyro.conf.Positional[Annotated[Path, tyro.conf.arg(metavar="FILE")]]
    """A replay, as --record keeps them."""
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
        print(show(replay, game, speed))
        return
    state, moves = verify(replay, options), counted(len(replay.moves), "move")
    if options.json:
        print(json.dumps(summary(replay, game, state), ensure_ascii=False))
        return
    rules = game.describe(game.rules_from_json(replay.rules))
    print(printable(f"verified: {said(replay, game, state)}; {moves}; {rules}"))
    if not options.verify:
        print(view_of(game).screen(state, Look(colour=False, by_keys=by_keys(replay, game))))


def said(replay: Replay, game: Game, state: State) -> str:
    """How it ended, and who played."""
    who = f"{replay.players[0]}, " if game.players == 1 else ""
    return who + result_of(game, replay.players, state, state.outcome or replay.outcome)


def with_moves(replay: Replay) -> Iterator[tuple[State, str]]:
    """The states of a replay, each with the move that led to it; it is empty for what chance brought."""
    before, moves = None, iter(replay.moves)
    for state in replay.states():
        yield state, "" if before is None or before.turn == CHANCE else next(moves)
        before = state


def show(replay: Replay, game: Game, speed: float) -> str:
    """Show a replay on the terminal; it is verified when it has been seen to the end."""
    names, shown = tuple(map(printable, replay.players)), 0
    viewer = Viewer(view_of(game), title_of(game, names, "replay"), speed, by_keys=by_keys(replay, game))
    try:
        with on_screen(viewer):
            for state, move in with_moves(replay):
                shown += bool(move)
                viewer.show(state, move)
        return printable(f"verified: {said(replay, game, state)}")
    except Quit:
        return f"left after {shown} of {counted(len(replay.moves), 'move')}; not verified."


def verify(replay: Replay, options: Options) -> State:
    """Play a replay again; return the state it ends in."""
    with progress(f"verify {options.file}", quiet=options.json) as report:
        for number, state in enumerate(replay.states()):  # noqa: B007  (the last one is wanted)
            report(min(1.0, number / (len(replay.moves) or 1)), counted(number, "state"))
    return state


def by_keys(replay: Replay, game: Game) -> bool:
    """Whether the game was played key by key."""
    return bool(set(view_of(game).keys.values()) & set(replay.moves))


def summary(replay: Replay, game: Game, state: State) -> dict[str, Any]:
    """What a verified replay says."""
    data, outcome = replay.to_json(), state.outcome or replay.outcome
    return {
        "verified": True,
        "agent": replay.players[0],
        **data,
        **data["measures"],
        "description": game.describe(game.rules_from_json(replay.rules)),
        "end": outcome.reason.code if outcome else None,
        "position": game.write_state(state),
    }
