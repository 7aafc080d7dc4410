"""How good a vector is: the same on any number of cores, with one compilation for all, and faster by racing."""

import math
import signal
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apprenti.arena.game import play_game
from apprenti.arena.splitting import Repetition
from apprenti.core.errors import ApprentiError
from apprenti.core.protocols import GameSeeds
from apprenti.core.seeds import Stream, seed_of
from apprenti.games.tetris import Rules
from apprenti.games.tetris.agents.linear import LinearAgent
from apprenti.games.tetris.criteria import SETS
from apprenti.games.tetris.fast.players import Games, play
from apprenti.games.tetris.game import GAME, measures_of
from apprenti.games.tetris.learn.criteria import parse, unit
from apprenti.games.tetris.learn.objective import Objective, in_the_race, least_rate, rounds_of
from apprenti.games.tetris.weights import Layout
from tests.helpers import DELLACHERIE

GOOD = np.array([float(weight) for weight in DELLACHERIE.values()])


def objective(workers=1, size="10x6", criteria="dellacherie", **changes):
    rules = Rules.preset("simplified", size, **changes)
    return Objective(rules, Layout(parse(criteria), rules.width), workers)


def vectors(count, seed=1):
    """Players from bad to good."""
    return list(np.random.default_rng(seed).normal(GOOD, 2.0, (count, 6)))


# Fitness --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("racing", [True, False])
def test_fitness_does_not_depend_on_the_number_of_workers(racing):
    found = []
    for workers in (1, 2, 3):
        judge = objective(workers)
        scores = judge.fitness(vectors(13), 9, 3, racing, 1, "a name")
        found.append((scores, judge.mean(GOOD, 20, 1, "another"), judge.games_played))
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize(("unit_", "preset"), [("lines", "simplified"), ("points", "tetrisbot")])
def test_fitness_is_the_mean_score_of_games_that_are_the_same_for_all(unit_, preset):
    rules = Rules.preset(preset, "10x8", max_pieces=80)
    judge = Objective(rules, Layout(SETS["dellacherie"], 10), 1, unit_)
    seeds = [(seed_of(7, "generation", 4, j), 0) for j in range(5)]
    by_hand = [
        np.mean([getattr(game.tally, unit_) for game in play(rules, judge.player(vector), seeds)])
        for vector in vectors(3)
    ]
    assert judge.fitness(vectors(3), 5, 3, False, 7, "generation", 4) == by_hand
    assert judge.games_played == 15


def test_other_names_are_other_games():
    judge = objective()
    assert judge.mean(GOOD, 10, 1, "one") != judge.mean(GOOD, 10, 1, "other") != judge.mean(GOOD, 10, 2, "other")


class Pressing(threading.Thread):
    """Somebody who presses Ctrl-C when the games have begun, until it is noticed."""

    def __init__(self, judge):
        super().__init__()
        self.judge, self.play = judge, judge.scores_of
        self.begun, self.noticed = threading.Event(), threading.Event()
        judge.scores_of = self.scores
        self.start()

    def scores(self, weights, seeds, pool):
        self.begun.set()
        return self.play(weights, seeds, pool)

    def run(self):
        self.begun.wait()
        while not self.judge.stop[0]:  # a signal that comes just before Python begins to wait goes unnoticed
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            self.noticed.wait(0.1)


@pytest.mark.parametrize(
    "hours",
    [lambda judge: judge.fitness([GOOD] * 9, 10_000, 1, False, 1), lambda judge: judge.mean(GOOD, 10_000, 1)],
    ids=["fitness", "mean"],
)
def test_ctrl_c_ends_games_that_would_take_hours_and_the_objective_still_works(hours):
    judge = objective(2, "10x20")
    person = Pressing(judge)
    with pytest.raises(KeyboardInterrupt):
        hours(judge)
    person.noticed.set()
    person.join()
    judge.scores_of, judge.rules = person.play, Rules.preset("simplified", "10x6")
    assert judge.mean(GOOD, 5, 1) == objective().mean(GOOD, 5, 1)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_error_in_one_thread_ends_the_games_of_the_others_and_is_not_swallowed(monkeypatch):
    judge, asked, play_on = objective(2, "10x20"), iter([1]), Games.play

    def play_games(games):
        if next(asked, None):
            raise ZeroDivisionError
        play_on(games)

    monkeypatch.setattr(Games, "play", play_games)
    with pytest.raises(ZeroDivisionError):
        judge.fitness([GOOD] * 3, 10_000, 1, False, 1)


