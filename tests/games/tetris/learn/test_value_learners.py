"""λ-policy iteration, approximate value iteration, LSPI: by hand, against the exact operator, with the old error."""

import numpy as np
import pytest

from apprenti.core.seeds import Stream
from apprenti.games.tetris import PieceSet, Rules
from apprenti.games.tetris.fast.players import play
from apprenti.games.tetris.fast.tables import plan_of
from apprenti.games.tetris.learn.linear_learner import solve
from apprenti.games.tetris.learn.normal_equations import Recorder
from apprenti.games.tetris.learn.value_learners import (
    ApproximateValueIteration,
    ApproximateValueIterationConfig,
    LambdaPolicyIteration,
    LambdaPolicyIterationConfig,
    LeastSquaresPolicyIteration,
    LspiConfig,
)
from apprenti.games.tetris.state import deal, start
from apprenti.games.tetris.weights import Layout
from tests.games.tetris.learn.plain_normal_equations import Rested, best, criteria_of, dot
from tests.learn.tiny import VALUED, learner

PLAN = plan_of(VALUED.split(","))
WALLS = ("column_heights", "height_differences", "max_height", "holes", "constant")


def fitted(sums):
    return solve(sums.matrix, sums.vector, sums.squares)


def valued_by(criteria, width, **changes):
    """A learner with these criteria, on the kernel that is compiled for the tests."""
    made = LambdaPolicyIteration(LambdaPolicyIterationConfig(criteria=criteria, workers=1, **changes))
    made.recorder = Recorder(made.objective.rules, made.layout.names, PLAN)
    return made


# By hand --------------------------------------------------------------------------------------------------------------

SQUARES = Rules.preset("simplified", "4x4", pieces=PieceSet.parse("O\n##\n##"))
UP = {"max_height": 1.0, "constant": -10.0}
"""V = height − 10, so the player builds a tower of squares in the left corner: 2, 4, 6 high, and that is the end."""


def test_the_update_by_hand():
    # walls of height 0, 2, 4 and the dead one of 6; V is −10, −8, −6 and 0; no line is made
    # differences 2, 2, 6; with λ = 1/2: −10 + 2 + 1 + 1.5, −8 + 2 + 3, −6 + 6, and 0 for the dead wall
    # the line nearest to (0, −5.5), (2, −3), (4, 0), (6, 0)
    found = Recorder(SQUARES, tuple(UP), PLAN).differences(UP, [(1, 0)], 0.5, end="nothing", keep=9)
    assert [(wall.criteria[0], wall.lines, wall.dead) for wall in found.walls[0]] == [
        (0, 0, False), (2, 0, False), (4, 0, False), (6, 0, True),
    ]  # fmt: skip
    assert found.matrix.tolist() == [[56, 12], [12, 4]]
    assert found.vector.tolist() == [-6, -8.5]
    assert fitted(found) == pytest.approx([0.975, -5.05])


def test_the_historic_update_by_hand():
    # the dead wall is worth 6 − 10: differences 2, 2, 2, and the line nearest to (0, −6.5), (2, −5), (4, −4), (6, −4)
    found = Recorder(SQUARES, tuple(UP), PLAN).differences(UP, [(1, 0)], 0.5, historic=True, end="criteria")
    assert found.matrix.tolist() == [[56, 12], [12, 4]]
    assert found.vector.tolist() == [-50, -19.5]
    assert fitted(found) == pytest.approx([0.425, -6.15])


def test_the_historic_update_differs_by_the_dead_walls_value_and_nothing_else():
    rules, lam, gamma = Rules.preset("simplified", "10x6"), 0.6, 0.9
    recorder = Recorder(rules, WALLS, PLAN)
    rng = np.random.default_rng(4)
    weights = {
        "column_heights": rng.normal(-0.1, 0.1, 10).tolist(), "height_differences": rng.normal(-1, 0.1, 9).tolist(),
        "max_height": -2.0, "holes": -3.0, "constant": 7.0,
    }  # fmt: skip
    vector = Layout(WALLS, 0).vector(weights)
    for seed in range(5):
        given = {"end": "avoided", "keep": 2000}
        right = recorder.differences(weights, [(seed, 0)], lam, gamma, **given)
        wrong = recorder.differences(weights, [(seed, 0)], lam, gamma, historic=True, **given)
        assert right.walls == wrong.walls
        assert right.matrix.tolist() == wrong.matrix.tolist()
        rows = np.array([wall.criteria for wall in right.walls[0]])
        assert right.walls[0][-1].dead
        worth = dot(vector, rows[-1])
        before = len(rows) - 1
        trace = sum((gamma * lam) ** (before - 1 - k) * rows[k] for k in range(before))
        assert wrong.vector - right.vector == pytest.approx(gamma * worth * trace + worth * rows[-1], rel=1e-9)


