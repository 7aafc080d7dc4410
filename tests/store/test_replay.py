"""A replay is rules, seed and moves; played again, it leads where it says, or it is refused."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apprenti.agents.base import RandomAgent
from apprenti.arena.game import play_game, seeds_of_game
from apprenti.core.errors import BadFile
from apprenti.core.plugins import GAMES
from apprenti.core.protocols import CommonReason, GameSeeds, Outcome
from apprenti.games.mnk.state import End as Row
from apprenti.games.tetris import PieceSet, Rules
from apprenti.games.tetris.agents.filtering import FilteringAgent
from apprenti.games.tetris.game import GAME
from apprenti.games.tetris.state import End
from apprenti.store.replay import Replay, digest_of, read_replay, write_replay
from tests.helpers import rules as some_rules

WON = Replay(
    "mnk", ("you", "me"), {"size": "3x3x3"}, ".../.../... x", 0, ("0", "1", "3", "4", "6"),
    Outcome.between_two(Row.ROW, 0), {},
)  # fmt: skip
LOST = Outcome.between_two(Row.ROW, 1)


def recorded(agent, rules, seed=5):
    """A game of Tetris as a replay."""
    played = play_game(GAME, rules, [agent], GameSeeds(seed, (0,), (seed,)))
    return Replay.of(GAME, rules, ("somebody",), played)


@pytest.fixture(scope="module")
def game():
    """A game that was stopped after 8 pieces."""
    return recorded(FilteringAgent(), Rules.preset("tetrisbot", "6x6", max_pieces=8))


@pytest.fixture
def path(tmp_path):
    """A replay on disk."""
    write_replay(tmp_path / "won.json", WON)
    return tmp_path / "won.json"


def signed(path, **changes):
    """The replay changed by somebody who knows how to compute the digest."""
    data = {**json.loads(path.read_text()), **changes}
    path.write_text(json.dumps({**data, "digest": digest_of(data)}))
    return path


# Written and read -----------------------------------------------------------------------------------------------------


@given(some_rules(max_pieces=15), st.integers(0, 2**64 - 1), st.sampled_from(["placements", "commands"]))
def test_a_replay_survives_being_written_and_read_and_leads_where_it_says(tmp_path_factory, rules, seed, acts):
    replay = recorded(RandomAgent(acts), rules, seed)
    path = tmp_path_factory.mktemp("replay") / "game.json"
    write_replay(path, replay)
    read = read_replay(path)
    assert read == replay
    assert read.to_json() == replay.to_json()  # to the digest
    assert list(read.states())[-1].tally.pieces == replay.measures["pieces"]


@pytest.mark.parametrize("preset", ["strict", "tetrisbot"])
def test_an_older_replay_is_played_without_the_row_that_a_piece_comes_down_first(preset, tmp_path):
    rules = Rules.preset(preset, "6x6", pieces="classic", gravity_first=False)
    write_replay(tmp_path / "old.json", recorded(RandomAgent("commands"), rules))
    stored = json.loads((tmp_path / "old.json").read_text())["rules"]
    assert stored.pop("gravity_first") is False
    read = read_replay(signed(tmp_path / "old.json", rules=stored))
    assert list(read.states())[-1].rules == rules
    with pytest.raises(BadFile):
        list(replace(read, rules=Rules.preset(preset, "6x6", pieces="classic").to_json()).states())


@pytest.mark.parametrize("name", GAMES)
def test_games_of_every_kind_are_kept_and_verified(name, tmp_path):
    game = GAMES.load(name)
    rules, agents = game.rules(), [RandomAgent()] * game.players
    played = play_game(game, rules, agents, seeds_of_game(2, 0, game.players))
    replay = Replay.of(game, rules, ("a", "b")[: game.players], played)
    write_replay(tmp_path / "game.json", replay)
    read = read_replay(tmp_path / "game.json")
    assert read == replay
    *_, end = read.states()
    assert end.outcome == played.outcome
    assert not list(tmp_path.glob(".*"))  # nothing is left beside it


def test_it_leads_from_the_opening_through_every_move_to_its_end():
    states = list(WON.states())
    assert [state.notation for state in states[:3]] == [".../.../... x", "X../.../... o", "XO./.../... x"]
    assert len(states) == 6
    assert states[-1].outcome == Outcome.between_two(Row.ROW, 0)


def test_it_may_begin_in_any_position():
    late = replace(WON, opening="XX./OO./... x", moves=("2",))
    assert [state.notation for state in late.states()] == ["XX./OO./... x", "XXX/OO./... o"]


def test_pieces_of_ones_own_are_in_the_replay(tmp_path, game):
    pieces = PieceSet.parse("X\n.#.\n###\n.#.\n\nD\n##", "mine")
    replay = recorded(FilteringAgent(), GAME.rules_from_json(game.rules).changed(pieces=pieces))
    write_replay(tmp_path / "game.json", replay)
    assert read_replay(tmp_path / "game.json") == replay
    assert list(replay.states())[-1].outcome


def test_a_game_left_early_is_a_replay(game):
    state = list(replace(game, moves=game.moves[:1], outcome=None, measures={"lines": 0, "pieces": 1}).states())[-1]
    assert state.tally.pieces == 1
    assert not state.outcome
    left = replace(WON, moves=("4", "0"), outcome=None)
    assert list(left.states())[-1].notation == "O../.X./... x"


@pytest.mark.parametrize("reason", [CommonReason.RESIGNED, CommonReason.FORFEIT, CommonReason.STOPPED])
def test_an_end_that_no_move_shows_is_believed(path, reason):
    outcome = Outcome.between_two(reason, 1)
    write_replay(path, replace(WON, moves=("4", "0"), outcome=outcome))
    assert read_replay(path).outcome == outcome
    assert len(list(read_replay(path).states())) == 3


def test_a_kernel_says_that_the_rules_ended_it_and_not_which(game):
    by_rules = Outcome(CommonReason.BY_RULES, scores=(0.0,))
    lost = recorded(RandomAgent(), Rules.preset("tetrisbot", "6x6"))
    assert list(replace(lost, outcome=by_rules).states())[-1].outcome.reason in End
    with pytest.raises(BadFile, match="says 'the rules ended it', but played again it is 'the last piece"):
        list(replace(game, outcome=by_rules).states())  # a limit is none of the rules


# Lies -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"measures": {"lines": 99}}, "the replay says lines 99, but played again it gives"),
        ({"measures": {"points": 99}}, "points 99"),
        ({"measures": {"pieces": 99}}, "pieces 99"),
        ({"measures": {"goals": 1}}, "goals 1, but played again it gives None"),
        ({"seed": 6}, "replay"),
        ({"moves": ("P:99:0",)}, "move 1"),
        ({"moves": ("P:" + "9" * 5000 + ":0",)}, "move 1"),
        ({"moves": ("jump",)}, "move 1"),
        ({"moves": ()}, "the replay says"),
        ({"outcome": None}, "says 'left early', but played again it is 'the last piece has been played'"),
        ({"outcome": Outcome(End.TOO_HIGH)}, "says 'the pile is too high'"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_game_that_leads_elsewhere_is_refused(game, change, why):
    with pytest.raises(BadFile, match=why):
        list(replace(game, **change).states())


def test_moves_after_the_end_are_refused(game):
    with pytest.raises(BadFile, match="after the end of the game"):
        list(replace(game, moves=(*game.moves, "D")).states())


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"outcome": LOST}, "says 'O wins: enough in a row', but played again it is 'X wins: enough in a row'"),
        ({"outcome": Outcome.between_two(Row.ROW)}, "says 'enough in a row'"),
        ({"outcome": replace(LOST, winner=7)}, "but played again"),
        ({"outcome": Outcome.between_two(Row.FULL, 0)}, "says 'X wins: board full'"),
        ({"outcome": None}, "says 'left early'"),
        ({"moves": ("0", "1", "3", "4")}, "but played again it is 'left early'"),
        ({"moves": ("0", "1", "3", "4", "6", "8")}, "after the end of the game, at move 6"),
        ({"moves": ("0", "0")}, "move 2, a1 is taken"),
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
        list(replace(WON, **change).states())


# Altered files --------------------------------------------------------------------------------------------------------

FIELDS = ("format", "game", "players", "rules", "opening", "seed", "moves", "outcome", "measures")


@pytest.mark.parametrize("field", FIELDS)
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
    with pytest.raises(BadFile, match=r"altered|not a replay"):
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
    "change",
    [
        {"format": 3}, {"format": None}, {"game": "chess"}, {"game": "tetris"}, {"game": ["mnk"]}, {"game": None},
        {"players": ["one"]}, {"players": ["1", "2", "3"]}, {"players": 5}, {"rules": 3}, {"rules": ["size"]},
        {"rules": None}, {"rules": "tetrisbot"}, {"rules": {}}, {"seed": "one"}, {"seed": None},
        {"seed": float("inf")}, {"measures": []}, {"measures": {"lines": "many"}}, {"measures": {"lines": None}},
        {"outcome": 5}, {"outcome": {}}, {"outcome": {"reason": "rain"}},
        {"outcome": {"reason": "rain", "winner": 0, "truncated": False, "scores": [1, 0]}},
        *({"outcome": {"reason": "row", "winner": winner, "truncated": False, "scores": [1, 0]}}
          for winner in ("x", 2, -1, True, [], 0.0)),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_no_replay_is_refused_even_with_a_good_digest(path, change):
    with pytest.raises(BadFile, match="is not a replay"):
        read_replay(signed(path, **change))


def test_a_missing_field_is_one_sentence(path):
    data = json.loads(path.read_text())
    del data["moves"]
    path.write_text(json.dumps({**data, "digest": digest_of(data)}))
    with pytest.raises(BadFile, match=r"not a replay this version can play \('moves'\)\.$"):
        read_replay(path)


def test_half_a_character_is_refused(path):
    path.write_text(path.read_text().replace('"you"', '"\\ud83d"'))
    with pytest.raises(BadFile, match="is not a replay"):
        read_replay(path)


@pytest.mark.parametrize("depth", [100, 480, *range(900, 1000, 9)])
def test_any_depth_is_refused_and_not_an_error_of_ours(tmp_path, depth):
    path = tmp_path / "game.json"
    path.write_text('{"format": 1, "game": "tetris", "a": ' + "[" * depth + "]" * depth + "}")
    with pytest.raises(BadFile):
        read_replay(path)


# Format 1 -------------------------------------------------------------------------------------------------------------

FOR_TWO = {
    "format": 1, "game": "mnk", "players": ["you", "me"], "rules": {"size": "3x3x3"}, "opening": ".../.../... x",
    "moves": "0 1 3 4 6", "winner": 0, "reason": "three in a row",
}  # fmt: skip


@pytest.fixture
def former(tmp_path):
    """Write a file as the former version did."""

    def write(data):
        path = tmp_path / "former.json"
        path.write_text(json.dumps({**data, "digest": digest_of(data)}))
        return path

    return write


def of_tetris(game, **changes):
    """A replay of Tetris in its former format."""
    numbers = {name: game.measures[name] for name in ("lines", "points", "pieces")}
    data = {"format": 1, "game": "tetris", "agent": "somebody", "rules": game.rules, "seed": game.seed}
    return {**data, "moves": " ".join(game.moves), **numbers, **changes}


def test_a_game_of_tetris_in_format_1_is_the_same_game(former, game):
    read = read_replay(former(of_tetris(game)))
    numbers = {name: game.measures[name] for name in ("lines", "points", "pieces")}
    assert read == replace(game, measures=numbers)
    assert list(read.states()) == list(game.states())


def test_a_game_for_two_in_format_1_is_the_same_game(former):
    read = read_replay(former(FOR_TWO))
    assert read == WON
    assert list(read.states())[-1].outcome == WON.outcome
    left = read_replay(former({**FOR_TWO, "moves": "4 0", "winner": None, "reason": ""}))
    assert (left.moves, left.outcome) == (("4", "0"), None)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"winner": 1}, "played again"),
        ({"reason": "board full"}, "it says board full, but played again it is 'X wins: enough in a row'"),
        ({"reason": "", "winner": None}, "it says left early"),
        ({"moves": "0 1 3 4"}, "played again it is 'left early'"),
        ({"moves": "0 0"}, "move 2, a1 is taken"),
        ({"reason": "rain"}, "no game of mnk ends by 'rain'"),
        ({"players": 5}, "not a replay this version can play"),
        ({"players": ["alone"]}, "not a replay this version can play"),
    ],
)
def test_a_game_for_two_in_format_1_that_lies_is_refused(former, change, why):
    with pytest.raises(BadFile, match=why):
        read_replay(former({**FOR_TWO, **change}))


@pytest.mark.parametrize("change", [{"lines": 99}, {"pieces": 99}, {"lines": []}, {"seed": "one"}, {"rules": {}}])
def test_a_game_of_tetris_in_format_1_that_lies_is_refused(former, game, change):
    with pytest.raises(BadFile):
        list(read_replay(former(of_tetris(game, **change))).states())
