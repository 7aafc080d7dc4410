"""Play a game of Tetris step by step: rules, chance, placements, criteria."""

from apprenti.core.seeds import Stream
from apprenti.games.tetris import Rules, criteria, deal, place, start

rng = Stream.named(1, "my game")
state = start(Rules.preset("simplified", size="10x10", max_pieces=30))
while not state.outcome:
    state = deal(state, rng)
    by_holes = {p: criteria.measure(state.board, p, ["holes", "landing_height"]) for p in state.legal}
    state = place(state, min(by_holes, key=lambda p: (by_holes[p]["holes"], by_holes[p]["landing_height"])))
print(state.board)
print(f"{state.outcome.reason}: {state.tally.lines} lines with {state.tally.pieces} pieces")
