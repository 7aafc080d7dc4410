"""SARSA: the report's update by hand, a readable twin of the kernel, and players that nobody beats."""

from itertools import pairwise

import numpy as np
import pytest

from apprenti.agents.description import build
from apprenti.core.errors import BadOption, BadRules
from apprenti.core.seeds import Stream, below, pick, seed_of
from apprenti.games.mnk import Rules, State, symmetries
from apprenti.games.mnk.codes import keys_of
from apprenti.games.mnk.fast.exact import best_moves, meets, never_loses, share_optimal
from apprenti.games.mnk.learn.sarsa import Sarsa, SarsaConfig, TableFull
from apprenti.games.mnk.state import seen_by

REPORT = {"loss_reward": 0.0, "learning_rate_schedule": "constant"}
"""What is different in the report: 1 for a win and 0 for all else, and a constant learning rate of 0.2."""


def learned(games=400_000, iterations=1, **options):
    """A learner that has played all its games."""
    made = Sarsa(SarsaConfig(iterations=iterations, episodes=games // iterations, **options))
    while not made.done:
        made.step()
    return made


# The update -----------------------------------------------------------------------------------------------------------


def test_the_reports_update_by_hand():
    # On 2x2 two in a row always win: X, O, X. With Q = 0 at first, a rate of 0.2 and a discount of 0.9:
    #   last move of X     0 + 0.2 · (1 + 0.9 · 0 − 0)    = 0.2
    #   first move of X    0 + 0.2 · (0 + 0.9 · 0.2 − 0)  = 0.036
    #   the move of O      0 + 0.2 · (0 + 0.9 · 0 − 0)    = 0
    made = learned(size="2x2x2", games=1, **REPORT)
    found = sorted((made.table(player)[1].tolist() for player in (0, 1)), key=len)
    assert found == [[0.0], pytest.approx([0.036, 0.2])]


def test_and_of_the_second_game():
    # If the same player begins again and makes the same moves up to symmetry:
    #   last move     0.2   + 0.2 · (1 − 0.2)               = 0.36
    #   first move    0.036 + 0.2 · (0.9 · 0.36 − 0.036)    = 0.0936
    games = (learned(size="2x2x2", games=2, seed=seed, **REPORT) for seed in range(100))
    same = next(made for made in games if sorted(made.counts) == [1, 2])  # no move was new in the second game
    assert same.table(int(same.counts.argmax()))[1] == pytest.approx([0.0936, 0.36])


def test_rewards_of_a_draw_are_those_of_who_began_and_who_did_not():
    # Two cells, two in a row: X, O, and the board is full.
    made = learned(
        size="1x2x2", games=1, draw_reward_first=0.5, draw_reward_second=0.3, learning_rate_schedule="constant"
    )
    assert sorted(float(made.table(player)[1][0]) for player in (0, 1)) == pytest.approx([0.06, 0.1])


# A readable twin ------------------------------------------------------------------------------------------------------


class Twin:
    """The report's program: dictionaries of boards, every image of a position written down on its own."""

    def __init__(self, config):
        self.config, self.rng, self.played = config, Stream(seed_of(config.seed, "sarsa")), 0
        tables = {}, {}
        self.tables = (tables[0], tables[0]) if config.shared else tables

    def rate(self, first, last, schedule):
        return first + (last - first) * (self.played / self.config.games) if schedule == "linear" else first

    def key(self, state, cell):
        return state.play(cell).cells if self.config.form == "state" else (state.cells, cell)

    def move(self, state, table, epsilon):
        legal, config = state.legal_moves(), self.config
        if epsilon > 0 and self.rng.random() < epsilon:
            return legal[below(self.rng, len(legal))]
        values = [table.get(self.key(state, cell), config.initial_value) for cell in legal]
        ties = [cell for cell, value in zip(legal, values, strict=True) if value == max(values)]
        return pick(self.rng, ties) if len(ties) > 1 else ties[0]

    def images(self, state, cell):
        """A move as each symmetry shows it, each image once."""
        group = symmetries(state.rules) if self.config.symmetric else symmetries(state.rules)[:1]
        return {self.key(seen_by(state, g), g.index(cell)) for g in group}

    def play(self):
        config = self.config
        epsilon = self.rate(config.epsilon, config.epsilon_end, config.epsilon_schedule)
        rate = self.rate(config.learning_rate, config.learning_rate_end, config.learning_rate_schedule)
        first, state, trails = below(self.rng, 2), State.start(config.rules), ([], [])
        while not state.outcome:
            player = (first + state.to_move) % 2
            cell = self.move(state, self.tables[player], epsilon)
            trails[player].append((state, cell))
            state = state.play(cell)
        for player in (0, 1):
            side = (player - first) % 2
            wanted = (config.draw_reward_first, config.draw_reward_second)[side]
            if state.outcome.winner is not None:
                wanted = config.win_reward if state.outcome.winner == side else config.loss_reward
            learn = self.learn_each if config.report_symmetries else self.learn
            learn(self.tables[player], trails[player], wanted, rate)
        self.played += 1

    def learn(self, table, decisions, wanted, rate):
        for seen, cell in reversed(decisions):
            images = self.images(seen, cell)
            before = {table.get(image, self.config.initial_value) for image in images}
            assert len(before) == 1  # images have the same value at all times
            value = before.pop()
            value += rate * (wanted - value)
            table.update(dict.fromkeys(images, value))
            wanted = self.config.gamma * value

    def learn_each(self, table, decisions, reward, rate):
        """The game as it was, then as each of the report's five symmetries shows it; no entry twice."""
        group = [g for g in symmetries(self.config.rules) if not is_diagonal(g, self.config.rules.rows)]
        done = [set() for _ in decisions]
        for g in group:
            wanted = reward
            for (seen, cell), updated in reversed([*zip(decisions, done, strict=True)]):
                key = self.key(seen_by(seen, g), g.index(cell))
                value = table.get(key, self.config.initial_value)
                table[key] = value if key in updated else value + rate * (wanted - value)
                updated.add(key)
                wanted = self.config.gamma * table[key]


def is_diagonal(symmetry, side):
    """Whether a symmetry of a square board is a reflection in a diagonal: it leaves exactly `side` cells of one."""
    diagonals = [range(0, side * side, side + 1), range(side - 1, side * side - 1, side - 1)]
    moved = symmetry != tuple(range(side * side))
    return moved and any(all(symmetry[cell] == cell for cell in diagonal) for diagonal in diagonals)


def flat(table, config):
    """A twin's table by the keys of the kernel's."""
    found = {}
    for key, value in table.items():
        if config.form == "action":
            cells, cell = key
        else:  # the last move may have been any mark of who has just moved: all lead to the same key
            last = "XO"[(len(key) - key.count(".") - 1) % 2]
            cell = key.index(last)
            cells = key[:cell] + "." + key[cell + 1 :]
        number = int(keys_of(State(config.rules, cells), [cell], config.form, config.folded)[0])
        assert found.setdefault(number, value) == value
    return found


@pytest.mark.parametrize(
    "options",
    [
        {},
        REPORT,
        {"form": "action", "epsilon_schedule": "linear"},
        {"symmetric": False, "shared": True, "draw_reward_second": 0.3},
        {"form": "action", "symmetric": False, "initial_value": 0.5},
        {"size": "2x4x3", "epsilon": 0.0, "initial_value": 1.0},
        {"size": "3x4x3", "shared": True, "epsilon": 1.0},
        {"report_symmetries": True},
        {"report_symmetries": True, "form": "action", "shared": True},
    ],
    ids=str,
)
def test_the_kernel_learns_what_the_readable_twin_learns_to_the_bit(options):
    made = learned(games=150, iterations=3, **options)
    twin = Twin(made.config)
    for _ in range(150):
        twin.play()
    for player in (0, 1):
        keys, values = made.table(player)
        assert dict(zip(keys.tolist(), values.tolist(), strict=True)) == flat(twin.tables[player], made.config)
    assert int(made.chance[0]) == twin.rng.state


def test_rates_fall_as_they_are_told():
    # One move a game: value ← value + rate · (1 − value), so that each rate can be seen in the value.
    def rates(**options):
        made = Sarsa(SarsaConfig(size="1x1x1", iterations=4, episodes=1, shared=True, win_reward=1.0, **options))
        seen = [0.0]
        while not made.done:
            made.step()
            seen.append(float(made.table()[1][0]))
        return [(after - before) / (1 - before) for before, after in pairwise(seen)]

    assert rates(learning_rate_schedule="constant") == pytest.approx([0.2] * 4)
    assert rates(learning_rate_end=0.0) == pytest.approx([0.2, 0.15, 0.1, 0.05])
    falling = rates(learning_rate_schedule="geometric", learning_rate=0.5, learning_rate_end=0.5**5)
    assert falling == pytest.approx([2**-1, 2**-2, 2**-3, 2**-4])


# What is learned ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def usual():
    """What the defaults make."""
    return learned(iterations=4)


@pytest.mark.parametrize("player", [0, 1])
def test_with_the_defaults_no_opponent_beats_either_player_in_any_game(usual, player):
    agent = usual.agent(player)
    tree, best = best_moves(Rules(), agent.best)
    assert never_loses(tree, best)
    assert share_optimal(tree, best) > 0.99
    as_x, as_o = meets(tree, best, "random")
    assert as_x.score > 0.98 and as_o.score > 0.9


def test_the_metrics_are_those_of_the_agent(usual):
    row = usual.measured()
    tree, best = best_moves(Rules(), usual.agent().best)
    assert row["optimal"] == pytest.approx(share_optimal(tree, best))
    assert row["can_lose"] == 0.0
    for opponent in ("perfect", "random"):
        met = meets(tree, best, opponent)
        assert row[f"against_{opponent}"] == pytest.approx(sum(side.score for side in met) / 2)


def test_the_reports_own_rewards_make_a_player_that_can_be_beaten():
    # A loss is worth as much as a draw, so nothing is learned of defending where there is nothing left to win.
    made = learned(**REPORT)
    assert [side.loss for side in meets(made.tree, made.best_moves(made.tree), "worst")] == [0.0, 1.0]  # as X, as O
    assert made.measured()["can_lose"] == 1.0


def test_learning_beats_not_learning_on_a_board_that_is_judged_by_test_games():
    made = Sarsa(SarsaConfig(size="4x4x3", iterations=2, test_games=2000))
    before = made.measured()["against_random"]
    while not made.done:
        row = made.step()
    assert set(row) == {
        "generation", "games", "entries", "against_random", "against_random_low", "against_random_high",
    }  # fmt: skip
    assert abs(before - 0.5) < 0.05 and row["against_random"] > 0.7


def test_two_tables_or_one():
    apart, shared = learned(games=500), learned(games=500, shared=True)
    assert apart.agent(0) != apart.agent(1)
    assert shared.agent(0) == shared.agent(1)


# The table ------------------------------------------------------------------------------------------------------------


def test_a_table_grows_and_is_then_what_it_would_have_been():
    made = learned(size="3x4x3", games=2000, iterations=4)
    assert made.keys.shape[1] > 2 * made.counts.max() >= 2 * 1024
    twin = Sarsa(made.config)
    twin.keys, twin.values = np.zeros((2, 1 << 16), np.uint64), np.zeros((2, 1 << 16))
    while not twin.done:
        twin.step()
    assert twin.agent() == made.agent() and twin.agent(1) == made.agent(1)


def test_a_table_that_may_not_grow_ends_learning_with_a_sentence():
    made = Sarsa(SarsaConfig(size="5x5x4", max_entries=5000, iterations=1))
    with pytest.raises(TableFull, match=r"games of 5x5x4, and --max-entries allows 5,000: allow more, play fewer"):
        made.step()
    assert made.counts.max() <= 5000


def test_a_table_is_the_same_after_a_journey_to_the_disk(usual, tmp_path):
    from apprenti.store.agentfile import AgentFile, read_agent, write_agent

    agent = usual.agent()
    kind, options = agent.describe()
    file = AgentFile("x", "x", "mnk", kind, options, usual.made_for, "x", arrays=agent.arrays())
    write_agent(tmp_path / "x.json", file)
    again = read_agent(tmp_path / "x.json")
    twin = build(again.kind, again.config, again.arrays)
    assert twin == agent
    assert twin.table.tobytes() == agent.table.tobytes()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"iterations": 0}, "--iterations must be at least 1"),
        ({"episodes": 0}, "--episodes must be at least 1"),
        ({"epsilon": 1.5}, "--epsilon must be between 0 and 1"),
        ({"learning_rate": -0.1}, "--learning-rate must be between 0 and 1"),
        ({"gamma": float("nan")}, "--gamma must be between 0 and 1"),
        ({"win_reward": float("inf")}, "--win-reward must be a number"),
        ({"epsilon_schedule": "sudden"}, "--epsilon-schedule is constant, linear or geometric"),
        ({"learning_rate_schedule": "geometric", "learning_rate_end": 0.0}, "--learning-rate-end above 0"),
        ({"form": "board"}, "--form is state or action"),
        ({"max_entries": 0}, "--max-entries must be at least 1"),
    ],
)
def test_options_that_cannot_be_are_refused_by_name(options, said):
    with pytest.raises(BadOption, match=said):
        SarsaConfig(**options)


