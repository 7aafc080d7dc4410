"""The page of Tetris."""
