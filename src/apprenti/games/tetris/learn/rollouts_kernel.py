"""Some moves of a linear player in games under way, what may come after, and what a policy loses there."""

import numpy as np

from apprenti.core.compiled import called, inlined, kernel
from apprenti.core.dice import next_bits, next_random
from apprenti.games.tetris.fast.primitives import (
    LANES,
    NEVER,
    Tables,
    above_real,
    address,
    allow,
    at,
    begin_one,
    choose,
    clear_board,
    game_in,
    load,
    pile_height,
    player_scratch_in,
    pointers_to,
    prospect,
    select,
    spread_real,
    step_one,
    store,
    take_board,
    write_odds,
)


@called
def advance(plan, rules, weights, one, space, luck):
    """One placement of a linear player in a game that goes on."""
    piece = one.own[at.G_PIECE]
    take_board(one.columns, space.work)
    allow(rules, space.work, piece, space.allowed, space.reach)
    o, c, _ = choose(plan, rules, weights, space.work, piece, space.allowed, space.values, luck)
    rotation = o // at.SHAPE_SIZE - rules.pieces[2 * piece]
    step_one(rules, one, space, rotation * rules.game[at.BOARD_WIDTH] + c)


@inlined
def copy_game(one, other):
    """Write a game over another."""
    store(other.columns, 0, load(one.columns, 0))
    store(other.before, 0, load(one.before, 0))
    for i in range(at.BATCH_SIZE):
        other.own[i] = one.own[i]
    for i in range(at.MOVE_SIZE):
        other.move[i] = one.move[i]


@inlined
def place_in_reservoir(seen, room, luck):
    """Where the newest of `seen[0]` things goes, so that all are kept alike (Vitter 1985)."""
    seen[0] += 1
    return seen[0] - 1 if seen[0] <= room else int(next_random(luck) * seen[0])


@kernel()
def play_on(plan, tables, games, weights, moves, starts, seen, scratch, luck):
    """Play some moves in each game with one linear player; as far as it goes on, if no states are looked for.

    If they are, games begin anew and some of their states are kept, of each height of the pile as many as there is
    room, by their heights; `seen` counts the states of each height. One kernel does both: a player is compiled once.
    """
    rules, space = pointers_to(Tables, tables), player_scratch_in(scratch)
    clear_board(rules.game, space.work)
    room = len(starts[0]) // LANES // max(1, len(seen))
    for i in range(len(games[0]) // LANES):
        one = game_in(games, i)
        for _ in range(moves):
            if one.own[at.G_OUTCOME] != at.GOES_ON:
                if not len(seen):
                    break
                one.chance[0] = next_bits(address(one.chance, 1))
                begin_one(rules, one, space)
            advance(plan, rules, address(weights, 0), one, space, address(luck, 0))
            if len(seen) and one.own[at.G_OUTCOME] == at.GOES_ON:
                height = pile_height(space.work, rules.game[at.BOARD_WIDTH])
                place = place_in_reservoir(address(seen, height), room, address(luck, 0))
                if place < room:
                    copy_game(one, game_in(starts, height * room + place))


@kernel()
def prospects(plan, tables, games, weights, boards, owners, scratch, fatal, answers):
    """For each board the probability of a fatal next piece, and the mean value of the best answer to the others.

    `owners` says in which game a board may come about: what can be dealt there depends on it.
    """
    rules, space, none = pointers_to(Tables, tables), player_scratch_in(scratch), np.zeros(1, np.uint64)
    clear_board(rules.game, space.ahead)
    for i in range(len(owners)):
        own = game_in(games, owners[i]).own
        take_board(address(boards, i * LANES), space.ahead)
        space.bag[0] = own[at.G_BAG]
        write_odds(plan, rules, space, own[at.G_DEALT], own[at.G_NEXT])
        fatal[i], answers[i] = prospect(plan, rules, address(weights, 0), space, address(none, 0))
        whole = 0.0
        for piece in range(rules.game[at.PIECES]):
            whole += space.odds[piece]
        fatal[i] /= whole


@kernel()
def add_losses(criteria, values, starts, size, vectors, losses):
    """For each of sixteen policies add max Q̂ − Q̂ of the placement it chooses, over all states (equation 11).

    `criteria` has a row for each placement, `vectors` one for each criterion: the weights of all policies side by side.
    Of equal placements the first is chosen.
    """
    weights, sums = address(vectors, 0), address(losses, 0)
    lost = load(sums, 0)
    for state in range(len(starts) - 1):
        top, most, chosen = NEVER, spread_real(NEVER), spread_real(0.0)
        for k in range(starts[state], starts[state + 1]):
            top, value = max(top, values[k]), spread_real(0.0)
            for j in range(size):
                value += spread_real(criteria[k * size + j]) * load(weights, j * LANES)
            better = above_real(value, most)
            most, chosen = select(better, value, most), select(better, spread_real(values[k]), chosen)
        lost += spread_real(top) - chosen
    store(sums, 0, lost)
