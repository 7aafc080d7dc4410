"""The games of a long match in a file, so that none is played twice after an interruption."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from apprenti.core.data import JsonObject
from apprenti.core.errors import BadFile
from apprenti.core.protocols import Game, GameRecord
from apprenti.store.files import read_json, write_json
from apprenti.store.replay import outcome_from_json, outcome_to_json

EVERY = 5.0
"""Seconds after which what has been played is stored again."""
_SAME = ("index", "first", "length", "slowest", "opening", "seed", "why")
"""What is stored of a game as it is; its moves can be played again."""


@dataclass
class GamesFile:
    """Where the games of a match are stored."""

    path: Path
    last: float = 0.0
    """When it was written."""

    def read(self, game: Game) -> tuple[list[GameRecord], float]:
        """The games so far, and the seconds that they took."""
        if not self.path.exists():
            return [], 0.0
        data = read_json(self.path, "the games of a match")
        try:
            return [_record(game, one) for one in data["games"]], float(data["seconds"])
        except (KeyError, TypeError, ValueError, AttributeError):
            raise BadFile(f"{self.path} does not hold the games of a match: remove it to play them anew.") from None

    def write(self, records: Sequence[GameRecord], seconds: float, now: bool = False) -> None:
        """Store the games so far, unless that was done a moment ago."""
        if now or perf_counter() - self.last > EVERY:
            write_json(self.path, {"games": [_plain(one) for one in records], "seconds": seconds}, None)
            self.last = perf_counter()


def _plain(record: GameRecord) -> JsonObject:
    same = {name: getattr(record, name) for name in _SAME}
    measures = {name: list(n) if isinstance(n, tuple) else n for name, n in record.measures.items()}
    return {**same, "outcome": outcome_to_json(record.outcome), "measures": measures, "seconds": list(record.seconds)}


def _record(game: Game, data: dict[str, Any]) -> GameRecord:
    outcome = outcome_from_json(game, data["outcome"])
    if outcome is None:
        raise ValueError("a game without an end")
    measures = {name: tuple(n) if isinstance(n, list) else n for name, n in data["measures"].items()}
    return GameRecord(outcome, measures, seconds=tuple(data["seconds"]), **{name: data[name] for name in _SAME})
