"""Learning to set up: armies get the results of their own games, and what wins is set up more often."""

import numpy as np

from apprenti.agents.luzhanqi.placer import Placer, order
from apprenti.games.luzhanqi import Rules
from apprenti.games.luzhanqi.board import HEADQUARTERS_SLOTS
from apprenti.games.luzhanqi.layout import book
from apprenti.games.luzhanqi.pieces import FLAG
from apprenti.learn.deep.luzhanqi.placement import ARMIES, STORED, Placement
from apprenti.learn.deep.luzhanqi.ppo_config import PpoConfig
from apprenti.learn.luzhanqi.baselines import baseline

RULES = Rules()


def placement():
    return Placement(PpoConfig(learning_rate_placement=0.01, entropy_weight_placement=0.0), RULES)


def generator(seed=1):
    return np.random.Generator(np.random.PCG64(seed))


def test_the_pool_is_half_its_own_and_half_the_books():
    made = placement()
    pool = made.pool(generator())
    assert pool.shape == (2 * ARMIES, 25)
    known = {layout.tobytes() for layout in made._book}
    assert len(made._book) == len(book(RULES))
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
    """Whoever has the flag in the left headquarters wins: after a hundred updates it is there nearly always."""
    made, rng = placement(), generator()
    left = min(HEADQUARTERS_SLOTS)
    for _ in range(100):
        own = made.pool(rng)[:ARMIES]
        rival = made._book[rng.integers(len(made._book), size=ARMIES)]
        for _ in range(2):
            made.ended(np.stack([own, rival], axis=1), (own[:, left] == FLAG).astype(float))
        made.learn()
    luck = rng.random((300, len(order(RULES))))
    assert (Placer(made.weights).place(RULES, luck).layouts[:, left] == FLAG).mean() > 0.95


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
