"""Splitting against playing: the same mean where both can be had."""

import json
from functools import cache

import numpy as np
import pytest

from apprenti.arena import splitting
from apprenti.arena.splitting import Levels, Splitting, repeat
from apprenti.cli.main import main
from apprenti.core.errors import BadAgent, BadRules
from apprenti.core.seeds import Stream, seed_of
from apprenti.games.tetris.fast.batch import Batch
from apprenti.games.tetris.fast.splitting import BatchProcess, TetrisProcess, first_level, importance, ladder
from apprenti.games.tetris.lab.solve import Problem, solve
from apprenti.games.tetris.rules import Rules
from apprenti.lab.agents import find
from apprenti.lab.evaluate import Evaluation, evaluate
from apprenti.lab.experiments import Experiment
from apprenti.lab.kinds.kind import Settings
from apprenti.lab.rare_events import RareEvaluation, RepetitionFile, evaluate_rare, process_of
from apprenti.lab.reproduce import reproduce
from apprenti.lab.results import Effort


@pytest.fixture(autouse=True)
def few_trials(monkeypatch):
    """A tenth of the trials: these tests are about what is measured, not how precisely."""
    monkeypatch.setattr(splitting, "PILOT", 300)
    monkeypatch.setattr(splitting, "TRIALS", 200)
    monkeypatch.setattr(splitting, "ENDS", 60)


def rules_of(agent, **options):
    return agent.game.rules(agent.rules, **options)


@cache
def dellacherie():
    agent = find("dellacherie")
    return agent, rules_of(agent, size="10x10")


def agree(found, mean, unit="lines", sigmas=3.5):
    """Whether a mean is within so many standard errors of what was split."""
    rates = found.rates(unit)
    error = rates.std(ddof=1) / len(rates) ** 0.5
    return abs(rates.mean() - 1 / mean) < sigmas * error


def repeated(process, number, trials=300):
    levels = Levels(ladder(process.rules), (trials,) * (len(ladder(process.rules)) + 1))
    return Splitting(levels, [repeat(process, levels, seed_of(7, place)) for place in range(number)])


def test_dellacherie_on_10x10_lasts_as_long_as_when_it_is_played():
    agent, rules = dellacherie()
    played = evaluate(agent, rules, Effort(3000, seed=5))
    split = evaluate_rare(agent, rules, Effort(seed=5, precision=0.08))
    (low, high), (least, most) = split.interval, played.interval
    assert low < most and least < high
    assert split.moves < played.moves  # and for less
    for unit in ("lines", "pieces"):
        assert split.summary(unit).mean == pytest.approx(played.summary(unit).mean, rel=0.15)


def test_the_result_does_not_depend_on_the_workers():
    agent, rules = dellacherie()
    one, two = (evaluate_rare(agent, rules, Effort(seed=3, precision=0.1, workers=n)) for n in (1, 2))
    assert one.splitting == two.splitting


def test_the_optimum_of_a_small_board_is_what_its_player_gets():
    solution = solve(Problem(Rules.preset("simplified", "5x4"), check_games=0, curve_games=0, workers=1))
    process = BatchProcess(solution.problem.rules, solution.agent().compiled(solution.problem.rules))
    found = repeated(process, 12, trials=200)
    assert agree(found, solution.value)
    assert found.half_width("lines") < 0.1


def test_side_by_side_and_one_by_one_are_the_same_measurement():
    agent, rules = dellacherie()
    player = agent.agent.compiled(rules)

    class SideBySide:
        def actions(self, batch):
            from apprenti.games.tetris.fast.players import placement_values

            found = []
            for index in range(batch.size):
                letter = rules.pieces.letters[batch.piece[index]]
                values = placement_values(rules, player, batch.board(index), letter) if batch.piece[index] >= 0 else {}
                best = max(values, key=lambda place: (values[place], -place[0], -place[1]), default=(0, 0))
                found.append(best[0] * rules.width + best[1])
            return np.array(found)

    process = BatchProcess(rules, SideBySide())
    level = first_level(rules)
    side = process.leave(1, level, 64, 10**9, 10**9)
    one = TetrisProcess(rules, player).leave(1, level, 4000, 10**9, 10**9)
    rates = [found.measures["lines"] / len(found.states) for found in (side, one)]
    assert rates[0] == pytest.approx(rates[1], rel=0.4)  # 64 ways out against 4000
    assert len(side.states) == 64