# Racing ---------------------------------------------------------------------------------------------------------------


def test_rounds_double_and_cover_every_game_once():
    assert rounds_of(1) == [(0, 1)]
    assert rounds_of(2) == [(0, 1), (1, 2)]
    assert rounds_of(5) == [(0, 1), (1, 2), (2, 4), (4, 5)]
    assert rounds_of(100)[-1] == (64, 100)
    for games in range(1, 70):
        rounds = rounds_of(games)
        assert [j for first, last in rounds for j in range(first, last)] == list(range(games))


def lucky(judge, means):
    """Scores as at Tetris, exponential, with a mean for each candidate (its first weight says which it is)."""

    def scores(weights, seeds, pool):
        who = [int(row[0]) for row in weights]
        luck = [[math.log(1 - Stream(seed_of(pieces, i)).random()) for pieces, _ in seeds] for i in who]
        lines = np.floor(-np.array([means[i] for i in who])[:, np.newaxis] * np.array(luck))
        return lines, np.ones(lines.shape, bool)

    judge.scores_of, judge.prepared = scores, np.array
    return [np.array([i, 0.0, 0.0, 0.0, 0.0, 0.0]) for i in range(len(means))]


def test_racing_never_drops_a_candidate_far_above_the_rest_and_plays_far_fewer_games():
    means = [1000.0] * 4 + [40.0] * 36
    for seed in range(25):
        judge = objective()
        candidates = lucky(judge, means)
        scores = judge.fitness(candidates, 32, 4, True, seed)
        assert set(np.argsort(scores)[-4:]) == {0, 1, 2, 3}
        whole = judge.fitness(candidates, 32, 4, False, seed)
        assert scores[:4] == whole[:4]  # they played every game
        assert judge.games_played - 40 * 32 < 40 * 32 / 2


def test_racing_keeps_the_elite_of_real_players_and_plays_fewer_games():
    players = [*vectors(4), *(-vector for vector in vectors(12, seed=2))]
    racing, patient = objective(), objective()
    fast = racing.fitness(players, 16, 4, True, 1)
    slow = patient.fitness(players, 16, 4, False, 1)
    assert fast[:4] == slow[:4]
    assert min(fast[:4]) > max(fast[4:])
    assert racing.games_played < patient.games_played / 2


def test_with_nobody_to_drop_racing_plays_every_game():
    judge = objective()
    assert judge.fitness(vectors(3), 8, 3, True, 1) == objective().fitness(vectors(3), 8, 3, False, 1)
    assert judge.games_played == 24


def race(means, elite, games=8, died=True, bar=-math.inf):
    """The candidates left, of some with these mean scores over so many games."""
    totals, played = np.array(means) * games, np.full(len(means), float(games))
    return np.flatnonzero(in_the_race(totals, played * died, played, elite, bar)).tolist()


def test_players_that_never_died_or_all_scored_nothing_are_not_dropped():
    assert race([10.0, 1.0, 2.0], 1, games=1, died=False) == [0, 1, 2]
    assert race([0.0, 0.0, 0.0], 1, games=1) == [0, 1, 2]


def test_only_those_who_cannot_reach_the_elite_are_dropped():
    assert race([1000.0, 900.0, 600.0, 10.0], 2) == [0, 1, 2]
    assert race([900.0, 10.0], 1) == [0]


def test_those_who_cannot_reach_the_bar_are_dropped_whatever_the_others_do():
    assert race([1000.0, 900.0, 10.0], 3, bar=500.0) == [0, 1]
    assert race([1000.0, 900.0, 10.0], 3, bar=5000.0) == []
    judge = objective()
    assert judge.fitness(vectors(4), 16, 4, True, 1, bar=1e9) == objective().fitness(vectors(4), 1, 4, False, 1)
    assert judge.games_played == 4


# Criteria -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("criteria", [*SETS, "height_rbf,holes", "constant", "max_height,altitude_difference"])
def test_one_compilation_serves_every_vector_of_a_set(criteria):
    judge = objective(criteria=criteria)
    size = judge.layout.size
    chosen = [np.zeros(size), np.ones(size), np.eye(size)[0], -np.eye(size)[-1], np.arange(size) - 1.0]
    plans = {judge.player(vector).prepared(judge.rules)[0] for vector in chosen}
    assert len(plans) == 1


