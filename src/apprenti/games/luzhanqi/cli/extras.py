"""What Luzhanqi adds to the command line: a person's army, and Chinese names."""

from dataclasses import dataclass

from apprenti.cli.options import Text
from apprenti.cli.request import Extras
from apprenti.games.luzhanqi.cli.setup import Army
from apprenti.games.luzhanqi.views.view import LuzhanqiView


@dataclass(frozen=True, kw_only=True)
class Options:
    """More options of `play luzhanqi`."""

    layout: Text = ""
    """Your army as 25 letters, front row first; book, random, or hand to set it up yourself. Default: hand at a
    terminal, which begins with one of the book; book elsewhere."""
    chinese: bool = False
    """The pieces by their Chinese names."""


EXTRAS = Extras(
    Options=Options,
    view=lambda options: LuzhanqiView(options.chinese),
    setup=lambda rules, options: Army(options.layout, rules, options.chinese),
)
