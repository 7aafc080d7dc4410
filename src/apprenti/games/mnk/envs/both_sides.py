"""m,n,k-games for PettingZoo: `apprenti/mnk_v0`, two agents who move in turn.

    from apprenti.games.mnk.envs import env
    game = env(size="5x5x4")

An observation is two planes, one's own marks and the other's, with an `action_mask` of the free cells; the mask is in
`infos` too. The winner gets 1, the loser −1; a draw is 0.
"""

from typing import ClassVar

from apprenti.core.data import AnyArray
from apprenti.envs.any_game import GameAEC
from apprenti.games.mnk.game import MNK
from apprenti.games.mnk.state import State

NAME = "apprenti/mnk_v0"
AGENTS = ("player_0", "player_1")


def env(size: str = "3x3x3", render_mode: str | None = None) -> "MnkEnv":
    """A game: rows x columns x how many in a row, or tictactoe or gomoku."""
    return MnkEnv(size, render_mode)


class MnkEnv(GameAEC):
    """player_0 has X and begins, player_1 has O; an action is the number of a cell, row by row from 0."""

    metadata: ClassVar[dict[str, object]] = {**GameAEC.metadata, "name": NAME}

    def __init__(self, size: str = "3x3x3", render_mode: str | None = None) -> None:
        super().__init__(MNK, render_mode, size=size)
        self.state_space = self.observation_space(AGENTS[0])["observation"]

    @property
    def position(self) -> State:
        """The game so far, as the rest of the project has it."""
        position: State = self._game.state
        return position

    def state(self) -> AnyArray:
        planes: AnyArray = self._game.planes(0)
        return planes

    def drawn(self, colour: bool) -> str:
        return self.position.notation.split()[0].replace("/", "\n")
