"""Measure a player of the zoo, one described on a line, and one of your own, on the same games."""

import apprenti


class Flat:
    """Puts every piece where it lies lowest."""

    def choose(self, observation, legal, rng):
        return min(legal, key=lambda placement: max(row for row, _ in placement.cells))


for agent in ("dellacherie", "linear:holes=-4,landing_height=-1,row_transitions=-1", Flat()):
    found = apprenti.evaluate(agent, game="tetris", size="10x8", games=50, seed=1)
    low, high = found.interval
    print(f"{found.name}: {found.mean:.1f} lines a game, 95 % interval {low:.1f} to {high:.1f}")
