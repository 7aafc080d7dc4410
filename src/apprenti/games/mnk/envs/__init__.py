"""m,n,k-games for PettingZoo: `from apprenti.games.mnk.envs import env`."""

from apprenti.games.mnk.envs.both_sides import MnkEnv, env

__all__ = ["MnkEnv", "env"]
