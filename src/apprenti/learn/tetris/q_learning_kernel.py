"""Q-learning in compiled code: whole episodes, and a table that grows as states are met."""

import numpy as np

from apprenti.agents.tetris.q_table_kernel import act, any_action, begin, best_action, code_of, find
from apprenti.core.compiled import inlined, kernel
from apprenti.core.dice import next_bits, next_random
from apprenti.games.tetris.fast.primitives import address, at, clear_board

# `counts`: what is known of the learning itself
EPISODE, STATES, PIECES, LINES, MOVES, BEST, LAST, LEFT = range(8)
"""Episodes done, states known, pieces and lines of all episodes, moves, most lines of an episode, the state the episode
under way is in (−1 between two), and how many of its moves have not been learned from yet."""
COUNTS = 8


@inlined
def meet(states, values, met, places, counts, low, high):
    """The place of a state in the list; a new one is added, every action worth 0."""
    found = find(states, places, low, high)
    if found >= 0:
        return found
    state = counts[STATES]
    places[-1 - found] = state
    states[state, 0], states[state, 1] = low, high
    values[state], met[state] = 0.0, 0
    counts[STATES] += 1
    return state


@inlined
def improve(values, met, state, action, wanted, alpha):
    """Q(s, a) ← (1 − α)·Q(s, a) + α·y."""
    values[state, action] = (1 - alpha) * values[state, action] + alpha * wanted
    met[state] += 1


@kernel()
def learn_back(values, met, trail, gains, counts, alpha, gamma):
    """Learn from the moves left, the last first: what the last one gained is known to the first at once.

    y = r + γ·max Q(s′, ·), and r alone where the game was over. What is no legal action is worth 0 for ever, and so
    is never more than what is.
    """
    for i in range(counts[LEFT] - 1, -1, -1):
        state, action, following = trail[i, 0], trail[i, 1], trail[i, 2]
        wanted = gains[i]
        if following >= 0:
            best = values[following, 0]
            for a in range(1, values.shape[1]):
                best = max(best, values[following, a])
            wanted += gamma * best
        improve(values, met, state, action, wanted, alpha)
    counts[LEFT] = 0


@inlined
def close(counts, own):
    """An episode is over."""
    counts[LAST] = -1
    counts[EPISODE] += 1
    counts[PIECES] += own[at.G_PIECES]
    counts[LINES] += own[at.G_LINES]
    counts[BEST] = max(counts[BEST], own[at.G_LINES])


@kernel()
def learn_episodes(
    tables, kind, clip, placing, columns, before, own, chances, moves, work, marks, luck, states, values, met, places,
    trail, gains, counts, alpha, gamma, squared, backward, epsilons, first, max_blocks,
):  # fmt: skip
    """Learn from episode `first` on, one for each of `epsilons`; stops early, to go on later, if the table is full.

    Each move is learned from at once, or (`backward`) all of them at the end of the episode, the last first.
    """
    game, shapes, pieces = tables[0], tables[1], tables[2]
    clear_board(address(game, 0), address(work, 0))
    width, actions = game[at.BOARD_WIDTH], values.shape[1]
    while counts[EPISODE] < first + len(epsilons):
        if counts[STATES] >= len(states):
            return
        if counts[LAST] < 0:
            chances[0] = next_bits(address(chances, 1))
            begin(tables, columns, before, own, address(chances, 0), moves, work, marks)
            low, high = code_of(kind, clip, placing, game, shapes, pieces, columns, own)
            counts[LAST] = meet(states, values, met, places, counts, low, high)
            continue  # the first state may have filled the table
        state = counts[LAST]
        if next_random(address(luck, 0)) < epsilons[counts[EPISODE] - first]:
            action = any_action(actions, address(own, 0), width, placing, address(luck, 0))
        else:
            action = best_action(values, state, address(own, 0), width, placing, address(luck, 0))
        lines = act(tables, placing, action, columns, before, own, address(chances, 0), moves, work, marks)
        counts[MOVES] += 1
        following = -1
        if own[at.G_OUTCOME] == at.GOES_ON:
            low, high = code_of(kind, clip, placing, game, shapes, pieces, columns, own)
            following = meet(states, values, met, places, counts, low, high)
            counts[LAST] = following
        i = counts[LEFT]
        trail[i, 0], trail[i, 1], trail[i, 2] = state, action, following
        gains[i] = float(lines * lines if squared else lines)
        counts[LEFT] += 1
        over = own[at.G_OUTCOME] != at.GOES_ON or (max_blocks and own[at.G_PIECES] >= max_blocks)
        if over or not backward or counts[LEFT] == len(gains):
            learn_back(values, met, trail, gains, counts, alpha, gamma)
        if over:
            close(counts, own)


@kernel()
def cells_met(states, met, cells):
    """How often each cell was full in the states met (of kind grid): bit by bit, weighed by visits."""
    for i in range(len(states)):
        for bit in range(len(cells)):
            word, place = (states[i, 0], bit) if bit < 64 else (states[i, 1], bit - 64)
            if (word >> np.uint64(place)) & np.uint64(1):
                cells[bit] += met[i]