@pytest.mark.parametrize("size", ["3x3", "7x7x5", "20x20x5"])
def test_boards_that_cannot_be_learned_are_refused(size):
    with pytest.raises(BadRules):
        Sarsa(SarsaConfig(size=size))


# Beyond one run -------------------------------------------------------------------------------------------------------


def test_the_report_has_five_symmetries_and_those_of_other_boards_are_left_to_do():
    assert len(SarsaConfig(report_symmetries=True).images) == 1 + 5
    for other in ({"size": "3x4x3"}, {"symmetric": False}):
        with pytest.raises(BadOption, match="--report-symmetries are those of a square board"):
            SarsaConfig(report_symmetries=True, **other)
    assert SarsaConfig().images.tolist() == [0]  # one entry stands for all


@pytest.mark.parametrize("names", [("a", "a"), ("a", "../b"), ("", "b")])
def test_names_of_players_are_two_different_words(names):
    with pytest.raises(BadOption, match="--names"):
        SarsaConfig(names=names)


def test_a_longer_run_goes_on_with_the_rates_it_ended_with():
    short = learned(games=40, iterations=2)
    longer = Sarsa(SarsaConfig(iterations=4, episodes=20))
    longer.restore(short.state())
    while not longer.done:
        longer.step()
    assert (longer.played, longer.falls_over) == (80, 40)
    constant = learned(games=40, iterations=2)
    constant.config = SarsaConfig(
        iterations=4, episodes=20, learning_rate=constant.config.learning_rate_end, learning_rate_schedule="constant"
    )
    constant.play_until(80)
    for player in (0, 1):
        np.testing.assert_allclose(longer.table(player), constant.table(player), rtol=1e-9)
