"""The linear program: the optimum where it can be exact, a program by hand, and what it says of Tetris."""

import numpy as np
import pytest

from apprenti.games.tetris.fast.batch import Afterstates
from apprenti.games.tetris.fast.prospects import Prospects
from apprenti.games.tetris.learn.linear_program import BROKEN, Walls, least_value
from apprenti.games.tetris.rules import Rules
from tests.learn.tiny import learner

GAMMA = 0.9


def all_walls(size, letters):
    """Every wall that can be met with some pieces: their placements, where each leads (or −1), and how many walls."""
    rules = Rules.preset("simplified", size)
    pieces = np.array([rules.pieces.letters.index(letter) for letter in letters])
    empty = np.array([0] * rules.width + [2**rules.height - 1] * (16 - rules.width), np.int32)
    known, order = {tuple(empty): 0}, [empty]
    while True:
        places = Prospects(rules).of(np.repeat(order, len(pieces), axis=0), np.tile(pieces, len(order)))
        for wall, over in zip(places.columns, places.over, strict=True):
            if not over and tuple(wall) not in known:
                known[tuple(wall)] = len(order)
                order.append(wall)
        if len(places.starts) - 1 == len(order) * len(pieces):
            leads = [-1 if over else known[tuple(wall)] for wall, over in zip(places.columns, places.over, strict=True)]
            return places, np.array(leads), len(order)


def value_iteration(places, leads, pieces, walls):
    """V = Σ_p P(p) max_a [R + γ V(m′)], again and again."""
    values = np.zeros(walls)
    for _ in range(400):
        worth = places.lines + GAMMA * np.where(leads < 0, 0.0, values[leads])
        best = np.maximum.reduceat(worth, places.starts[:-1])
        values = best.reshape(walls, pieces).mean(axis=1)
    return values


def test_with_a_criterion_for_each_wall_it_is_the_optimum_on_4x4():
    places, leads, number = all_walls("4x4", "OI")
    after = np.where(leads[:, None] == np.arange(number), 1.0, 0.0)
    found = least_value(Walls(np.eye(number), places, after, np.array([0.5, 0.5])), GAMMA)
    exact = value_iteration(places, leads, 2, number)
    assert number > 30 and exact.max() > 2  # it is not a program of nothing
    assert found == pytest.approx(exact, abs=1e-4)


def by_hand():
    """Two walls, one piece, one criterion φ = 1, 2. From the first to the second for a line, or to itself for none;
    from the second to its death for three lines."""
    starts = np.array([0, 2, 3])
    places = Afterstates(
        4, 4, starts, np.array([0, 0, 1]), np.zeros(3, np.int64), np.zeros((3, 16), np.int32), np.array([1, 0, 3]),
        np.array([False, False, True]), np.zeros((3, 3), np.int32),
    )  # fmt: skip
    return Walls(np.array([[1.0], [2.0]]), places, np.array([[2.0], [1.0], [0.0]]), np.ones(1))


def test_a_program_by_hand():
    """r ≥ 1 + γ 2 r, r ≥ γ r and 2 r ≥ 3: with γ 0.25 these are r ≥ 2, r ≥ 0 and r ≥ 1.5, and the least r is 2."""
    assert least_value(by_hand(), 0.25) == pytest.approx([2.0])
    after, lines = by_hand().backup(np.array([2.0]), 0.25)
    assert (after.tolist(), lines.tolist()) == ([[2.0], [0.0]], [1.0, 3.0])
    assert by_hand().backup(np.array([-9.0]), 0.25)[0].tolist() == [[1.0], [0.0]]


def test_no_constraint_of_the_sampled_walls_is_broken_and_one_of_them_holds_it_up():
    made = learner("linear-program", parallel_games=60, moves=20)
    walls = made.walls()
    r = least_value(walls, GAMMA)
    after, lines = walls.backup(r, GAMMA)
    above = walls.criteria @ r - GAMMA * after @ r - lines
    assert above.min() == pytest.approx(0, abs=10 * BROKEN)
    assert len(walls.places.starts) == 60 * 7 + 1


def test_its_player_maximises_the_line_and_what_follows_it_discounted():
    made = learner("linear-program")
    walls = made.walls()
    r = least_value(walls, made.config.gamma)
    made.walls = lambda: walls
    made.step()
    names = [*made.measures.labels]
    weights = dict(zip(made.layout.labels(), made.layout.vector(made.agent().weights), strict=True))
    for name, number in zip(names, r, strict=True):
        assert weights[name] == pytest.approx(made.config.gamma * number + (name == "lines"))


def test_it_learns_to_play():
    made = learner("linear-program", iterations=6, parallel_games=200, moves=30, test_games=100)
    first = made.objective.mean(made.vector, 200, 1)["test"]
    assert max(made.step()["mean"] for _ in range(6)) > 1.5 * max(1.0, first)
