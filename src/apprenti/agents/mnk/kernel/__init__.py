"""Compiled code of the players of m,n,k-games."""
