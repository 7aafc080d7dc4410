"""Luzhanqi in the terminal."""

from apprenti.views.luzhanqi.view import VIEW

__all__ = ["VIEW"]
