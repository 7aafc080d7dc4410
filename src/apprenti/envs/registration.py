"""The names under which Gymnasium finds the environments."""

from apprenti.core.extras import needing

with needing("the environments"):
    import gymnasium

ENVIRONMENTS: dict[str, tuple[str, str | None]] = {
    "apprenti/Tetris-v0": ("tetris.one:TetrisEnv", "tetris.vector:TetrisVectorEnv"),
    "apprenti/TetrisKeys-v0": ("tetris.one:TetrisKeysEnv", "tetris.vector:TetrisKeysVectorEnv"),
    "apprenti/Luzhanqi-v0": ("luzhanqi.one_side:LuzhanqiEnv", None),
    "apprenti/Game-v0": ("one_side:GameEnv", None),
}
"""Name of an environment → its class in this room, and the one for many games at once if there is one."""


def register() -> None:
    """Make the environments known to Gymnasium; once is enough, more does no harm."""
    for name, (single, vector) in ENVIRONMENTS.items():
        if name not in gymnasium.registry:
            many = f"apprenti.envs.{vector}" if vector else None
            gymnasium.register(name, f"apprenti.envs.{single}", vector_entry_point=many)
