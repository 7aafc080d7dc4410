"""Everybody against everybody, at a game for two."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from apprenti.core.errors import BadOption
from apprenti.lab.kinds.match import Matches, MatchesFile, Pair


@dataclass(frozen=True, kw_only=True)
class File(MatchesFile):
    """Who takes part; the first named has Elo 0."""

    agents: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.agents) < 2 or len(set(self.agents)) < len(self.agents):
            raise BadOption("agents are at least two, and none is named twice.")


class Tournament(Matches[File]):
    """A match for every pair."""

    File = File

    def pairs(self) -> Sequence[Pair]:
        """The later named against the earlier."""
        pairs = combinations(self.settings.first(self.plan.agents, 3), 2)
        return [Pair(agent=agent, against=against) for against, agent in pairs]
