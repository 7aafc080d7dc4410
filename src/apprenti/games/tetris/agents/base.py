"""What all players of Tetris share, and which of several placements that are worth the same is played."""

from collections.abc import Callable, Sequence
from typing import Any

from apprenti.agents.base import AgentBase
from apprenti.core.seeds import Chance, Stream, pick
from apprenti.games.tetris.placement import Placement, entry, legal_placements
from apprenti.games.tetris.state import Observation


class TetrisAgent(AgentBase):
    """An agent that plays Tetris."""

    plays = ("tetris",)


def placements_of(observation: Observation) -> tuple[Placement, ...]:
    """The legal placements of the piece in play."""
    return legal_placements(observation.rules, observation.board, observation.piece)


# Ties -----------------------------------------------------------------------------------------------------------------


Chooses = Callable[[Observation, Sequence[Placement], list[Any], Chance], Placement]
"""One of the legal placements, by what each is worth."""


def first(observation: Observation, legal: Sequence[Placement], values: list[Any], rng: Chance) -> Placement:
    """The lowest rotation, then the leftmost column."""
    return legal[values.index(max(values))]


def drawn(observation: Observation, legal: Sequence[Placement], values: list[Any], rng: Chance) -> Placement:
    """One of the best by chance, rotation by rotation as the kernel does, so that both draw the same."""
    chosen, most, tied = legal[0], min(values), 0
    for rotation in sorted({placement.rotation for placement in legal}):
        here = [(v, p) for v, p in zip(values, legal, strict=True) if p.rotation == rotation]
        best = max(value for value, _ in here)
        if best > most:
            most, tied = best, 0
        if best == most:
            candidates = [placement for value, placement in here if value == best]
            tied += len(candidates)
            if rng.random() * tied < len(candidates):
                chosen = pick(rng, candidates)
    return chosen


def priority(observation: Observation, placement: Placement) -> int:
    """Dellacherie's: 100 for each column away from where the piece appears, 10 if that is left, less the rotation."""
    piece = observation.rules.pieces[placement.piece]
    away = placement.column - entry(observation.rules, piece).turned(piece, placement.rotation).column
    return 100 * abs(away) + 10 * (away < 0) - placement.rotation


def farthest(observation: Observation, legal: Sequence[Placement], values: list[Any], rng: Chance) -> Placement:
    """The best with the greatest priority."""
    best = [placement for placement, value in zip(legal, values, strict=True) if value == max(values)]
    return max(best, key=lambda placement: priority(observation, placement))


TIES: dict[str, Chooses] = {"first": first, "random": drawn, "dellacherie": farthest}
"""The tie rules by name."""


def probabilities(ties: str, observation: Observation, legal: Sequence[Placement], values: list[Any]) -> list[float]:
    """How likely each placement is under a tie rule; `drawn` draws among the best, all alike."""
    best = [value == max(values) for value in values]
    if ties == "random":
        return [one / sum(best) for one in best]
    chosen = TIES[ties](observation, legal, values, Stream(0))
    return [float(placement is chosen) for placement in legal]
