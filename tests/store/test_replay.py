"""A replay is rules, seed and moves; played again, it leads where it says."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apprenti.agents.random import RandomAgent
from apprenti.agents.tetris.filtering import FilteringAgent
from apprenti.arena.game import play_game
from apprenti.core.errors import BadFile
from apprenti.games.tetris import PieceSet
from apprenti.store.replay import Replay, digest_of, read_replay, states_of, write_replay
from tests.helpers import rules as some_rules


def recorded(agent, rules, seed=5):
    """A game as a replay."""
    played = play_game(agent, rules, (seed, seed))
    tally = played.tally
    return Replay("somebody", rules, seed, played.moves, tally.lines, tally.points, tally.pieces)


@pytest.fixture(scope="module")
def game():
    from apprenti.games.tetris import Rules

    return recorded(FilteringAgent(), Rules.preset("tetrisbot", "6x6", max_pieces=25))


@given(some_rules(max_pieces=15), st.integers(0, 2**64 - 1), st.sampled_from(["placements", "commands"]))
def test_a_replay_survives_being_written_and_read_and_leads_where_it_says(tmp_path_factory, rules, seed, acts):
    replay = recorded(RandomAgent(acts), rules, seed)
    path = tmp_path_factory.mktemp("replay") / "game.json"
    write_replay(path, replay)
    assert read_replay(path) == replay
    assert list(states_of(read_replay(path)))[-1].tally.pieces == replay.pieces


def test_pieces_of_ones_own_are_in_the_replay(tmp_path, game):
    pieces = PieceSet.parse("X\n.#.\n###\n.#.\n\nD\n##", "mine")
    replay = recorded(FilteringAgent(), game.rules.changed(pieces=pieces))
    write_replay(tmp_path / "game.json", replay)
    assert read_replay(tmp_path / "game.json") == replay
    assert list(states_of(replay))[-1].outcome


@pytest.mark.parametrize("field", ["format", "game", "agent", "rules", "seed", "moves", "lines", "points", "pieces"])
@pytest.mark.parametrize("change", ["removed", "replaced", "renamed"])
def test_each_field_that_is_altered_is_noticed(tmp_path, game, field, change):
    data = game.to_json()
    value = data.pop(field)
    if change == "replaced":
        data[field] = value + 1 if isinstance(value, int) else {**value, "size": "6x7"} if field == "rules" else "other"
    elif change == "renamed":
        data[f"{field}s"] = value
    path = tmp_path / "game.json"
    path.write_text(json.dumps(data))
    with pytest.raises(BadFile, match=r"altered|not a replay of Tetris"):
        read_replay(path)


@given(st.data())
def test_any_altered_character_is_noticed(tmp_path_factory, game, data):
    path = tmp_path_factory.mktemp("replay") / "game.json"
    write_replay(path, game)
    text = path.read_text()
    where = data.draw(st.integers(0, len(text) - 1))
    path.write_text(text[:where] + data.draw(st.characters(codec="ascii")) + text[where + 1 :])
    try:
        assert read_replay(path) == game  # white space between the fields means nothing
    except BadFile as error:
        assert str(path) in str(error)


@given(st.data())
def test_a_file_cut_anywhere_is_noticed(tmp_path_factory, game, data):
    path = tmp_path_factory.mktemp("replay") / "game.json"
    write_replay(path, game)
    text = path.read_text().rstrip()
    path.write_text(text[: data.draw(st.integers(0, len(text) - 1))])
    with pytest.raises(BadFile, match="cut"):
        read_replay(path)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"lines": 99}, "the replay says 99 lines"),
        ({"points": 99}, "99 points"),
        ({"pieces": 99}, "99 pieces"),
        ({"seed": 6}, "replay"),
        ({"moves": ("P:99:0",)}, "move 1"),
        ({"moves": ("P:" + "9" * 5000 + ":0",)}, "move 1"),
        ({"moves": ("jump",)}, "move 1"),
        ({"moves": ()}, "the replay says"),
    ],
    ids=["lines", "points", "pieces", "seed", "column", "huge column", "no move", "no moves"],
)
def test_a_replay_that_does_not_lead_where_it_says_is_refused(game, change, why):
    with pytest.raises(BadFile, match=why):
        list(states_of(replace(game, **change)))


def test_moves_after_the_end_are_refused(game):
    with pytest.raises(BadFile, match="after the end of the game"):
        list(states_of(replace(game, moves=(*game.moves, "D"))))


def test_a_game_left_early_is_a_replay(game):
    state = list(states_of(replace(game, moves=game.moves[:1], lines=0, points=0, pieces=1)))[-1]
    assert state.tally.pieces == 1
    assert not state.outcome


@pytest.mark.parametrize(
    "change",
    [{"seed": "one"}, {"seed": None}, {"seed": float("inf")}, {"lines": []}, {"rules": "tetrisbot"}, {"rules": None},
     {"rules": {}}],
)  # fmt: skip
def test_fields_that_are_no_replay_are_refused_even_with_a_good_digest(tmp_path, game, change):
    data = {**game.to_json(), **change}
    (tmp_path / "game.json").write_text(json.dumps({**data, "digest": digest_of(data)}))
    with pytest.raises(BadFile, match="not a replay this version can play"):
        read_replay(tmp_path / "game.json")


@pytest.mark.parametrize("depth", range(900, 1000, 3))
def test_any_depth_is_refused_and_not_an_error_of_ours(tmp_path, depth):
    path = tmp_path / "game.json"
    path.write_text('{"format": 1, "game": "tetris", "a": ' + "[" * depth + "]" * depth + "}")
    with pytest.raises(BadFile):
        read_replay(path)
