"""Luzhanqi in the terminal."""

from apprenti.games.luzhanqi.views.view import VIEW

__all__ = ["VIEW"]
