"""Luzhanqi: army chess with hidden pieces, for two."""
