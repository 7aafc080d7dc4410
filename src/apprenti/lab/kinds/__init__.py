"""The kinds of experiment, a file each; `kind.py` says what all keep to, `registry.py` has them by name."""
