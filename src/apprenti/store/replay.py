"""Replays: rules, seed and moves as text. A replay is played again and verified; it is no film."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from apprenti.core.errors import ApprentiError, BadFile
from apprenti.core.seeds import Stream
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import State, deal, press, start
from apprenti.store.files import read_json, write_json

FORMAT = 1


@dataclass(frozen=True)
class Replay:
    """A game that can be played again."""

    agent: str
    rules: Rules
    seed: int
    """Of the pieces."""
    moves: tuple[str, ...]
    lines: int
    points: int
    pieces: int

    def to_json(self) -> dict[str, Any]:
        """The replay as plain data, with a digest that an altered file does not have."""
        data = {"format": FORMAT, "game": "tetris", **asdict(self)}
        data["rules"], data["moves"] = self.rules.to_json(), " ".join(self.moves)
        return {**data, "digest": digest_of(data)}


def digest_of(data: dict[str, Any]) -> str:
    """A digest of everything but the digest."""
    rest = {key: value for key, value in data.items() if key != "digest"}
    text = json.dumps(rest, sort_keys=True, ensure_ascii=False)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def write_replay(path: Path, replay: Replay) -> None:
    """Write a replay."""
    write_json(path, replay.to_json())


def read_replay(path: Path) -> Replay:
    """Read a replay; an altered one is refused."""
    data = read_json(path, "a replay")
    if data.get("format") != FORMAT or data.get("game") != "tetris":
        raise BadFile(f"{path} is not a replay of Tetris of format {FORMAT}, the one this version reads.")
    if data.get("digest") != digest_of(data):
        raise BadFile(f"{path} has been altered since it was recorded: its digest does not fit.")
    try:
        return Replay(
            str(data["agent"]),
            Rules.from_json(data["rules"]),
            int(data["seed"]),
            tuple(str(data["moves"]).split()),
            *(int(data[field]) for field in ("lines", "points", "pieces")),
        )
    except (KeyError, TypeError, ValueError, OverflowError, ApprentiError) as error:
        raise BadFile(f"{path} is not a replay this version can play ({error}).") from None


def states_of(replay: Replay) -> Iterator[State]:
    """Play it again, state by state; raise if it does not lead where it says."""
    chance, state = Stream(replay.seed), start(replay.rules)
    for number, move in enumerate(replay.moves, 1):
        if state.waiting:
            state = deal(state, chance)
            yield state
        if state.outcome:
            raise BadFile(f"the replay goes on after the end of the game, at move {number}.")
        try:
            state = press(state, move)
        except ApprentiError as error:
            raise BadFile(f"the replay is not a game under its rules: move {number}, {error}") from None
        yield state
    if state.waiting:  # a game may end because the next piece finds no room
        state = deal(state, chance)
        yield state
    tally = state.tally
    if (tally.lines, tally.points, tally.pieces) != (replay.lines, replay.points, replay.pieces):
        raise BadFile(
            f"the replay says {replay.lines} lines and {replay.points} points with {replay.pieces} pieces, "
            f"but played again it gives {tally.lines}, {tally.points} and {tally.pieces}."
        )
