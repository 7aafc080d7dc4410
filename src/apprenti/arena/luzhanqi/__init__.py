"""Measuring that knows Luzhanqi."""
