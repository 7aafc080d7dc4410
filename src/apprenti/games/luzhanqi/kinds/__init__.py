"""Luzhanqi."""
