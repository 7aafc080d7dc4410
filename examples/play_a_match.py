"""Let a player of the zoo meet one of your own: a match, its interval, and a game kept as a replay."""

from pathlib import Path

from apprenti.lab.duels import match
from apprenti.store.duel_replay import positions_of, write_duel

from apprenti.core.seeds import pick
from apprenti.games.catalogue import GAMES_FOR_TWO
from apprenti.lab.agents import KnownForTwo, find_for_two
from apprenti.lab.evaluate import Effort


class Corners:
    """Wins at once where it can; otherwise it likes the corners."""

    def choose(self, observation, legal, rng):
        """One of the legal moves."""
        wins = [cell for cell in legal if (end := observation.play(cell).outcome) and end.winner is not None]
        return pick(rng, wins or [cell for cell in legal if cell in (0, 2, 6, 8)] or legal)


game = GAMES_FOR_TWO.load("tictactoe")
mine = KnownForTwo("corners", Corners(), game.rules(), game)
for name in ("random", "sarsa-tictactoe"):
    found = match(game, game.rules(), (mine, find_for_two(name, game)), Effort(games=200, seed=1, workers=1))
    (won, drawn, lost), (low, high) = found.results, found.ci95
    print(f"corners against {name}: won {won}, drew {drawn}, lost {lost}, {low:.0%} to {high:.0%} of the points")

replay = found.replay(found.duels[0])
write_duel(Path("match.json"), replay)
*_, end = positions_of(replay)  # plays it again
print(f"match.json: {end.notation}, {end.outcome.reason}")
