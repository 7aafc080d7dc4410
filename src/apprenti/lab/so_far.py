"""What a measurement knows while it goes on, in a file that is always whole: somebody else can watch it narrow."""

from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from apprenti.core.data import JsonObject
from apprenti.lab.evaluate import Evaluation
from apprenti.lab.match import Match
from apprenti.lab.rare_events import RareEvaluation
from apprenti.store.files import write_json

EVERY, SHARE = 0.5, 20.0
"""Seconds between two writings, at least; and so many times what one takes, so that measuring goes on."""
SCORES = 5000
"""Scores of single games that are told of each agent, at most."""


@dataclass
class SoFar:
    """The file, and what is in it; without a path nothing is written."""

    path: Path | None = None
    _known: dict[str, JsonObject] = field(default_factory=dict)
    _next: float = 0.0

    def tell(self, part: float, found: Evaluation | Match | RareEvaluation, last: bool = False) -> None:
        """Write down what is known of one result, and what part of it is done; `last` if it is finished."""
        began = perf_counter()
        if self.path is None or (began < self._next and not last) or not found.games:
            return
        names = " – ".join(found.names) if isinstance(found, Match) else found.name
        scores: JsonObject = {"scores": found.scores()[:SCORES]} if isinstance(found, Evaluation) else {}
        self._known[names] = {**found.to_json(), **scores}
        write_json(self.path, {"part": part, "results": list(self._known.values())}, indent=None)
        self._next = perf_counter() + max(EVERY, SHARE * (perf_counter() - began))
