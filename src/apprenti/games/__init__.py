"""The rules of the games. A game knows no other game, no agent and no file."""
