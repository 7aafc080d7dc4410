"""The way out: Gymnasium environments. Importing this room registers them.

    import apprenti.envs, gymnasium
    env = gymnasium.make("apprenti/Game-v0", game="NAME")

or, in one: `gymnasium.make("apprenti.envs:apprenti/Game-v0")`.
"""

from collections.abc import Sequence
from types import ModuleType

from apprenti.core.plugins import load, needing, plugins

with needing("the environments"):
    import gymnasium

ENVIRONMENTS: dict[str, Sequence[str]] = {"apprenti/Game-v0": ("apprenti.envs.one_side:GameEnv",)}
"""Those of any game: where each is and, if there is one, that of many games at once; plug-ins add their own."""


def register() -> None:
    """Make the environments known to Gymnasium; once is enough, more does no harm."""
    tables = [ENVIRONMENTS, *(each.environments for each in plugins())]
    for name, (single, *many) in ((name, where) for table in tables for name, where in table.items()):
        if name not in gymnasium.registry:
            gymnasium.register(name, single, vector_entry_point=many[0] if many else None)


register()


def __getattr__(name: str) -> ModuleType:
    """The PettingZoo environment of a game: `from apprenti.envs import NAME_v0`."""
    for each in plugins():
        if name in each.all_players:
            module: ModuleType = load(each.all_players[name])
            return module
    raise AttributeError(f"apprenti.envs has no {name}")
