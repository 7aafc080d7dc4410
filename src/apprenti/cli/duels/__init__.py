"""The command line for games for two."""
