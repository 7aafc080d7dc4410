"""Tetris."""
