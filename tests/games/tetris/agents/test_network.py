"""Players with a network: readable and compiled make the same moves, and bad files are refused."""

from dataclasses import replace

import numpy as np
import pytest

from apprenti.agents.description import build
from apprenti.core.errors import ApprentiError, BadAgent
from apprenti.games.tetris import Rules
from apprenti.games.tetris.agents.network import NetworkAgent, Worth
from apprenti.games.tetris.agents.q_network import QNetworkAgent, inputs_of
from apprenti.games.tetris.agents.q_table import actions_of
from apprenti.games.tetris.fast.measures import Measures
from apprenti.games.tetris.fast.players import CompiledPlayer, play
from apprenti.games.tetris.fast.windows import FEATURES, Windows, parse
from tests.helpers import play_tetris

RNG = np.random.Generator(np.random.PCG64(8))
SIZE = "6x10"


def drawn(*shape):
    return RNG.normal(size=shape).astype(np.float32)


def head(inputs, hidden=3):
    return {"linear": drawn(inputs), "bias": drawn(1), "first": drawn(inputs, hidden), "first_bias": drawn(hidden),
            "second": drawn(hidden)}  # fmt: skip


def of_the_board(windows="3x3,row", **options):
    shapes = parse(windows, 6)
    weights = head(Windows(6, 10, shapes).sums)
    for kind, (rows, columns) in enumerate(shapes):
        weights |= {f"{kind}.first": drawn(rows * columns, 4), f"{kind}.first_bias": drawn(4),
                    f"{kind}.second": drawn(4, FEATURES), f"{kind}.second_bias": drawn(FEATURES)}  # fmt: skip
    return NetworkAgent(windows=windows, weights_by_name=weights, **options)


def of_criteria(hidden=3, **options):
    names = ("holes", "row_transitions", "landing_height", "eroded_piece_cells", "column_heights", "holes_change")
    size = Measures(Rules.preset("simplified", SIZE), names).size
    weights = {**head(size, hidden), "shift": drawn(size), "scale": np.abs(drawn(size))}
    weights["linear"][:2] = -30.0  # or its games would be over at once
    return NetworkAgent("criteria", criteria=names, weights_by_name=weights, **options)


def of_actions(rules, moves):
    sizes = (inputs_of(rules, moves), 7, 5, actions_of(rules, moves))
    weights = {}
    for layer in range(3):
        weights |= {f"{layer}": drawn(sizes[layer], sizes[layer + 1]), f"{layer}_bias": drawn(sizes[layer + 1])}
    return QNetworkAgent(moves, weights)


@pytest.mark.parametrize("make", [of_the_board, of_criteria])
@pytest.mark.parametrize("rules", ["simplified", "strict", "tetrisbot"])
def test_a_network_plays_the_same_game_readable_and_compiled(make, rules):
    agent, rules = make(), Rules.preset(rules, SIZE, max_pieces=25)
    for seed in (1, 2):
        slow, (fast,) = play_tetris(agent, rules, (seed, 9)), play(rules, agent.compiled(rules), [(seed, 9)], 25)
        assert replace(slow.tally, last_points=0) == fast.tally
        assert slow.died == fast.died
        assert slow.moves == tuple(f"P:{column}:{rotation}" for _, rotation, column in fast.moves)


@pytest.mark.parametrize(("moves", "rules"), [("keys", "tetrisbot"), ("placements", "strict")])
def test_a_network_of_actions_plays_the_same_game_readable_and_compiled(moves, rules):
    rules = Rules.preset(rules, SIZE, max_pieces=25)
    agent = of_actions(rules, moves)
    for seed in (1, 2, 3):
        slow, (fast,) = play_tetris(agent, rules, (seed, 9)), agent.compiled(rules).play(rules, [(seed, 9)])
        assert (replace(slow.tally, last_points=0), slow.died) == (fast.tally, fast.died)


def test_a_network_without_units_is_a_weighted_sum_and_the_kernel_plays_it():
    agent, rules = of_criteria(hidden=0), Rules.preset("simplified", SIZE, max_pieces=30)
    assert isinstance(agent.compiled(rules), CompiledPlayer)
    slow, (fast,) = play_tetris(agent, rules, (4, 9)), play(rules, agent.compiled(rules), [(4, 9)], 30)
    assert slow.moves == tuple(f"P:{column}:{rotation}" for _, rotation, column in fast.moves)
    (by_outputs,) = agent.player(rules).play(rules, [(4, 9)], 30)  # the weights order placements as the network does
    assert by_outputs.moves == fast.moves


def test_games_side_by_side_are_those_played_alone():
    agent, rules = of_criteria(), Rules.preset("simplified", SIZE, max_pieces=60)
    seeds = [(seed, 0) for seed in range(6)]
    together = agent.compiled(rules).play(rules, seeds)
    assert together == [agent.compiled(rules).play(rules, [pair])[0] for pair in seeds]
    assert len({result.tally.pieces for result in together}) > 1


def test_a_network_described_and_built_again_is_the_same():
    for agent in (of_the_board(), of_criteria(reward="lines", output="plain", gamma=0.9)):
        assert build(*agent.describe(), agent.arrays()) == agent


def test_worth_by_hand():
    survival, lines = Worth("survival", "logistic", 0.5), Worth("square", "plain", 0.5)
    assert survival.values(np.array([0.0, 1000.0])).tolist() == pytest.approx([-0.5, 0.0])
    assert lines.rewards(np.array([0, 3])).tolist() == [0.0, 9.0]
    assert (survival.at_the_end, lines.at_the_end) == (-1.0, 0.0)


def altered(agent, name, array):
    return {**agent.arrays(), name: array}


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("linear", np.zeros(3, np.float32)),
        ("0.first", np.zeros((9, 5), np.float32)),
        ("first_bias", np.full(3, np.nan, np.float32)),
        ("1.second", np.zeros((4, 2), np.float32)),
    ],
)
def test_weights_of_the_wrong_shape_or_not_finite_are_refused(name, array):
    agent = of_the_board()
    kind, options = agent.describe()
    with pytest.raises(BadAgent, match=name.replace(".", r"\.")):
        build(kind, options, altered(agent, name, array)).compiled(Rules.preset("simplified", SIZE))


def test_a_network_of_rows_refuses_boards_of_another_width():
    with pytest.raises(ApprentiError):
        of_the_board().compiled(Rules.preset("simplified", "7x10"))
    taller = Rules.preset("simplified", "6x16", max_pieces=3)
    assert of_the_board().compiled(taller).play(taller, [(1, 1)])[0].tally.pieces == 3


@pytest.mark.parametrize("kind", ["network", "q-network", "q-table"])
def test_without_arrays_there_is_no_player(kind):
    with pytest.raises(BadAgent, match="arrays"):
        build(kind, {})
