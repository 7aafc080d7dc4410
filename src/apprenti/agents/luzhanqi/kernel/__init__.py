"""The compiled part of the players: what a move is worth, and games played on from sampled worlds."""