# The exact operator ---------------------------------------------------------------------------------------------------


class ExactModel:
    """Every wall a greedy player can meet on a tiny board, with the probability of every step: plain Python."""

    def __init__(self, rules, weights, names):
        self.walls, self.dead, steps = {}, {}, []
        todo = [start(rules)]
        self.walls[todo[0].board.encode()] = criteria_of(Rested(todo[0].board, None, todo[0].board, 0), names)
        while todo:
            state = todo.pop()
            for number, letter in enumerate(rules.pieces.letters):
                ready = deal(state, Always((number + 0.5) / len(rules.pieces.letters)))
                assert ready.piece == letter
                _, move, after = best(ready, weights, names, "avoided", 1.0)
                code = after.board.encode()
                kind = self.dead if after.outcome else self.walls
                if code not in kind:
                    kind[code] = criteria_of(Rested(state.board, None, after.board, 0), names)
                    todo += [] if after.outcome else [start(rules).__class__(rules, after.board)]
                steps.append((state.board.encode(), code, after.outcome is not None, move.lines))
        self._number(steps, len(rules.pieces.letters))

    def _number(self, steps, pieces):
        living, dead = list(self.walls), list(self.dead)
        self.criteria = np.array([*self.walls.values(), *self.dead.values()])
        size = len(living)
        self.transitions, self.deaths, self.reward = np.zeros((size, size)), np.zeros((size, len(dead))), np.zeros(size)
        for before, after, over, lines in steps:
            i = living.index(before)
            (self.deaths if over else self.transitions)[i, (dead if over else living).index(after)] += 1 / pieces
            self.reward[i] += lines / pieces
        beginning = np.eye(size)[0]
        visits = np.linalg.solve(np.eye(size) - self.transitions.T, beginning)
        self.visits = np.concatenate([visits, visits @ self.deaths])

    def improved(self, values, lam, gamma):
        """V + (I − γλP)⁻¹ (R + γ P V − V), and 0 for the dead walls (the thesis' section 2.2.3)."""
        living = values[: len(self.reward)]
        residual = self.reward + gamma * self.transitions @ living - living
        better = living + np.linalg.solve(np.eye(len(living)) - gamma * lam * self.transitions, residual)
        return np.concatenate([better, np.zeros(len(self.dead))])


class Always:
    """Chance that is always the same."""

    def __init__(self, number):
        self.number = number

    def random(self):
        return self.number


GAMES = 4000


def sampled(rules, weights, names, lam, gamma):
    seeds = [(Stream.named(5, "tiny", i).bits(), 0) for i in range(GAMES)]
    return Recorder(rules, names, PLAN).differences(weights, seeds, lam, gamma, end="avoided")


@pytest.mark.parametrize(("lam", "gamma"), [(0.0, 1.0), (0.5, 1.0), (1.0, 1.0), (0.7, 0.9)])
def test_where_every_wall_has_its_own_weights_many_games_give_the_exact_operator(lam, gamma):
    # bars and S on 4x5: only six walls are ever met, and the criteria tell them apart as well as a table would
    rules = Rules.preset("simplified", "4x5", pieces=PieceSet.parse("I\n####\n\nS\n.##\n##."))
    first = {"column_heights": [0.0] * 4, "height_differences": [0.0] * 3, "max_height": -1.0, "holes": -2.0}
    weights = {**first, "constant": 3.0}
    model = ExactModel(rules, weights, WALLS)
    assert len(model.criteria) == np.linalg.matrix_rank(model.criteria) == 6
    exact = model.improved(model.criteria @ Layout(WALLS, 0).vector(weights), lam, gamma)
    found = model.criteria @ fitted(sampled(rules, weights, WALLS, lam, gamma))
    assert found == pytest.approx(exact, abs=0.12)
    assert np.ptp(exact) > 1.0  # or the tolerance would say nothing


