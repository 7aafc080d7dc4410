"""What Luzhanqi adds to the command line: a person's army, and Chinese names."""

from dataclasses import dataclass
from typing import Any, ClassVar

from apprenti.cli.extras import Extras
from apprenti.cli.luzhanqi.setup import Army
from apprenti.cli.options import Text
from apprenti.core.protocols import Arranges, Game
from apprenti.games.luzhanqi.rules import Rules
from apprenti.views.luzhanqi.view import LuzhanqiView
from apprenti.views.view import View


@dataclass(frozen=True, kw_only=True)
class PlayOptions:
    """More options of `play luzhanqi`."""

    layout: Text = ""
    """Your army as 25 letters, front row first; book (default), random, or hand to set it up yourself."""
    chinese: bool = False
    """The pieces by their Chinese names."""


class LuzhanqiExtras(Extras):
    """What Luzhanqi adds."""

    Options: ClassVar[type[Any]] = PlayOptions

    def view(self, game: Game, options: PlayOptions) -> View:
        """The board, with Chinese names if that was asked for."""
        return LuzhanqiView(options.chinese)

    def setup(self, rules: Rules, options: PlayOptions) -> Arranges:
        """The person's army."""
        return Army(options.layout, rules, options.chinese)


EXTRAS = LuzhanqiExtras()
