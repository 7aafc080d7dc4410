"""The compiled half of TD(λ) with n-tuples: whole games of self-play, each learned from when it has ended."""

from collections import namedtuple

import numpy as np

from apprenti.core.compiled import called, inlined, kernel
from apprenti.core.dice import next_random

Rates = namedtuple("Rates", "epsilon learning_rate lam")
"""The share of random moves, how far a value moves, and how far the end of a game is heard."""

Game = namedtuple("Game", "marks counts places visited best explored")
"""Marks, marks in lines, places in windows by view; by moves: places seen, the greatest value, whether it was taken."""


@called
def put(lines, windows, game, cell, side):
    """Make a move; return whether that wins."""
    won = False
    for line in lines.through[cell]:
        if line >= 0:
            game.counts[side, line] += 1
            won |= game.counts[side, line] == lines.cells.shape[1]
    for number in range(windows.through.shape[1]):
        window = windows.through[cell, number]
        if window >= 0:
            game.places[side, window] += windows.powers[cell, number]
            game.places[1 - side, window] += 2 * windows.powers[cell, number]
    game.marks[cell] = side
    return won


@called
def greedy(windows, weights, game, side, worth, chance):
    """The free cell that adds most to the sum of the tables, of equals any, and what the sum is then."""
    now = 0.0
    for place in game.places[side]:
        now += weights[place]
    most, ties = -np.inf, 0
    for cell in range(len(game.marks)):
        if game.marks[cell] >= 0:
            continue
        worth[cell] = now
        for number in range(windows.through.shape[1]):
            window = windows.through[cell, number]
            if window >= 0:
                place = game.places[side, window]
                worth[cell] += weights[place + windows.powers[cell, number]] - weights[place]
        if worth[cell] > most:
            most, ties = worth[cell], 0
        ties += worth[cell] == most
    skip = np.int64(next_random(chance) * ties)
    for cell in range(len(game.marks)):
        if game.marks[cell] < 0 and worth[cell] == most:
            if skip == 0:
                return cell, np.tanh(most)
            skip -= 1
    return -1, 0.0


@inlined
def any_cell(game, left, chance):
    """A free cell, each as likely."""
    skip = np.int64(next_random(chance) * left)
    for cell in range(len(game.marks)):
        if game.marks[cell] < 0:
            if skip == 0:
                return cell
            skip -= 1
    return -1


@called
def learn(weights, game, moves, won, rates):
    """From the last move back: each value is drawn towards what came after it (λ-return), seen from the other side."""
    target = 1.0 if won else 0.0
    for ply in range(moves - 1, -1, -1):
        total = 0.0
        for place in game.visited[ply]:
            total += weights[place]
        value = np.tanh(total)
        step = rates.learning_rate * (target - value) * (1 - value * value)
        for place in game.visited[ply]:
            weights[place] += step
        target = -(rates.lam * target + (1 - rates.lam) * value)
        if game.explored[ply]:  # the other did not have to fear this move, but the best one
            target = -game.best[ply]


@kernel
def self_play(lines, windows, weights, game, games, rates, chance):
    """Games of the tables against themselves, ε-greedy."""
    cells, worth = len(game.marks), np.zeros(len(game.marks))
    for _ in range(games):
        game.marks[:], game.counts[:] = -1, 0
        game.places[:] = windows.first
        won, ply = False, 0
        while not won and ply < cells:
            side = ply % 2
            cell, game.best[ply] = greedy(windows, weights, game, side, worth, chance)
            game.explored[ply] = next_random(chance) < rates.epsilon
            if game.explored[ply]:
                cell = any_cell(game, cells - ply, chance)
            won = put(lines, windows, game, cell, side)
            game.visited[ply] = game.places[side]
            ply += 1
        learn(weights, game, ply, won, rates)
