"""Greedy games in plain Python, from the readable rules and the criteria's definitions: what the kernel is held to."""

from dataclasses import dataclass

from apprenti.core.seeds import Stream
from apprenti.games.tetris import Board, criteria
from apprenti.games.tetris.agents.linear import LinearAgent
from apprenti.games.tetris.criteria import CRITERIA, size_of
from apprenti.games.tetris.learn.normal_equations import with_lines
from apprenti.games.tetris.placement import Placement
from apprenti.games.tetris.state import deal, place, start
from apprenti.games.tetris.weights import Layout


@dataclass(frozen=True)
class Rested:
    """A move whose board after it is what the rules made of it: no line is removed when the piece sticks out."""

    before: Board
    placement: Placement | None
    after: Board
    lines: int

    @property
    def cells_removed(self):
        full = self.before.with_cells(self.placement.cells, self.placement.piece).full_rows
        return sum(row in full for row, _ in self.placement.cells) if self.lines else 0


def criteria_of(move, names):
    """φ: the criteria of a move and of the wall after it; where there was no move, as if it had landed at height 0."""
    width, height = move.before.width, move.before.height
    rows = [
        [CRITERIA[name].plus(width, height)] * size_of(name, width)
        if CRITERIA[name].of_move and not move.placement
        else criteria.values(move, name)
        for name in names
    ]
    return [float(number) for row in rows for number in row]


def rested(state, placement):
    """The move from a state, and the state after it."""
    after = place(state, placement)
    return Rested(state.board, placement, after.board, after.tally.lines - state.tally.lines), after


def dot(a, b):
    sum_ = 0.0
    for x, y in zip(a, b, strict=True):
        sum_ += x * y
    return sum_


def best(state, weights, names, end, reward):
    """The greedy placement: its value, the move, and the state after it."""
    vector = Layout(tuple(names), state.rules.width).vector(weights)
    agent = LinearAgent(with_lines(weights, reward) if reward else weights)
    moves = [rested(state, placement) for placement in state.legal]
    dead = [after.outcome is not None and not after.outcome.truncated for _, after in moves]
    seen = state.observation()
    each = agent.values(seen)
    values = [each[placement] for placement in state.legal]
    number = values.index(max(values))
    worth = reward * moves[number][0].lines
    if not dead[number]:
        worth += dot(vector, criteria_of(moves[number][0], names))
    elif end != "avoided":
        worth = float("-inf")
    for i, (move, _) in enumerate(moves):
        if dead[i] and end != "avoided":
            here = reward * move.lines + (dot(vector, criteria_of(move, names)) if end == "criteria" else 0.0)
            if here > worth:
                number, worth = i, here
    return worth, *moves[number]


def game(rules, weights, names, seed, end="nothing", reward=1.0, pieces=10**9):
    """Yield (φ, state before the deal, state with its piece, move or None) for each wall, the last one included.

    Without a move the game has ended there: the wall is dead, or the next piece had no room, or it was the last piece.
    """
    chance = Stream(seed)
    state = start(rules)
    move = Rested(state.board, None, state.board, 0)
    while True:
        phi = criteria_of(move, names)
        if state.outcome or state.tally.pieces >= pieces:
            yield phi, state, state, None
            return
        ready = deal(state, chance)
        if ready.outcome:
            yield phi, state, ready, None
            return
        _, move, after = best(ready, weights, names, end, reward)
        yield phi, state, ready, move
        state = after
