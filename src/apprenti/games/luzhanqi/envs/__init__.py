"""Luzhanqi for PettingZoo (both players) and for Gymnasium (one player against any agent).

from apprenti.envs import luzhanqi_v0
env = luzhanqi_v0.env(actions="two_stage")

import apprenti.envs, gymnasium
env = gymnasium.make("apprenti/Luzhanqi-v0", opponent=agent)
"""

from apprenti.games.luzhanqi.envs.both_sides import LuzhanqiAEC, env, raw_env
from apprenti.games.luzhanqi.envs.one_side import LuzhanqiEnv
from apprenti.games.luzhanqi.envs.options import Options

__all__ = ["LuzhanqiAEC", "LuzhanqiEnv", "Options", "env", "raw_env"]
