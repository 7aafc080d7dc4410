"""Learning to set up: armies get the results of their own games, and what wins is set up more often."""

import numpy as np
import torch

from apprenti.games.luzhanqi import Rules
from apprenti.games.luzhanqi.agents.network import Placer, order
from apprenti.games.luzhanqi.board import HEADQUARTERS_SLOTS, SLOTS, START, parse_point
from apprenti.games.luzhanqi.fast.arrays import types_of
from apprenti.games.luzhanqi.fast.primitives import at
from apprenti.games.luzhanqi.layout import BOOK, MIRRORED_SLOTS, book
from apprenti.games.luzhanqi.learn.config import PpoConfig
from apprenti.games.luzhanqi.learn.deep.placement import ARMIES, STORED, Placement
from apprenti.games.luzhanqi.learn.games import VectorGames, baseline
from apprenti.games.luzhanqi.pieces import FLAG, MINE

RULES = Rules()


def placement(entropy_weight=0.0):
    return Placement(PpoConfig(learning_rate_placement=0.01, entropy_weight_placement=entropy_weight), RULES)


def generator(seed=1):
    return np.random.Generator(np.random.PCG64(seed))


K2 = START[0].index(parse_point("K2"))


def learn_a_mine_in_the_middle(made, updates):
    """Whoever has a mine on K2 wins; the entropy of the placement model at the end."""
    rng = generator()
    for _ in range(updates):
        own = made.pool(rng)[:ARMIES]
        rival = made.book_layouts[rng.integers(len(made.book_layouts), size=ARMIES)]
        for _ in range(2):
            made.ended(np.stack([own, rival], axis=1), (own[:, K2] == MINE).astype(float))
        found = made.learn()
    return found["placement_entropy"]


def test_the_pool_is_half_its_own_and_half_the_books():
    made = placement()
    pool = made.pool(generator())
    assert pool.shape == (2 * ARMIES, 25)
    known = {layout.tobytes() for layout in made.book_layouts}
    assert len(made.book_layouts) == len(book(RULES))
    assert all(layout.tobytes() in known for layout in pool[ARMIES:])
    assert not any(layout.tobytes() in known for layout in pool[:ARMIES])


def test_results_go_to_the_armies_that_played():
    made = placement()
    made.pool(generator())
    pool = made.pool(generator(2))
    own, book_ = pool[:3], pool[ARMIES : ARMIES + 3]
    made.ended(np.stack([np.stack([own[0], book_[0]]), np.stack([book_[1], own[1]])]), np.array([1.0, 1.0]))
    assert made.results == [(ARMIES, 0.5), (ARMIES + 1, -0.5)]
    assert made.against_book == [1.0, 2.0]
    made.ended(np.stack([np.stack([own[2], own[0]])]), np.array([0.5]))
    assert made.results[2:] == [(ARMIES + 2, 0.0), (ARMIES, 0.0)] and made.against_book == [1.0, 2.0]


def test_what_wins_is_set_up_more_often():
    """Whoever has a mine on K2 wins: after a hundred updates there is one nearly always."""
    made = placement()
    learn_a_mine_in_the_middle(made, 100)
    luck = generator(2).random((300, len(order(RULES))))
    assert (Placer(made.weights).place(RULES, luck).layouts[:, K2] == MINE).mean() > 0.95


def test_the_weight_of_the_entropy_keeps_layouts_from_becoming_a_habit():
    """The same lesson with and without it: less is learned, and the layouts stay more different."""
    entropies = [learn_a_mine_in_the_middle(placement(weight), 20) for weight in (0.0, 1.0)]
    assert entropies[1] > entropies[0] + 0.02


def test_armies_whose_games_last_too_long_are_forgotten():
    made, rng = placement(), generator()
    first = made.pool(rng)[:1]
    for _ in range(STORED // ARMIES):
        made.pool(rng)
    made.ended(np.stack([first, first], axis=1), np.array([1.0]))
    assert made.results == [] and len(made.armies.layouts) == STORED


def test_practice_gives_results_to_its_armies_and_to_nobody_else():
    made, rng = placement(), generator()
    for _ in range(3):
        made.practise(baseline("greedy"), 60, rng)
    assert len(made.results) > 60
    assert all(0 <= number < made.drawn and abs(result) <= 0.5 for number, result in made.results)
    points, games = made.against_book
    assert 0 < games <= len(made.results) and points < games / 2, "armies set up at random lose against the book's"


def test_half_of_the_armies_are_seen_in_a_mirror_and_each_learns_as_it_was_placed():
    """A model that always has its flag in the left headquarters: half of its flags stand in the right one."""
    made = placement()
    with torch.no_grad():
        made.network[0].weight *= 0
        made.network[2].bias[max(HEADQUARTERS_SLOTS)] = -50.0
    pool = made.pool(generator())[:ARMIES]
    flags = (pool == FLAG).argmax(axis=1)
    assert sorted(set(flags)) == sorted(HEADQUARTERS_SLOTS) and (flags == min(HEADQUARTERS_SLOTS)).sum() == ARMIES // 2
    placed = np.zeros((ARMIES, SLOTS), np.int64)
    np.put_along_axis(placed, made.armies.slots, np.array(order(RULES))[None].repeat(ARMIES, 0), axis=1)
    turned = np.where(np.arange(ARMIES)[:, None] < ARMIES // 2, pool, pool[:, MIRRORED_SLOTS])
    assert (placed == turned).all()


def test_an_informed_opponent_makes_a_habit_costly():
    """The same army again and again loses more often to who knows it than to who does not."""
    layout = types_of(BOOK[0])
    rng, games = generator(), VectorGames(RULES, 64, 1, 0.0, placed=1.0)
    games.set_layouts(layout[None])
    shares = []
    for known in (layout[None][:0], np.stack([layout, layout[list(MIRRORED_SLOTS)]])):
        points: list[float] = []
        players = baseline("informed").knowing(known), baseline("expected")
        while len(points) < 150:
            states = games.states()
            moves = np.stack([player.moves(RULES, states, rng) for player in players])
            side = (states[:, at.TO_MOVE] + np.arange(64)) % 2
            step = games.step(moves[side, np.arange(64)])
            won = np.where(step.winner < 0, 0.5, (step.winner + np.arange(64)) % 2 == 0)
            points += won[step.ended > 0].tolist()
        shares.append(float(np.mean(points)))
    assert shares[0] < 0.62 and shares[1] > shares[0] + 0.15
