"""A whole game of the report's actor-critic, compiled: the same sums as `traces.py`, without the zeros.

Of the 780 inputs some fifty are not 0, and of the 1 500 outputs some thirty are legal: gradients, and so traces, are 0
elsewhere. Traces are decayed, and weights moved, only where a trace of this game is not 0. One hidden layer; the
matrices are as in `Mlp`, the first one of each network turned, so that the weights of an input lie together. With a
memory the inputs after these are the actor's hidden layer at the last decision; without, a context has no numbers.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apprenti.core.compiled import called, inlined, kernel
from apprenti.core.dice import next_random
from apprenti.games.luzhanqi.board import POINTS, SLOTS
from apprenti.games.luzhanqi.fast.primitives import MOST_MOVES, MOVE_FROM, MOVE_TO, apply, at, legal_moves
from apprenti.games.luzhanqi.pieces import TYPES

INPUTS = (TYPES + 1) * POINTS
PAIRS = SLOTS * POINTS
Matrix = NDArray[np.float64]
NEGLIGIBLE = 2.0**-70
"""A trace that has decayed to this part is 0 in every sum that it enters."""


class Weights(NamedTuple):
    """Actor and critic."""

    first: Matrix
    """(781, hidden): the actor's first layer, turned; the bias last. With a memory, (781 + hidden, hidden)."""
    second: Matrix
    """(1500, hidden + 1)"""
    critic_first: Matrix
    critic_second: Matrix
    """(1, hidden + 1)"""


class Pay(NamedTuple):
    """Rates and rewards, as numbers for compiled code."""

    decay_actor: float
    decay_critic: float
    rate_actor: float
    rate_critic: float
    gamma: float
    step: float
    win: float
    loss: float
    draw: float
    capture: float


class Player(NamedTuple):
    """One player's traces, where they are not 0, and its last decision."""

    first: Matrix
    second: Matrix
    critic_first: Matrix
    critic_second: Matrix
    inputs: NDArray[np.int64]
    """[0]: how many inputs have a trace; then which."""
    outputs: NDArray[np.int64]
    input_decay: Matrix
    """How far the trace of each input has decayed since it was last 1; −1 where there is none."""
    output_decay: Matrix
    x: NDArray[np.int64]
    """[0]: how many inputs were 1, then which."""
    legal: NDArray[np.int64]
    """[0]: how many pairs were legal, [1]: the one that was chosen (−1: nothing to judge), then which."""
    discount: Matrix
    context: Matrix
    """What a memory showed at the last decision."""
    fresh: Matrix
    """What it shows now."""


@inlined
def seen_from(point, player):
    """A point as a player sees it."""
    return point if player == 0 else POINTS - 1 - point


@called
def observe(rules, game, moves, count, x, legal):
    """The inputs that are 1, and the pairs of the legal moves, as the player to move sees them."""
    player = game[at.TO_MOVE]
    n = 0
    for point in range(POINTS):
        piece = game[at.BOARD + point]
        if piece >= 0:
            n += 1
            kind = game[at.TYPE + piece] if piece // SLOTS == player else TYPES
            x[n] = kind * POINTS + seen_from(point, player)
    x[0] = n
    legal[0] = count
    for number in range(count):
        origin = MOVE_FROM[moves[number]]
        here = seen_from(origin, player)
        kind = game[at.TYPE + game[at.BOARD + origin]]
        row = 0
        for other in range(kind):
            row += rules[at.COUNTS + other]
        for place in range(1, n + 1):
            row += x[place] // POINTS == kind and x[place] % POINTS < here
        legal[2 + number] = row * POINTS + seen_from(MOVE_TO[moves[number]], player)


@called
def hidden_of(first, x, context, out):
    """The hidden layer, and a 1 after it for the bias."""
    size = first.shape[1]
    out[:size] = first[len(first) - 1]
    for place in range(1, x[0] + 1):
        out[:size] += first[x[place]]
    for unit in range(len(context)):
        if context[unit] > 0.0:
            out[:size] += context[unit] * first[INPUTS + unit]
    for unit in range(size):
        out[unit] = max(out[unit], 0.0)
    out[size] = 1.0


