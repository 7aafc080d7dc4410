"""The names under which Gymnasium finds the environments."""

from collections.abc import Sequence

from apprenti.core.plugins import needing, plugins

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
