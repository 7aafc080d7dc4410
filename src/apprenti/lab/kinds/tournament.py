"""Everybody against everybody, at a game for two."""

from dataclasses import dataclass
from itertools import combinations

from apprenti.core.errors import BadOption
from apprenti.lab.kinds.match import Match, MatchesFile, Pair


@dataclass(frozen=True, kw_only=True)
class File(MatchesFile):
    """Who takes part; the first named has Elo 0."""

    agents: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.agents) < 2 or len(set(self.agents)) < len(self.agents):
            raise BadOption("agents are at least two, and none is named twice.")

    @property
    def row(self) -> tuple[Pair, ...]:
        """Every pair, in the order of `apprenti tournament`."""
        return tuple(Pair(agent=agent, against=against) for agent, against in combinations(self.agents, 2))


class Tournament(Match):
    """A match for every pair."""

    File = File  # type: ignore[assignment]
    anchor = "agent"