@called
def policy_of(second, hidden, legal, out):
    """Softmax over the legal pairs; returns how many there are."""
    count = legal[0]
    most = -np.inf
    for number in range(count):
        out[number] = np.dot(second[legal[2 + number]], hidden)
        most = max(most, out[number])
    total = 0.0
    for number in range(count):
        out[number] = np.exp(out[number] - most)
        total += out[number]
    for number in range(count):
        out[number] /= total
    return count


@called
def touch(number, places, decay):
    """Note that a row has a trace from now on."""
    if decay[number] < 0.0:
        places[0] += 1
        places[places[0]] = number
    decay[number] = 1.0


@called
def fade(places, decay, by, first, second):
    """Let the traces of some rows decay; forget rows whose traces have decayed to nothing."""
    kept = 0
    for place in range(1, places[0] + 1):
        number = places[place]
        decay[number] *= by
        if decay[number] < NEGLIGIBLE:
            decay[number] = -1.0
            first[number] = 0.0
            second[number] = 0.0
        else:
            kept += 1
            places[kept] = number
    places[0] = kept


@called
def temporal_difference(weights, pay, one, reward, x, goes_on, other):
    """δ of the last decision; leaves the critic's hidden layer there."""
    ahead = 0.0
    if goes_on:
        hidden_of(weights.critic_first, x, one.fresh, other)
        ahead = pay.gamma * np.dot(weights.critic_second[0], other)
    hidden_of(weights.critic_first, one.x, one.context, other)
    return reward + ahead - np.dot(weights.critic_second[0], other)


@called
def decay_traces(pay, one):
    """Let all traces of a player decay."""
    slower = max(pay.decay_actor, pay.decay_critic)
    fade(one.inputs, one.input_decay, slower, one.first, one.critic_first)
    fade(one.outputs, one.output_decay, pay.decay_actor, one.second, one.second)
    for place in range(1, one.inputs[0] + 1):
        one.first[one.inputs[place]] *= pay.decay_actor
        one.critic_first[one.inputs[place]] *= pay.decay_critic
    for place in range(1, one.outputs[0] + 1):
        one.second[one.outputs[place]] *= pay.decay_actor
    one.critic_second[0] *= pay.decay_critic


@called
def trace_outputs(weights, one, hidden, other, chances, back, critic_back):
    """Add the gradients of both second layers to their traces; writes what they send back to the hidden units."""
    size = len(back)
    one.critic_second[0] += other
    back[:] = 0.0
    for number in range(one.legal[0]):
        pair = one.legal[2 + number]
        slope = one.discount[0] * ((1.0 if number == one.legal[1] else 0.0) - chances[number])
        back += slope * weights.second[pair, :size]
        touch(pair, one.outputs, one.output_decay)
        one.second[pair] += slope * hidden
    for unit in range(size):
        back[unit] *= hidden[unit] > 0.0
        critic_back[unit] = weights.critic_second[0, unit] * (other[unit] > 0.0)


@called
def trace_inputs(one, back, critic_back):
    """Add the gradients of both first layers to their traces."""
    for place in range(one.x[0] + 1):
        number = one.x[place] if place else len(one.first) - 1
        touch(number, one.inputs, one.input_decay)
        one.first[number] += back
        one.critic_first[number] += critic_back
    for unit in range(len(one.context)):
        if one.context[unit] > 0.0:
            touch(INPUTS + unit, one.inputs, one.input_decay)
            one.first[INPUTS + unit] += one.context[unit] * back
            one.critic_first[INPUTS + unit] += one.context[unit] * critic_back


@called
def move_weights(weights, pay, one, delta):
    """Move the weights along their traces."""
    for place in range(1, one.inputs[0] + 1):
        number = one.inputs[place]
        weights.first[number] += pay.rate_actor * delta * one.first[number]
        weights.critic_first[number] += pay.rate_critic * delta * one.critic_first[number]
    for place in range(1, one.outputs[0] + 1):
        weights.second[one.outputs[place]] += pay.rate_actor * delta * one.second[one.outputs[place]]
    weights.critic_second[0] += pay.rate_critic * delta * one.critic_second[0]


