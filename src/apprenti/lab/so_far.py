"""What a measurement knows while it goes on, in a file that is always whole: somebody else can watch it narrow."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from apprenti.core.data import JsonObject
from apprenti.lab.evaluate import Evaluation
from apprenti.lab.match import Match
from apprenti.lab.rare_events import RareEvaluation
from apprenti.lab.results import OnGame
from apprenti.store.files import write_json

EVERY, SHARE = 0.5, 20.0
"""Seconds between two writings, at least; and this many times what one takes, so that measuring goes on."""
SCORES = 5000
"""Scores of single games that are told of each agent, at most."""


LOOK = 0.2
"""Seconds between two looks at a match, which may have thousands of games a second."""
OnPart = Callable[[float, Evaluation | Match], None]
"""Is told what part is done, and what is known."""
OnRow = Callable[[dict[str, float]], None]
"""Is told a row of a curve."""
ROWS = 2000
"""Rows of a curve that are written, about: every second one is left out when there are more."""


@dataclass
class CurveSoFar:
    """The same for a curve, row by row."""

    path: Path | None = None
    rows: list[dict[str, float]] = field(default_factory=list)
    _last: dict[str, float] = field(default_factory=dict)
    _every: int = 1
    _count: int = 0
    _next: float = 0.0

    def add(self, row: dict[str, float]) -> None:
        """One more row."""
        if self.path is None:
            return
        self._last = row
        if self._count % self._every == 0:
            self.rows.append(row)
        self._count += 1
        if len(self.rows) > ROWS:
            self.rows, self._every = self.rows[::2], 2 * self._every
        if perf_counter() >= self._next:
            self.write()

    def write(self) -> None:
        """All rows so far, with the last one."""
        if self.path is not None and self._last:
            rows = self.rows if self.rows[-1] is self._last else [*self.rows, self._last]
            write_json(self.path, {"curve": rows}, indent=None)
            self._next = perf_counter() + EVERY


@dataclass
class SoFar:
    """The file, and what is in it; without a path nothing is written."""

    path: Path | None = None
    _known: dict[str, JsonObject] = field(default_factory=dict)
    _next: float = 0.0

    def watcher(self, games: int, report: OnPart = lambda part, result: None) -> OnGame:
        """Tell, and report, what part is done of results that have this number of games altogether."""
        last, played = 0.0, 0

        def watch(result: Match | Evaluation) -> None:
            nonlocal last, played
            played += 1
            if perf_counter() - last < LOOK:
                return
            last, part = perf_counter(), played / games
            if isinstance(result, Evaluation) and result.effort.precision:
                width = result.summary().half_width
                part = min(1.0, (result.effort.precision / width) ** 2) if width else 0.0
            report(part, result)
            self.tell(part, result)

        return watch

    def tell(self, part: float, result: Evaluation | Match | RareEvaluation, last: bool = False) -> None:
        """Write down what is known of one result, and what part of it is done; `last` if it is finished."""
        began = perf_counter()
        if self.path is None or (began < self._next and not last) or not result.games:
            return
        names = " – ".join(result.names) if isinstance(result, Match) else result.name
        scores: JsonObject = {"scores": result.scores()[:SCORES]} if isinstance(result, Evaluation) else {}
        self._known[names] = {**result.to_json(), **scores}
        write_json(self.path, {"part": part, "results": list(self._known.values())}, indent=None)
        self._next = perf_counter() + max(EVERY, SHARE * (perf_counter() - began))
