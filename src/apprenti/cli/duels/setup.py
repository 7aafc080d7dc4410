"""A person's army at Luzhanqi: by letters, from the book, drawn, or set up by hand."""

from collections.abc import Callable
from typing import Any

from apprenti.core.errors import ApprentiError


def army(text: str) -> Callable[[Any, Any], Any]:
    """How the army is set up; a layout that is none is refused now."""
    raise ApprentiError(f"not yet: {text}")
