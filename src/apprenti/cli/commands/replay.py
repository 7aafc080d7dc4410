"""`apprenti replay FILE`: show a recorded game and verify it."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

from apprenti.cli.progress import progress
from apprenti.cli.session import Quit, counted, result_of
from apprenti.cli.terminal import on_terminal
from apprenti.cli.viewer import check_speed, viewer
from apprenti.core.text import printable
from apprenti.games.catalogue import GAMES_FOR_TWO
from apprenti.games.tetris.state import State, start
from apprenti.store.duel_replay import game_of
from apprenti.store.replay import Replay, read_replay, states_of
from apprenti.views.tetris.text import screen


@dataclass(frozen=True, kw_only=True)
class Options:
    """Show a recorded game and verify it: it is played again, and must lead where it says.

    Keys: space pauses, n goes one step on, + and - change the speed, q quits.
    """

    file: tyro.conf.Positional[Annotated[Path, tyro.conf.arg(metavar="FILE")]]
    """A replay, as --record keeps them."""
    speed: float = 5.0
    """Pieces per second; 0 for as fast as possible."""
    verify: bool = False
    """Only verify it, and print one line."""
    json: bool = False
    """Only verify it, and print one JSON object and nothing else."""


def run(options: Options) -> None:
    """Show or verify a replay."""
    speed = check_speed(options.speed)
    if game_of(options.file) in GAMES_FOR_TWO:
        from apprenti.cli.duels.show import replay as replay_for_two

        replay_for_two(options.file, speed, options.verify, options.json)
        return
    replay = read_replay(options.file)
    if on_terminal() and not (options.verify or options.json):
        print(printable(show(replay, speed)))
        return
    state = verify(replay, options)
    if options.json:
        print(json.dumps(summary(replay, state), ensure_ascii=False))
        return
    print(printable(f"verified: {replay.agent}, {result_of(state)}; {replay.rules.description}"))
    if not options.verify:
        print(screen(state, colour=False))


def show(replay: Replay, speed: float) -> str:
    """Show a replay on the terminal; it is verified when it has been seen to the end."""
    state, ghost = start(replay.rules), any(not move.startswith("P") for move in replay.moves)
    try:
        with viewer((printable(replay.agent), "replay"), speed, ghost) as show_state:
            for state in states_of(replay):
                show_state(state)
        return f"verified: {replay.agent}, {result_of(state)}"
    except Quit:
        return f"left after {counted(state.tally.pieces, 'piece')} of {replay.pieces}; not verified."


def verify(replay: Replay, options: Options) -> State:
    """Play a replay again; return the state it ends in."""
    state = start(replay.rules)
    with progress(f"verify {options.file}", quiet=options.json) as report:
        for state in states_of(replay):
            report(state.tally.pieces / max(1, replay.pieces), counted(state.tally.pieces, "piece"))
    return state


def summary(replay: Replay, state: State) -> dict[str, Any]:
    """What a verified replay says."""
    return {
        "verified": True,
        "agent": replay.agent,
        "rules": replay.rules.to_json(),
        "moves": len(replay.moves),
        "lines": replay.lines,
        "points": replay.points,
        "pieces": replay.pieces,
        "clears": list(state.tally.clears),
        "end": state.outcome.reason if state.outcome else None,
        "board": state.board.notation,
    }
