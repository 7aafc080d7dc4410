"""Luzhanqi, version 0, as PettingZoo names its environments: `luzhanqi_v0.env()`."""

from apprenti.envs.luzhanqi.both_sides import env, raw_env

__all__ = ["env", "raw_env"]
