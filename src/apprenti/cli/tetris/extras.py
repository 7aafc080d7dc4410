"""What Tetris adds to the command line."""

from dataclasses import replace
from typing import ClassVar

from apprenti.cli.extras import Extras
from apprenti.games.tetris.rules import Rules

UNWATCHED = 200
"""Pieces after which a game stops that nobody watches: good agents play for days."""


class TetrisExtras(Extras):
    """What Tetris adds."""

    about: ClassVar[str] = """
    A line is any of L (left), R (right), D (drop), N (nothing), H (clockwise), T (anticlockwise) and
    P:column:rotation, with spaces between. Without --rules those of the Tetris Bot are played.
    """

    def usual_rules(self) -> Rules:
        """Those of the Tetris Bot: the piece falls while it is steered."""
        return Rules.preset("tetrisbot")

    def unwatched_rules(self, rules: Rules) -> Rules:
        """An end after 200 pieces, unless there is one already."""
        return rules if rules.max_pieces else replace(rules, max_pieces=UNWATCHED)


EXTRAS = TetrisExtras()
