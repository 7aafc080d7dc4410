"""Players who know layouts that the enemy uses: what a habit is worth to whoever has seen it."""

from dataclasses import dataclass

from apprenti.core.errors import BadAgent
from apprenti.games.luzhanqi.agents.monte_carlo import MonteCarloPlayer
from apprenti.games.luzhanqi.agents.one_ply import ExpectedValuePlayer
from apprenti.games.luzhanqi.agents.prior import TRUST


def check_informed(known: str) -> None:
    """Refuse who knows nothing."""
    if not known.split():
        raise BadAgent(f"known layouts are 25 letters each, with spaces between, not {known!r}.")


@dataclass(frozen=True)
class InformedPlayer(ExpectedValuePlayer):
    """The expected-value player, who knows layouts that the enemy uses."""

    kind = "luzhanqi-informed"
    prior: float = TRUST

    def __post_init__(self) -> None:
        super().__post_init__()
        check_informed(self.known)


@dataclass(frozen=True)
class InformedMonteCarloPlayer(MonteCarloPlayer):
    """The Monte-Carlo player, who knows layouts that the enemy uses."""

    kind = "luzhanqi-informed-monte-carlo"
    prior: float = TRUST

    def __post_init__(self) -> None:
        super().__post_init__()
        check_informed(self.known)
