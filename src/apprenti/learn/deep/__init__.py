"""Learners with networks: the only room that knows torch."""
