"""Luzhanqi for PettingZoo, both players in turn (`AECEnv`), and for Gymnasium, one player against any agent."""

from typing import Any, ClassVar

from apprenti.core.protocols import Arranges
from apprenti.core.seeds import Stream
from apprenti.envs.any_game import AllSides, wrapped
from apprenti.envs.one_side import OneSide
from apprenti.games.luzhanqi.envs.game import Game, Options, read_options
from apprenti.games.luzhanqi.game import GAME


class LuzhanqiAEC(AllSides):
    """A game for two agents. Keywords: `rules`, `actions`, `setup` (see `Options`), and `render_mode`.

    An observation has `observation` (planes, see `games/luzhanqi/planes.py`) and `action_mask`; the mask is in the
    infos too. Rewards: 1 for the winner and −1 for the loser at the end, 0 for everything else.
    """

    metadata: ClassVar[dict[str, object]] = {**AllSides.metadata, "name": "luzhanqi_v0"}

    def __init__(self, render_mode: str | None = None, **options: object) -> None:
        super().__init__(read_options(options), 2, render_mode)

    def drawn(self, colour: bool) -> str:
        from apprenti.games.luzhanqi.views import VIEW
        from apprenti.views.view import Look

        return VIEW.screen(self._game.state, Look(colour=colour))


def raw_env(**options: Any) -> LuzhanqiAEC:
    """The environment itself: an illegal action raises."""
    return LuzhanqiAEC(**options)


def env(**options: Any) -> Any:
    """The environment with PettingZoo's usual wrappers: an illegal action loses the game."""
    return wrapped(raw_env(**options))


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
