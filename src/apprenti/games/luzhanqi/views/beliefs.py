"""What a player of Luzhanqi believes and wants, as text: the enemy's likely types, and its favourite moves."""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from apprenti.core.protocols import AnyAgent
from apprenti.games.luzhanqi.board import NAMES, SLOTS
from apprenti.games.luzhanqi.fast.beliefs import Beliefs
from apprenti.games.luzhanqi.moves import NO_PIECE
from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.pieces import BOMB, FLAG, LETTERS, MINE
from apprenti.games.luzhanqi.state import State
from apprenti.views.view import worth

Shares = NDArray[np.float64]
LIKELY = 4
"""Types shown of each piece."""
FAVOURITES = 5
HARDLY_EVER = 0.005
"""What is less likely would be shown as 0%."""
SIDES = ("south", "north")
"""Both players are on the screen: what one believes has to say whose belief it is."""


@runtime_checkable
class HasOdds(Protocol):
    """An agent with beliefs of its own about the enemy's pieces."""

    def odds(self, seen: Observation) -> Shares:
        """For each slot of the enemy how likely each type is."""


@runtime_checkable
class HasPolicy(Protocol):
    """An agent that draws its moves."""

    def policy(self, observation: Observation, legal: Sequence[str]) -> Shares | tuple[Shares, float]:
        """The probability of each legal move; perhaps with what it expects of the game."""


def _listed(title: str, shares: Shares, seen: Observation) -> str:
    """For each enemy piece on the board the types it most likely is, two pieces a line."""
    cells = []
    for point, piece in enumerate(seen.record.board if seen.record else ()):
        if piece != NO_PIECE and piece // SLOTS != seen.player:
            odds = shares[piece % SLOTS]
            best = [kind for kind in np.argsort(-odds, kind="stable")[:LIKELY] if odds[kind] >= HARDLY_EVER]
            cells.append(f"{NAMES[point]} " + " ".join(f"{LETTERS[kind]} {odds[kind]:3.0%}" for kind in best))
    rows = [
        "   ".join(f"{cell:<29}" for cell in cells[start : start + 2]).rstrip() for start in range(0, len(cells), 2)
    ]
    return "\n".join([title, *rows])


def beliefs(agent: AnyAgent, seen: Observation) -> str:
    """What the enemy's pieces are likely to be: by counting, and as the agent itself believes where that differs."""
    if seen.record is None:
        return ""
    counted, who, enemy = Beliefs.of(seen).marginals(), SIDES[seen.player], SIDES[1 - seen.player]
    parts = [_listed(f"what {enemy}'s pieces are likely to be, by counting all layouts that fit", counted, seen)]
    if isinstance(agent, HasOdds) and not np.allclose(own := agent.odds(seen), counted):
        parts.append(_listed(f"what they are likely to be to {who}, which has beliefs of its own", own, seen))
    return "\n".join(parts)


def likely_places(agent: AnyAgent, seen: Observation) -> str:
    """Where flag, mines and bombs most likely are, and who says so: for a terminal without room for every piece."""
    if seen.record is None:
        return ""
    who = SIDES[seen.player]
    whose = f"{who} thinks" if isinstance(agent, HasOdds) else f"{who}, by counting"
    shares = agent.odds(seen) if isinstance(agent, HasOdds) else Beliefs.of(seen).marginals()
    parts = []
    for word, kind in (("flag", FLAG), ("mine", MINE), ("bomb", BOMB)):
        odds = [
            (float(shares[piece % SLOTS][kind]), NAMES[point])
            for point, piece in enumerate(seen.record.board)
            if piece != NO_PIECE and piece // SLOTS != seen.player
        ]
        best = sorted((one for one in odds if one[0] >= HARDLY_EVER), reverse=True)[:2]
        parts.append(" ".join([word, *(f"{name} {share:.0%}" for share, name in best)]))
    return f"{whose}: " + "; ".join(parts)


def favourites(agent: AnyAgent, seen: Observation) -> str:
    """The moves an agent with a policy likes best, with their probabilities, and what it expects of the game.

    It fits on a line of 80 columns: a move that it would hardly ever make is no favourite.
    """
    legal = seen.legal_moves()
    if not legal or seen.record is None or not isinstance(agent, HasPolicy):
        return ""
    answer = agent.policy(seen, legal)
    chances, value = answer if isinstance(answer, tuple) else (answer, None)
    best = [int(place) for place in np.argsort(-chances, kind="stable")[:FAVOURITES] if chances[place] >= HARDLY_EVER]
    words = "  ".join(f"{legal[place]} {chances[place]:.0%}" for place in best)
    return f"favourite moves  {words}" + ("" if value is None else f"  value {worth(value)}")


def explained(agent: AnyAgent, player: int, state: State, small: bool = False) -> str:
    """What an agent believes in a position and, when it is its turn, which moves it likes best."""
    if state.record is None or state.outcome:
        return ""
    seen = state.observation(player)
    believed = likely_places(agent, seen) if small else beliefs(agent, seen)
    return "\n".join(part for part in (believed, favourites(agent, seen)) if part)
