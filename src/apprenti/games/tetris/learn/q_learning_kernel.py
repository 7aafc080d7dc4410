"""Q-learning in compiled code: whole episodes, and a table that grows as states are met."""

import math
from collections import namedtuple

import numpy as np

from apprenti.core.compiled import inlined, kernel
from apprenti.core.dice import next_bits, next_random
from apprenti.games.tetris.agents.q_table_kernel import act, any_action, best_action, code_of, find
from apprenti.games.tetris.fast.primitives import address, at, begin_one, game_in, ready

# `counts`: what is known of the learning itself
EPISODE, STATES, PIECES, LINES, MOVES, BEST, LAST, LEFT = range(8)
"""Episodes done, states known, pieces and lines of all episodes, moves, most lines of an episode, the state the episode
under way is in (−1 between two), and how many of its moves have not been learned from yet."""
COUNTS = 8


Memory = namedtuple("Memory", "visits transitions rewards counts")
"""What is known beside the table: for each state how often its value was improved; for each move not learned from yet
the state, the action and the next state, and what it gained; the counts."""

Options = namedtuple("Options", "alpha epsilon gamma squared backward max_blocks by_moves")
"""How to learn: see `q_learning.QLearningConfig`. α and ε are a `Fall`."""

Fall = namedtuple("Fall", "first last decay")
"""A number that falls exponentially from one value to another."""


@inlined
def at_time(fall, time):
    """last + (first − last)·exp(−decay·time)."""
    return fall.last + (fall.first - fall.last) * math.exp(-fall.decay * time)


@inlined
def meet(table, memory, low, high):
    """The place of a state in the list; a new one is added, every action worth 0."""
    place = find(table.states, table.places, low, high)
    if place >= 0:
        return place
    state = memory.counts[STATES]
    table.places[-1 - place] = state
    table.states[state, 0], table.states[state, 1] = low, high
    table.values[state], memory.visits[state] = 0.0, 0
    memory.counts[STATES] += 1
    return state


@inlined
def improve(values, visits, state, action, wanted, alpha):
    """Q(s, a) ← (1 − α)·Q(s, a) + α·y."""
    values[state, action] = (1 - alpha) * values[state, action] + alpha * wanted
    visits[state] += 1


@kernel()
def learn_back(values, visits, transitions, rewards, counts, alpha, gamma):
    """Learn from the moves left, the last first: what the last one gained is known to the first at once.

    y = r + γ·max Q(s′, ·), and r alone where the game was over. What is no legal action is worth 0 for ever, and so
    is never more than what is.
    """
    for i in range(counts[LEFT] - 1, -1, -1):
        state, action, following = transitions[i, 0], transitions[i, 1], transitions[i, 2]
        wanted = rewards[i]
        if following >= 0:
            best = values[following, 0]
            for a in range(1, values.shape[1]):
                best = max(best, values[following, a])
            wanted += gamma * best
        improve(values, visits, state, action, wanted, alpha)
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
def learn_episodes(tables, games, scratch, coding, table, memory, options, luck, last):
    """Learn until `last` episodes are done in all; stops early, to go on later, if the table is full.

    Each move is learned from at once, or (`backward`) all of them at the end of the episode, the last first.
    """
    (rules, space), one, placing = ready(tables, scratch), game_in(games, 0), coding.placing
    own, chance, values = one.own, address(luck, 0), table.values
    visits, transitions, rewards, counts = memory
    width, actions = rules.game[at.BOARD_WIDTH], values.shape[1]
    while counts[EPISODE] < last:
        if counts[STATES] >= len(table.states):
            return
        if counts[LAST] < 0:
            one.chance[0] = next_bits(address(one.chance, 1))
            begin_one(rules, one, space)
            low, high = code_of(coding, rules, one)
            counts[LAST] = meet(table, memory, low, high)
            continue  # the first state may have filled the table
        state, time = counts[LAST], counts[MOVES] if options.by_moves else counts[EPISODE]
        if next_random(chance) < at_time(options.epsilon, time):
            action = any_action(actions, own, width, placing, chance)
        else:
            action = best_action(values, state, own, width, placing, chance)
        lines = act(rules, one, space, placing, action)
        counts[MOVES] += 1
        following = -1
        if own[at.G_OUTCOME] == at.GOES_ON:
            low, high = code_of(coding, rules, one)
            following = meet(table, memory, low, high)
            counts[LAST] = following
        i = counts[LEFT]
        transitions[i, 0], transitions[i, 1], transitions[i, 2] = state, action, following
        rewards[i] = float(lines * lines if options.squared else lines)
        counts[LEFT] += 1
        over = own[at.G_OUTCOME] != at.GOES_ON or (options.max_blocks and own[at.G_PIECES] >= options.max_blocks)
        if over or not options.backward or counts[LEFT] == len(rewards):
            learn_back(values, visits, transitions, rewards, counts, at_time(options.alpha, time), options.gamma)
        if over:
            close(counts, own)


@kernel()
def visits_of_cells(states, visits, cells):
    """How often each cell was full in the states met (of kind grid): bit by bit, weighed by visits."""
    for i in range(len(states)):
        for bit in range(len(cells)):
            word, place = (states[i, 0], bit) if bit < 64 else (states[i, 1], bit - 64)
            if (word >> np.uint64(place)) & np.uint64(1):
                cells[bit] += visits[i]
