"""Luzhanqi: army chess with hidden pieces, for two."""

from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.rules import Rules
from apprenti.games.luzhanqi.state import State

__all__ = ["Observation", "Rules", "State"]
