"""Games of an evaluation as replays."""

from dataclasses import replace

import pytest
from apprenti.lab.record import record

from apprenti.core.errors import ApprentiError
from apprenti.games.tetris import Rules
from apprenti.lab.agents import find
from apprenti.lab.evaluate import Effort, evaluate
from apprenti.store.replay import read_replay, states_of

RULES = {
    "dellacherie": Rules.preset("simplified", "10x5"),
    "tetrisbot": Rules.preset("tetrisbot", "7x6", max_pieces=50),
    "random-moves": Rules.preset("tetrisbot", "6x6"),
}


@pytest.mark.parametrize("name", RULES)
def test_replays_of_games_lead_where_they_say(name, tmp_path):
    known, rules = find(name), RULES[name]
    evaluation = evaluate(known, rules, Effort(4, seed=9, workers=1))
    assert evaluation.engine == ("readable" if name == "random-moves" else "compiled")
    paths = record(known, evaluation, tmp_path / "games")
    assert sorted((tmp_path / "games").iterdir()) == paths
    for path, game in zip(paths, evaluation.games, strict=True):
        replay = read_replay(path)
        last = list(states_of(replay))[-1]  # raises if it leads elsewhere
        assert (replay.agent, replay.rules) == (name, rules)
        assert (last.tally.pieces, last.tally.points) == (game.tally.pieces, game.tally.points)
        assert bool(last.outcome and not last.outcome.truncated) == game.died


def test_moves_that_were_kept_are_not_played_again(tmp_path, monkeypatch):
    known, rules = find("dellacherie"), RULES["dellacherie"]
    evaluation = evaluate(known, rules, Effort(2, workers=1), keep_moves=100_000)
    monkeypatch.setattr("apprenti.lab.record.moves_of", None)
    assert [list(states_of(read_replay(path)))[-1].tally.pieces for path in record(known, evaluation, tmp_path)] == [
        game.tally.pieces for game in evaluation.games
    ]


def test_games_cut_at_any_piece_are_recorded_under_their_own_number(tmp_path):
    # games 0 and 3 of an evaluation that was interrupted while two workers played: 1 and 2 never began
    known = find("dellacherie")
    rules = Rules.preset("simplified")  # whole games last for millions of pieces
    evaluation = evaluate(known, rules.changed(max_pieces=30), Effort(4, workers=1))
    evaluation.games = [replace(evaluation.games[index], reason="", died=False) for index in (0, 3)]
    evaluation.rules = rules
    paths = record(known, evaluation, tmp_path)
    assert [path.name for path in paths] == ["dellacherie-1-0000.json", "dellacherie-1-0003.json"]
    assert [list(states_of(read_replay(path)))[-1].tally.pieces for path in paths] == [30, 30]


def test_a_description_becomes_a_file_name(tmp_path):
    known = find("evaluation:0.5,0.5,0.6,0.2")
    evaluation = evaluate(known, RULES["tetrisbot"], Effort(1, workers=1))
    (path,) = record(known, evaluation, tmp_path)
    assert path.name == "evaluation-0.5-0.5-0.6-0.2-1-0000.json"


def test_a_game_too_long_for_a_replay_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("apprenti.lab.record.LONGEST", 10)
    known = find("dellacherie")
    evaluation = evaluate(known, RULES["dellacherie"], Effort(1, workers=1))
    with pytest.raises(ApprentiError, match="add --max-pieces"):
        record(known, evaluation, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_refused(tmp_path):
    known = find("dellacherie")
    evaluation = evaluate(known, RULES["dellacherie"], Effort(1, workers=1))
    (tmp_path / "file").write_text("")
    with pytest.raises(ApprentiError, match="cannot write"):
        record(known, evaluation, tmp_path / "file")
