"""Long campaigns: `make soak` runs every `soak_….py` here; `make test` runs none of them."""
