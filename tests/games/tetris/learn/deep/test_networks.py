"""Torch and numpy say the same, and the slopes of the look-ups are right."""

import numpy as np
import pytest

from apprenti.core.seeds import Stream
from apprenti.games.tetris import Board, Rules
from apprenti.games.tetris.agents.q_network import ActionNetwork
from apprenti.games.tetris.fast.batch import Batch
from apprenti.games.tetris.fast.measures import Measures
from apprenti.games.tetris.fast.tables import columns_of
from apprenti.games.tetris.fast.windows import Windows, parse

torch = pytest.importorskip("torch")

from apprenti.games.tetris.learn.deep.networks import (  # noqa: E402
    ActionModule,
    BoardModule,
    CriteriaModule,
    load_weights,
    weights_of,
)  # fmt: skip

RULES = Rules.preset("simplified", "6x8")
WINDOWS = Windows(6, 8, parse("3x3,2x4,row", 6))


def games():
    """Games a few pieces old."""
    batch, rng = Batch(RULES, 40, 3), Stream(5)
    batch.reset()
    for _ in range(5):
        batch.step(batch.random_actions(rng))
        batch.renew()
    return batch


def board_module():
    torch.manual_seed(2)
    return BoardModule(WINDOWS, hidden=5, head=3)


def test_a_network_of_the_board_is_the_same_in_numpy_and_in_torch():
    batch, module = games(), board_module()
    after = batch.afterstates()
    known = module.network()
    from_weights = type(known)(WINDOWS, weights_of(module))  # without the table that torch has made
    said = module(after.columns).detach().numpy()
    assert known.outputs(batch.all_columns, after) == pytest.approx(said, abs=1e-4)
    assert from_weights.outputs(batch.all_columns, after) == pytest.approx(said, abs=1e-4)
    assert np.ptp(said) > 0.01  # and it does not say the same of every board


def test_a_board_and_its_mirror_image_are_worth_the_same():
    module = board_module()
    board = Board.parse(["......", "#.....", "##..#.", "##.###", ".#####"])
    mirrored = Board.parse(["......", ".....#", ".#..##", "###.##", "#####."])
    both = np.concatenate([columns_of(board), columns_of(mirrored)])
    one, other = module(both).detach().numpy()
    assert one == pytest.approx(other, abs=1e-6)


def test_an_empty_board_is_worth_the_bias():
    module = board_module()
    with torch.no_grad():
        wanted = module.linear.bias[0] + (torch.relu(module.first.bias) * module.second.weight[0]).sum()
        said = module(np.zeros((1, 16), np.int32))
    assert said.tolist() == pytest.approx([float(wanted)], abs=1e-6)


def test_the_slopes_of_a_network_of_the_board_are_those_of_small_changes():
    module, columns = board_module(), games().all_columns[:7].copy()
    step = 0.01  # single precision: far above its errors, and the units have few kinks within
    for name, parameter in module.named_parameters():
        module.zero_grad()
        module(columns).sum().backward()
        place = np.unravel_index(int(torch.argmax(parameter.grad.abs())), parameter.shape)
        slope, sums = float(parameter.grad[place]), []
        with torch.no_grad():
            for change in (step, -2 * step, step):
                parameter[place] += change
                sums.append(float(module(columns).sum()))
        assert (sums[0] - sums[1]) / (2 * step) == pytest.approx(slope, rel=0.05, abs=1e-4), name


def test_a_network_of_criteria_is_the_same_in_numpy_and_in_torch():
    batch, measures = games(), Measures(RULES, ("holes", "landing_height", "column_heights"))
    torch.manual_seed(3)
    for hidden in (4, 0):
        module = CriteriaModule(measures, hidden)
        values = measures.of_last_moves(batch).astype(np.float32)
        module.standardise(values)
        said = module(values).detach().numpy()
        assert module.network().of_criteria(values.astype(np.float64)) == pytest.approx(said, abs=1e-4)


def test_a_network_of_actions_is_the_same_in_numpy_and_in_torch():
    torch.manual_seed(4)
    module, seen = ActionModule(12, 7, 5), np.random.Generator(np.random.PCG64(1)).integers(0, 2, (9, 12))
    said = module(seen.astype(np.float32)).detach().numpy()
    assert isinstance(module.network(), ActionNetwork)
    assert module.network().outputs(seen) == pytest.approx(said, abs=1e-4)


def test_weights_go_to_a_player_and_back():
    for make in (
        board_module,
        lambda: CriteriaModule(Measures(RULES, ("holes", "lines")), 3),
        lambda: ActionModule(4, 3, 2),
    ):
        one, other = make(), make()
        with torch.no_grad():
            for parameter in other.parameters():
                parameter += 1
        load_weights(other, weights_of(one))
        for mine, theirs in zip(one.parameters(), other.parameters(), strict=True):
            assert torch.equal(mine, theirs)