def test_the_importance_of_many_boards_is_that_of_the_kernel():
    _, rules = dellacherie()
    batch, rng = Batch(rules, 40, 1), Stream(1)
    batch.reset()
    for _ in range(12):
        batch.step(batch.random_actions(rng))
        batch.renew()
    for index in range(batch.size):
        board = batch.board(index)
        holes = sum(board.column_heights) - sum(cell != "." for row in board.rows for cell in row)
        by_hand = 10 * board.highest + 2 * sum(board.column_heights) + 3 * holes
        assert importance(batch.columns)[index] == by_hand


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("preview:dellacherie", {"size": "10x6", "preview": True}),
        ("dellacherie", {"rules": "strict", "size": "10x10"}),
        ("dellacherie", {"randomiser": "bag", "size": "10x7"}),
        ("dellacherie", {"rules": "tetrisbot", "size": "10x10"}),
        ("dqn-board", {"size": "10x8"}),
    ],
)
def test_every_compiled_player_and_every_rule_is_split(name, options):
    agent = find(name)
    rules = rules_of(agent, **options)
    process = process_of(agent, rules)
    process.rules = rules
    found = repeated(process, 6 if isinstance(process, BatchProcess) else 24, trials=100)
    played = evaluate(agent, rules, Effort(100, seed=2)).summary("lines")
    low, high = found.interval("lines")
    assert low < played.ci95[1] * 1.1 and played.ci95[0] < high * 1.1


def test_who_dies_soon_is_played():
    agent, _ = dellacherie()
    assert isinstance(evaluate_rare(agent, rules_of(agent, size="10x4"), Effort(precision=0.2)), Evaluation)


def test_who_never_dies_has_no_finite_mean(monkeypatch):
    monkeypatch.setattr(splitting, "LONGEST", 3000)
    agent, _ = dellacherie()
    found = evaluate_rare(agent, rules_of(agent, size="10x10", randomiser="sequence:O"), Effort())
    assert isinstance(found, RareEvaluation)
    assert found.mean == float("inf") and found.to_json()["mean_lines"] is None and found.interval[0] > 0


@pytest.mark.parametrize("name", ["random", "random-moves"])
def test_who_is_not_compiled_is_refused_with_a_sentence(name):
    agent = find(name)
    with pytest.raises(BadAgent, match="leave --rare out"):
        evaluate_rare(agent, agent.rules, Effort())


def test_games_that_are_cut_are_refused():
    agent, _ = dellacherie()
    with pytest.raises(BadRules, match="whole games"):
        evaluate_rare(agent, rules_of(agent, size="10x10", max_pieces=100), Effort())


def test_an_interrupted_measurement_keeps_what_is_known_and_goes_on(tmp_path):
    agent, rules = dellacherie()
    stored, effort = RepetitionFile(tmp_path / "known.json"), Effort(seed=4, precision=0.1, workers=1)

    def press(found):
        if found.games == 5:
            raise KeyboardInterrupt

    broken = evaluate_rare(agent, rules, effort, press, stored=stored)
    assert broken.interrupted and broken.games == 5
    whole, again = evaluate_rare(agent, rules, effort), evaluate_rare(agent, rules, effort, stored=stored)
    assert again.splitting == whole.splitting and again.splitting.repetitions[:5] == broken.splitting.repetitions


def test_an_experiment_measures_rare_rows_and_resumes(tmp_path, monkeypatch):
    row = {"agent": "dellacherie", "size": "10x10", "rare": True, "precision": 0.3}
    experiment = Experiment("mine", "Mine", "?", "scores", {"row": [row]})
    table = reproduce(experiment, Settings(), tmp_path, lambda *_: None)
    (found,) = json.loads((tmp_path / "results.json").read_text())
    assert "split, 16" in table and found["repetitions"] == 16 and found["ci95"][0] < found["mean_lines"]
    for part in (tmp_path / "parts").iterdir():
        part.unlink()
    monkeypatch.setattr(splitting, "repeat", None)  # all repetitions are stored
    assert reproduce(experiment, Settings(), tmp_path, lambda *_: None).split("|")[:7] == table.split("|")[:7]


def test_the_command_prints_the_same_keys_as_ever(capsys):
    words = ["evaluate", "dellacherie", "--rare", "--size", "10x10", "--precision", "0.3", "--json"]
    assert main(words) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["ci95"][0] < data["mean_lines"] < data["ci95"][1] and data["seconds"] > 0
    for wrong, said in ((["--record", "x"], "no whole ones for --record"), (["--precision", "2"], "part of the mean")):
        assert main([*words, *wrong]) == 2
        assert said in capsys.readouterr().err
    assert main(["evaluate", "tictactoe-random", "--rare"]) == 2


def test_agents_are_compared_by_splitting(capsys, tmp_path):
    words = ["compare", "dellacherie", "dellacherie-ce", "--rare", "--size", "10x10", "--precision", "0.3"]
    figure = tmp_path / "both.png"
    assert main([*words, "--figure", str(figure)]) == 0
    shown = capsys.readouterr().out
    assert "multilevel splitting" in shown and "dellacherie-ce" in shown and figure.exists()
