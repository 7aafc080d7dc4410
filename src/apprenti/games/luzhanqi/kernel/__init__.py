"""The compiled game: one flat array a game, sets of points as bits, all of it without objects."""
