"""Luzhanqi for PettingZoo: both players take turns, each sees what it knows (`AECEnv`)."""

from typing import Any, ClassVar

from apprenti.envs.any_game import AllSides, wrapped
from apprenti.games.luzhanqi.envs.options import read_options


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
