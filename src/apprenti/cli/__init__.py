"""Words into lab calls."""