@called
def judge(weights, pay, one, reward, x, goes_on, room):
    """Judge the last decision of a player by its reward and the state that follows; returns δ (Algorithm 1)."""
    if one.legal[1] < 0:
        return 0.0
    size = weights.first.shape[1]
    hidden, other, chances = room[0, : size + 1], room[1, : size + 1], room[2]
    delta = temporal_difference(weights, pay, one, reward, x, goes_on, other)
    hidden_of(weights.first, one.x, one.context, hidden)
    policy_of(weights.second, hidden, one.legal, chances)
    decay_traces(pay, one)
    trace_outputs(weights, one, hidden, other, chances, room[3, :size], room[4, :size])
    trace_inputs(one, room[3, :size], room[4, :size])
    move_weights(weights, pay, one, delta)
    one.discount[0] *= pay.gamma
    one.legal[1] = -1
    return delta


@called
def count_alive(game, alive):
    """How many pieces each player has."""
    alive[:] = 0
    for piece in range(at.PIECES):
        alive[piece // SLOTS] += game[at.POINT + piece] >= 0


@called
def reward_of(pay, game, player, alive, before):
    """What a player gets for its last decision."""
    taken = (before[player, 1 - player] - alive[1 - player]) - (before[player, player] - alive[player])
    gained = pay.capture * taken
    if game[at.OUTCOME] == at.GOING_ON:
        return pay.step + gained
    winner = game[at.WINNER]
    return gained + (pay.draw if winner < 0 else pay.win if winner == player else pay.loss)


@kernel
def learn_game(rules, game, weights, pay, south, north, room, dice, sums):
    """Learn from one game; returns the sum of |δ|, and writes the rewards of each player."""
    moves = np.empty(MOST_MOVES, dtype=np.int16)
    x, legal = np.empty(1 + 2 * SLOTS, dtype=np.int64), np.empty(2 + MOST_MOVES, dtype=np.int64)
    alive, before = np.empty(2, dtype=np.int64), np.empty((2, 2), dtype=np.int64)
    count_alive(game, alive)
    before[0], before[1] = alive, alive
    errors = 0.0
    while game[at.OUTCOME] == at.GOING_ON:
        player = game[at.TO_MOVE]
        one = south if player == 0 else north
        count = legal_moves(rules, game, moves)
        observe(rules, game, moves, count, x, legal)
        count_alive(game, alive)
        if one.legal[1] >= 0:
            reward = reward_of(pay, game, player, alive, before)
            sums[player] += reward
            errors += abs(judge(weights, pay, one, reward, x, True, room))
        before[player] = alive
        hidden_of(weights.first, x, one.fresh, room[0, : weights.first.shape[1] + 1])
        policy_of(weights.second, room[0, : weights.first.shape[1] + 1], legal, room[2])
        total, drawn, chosen = room[2, :count].sum(), next_random(dice), 0
        reached = room[2, 0]
        while chosen < count - 1 and drawn * total >= reached:
            chosen += 1
            reached += room[2, chosen]
        one.x[:] = x
        one.legal[: count + 2] = legal[: count + 2]
        one.legal[1] = chosen
        one.context[:] = one.fresh
        one.fresh[:] = room[0, : len(one.fresh)]
        apply(rules, game, MOVE_FROM[moves[chosen]], MOVE_TO[moves[chosen]])
    count_alive(game, alive)
    for turn in range(2):
        player = (game[at.TO_MOVE] + turn) % 2
        one = south if player == 0 else north
        reward = reward_of(pay, game, player, alive, before)
        sums[player] += reward
        errors += abs(judge(weights, pay, one, reward, x, False, room))
    return errors


def fresh_player(hidden: int, context: int = 0) -> Player:
    """A player before its first move, perhaps with a hidden layer of this size as its context."""
    inputs = INPUTS + context
    return Player(
        np.zeros((inputs + 1, hidden)), np.zeros((PAIRS, hidden + 1)), np.zeros((inputs + 1, hidden)),
        np.zeros((1, hidden + 1)), np.zeros(inputs + 2, np.int64), np.zeros(PAIRS + 1, np.int64),
        np.full(inputs + 1, -1.0), np.full(PAIRS, -1.0), np.zeros(1 + 2 * SLOTS, np.int64),
        np.full(2 + MOST_MOVES, -1, np.int64), np.ones(1), np.zeros(context), np.zeros(context),
    )  # fmt: skip
