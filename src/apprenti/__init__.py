"""apprenti: a laboratory in which machines learn to play games."""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["__version__", "load_agent"]

if TYPE_CHECKING:
    from apprenti.lab.agents import load_agent


def __getattr__(name: str) -> Any:
    if name == "load_agent":  # loading it now would make `import apprenti` slow
        from apprenti.lab.agents import load_agent

        return load_agent
    raise AttributeError(f"module 'apprenti' has no attribute {name!r}")
