"""Luzhanqi for Gymnasium: one player, and any agent on the other side."""

from typing import Any

from apprenti.core.protocols import Arranges
from apprenti.core.seeds import Stream
from apprenti.envs.one_side import OneSide
from apprenti.games.luzhanqi.envs.game import Game
from apprenti.games.luzhanqi.envs.options import Options, read_options
from apprenti.games.luzhanqi.game import GAME


class LuzhanqiEnv(OneSide):
    """A player against an agent. Keywords: those of `Options`, and those of every such environment (`OneSide`).

    `side`: `south` moves first, `north` second, `both` in turn. The observation is the planes.
    """

    options: Options

    def __init__(
        self,
        opponent: Any = None,
        side: str = "both",
        illegal: str = "terminate",
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        super().__init__(read_options(options), GAME.sides, opponent, side, illegal, render_mode)

    def new_game(self, chance: Stream) -> Game:
        own = "" if self.options.setup == "placements" else self.options.layout(chance)
        enemy, rules = self.opponent, self.options.game
        theirs = self.opponents_chance
        other = enemy.arrange(rules, theirs) if isinstance(enemy, Arranges) else self.options.layout(theirs)
        return Game(self.options, (own, other) if self.player == 0 else (other, own))

    def drawn(self, colour: bool) -> str:
        from apprenti.games.luzhanqi.views import VIEW
        from apprenti.views.view import Look

        assert self.game is not None
        return VIEW.screen(self.game.state, Look(self.player, colour=colour))
