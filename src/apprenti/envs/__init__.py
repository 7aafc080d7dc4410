"""The way out: the games as Gymnasium and PettingZoo environments."""
