"""The compiled engine: boards as bits and as numbers of base 3."""
