"""m,n,k-games: tic-tac-toe and its family."""

from apprenti.games.mnk.rules import Rules
from apprenti.games.mnk.state import State, canonical, symmetries

__all__ = ["Rules", "State", "canonical", "symmetries"]
