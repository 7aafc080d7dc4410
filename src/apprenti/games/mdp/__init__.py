"""Small worlds: grids and other Markov decision processes with few places, for lessons and exact answers."""

from apprenti.games.mdp.game import GRIDWORLD, MDP

__all__ = ["GRIDWORLD", "MDP"]
