"""The local page: plays, shows and explains games in a browser. It calls `lab` and knows games by their contract."""
