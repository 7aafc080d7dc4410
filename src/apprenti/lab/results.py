"""What evaluations and matches share: a series of games, and what has to be written down beside it."""

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol, TypeVar

from apprenti.arena.executors import cluster, cores
from apprenti.arena.many import play_many, replayed
from apprenti.core.data import JsonData, JsonObject, check_types
from apprenti.core.errors import BadFile, BadOption
from apprenti.core.game import AnyGame
from apprenti.core.protocols import AnyRules, CommonReason, GameRecord
from apprenti.lab.agents import NamedAgent
from apprenti.store.files import read_json, write_json
from apprenti.store.replay import Replay, outcome_from_json, outcome_to_json, write_replay

MOST_GAMES = 10**9
"""More than anybody can play, or remember."""


@dataclass(frozen=True)
class Effort:
    """How many games, from which seed, on how many cores, and when it is enough."""

    games: int = 100
    seed: int = 1
    workers: int = 0
    """Cores to use; 0 for all."""
    precision: float = 0.0
    """Go on until the interval's half-width is this part of the mean; 0 to play just `games`."""
    seconds: float = 0.0
    """Stop after this time; the games under way count as cut short. 0 for no limit."""

    def __post_init__(self) -> None:
        check_types(Effort, vars(self))
        if not 1 <= self.games <= MOST_GAMES:
            raise BadOption(f"--games is from 1 to {MOST_GAMES}, not {self.games}.")
        if not 0 <= self.precision < 1:
            raise BadOption(f"--precision is a part of the mean, like 0.05, not {self.precision:g}.")
        if not 0 <= self.workers <= 256:
            raise BadOption(f"--workers is a number of cores from 1 to 256, or 0 for all, not {self.workers}.")

    @property
    def cores(self) -> int:
        """Cores that will be used: of this machine, or of the cluster that was chosen."""
        place = cluster()
        return place.workers if place else self.workers or cores()


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

    def read(self, game: AnyGame) -> tuple[list[GameRecord], float]:
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


def _record(game: AnyGame, data: JsonData) -> GameRecord:
    outcome = outcome_from_json(game, data["outcome"])
    if outcome is None:
        raise ValueError("a game without an end")
    measures = {name: tuple(n) if isinstance(n, list) else n for name, n in data["measures"].items()}
    return GameRecord(outcome, measures, seconds=tuple(data["seconds"]), **{name: data[name] for name in _SAME})


LONGEST = 1_000_000
"""Moves in a replay, at most."""


