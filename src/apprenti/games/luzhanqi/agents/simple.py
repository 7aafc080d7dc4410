"""The two simplest players."""

from collections.abc import Sequence
from dataclasses import dataclass

from apprenti.core.seeds import Chance, pick
from apprenti.games.luzhanqi.agents.base import Player
from apprenti.games.luzhanqi.board import SLOTS, parse_move
from apprenti.games.luzhanqi.moves import NOBODY, WON, fight
from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.pieces import BOMB, ENGINEER, FLAG, MINE, TYPES


@dataclass(frozen=True)
class RandomPlayer(Player):
    """Any legal move, each as likely."""

    kind = "luzhanqi-random"
    layouts: str = "uniform"

    def move(self, seen: Observation, legal: Sequence[str], rng: Chance) -> str:
        return pick(rng, legal)


def can_win(seen: Observation, move: str) -> bool:
    """Whether a move is an attack that can win, by what is known of the piece it meets, and meets no mine.

    A bomb may meet any piece, an engineer also a mine, and where the flag may be any piece takes the risk.
    """
    origin, target = parse_move(move)
    board = seen.record.board if seen.record else ()
    if not board or board[target] == NOBODY:
        return False
    kind, types = seen.own_types[board[origin] % SLOTS], seen.deduced[board[target] % SLOTS]
    if kind == BOMB or types >> FLAG & 1:
        return True
    wins = any(types >> other & 1 and fight(kind, other, seen.rules) == WON for other in range(TYPES))
    return wins and (kind == ENGINEER or not types >> MINE & 1)


@dataclass(frozen=True)
class AttackingPlayer(Player):
    """Any attack that can win, each as likely; where there is none, any move.

    A player who attacks any piece plays worse than at random: it loses its army to mines and to those who won before.
    """

    kind = "luzhanqi-attacks"
    layouts: str = "uniform"

    def move(self, seen: Observation, legal: Sequence[str], rng: Chance) -> str:
        return pick(rng, [move for move in legal if can_win(seen, move)] or legal)
