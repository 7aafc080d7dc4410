"""Luzhanqi for PettingZoo (both players) and for Gymnasium (one player against any agent).

from apprenti.envs import luzhanqi_v0
env = luzhanqi_v0.env(actions="two_stage")

import apprenti.envs, gymnasium
env = gymnasium.make("apprenti/Luzhanqi-v0", opponent=agent)
"""

from apprenti.games.luzhanqi.envs.game import Options
from apprenti.games.luzhanqi.envs.sides import LuzhanqiAEC, LuzhanqiEnv, env, raw_env

__all__ = ["LuzhanqiAEC", "LuzhanqiEnv", "Options", "env", "raw_env"]