@dataclass
class Result:
    """The games of one or several agents so far."""

    game: AnyGame
    rules: AnyRules
    agents: tuple[NamedAgent, ...]
    effort: Effort
    records: list[GameRecord] = field(default_factory=list)
    seconds: float = 0.0
    interrupted: bool = False
    engine: str = "readable"
    tells_games: bool = False
    """Whether plain data has a line for every game."""

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.records)

    @property
    def names(self) -> tuple[str, ...]:
        """The agents' names."""
        return tuple(agent.name for agent in self.agents)

    @property
    def reasons(self) -> dict[str, int]:
        """How the games ended, by code, the most frequent first."""
        return dict(Counter(record.outcome.reason.code for record in self.records).most_common())

    @property
    def forfeits(self) -> dict[str, list[str]]:
        """Who lost games that were not played to their end, and why, game by game."""
        lost: dict[str, list[str]] = {}
        for record in self.records:
            if record.outcome.reason is CommonReason.FORFEIT:
                side = 0 if record.outcome.winner is None else 1 - record.outcome.winner
                name = self.names[(record.first + side) % len(self.names)]
                lost.setdefault(name, []).append(record.why)
        return lost

    def about(self) -> JsonObject:
        """What belongs beside every result."""
        return {
            "game": self.game.name,
            "rules": self.game.rules_to_json(self.rules),
            "description": self.game.describe(self.rules),
            "games": self.games,
            "reasons": self.reasons,
            "seconds": self.seconds,
            "seed": self.effort.seed,
            "workers": self.effort.cores,
            "engine": self.engine,
            "interrupted": self.interrupted,
            "forfeits": [{"agent": name, "games": len(why), "why": why[0]} for name, why in self.forfeits.items()],
            **({"every_game": self.every_game()} if self.tells_games else {}),
        }

    def every_game(self) -> list[JsonObject]:
        """A line for every game: who played, what was counted, how it ended, how long it took."""
        return [self._line(record) for record in self.records]

    def _line(self, record: GameRecord) -> JsonObject:
        """One game; where two play, the points are the first named agent's."""
        two = len(self.names) > 1
        against = {"against": self.names[1]} if two else {}
        who: JsonObject = {"agent": self.names[0], **against, "number": record.index}
        score: JsonObject = {"began": record.first == 0, "points": record.points} if two else {}
        counted = {name: value for name, value in record.measures.items() if not isinstance(value, tuple)}
        end: JsonObject = {"moves": record.length, "end": record.outcome.reason.code, "cut": record.outcome.truncated}
        return {**who, **score, **counted, **end, "seconds": round(sum(record.seconds), 6)}

    def play(
        self,
        limit: int,
        on_game: "OnGame | None" = None,
        enough: Callable[[], bool] = lambda: False,
        stored: GamesFile | None = None,
    ) -> None:
        """Play up to a number of games, until there are enough; Ctrl-C keeps what has been played.

        What is stored is not played again. Games of a kernel take no time worth storing, and may be cut.
        """
        for agent in self.agents:
            agent.check(self.game, self.rules)
        players = [agent.agent for agent in self.agents]
        fast = self.game.fast(self.rules, players)
        if fast is not None:
            self.engine = "compiled"
            fast.warm_up()
            stored = None
        before = 0.0
        if stored:
            self.records, before = stored.read(self.game)
        began, first = perf_counter() - before, len(self.records)
        deadline = perf_counter() + self.effort.seconds if self.effort.seconds else None
        workers, seed = min(self.effort.cores, limit), self.effort.seed
        try:
            for record in play_many(self.game, self.rules, players, limit, seed, workers, 0, deadline, first):
                self.records.append(record)
                self.seconds = perf_counter() - began
                if stored:
                    stored.write(self.records, self.seconds)
                if on_game:
                    on_game(self)
                if enough():
                    break
        except KeyboardInterrupt:
            self.interrupted = True
        self.seconds = perf_counter() - began
        if stored:
            stored.write(self.records, self.seconds, now=True)

    def replay(self, record: GameRecord) -> Replay:
        """A game as a replay."""
        if record.length > LONGEST:
            option = self.game.length_option.replace("_", "-")
            limit = f"add --{option}" if option else "play shorter games"
            raise BadOption(f"game {record.index} has {record.length} moves and a replay keeps {LONGEST}: {limit}.")
        order = [self.names[(record.first + side) % len(self.names)] for side in range(len(self.names))]
        if len(record.moves) < record.length:
            players = [agent.agent for agent in self.agents]
            record = replayed(self.game, self.rules, players, self.effort.seed, record)
        return Replay.of(self.game, self.rules, tuple(order), record)

    def write_replays(self, folder: Path) -> list[Path]:
        """Write every game as a replay; return the files."""
        stem = re.sub(r"[^\w.-]", "-", "-".join([*self.names, str(self.effort.seed)]))
        paths = [folder / f"{stem}-{record.index:04}.json" for record in self.records]
        for path, record in zip(paths, self.records, strict=True):
            write_replay(path, self.replay(record))
        return paths


ResultT = TypeVar("ResultT", bound="MeasuredAlone")


class MeasuredAlone(Protocol):
    """What is known of an agent that plays alone, by playing or by splitting."""

    game: AnyGame
    rules: AnyRules
    interrupted: bool

    @property
    def games(self) -> int:
        """How many games, or repetitions, it is known from."""

    def to_json(self) -> JsonObject:
        """Everything that belongs beside a score."""


def each_until_interrupted(agents: Sequence[NamedAgent], measure: Callable[[NamedAgent], ResultT]) -> list[ResultT]:
    """Measure one agent after the other; Ctrl-C leaves what is known by then, if anything is."""
    results: list[ResultT] = []
    for agent in agents:
        results.append(measure(agent))
        if results[-1].interrupted:
            break
    results = [result for result in results if result.games]
    if not results:
        raise KeyboardInterrupt
    return results


def compared(results: Sequence[MeasuredAlone]) -> JsonObject:
    """Results of agents under the same rules as plain data."""
    game, rules = results[0].game, results[0].rules
    about: JsonObject = {"rules": game.rules_to_json(rules), "description": game.describe(rules)}
    ended = any(result.interrupted for result in results)
    return {**about, "agents": [result.to_json() for result in results], "interrupted": ended}


def csv_of(results: Sequence[Result]) -> str:
    """Every game of some results of one kind as lines of comma-separated values, headings first."""
    return csv_lines([line for result in results for line in result.every_game()])


def csv_lines(lines: Sequence[JsonObject]) -> str:
    """Lines as comma-separated values, headings first; a line is empty where it has no such name."""
    text, names = io.StringIO(), dict.fromkeys(name for line in lines for name in line)
    writer = csv.DictWriter(text, list(names), lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return text.getvalue()


OnGame = Callable[[Any], None]
"""Told of a result after every game."""
