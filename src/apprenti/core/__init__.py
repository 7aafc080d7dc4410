"""The vocabulary: errors, protocols, seeds, and how code is compiled."""
