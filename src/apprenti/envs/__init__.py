"""The way out: Gymnasium environments. Importing this room registers them.

    import apprenti.envs, gymnasium
    env = gymnasium.make("apprenti/Game-v0", game="NAME")

or, in one: `gymnasium.make("apprenti.envs:apprenti/Game-v0")`.
"""

from types import ModuleType

from apprenti.core.plugins import load, plugins
from apprenti.envs.registration import register

register()


def __getattr__(name: str) -> ModuleType:
    """The PettingZoo environment of a game: `from apprenti.envs import NAME_v0`."""
    for each in plugins():
        if name in each.all_players:
            found: ModuleType = load(each.all_players[name])
            return found
    raise AttributeError(f"apprenti.envs has no {name}")
