"""Small worlds as text."""
