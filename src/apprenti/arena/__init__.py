"""Who meets whom: one game, many games, and what they say."""