@pytest.mark.parametrize("lam", [0.0, 0.6, 1.0])
def test_with_fewer_weights_than_walls_many_games_give_the_nearest_to_the_exact_operator(lam):
    rules = Rules.preset("simplified", "4x5", pieces=PieceSet.parse("S\n.##\n##.\n\nO\n##\n##"))
    names = ("max_height", "holes", "constant")
    weights = {"max_height": -1.0, "holes": -2.0, "constant": 6.0}
    model = ExactModel(rules, weights, names)
    assert len(model.criteria) > 20
    exact = model.improved(model.criteria @ Layout(tuple(names), 0).vector(weights), lam, 1.0)
    weighed = model.criteria * model.visits[:, None]
    sums = sampled(rules, weights, names, lam, 1.0)
    assert sums.matrix / GAMES == pytest.approx(weighed.T @ model.criteria, rel=0.05)
    nearest = np.linalg.solve(weighed.T @ model.criteria, weighed.T @ exact)
    assert model.criteria @ fitted(sums) == pytest.approx(model.criteria @ nearest, abs=0.15)


# λ-policy iteration --------------------------------------------------------------------------------------------------


def test_it_begins_where_bertsekas_and_ioffe_began():
    made = LambdaPolicyIteration(LambdaPolicyIterationConfig())
    weights = made.weights()
    assert (weights["max_height"], weights["holes"], weights["constant"]) == (-10.0, -1.0, 0.0)
    assert weights["column_heights"] == [0.0] * 10 and weights["height_differences"] == [0.0] * 9
    assert made.agent().weights == {**weights, "lines": 1.0}  # greedy on lines + V


def test_the_score_falls_to_nothing_at_first_because_every_value_is_below_that_of_death():
    made = valued_by("bertsekas", 10, size="10x10", episodes=60, seed=3)
    means = [made.step()["mean"] for _ in range(3)]
    assert means[0] > 10 and means[1] < 1 and means[2] < 1


def test_a_player_who_avoids_death_falls_too_so_it_is_the_values_and_not_suicide_alone():
    made = valued_by("bertsekas", 10, size="10x10", episodes=60, seed=3, avoid_death=True)
    means = [made.step()["mean"] for _ in range(4)]
    assert means[0] > 10 and min(means[1:]) < 2


def test_it_learns_from_its_start_on_a_low_board():
    made = valued_by("bertsekas", 10, size="10x7", episodes=60, seed=2, lam=0.5)
    means = [made.step()["mean"] for _ in range(25)]
    assert means[-1] > 3 * means[0] > 15


def test_criteria_that_are_combinations_of_others_change_no_game():
    plain = valued_by("max_height,holes,mean_height,constant", 10, size="10x6", episodes=20)
    doubled = valued_by(
        "max_height,holes,mean_height,sum_heights,max_minus_mean,constant", 10, size="10x6", episodes=20
    )
    for _ in range(6):
        assert plain.step()["mean"] == doubled.step()["mean"]
    assert np.isfinite(doubled.vector).all()


@pytest.mark.parametrize("method", ["lambda-pi", "avi"])
def test_no_game_is_longer_than_allowed(method):
    made = learner(method, max_pieces=7, episodes=10)
    assert made.step()["pieces"] == 70


def test_the_agent_can_be_the_best_so_far():
    made = learner("lambda-pi", keep="best", iterations=8)
    seen = []
    while not made.done:
        vector = made.vector
        seen.append((made.step()["mean"], vector.tolist()))
    best_mean, best_vector = max(seen, key=lambda pair: pair[0])
    assert (made.best[0], made.best[1].tolist()) == (best_mean, best_vector)
    assert made.agent().weights["max_height"] == made.layout.weights(np.array(best_vector))["max_height"]
    assert learner("lambda-pi", keep="last").config.keep == "last"


