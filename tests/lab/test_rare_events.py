"""Splitting against playing: the same mean where both can be had."""

import json

import pytest

from apprenti.cli.main import main
from apprenti.core.errors import BadAgent
from apprenti.lab.agents import find
from apprenti.lab.effort import Effort
from apprenti.lab.evaluate import Evaluation, evaluate
from apprenti.lab.rare_events import evaluate_rare


def test_dellacherie_on_10x10_lasts_as_long_as_when_it_is_played():
    agent = find("dellacherie")
    rules = agent.game.rules(agent.rules, size="10x10")
    played = evaluate(agent, rules, Effort(3000, seed=5))
    split = evaluate_rare(agent, rules, Effort(seed=5, precision=0.08))
    low, high = split.interval
    assert low < played.interval[1] and played.interval[0] < high
    assert split.splitting.moves < played.games * 2500  # and for less
    again = evaluate_rare(agent, rules, Effort(seed=5, precision=0.08, workers=1))
    assert again.splitting.rates.tolist() == split.splitting.rates.tolist()[: again.games]


def test_who_dies_soon_is_played():
    agent = find("bertsekas-ioffe-start")
    rules = agent.game.rules(agent.rules, size="10x8")
    assert isinstance(evaluate_rare(agent, rules, Effort()), Evaluation)


def test_who_has_no_weights_is_refused():
    with pytest.raises(BadAgent, match="weighted sum"):
        evaluate_rare(find("random"), find("random").rules, Effort())


def test_the_command_prints_the_same_keys_as_ever(capsys):
    words = ["evaluate", "dellacherie", "--rare", "--size", "10x10", "--precision", "0.3", "--json"]
    assert main(words) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["ci95"][0] < data["mean_lines"] < data["ci95"][1] and data["seconds"] > 0
    assert main([*words, "--record", "x"]) == 2
    assert "nothing to --record" in capsys.readouterr().err
