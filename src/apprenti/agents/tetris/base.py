"""What all players of Tetris share."""

from apprenti.agents.base import AgentBase


class TetrisAgent(AgentBase):
    """An agent that plays Tetris."""

    plays = ("tetris",)