def test_a_random_start_is_drawn_by_the_seed_and_kept_by_a_state():
    first, again, other = (learner("lambda-pi", random_start=True, seed=seed) for seed in (1, 1, 2))
    assert first.vector.tolist() == again.vector.tolist() != other.vector.tolist()
    assert np.abs(first.vector).max() < 6
    assert first.step() == again.step()


# Approximate value iteration ------------------------------------------------------------------------------------------


def test_it_begins_with_the_two_criteria_of_tsitsiklis_and_van_roy():
    weights = ApproximateValueIteration(ApproximateValueIterationConfig()).weights()
    assert weights == {"max_height": -10.0, "holes": -1.0, "constant": 0.0}


def test_with_one_kind_of_piece_it_is_policy_iteration_with_lambda_0():
    # nothing is left to chance, so the piece that was dealt is the mean over all
    rules = Rules.preset("simplified", "4x6", pieces=PieceSet.parse("T\n###\n.#."))
    recorder = Recorder(rules, tuple(UP), PLAN)
    backups = recorder.backups(UP, [(1, 0)], 0.95)
    steps = recorder.differences(UP, [(1, 0)], 0.0, 0.95)
    assert backups.matrix.tolist() == steps.matrix.tolist()
    assert backups.vector == pytest.approx(steps.vector)


def test_in_the_mean_over_many_games_it_is_policy_iteration_with_lambda_0():
    given = {"criteria": "max_height,holes,constant", "size": "10x6", "episodes": 1500, "seed": 5, "workers": 1,
             "initial_weights": (-1.0, -1.0, 30.0)}  # fmt: skip
    found = []
    for cls, config in (
        (ApproximateValueIteration, ApproximateValueIterationConfig(**given)),
        (LambdaPolicyIteration, LambdaPolicyIterationConfig(**given, lam=0.0)),
    ):
        made = cls(config)
        made.recorder = Recorder(made.objective.rules, made.layout.names, PLAN)
        sums = made.sums()
        found.append(solve(sums.matrix, sums.vector, sums.squares))
    walls = np.array([[h, holes, 1.0] for h in range(7) for holes in range(4)])
    assert walls @ found[0] == pytest.approx(walls @ found[1], abs=0.6)
    assert np.ptp(walls @ found[0]) > 5


# Least-squares policy iteration ---------------------------------------------------------------------------------------


def test_it_begins_with_a_player_by_hand_on_the_criteria_of_lagoudakis():
    weights = LeastSquaresPolicyIteration(LspiConfig()).weights()
    assert {name: weight for name, weight in weights.items() if weight} == {
        "max_height_change": -1.0, "holes_change": -4.0, "bumpiness_change": -1.0, "lines": 2.0,
    }  # fmt: skip
    assert len(weights) == 10


def test_the_agent_maximises_the_values_of_moves_in_which_the_lines_are_already():
    made = learner("lspi")
    assert made.agent().weights == made.weights()


def test_there_are_as_many_samples_as_asked_for_and_they_are_the_first_players_moves():
    made = learner("lspi", samples=333)
    games = made.sampled
    assert sum(pieces for _, pieces in games) == 333
    player = made.objective.player(made.vector)
    whole = play(Rules.preset("simplified", "10x6"), player, [pair for pair, _ in games])
    lengths = [game.tally.pieces for game in whole]
    assert lengths[:-1] == [pieces for _, pieces in games[:-1]] and lengths[-1] >= games[-1][1]


def test_no_game_of_samples_is_longer_than_allowed():
    made = learner("lspi", samples=100, max_pieces=7)
    assert [pieces for _, pieces in made.sampled] == [7] * 14 + [2]
    assert made.step()["mean"] <= 7 * 4 / 10


def test_the_samples_do_not_change_while_the_player_does():
    made = learner("lspi", iterations=9)
    before = list(made.sampled)
    first = made.sums()
    made.step()
    made.step()
    assert made.sampled == before
    assert made.sums().squares.tolist() == first.squares.tolist()
    assert made.sums().matrix.tolist() != first.matrix.tolist()


def test_the_values_solve_their_own_equation():
    made = learner("lspi", samples=2000)
    sums = made.sums()
    made.step()
    assert sums.matrix @ made.vector == pytest.approx(sums.vector, rel=1e-6, abs=1e-6)
    assert np.isfinite(made.vector).all()
