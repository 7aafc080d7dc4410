"""apprenti: a laboratory in which machines learn to play games.

import apprenti
result = apprenti.evaluate("bcts", size="10x10", games=50)
print(result.mean, result.interval)
"""

# ruff: noqa: F403, F405  (what the star stands for is said below)
from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.1"

if TYPE_CHECKING:
    from apprenti.api import *

__all__ = [
    "CHANCE", "OVER", "ApprentiError", "BadNotation", "BadRules", "Entry", "Game", "GameBase", "IllegalMove", "Outcome",
    "Plugin", "Reason", "RulesBase", "StateBase", "Stream", "__version__", "agent", "evaluate", "game", "games",
    "load_replay", "match", "resume", "solve", "tournament", "train",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in __all__:  # loading them all now would make `import apprenti` and the command line slow
        return getattr(import_module("apprenti.api"), name)
    raise AttributeError(f"module 'apprenti' has no attribute {name!r}")
