"""What the page shows of the game."""
