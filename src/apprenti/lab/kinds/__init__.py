"""The kinds of experiment; `kind.py` says what all keep to, and has them by name."""
