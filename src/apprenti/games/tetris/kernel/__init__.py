"""The compiled engine: boards as bits, sixteen columns in one register."""
