"""The extras of the package: which module is in which, and the one sentence for those that are not installed."""

from collections.abc import Iterator
from contextlib import contextmanager

from apprenti.core.errors import MissingExtra

EXTRAS = {
    "gymnasium": "envs",
    "pettingzoo": "envs",
    "torch": "deep",
    "starlette": "web",
    "uvicorn": "web",
    "websockets": "web",
    "plotly": "web",
    "ray": "cluster",
}
"""For each module that not everybody has, the extra that brings it."""


@contextmanager
def needing(what: str) -> Iterator[None]:
    """MissingExtra if something imported inside is in an extra that is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        extra = EXTRAS.get((error.name or "").partition(".")[0])
        if extra is None:
            raise
        raise MissingExtra(what, extra) from None
