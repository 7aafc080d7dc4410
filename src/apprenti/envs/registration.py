"""The names under which Gymnasium finds the environments."""

from apprenti.core.errors import MissingExtra

try:
    import gymnasium
except ModuleNotFoundError as error:
    if error.name != "gymnasium":
        raise
    raise MissingExtra("the environments", "envs") from None

ENVIRONMENTS = {
    "apprenti/Tetris-v0": "TetrisEnv",
    "apprenti/TetrisKeys-v0": "TetrisKeysEnv",
}
"""Name of an environment → its class in `envs/tetris.py`; the one for many games at once is in `tetris_vector.py`."""


def register() -> None:
    """Make the environments known to Gymnasium; once is enough, more does no harm."""
    for name, kind in ENVIRONMENTS.items():
        if name not in gymnasium.registry:
            vector = kind.replace("Env", "VectorEnv")
            gymnasium.register(
                name, f"apprenti.envs.tetris:{kind}", vector_entry_point=f"apprenti.envs.tetris_vector:{vector}"
            )
