"""Keep games as replays."""

import re
from dataclasses import replace
from pathlib import Path

from apprenti.arena.game import Played, play_game, seeds_of_game
from apprenti.arena.many import compiled_player
from apprenti.core.errors import BadOption
from apprenti.games.tetris.rules import Rules
from apprenti.lab.agents import Known
from apprenti.lab.evaluate import Evaluation
from apprenti.store.replay import Replay, write_replay

LONGEST = 1_000_000
"""Moves in a replay, at most."""


def moves_of(known: Known, rules: Rules, seeds: tuple[int, int], pieces: int) -> tuple[str, ...]:
    """The moves of a game, played once more."""
    player = compiled_player(known.agent, rules)
    if player is None or not getattr(player, "keeps_moves", True):
        return play_game(known.agent, rules, seeds).moves
    from apprenti.games.tetris.fast.players import play

    result = play(replace(rules, max_pieces=pieces), player, [seeds], keep_moves=pieces)[0]
    return tuple(f"P:{column}:{rotation}" for _, rotation, column in result.moves)


def replay_of(known: Known, rules: Rules, root: int, played: Played) -> Replay:
    """A game of an evaluation as a replay."""
    if played.tally.pieces > LONGEST:
        raise BadOption(
            f"game {played.index} has {played.tally.pieces} pieces and a replay keeps {LONGEST}: add --max-pieces."
        )
    seeds = seeds_of_game(root, played.index)
    kept = len(played.moves) >= played.tally.pieces
    moves = played.moves if kept else moves_of(known, rules, seeds, played.tally.pieces)
    tally = played.tally
    return Replay(known.name, rules, seeds[0], moves, tally.lines, tally.points, tally.pieces)


def record(known: Known, evaluation: Evaluation, folder: Path) -> list[Path]:
    """Write every game of an evaluation; return the files."""
    paths, stem = [], re.sub(r"[^\w.-]", "-", known.name)
    for played in evaluation.games:
        replay = replay_of(known, evaluation.rules, evaluation.effort.seed, played)
        path = folder / f"{stem}-{evaluation.effort.seed}-{played.index:04}.json"
        write_replay(path, replay)
        paths.append(path)
    return paths
