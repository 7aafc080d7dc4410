"""Luzhanqi on the page."""
