"""Replays of games for two: played again they lead where they say, or they are refused."""

import json
from dataclasses import replace

import pytest
from apprenti.arena.duel import play_duel, seeds_of_duel
from apprenti.store.duel_replay import DuelReplay, game_of, positions_of, read_duel, write_duel

from apprenti.agents.random import RandomMoves
from apprenti.core.errors import BadFile
from apprenti.core.protocols import Outcome
from apprenti.games.catalogue import GAMES_FOR_TWO
from apprenti.games.mnk import Rules
from apprenti.games.mnk.game import MNK
from apprenti.store.replay import digest_of

WON = DuelReplay(
    "mnk", ("you", "me"), {"size": "3x3x3"}, ".../.../... x", ("0", "1", "3", "4", "6"), 0, "three in a row"
)


@pytest.fixture
def path(tmp_path):
    """A replay on disk."""
    write_duel(tmp_path / "won.json", WON)
    return tmp_path / "won.json"


def signed(path, **changes):
    """The replay changed by somebody who knows how to compute the digest."""
    data = {**json.loads(path.read_text()), **changes}
    path.write_text(json.dumps({**data, "digest": digest_of(data)}))
    return path


def test_what_is_written_is_read_again(path):
    assert read_duel(path) == WON
    assert game_of(path) == "mnk"
    assert not list(path.parent.glob(".*"))  # nothing is left beside it


def test_it_leads_from_the_opening_through_every_move_to_its_end():
    states = list(positions_of(WON))
    assert [state.notation for state in states[:3]] == [".../.../... x", "X../.../... o", "XO./.../... x"]
    assert len(states) == 6
    assert states[-1].outcome == Outcome("three in a row", 0)


@pytest.mark.parametrize("name", GAMES_FOR_TWO)
def test_games_of_every_kind_are_kept_and_verified(name, tmp_path):
    game = GAMES_FOR_TWO.load(name)
    rules = game.rules()
    duel = play_duel(game, rules, (RandomMoves(), RandomMoves()), seeds_of_duel(2, 0))
    outcome = Outcome(duel.reason, duel.winner)
    replay = DuelReplay.of(game, rules, ("a", "b"), duel.opening, duel.moves, outcome)
    write_duel(tmp_path / "game.json", replay)
    read = read_duel(tmp_path / "game.json")
    assert read == replay
    *_, end = positions_of(read)
    assert (end.outcome.reason, end.outcome.winner) == (duel.reason, duel.winner)


def test_a_game_left_early_is_a_good_replay():
    left = DuelReplay.of(MNK, Rules(), ("a", "b"), ".../.../... x", ["4", "0"], None)
    assert (left.winner, left.reason) == (None, "")
    assert list(positions_of(left))[-1].notation == "O../.X./... x"


def test_it_may_begin_in_any_position():
    late = DuelReplay("mnk", ("a", "b"), {"size": "3x3x3"}, "XX./OO./... x", ("2",), 0, "three in a row")
    assert [state.notation for state in positions_of(late)] == ["XX./OO./... x", "XXX/OO./... o"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"winner": 1}, "says 'O wins: three in a row', but played again it is 'X wins: three in a row'"),
        ({"winner": None}, "says 'nobody wins: three in a row'"),
        ({"winner": [7]}, "but played again"),
        ({"reason": "board full"}, "says 'X wins: board full'"),
        ({"reason": "", "winner": None}, "says 'left early'"),
        ({"moves": ("0", "1", "3", "4")}, "but played again it is 'left early'"),
        ({"moves": ("0", "1", "3", "4", "6", "8")}, "move 6, the game is over"),
        ({"moves": ("0", "0")}, "move 2, cell 0 is taken"),
        ({"moves": ("0", "9")}, "move 2, there is no cell 9"),
        ({"moves": ("0", "e5")}, "move 2, a move is a cell"),
        ({"opening": "X../.../... x"}, "does not begin with a position of mnk"),
        ({"opening": "..../..../..../.... x"}, "does not begin with a position of mnk"),
        ({"rules": {"size": "4x4x3"}}, "does not begin with a position of mnk"),
        ({"rules": {"size": 3}}, "does not begin with a position of mnk"),
        ({"rules": {}}, "does not begin with a position of mnk"),
        ({"game": "luzhanqi", "rules": {}}, "does not begin with a position of luzhanqi"),
    ],
)
def test_a_replay_that_lies_is_refused(change, why):
    with pytest.raises(BadFile, match=why):
        list(positions_of(replace(WON, **change)))


@pytest.mark.parametrize("field", ["players", "rules", "opening", "moves", "winner", "reason", "game", "digest"])
def test_any_alteration_is_noticed(path, field):
    data = json.loads(path.read_text())
    for altered in ({**data, field: "other"}, {key: value for key, value in data.items() if key != field}):
        path.write_text(json.dumps(altered))
        with pytest.raises(BadFile, match="altered" if field != "game" else "not a replay"):
            read_duel(path)


@pytest.mark.parametrize(
    "change",
    [
        {"format": 2}, {"format": None}, {"game": "chess"}, {"game": "tetris"}, {"game": ["mnk"]}, {"game": None},
        {"players": ["one"]}, {"players": ["1", "2", "3"]}, {"players": 5}, {"rules": 3}, {"rules": ["size"]},
        {"rules": None},
    ],
)  # fmt: skip
def test_what_is_no_replay_is_refused_even_with_a_good_digest(path, change):
    with pytest.raises(BadFile, match="is not a replay"):
        read_duel(signed(path, **change))


def test_a_missing_field_is_one_sentence(path):
    data = json.loads(path.read_text())
    del data["moves"]
    path.write_text(json.dumps({**data, "digest": digest_of(data)}))
    with pytest.raises(BadFile, match=r"not a replay this version can play \('moves'\)\.$"):
        read_duel(path)


def test_half_a_character_is_refused(path):
    text = path.read_text().replace('"you"', '"\\ud83d"')
    path.write_text(text)
    with pytest.raises(BadFile, match="is not a replay"):
        read_duel(path)


def test_cut_files_are_refused_wherever_they_are_cut(path):
    text = path.read_text()
    for end in range(0, len(text) - 2, 7):
        path.write_text(text[:end])
        with pytest.raises(BadFile, match="not JSON, or it has been cut"):
            read_duel(path)
