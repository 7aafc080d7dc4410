"""Games of an evaluation as replays."""

from dataclasses import replace

import pytest

from apprenti.core.errors import ApprentiError
from apprenti.core.protocols import CommonReason, Outcome
from apprenti.games.tetris import Rules
from apprenti.games.tetris.game import GAME
from apprenti.lab.agents import find
from apprenti.lab.evaluate import evaluate
from apprenti.lab.results import Effort
from apprenti.store.replay import read_replay

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
    paths = evaluation.write_replays(tmp_path / "games")
    assert sorted((tmp_path / "games").iterdir()) == paths
    for path, record in zip(paths, evaluation.records, strict=True):
        replay = read_replay(path)
        last = list(replay.states())[-1]  # raises if it leads elsewhere
        assert (replay.players, GAME.rules_from_json(replay.rules)) == ((name,), rules)
        assert GAME.measures(last) == record.measures
        assert last.outcome.truncated == record.outcome.truncated


def test_moves_that_were_written_down_are_not_played_again(monkeypatch):
    evaluation = evaluate(find("random-moves"), RULES["random-moves"], Effort(1, workers=1))
    monkeypatch.setattr("apprenti.lab.results.replayed", None)
    (record,) = evaluation.records
    assert evaluation.replay(record).moves == record.moves


def test_games_cut_at_any_piece_are_recorded_under_their_own_number(tmp_path):
    # games 0 and 3 of an evaluation that was interrupted while two workers played: 1 and 2 never began
    known = find("dellacherie")
    rules = Rules.preset("simplified")  # whole games last for millions of pieces
    evaluation = evaluate(known, rules.changed(max_pieces=30), Effort(4, workers=1))
    stopped = Outcome(CommonReason.STOPPED, truncated=True)
    evaluation.records = [replace(evaluation.records[index], outcome=stopped) for index in (0, 3)]
    evaluation.rules = rules
    paths = evaluation.write_replays(tmp_path)
    assert [path.name for path in paths] == ["dellacherie-1-0000.json", "dellacherie-1-0003.json"]
    assert [list(read_replay(path).states())[-1].tally.pieces for path in paths] == [30, 30]


def test_a_description_becomes_a_file_name(tmp_path):
    evaluation = evaluate(find("evaluation:0.5,0.5,0.6,0.2"), RULES["tetrisbot"], Effort(1, workers=1))
    (path,) = evaluation.write_replays(tmp_path)
    assert path.name == "evaluation-0.5-0.5-0.6-0.2-1-0000.json"


def test_a_game_too_long_for_a_replay_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("apprenti.lab.results.LONGEST", 10)
    evaluation = evaluate(find("dellacherie"), RULES["dellacherie"], Effort(1, workers=1))
    with pytest.raises(ApprentiError, match="add --max-pieces"):
        evaluation.write_replays(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_refused(tmp_path):
    evaluation = evaluate(find("dellacherie"), RULES["dellacherie"], Effort(1, workers=1))
    (tmp_path / "file").write_text("")
    with pytest.raises(ApprentiError, match="cannot write"):
        evaluation.write_replays(tmp_path / "file")
