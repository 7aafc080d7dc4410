"""m,n,k-games for PettingZoo: `from apprenti.envs.mnk import env`."""

from apprenti.envs.mnk.both_sides import MnkEnv, env

__all__ = ["MnkEnv", "env"]
