"""The one door to compiled code."""
