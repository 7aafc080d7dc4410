"""Let a player of your own meet two others: a match, its interval, and a game kept as a replay."""

from pathlib import Path

import apprenti


class Corners:
    """Wins at once where it can; otherwise it likes the corners."""

    def choose(self, observation, legal, rng):
        wins = [cell for cell in legal if (end := observation.play(cell).outcome) and end.winner is not None]
        liked = wins or [cell for cell in legal if cell in (0, 2, 6, 8)] or legal
        return liked[int(rng.random() * len(liked))]


for name in ("random", "sarsa-tictactoe"):
    found = apprenti.match(Corners(), name, game="tictactoe", games=200, seed=1)
    (won, drawn, lost), (low, high) = found.counts, found.interval
    print(f"corners against {name}: won {won}, drew {drawn}, lost {lost}, {low:.0%} to {high:.0%} of the points")

path = found.write_replays(Path("games"))[0]
*_, end = apprenti.load_replay(path).states()  # plays it again, and verifies it
print(f"{path}: {end.notation}, {end.outcome.reason}")