def test_weights_of_0_play_as_the_readable_rules_say():
    judge = objective(max_pieces=25)
    for vector in (np.zeros(6), GOOD * [1, 0, 1, 0, 1, 0]):
        slow = play_game(GAME, judge.rules, [LinearAgent(judge.layout.weights(vector))], GameSeeds(5, (0,), (0,)))
        fast = play(judge.rules, judge.player(vector), [(5, 0)])[0].tally
        assert measures_of(fast) == slow.measures


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("tetrisbot", 4),
        ("dellacherie", 6),
        ("bertsekas", 10 + 9 + 1 + 1 + 1),
        ("bcts", 8),
        ("dt", 9),
        ("rv", 9),
        ("thesis", 27),
    ],
)
def test_the_sets_of_the_literature_have_their_size_on_ten_columns(name, size):
    layout = Layout(parse(name), 10)
    assert layout.size == len(layout.labels()) == len(set(layout.labels())) == size


def test_bertsekas_set_has_two_weights_a_column_and_two_more():
    assert [Layout(parse("bertsekas"), width).size for width in (4, 7, 16)] == [10, 16, 34]


def test_a_vector_is_dealt_out_to_its_criteria_in_order():
    layout = Layout(("holes", "height_differences", "lines"), 4)
    assert layout.labels() == ["holes", "height_differences[1]", "height_differences[2]", "height_differences[3]",
                               "lines"]  # fmt: skip
    assert layout.weights([1, 2, 3, 4, 5]) == {"holes": 1.0, "height_differences": [2.0, 3.0, 4.0], "lines": 5.0}


def test_names_with_commas_are_a_set_and_spaces_are_welcome():
    assert parse("holes, lines ,bumpiness,") == ("holes", "lines", "bumpiness")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "--criteria is a set"),
        (" , ", "--criteria is a set"),
        ("holes,lines,holes", "twice"),
        ("hole", "no criterion called 'hole': did you mean holes"),
        ("dellacherie,lines", "no criterion called 'dellacherie'"),
    ],
)
def test_criteria_that_are_none_are_refused(text, why):
    with pytest.raises(ApprentiError, match=why):
        parse(text)


def test_a_unit_vector_points_the_same_way_and_nothing_stays_nothing():
    assert unit(np.array([3.0, -4.0])).tolist() == [0.6, -0.8]
    assert unit(np.zeros(2)).tolist() == [0, 0]


@pytest.mark.parametrize("criteria", ["apprenti", "bertsekas", "lagoudakis", "thesis"])
@given(st.data())
def test_many_vectors_are_prepared_as_each_alone_to_the_bit(criteria, data):
    judge = objective(criteria=criteria)
    number = st.floats(-1e9, 1e9) | st.just(0.0)
    size = judge.layout.size
    chosen = data.draw(st.lists(st.lists(number, min_size=size, max_size=size), min_size=1, max_size=3))
    together = judge.prepared([np.array(vector) for vector in chosen])
    for row, vector in zip(together, chosen, strict=True):
        assert row.tolist() == judge.player(vector).prepared(judge.rules)[1].tolist()


def test_weights_that_are_no_numbers_are_refused():
    with pytest.raises(ApprentiError, match="finite"):
        objective().prepared([np.full(6, np.nan)])


def test_a_repetition_without_a_death_puts_no_floor_under_good_players():
    none = Repetition(100, 0, {"lines": 2000}, 0.0, (0.35,) * 16, 40_000)
    assert 1 / least_rate(none, "lines") > 1e9
    assert least_rate(Repetition(0, 0, {"lines": 400_000}, 0.0, (), 1_000_000), "lines") > 0


def test_who_never_removes_a_line_is_worth_next_to_nothing_by_splitting():
    # Such a repetition was taken for one without a death, and four lines: selection preferred it to who removes three.
    every_game_ended = Repetition(100, 0, {"lines": 0}, 1.0, (1.0,) * 15, 2_000)
    assert 1 / max(every_game_ended.rate("lines"), least_rate(every_game_ended, "lines")) == 0.01
