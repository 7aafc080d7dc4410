"""One file a command: its options are a dataclass, `run` does it."""
