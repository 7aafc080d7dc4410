"""What Tetris adds to the command line."""

from dataclasses import replace

from apprenti.cli.request import Extras
from apprenti.games.tetris.rules import Rules

UNWATCHED = 200
"""Pieces after which a game without a spectator stops: good agents play for days."""
ABOUT = """
    A line is any of L (left), R (right), D (drop), N (nothing), H (clockwise), T (anticlockwise) and
    P:column:rotation, with spaces between. Without --rules those of the Tetris Bot are played, with the classic
    pieces, as its human player has them.
    """

EXTRAS = Extras(
    about=ABOUT,
    usual_rules=Rules.preset("tetrisbot", pieces="classic"),
    unwatched=lambda rules: rules if rules.max_pieces else replace(rules, max_pieces=UNWATCHED),
)
