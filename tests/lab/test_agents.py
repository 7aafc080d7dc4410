"""Agents by name: from the zoo, from a file or a run, or described on one line."""

from dataclasses import replace

import numpy as np
import pytest

from apprenti.core.errors import ApprentiError, BadAgent, UnknownName
from apprenti.core.plugins import GAMES
from apprenti.games.luzhanqi.game import GAME as LUZHANQI
from apprenti.games.mnk.agents.learned import TableAgent
from apprenti.games.mnk.game import GOMOKU, MNK, TICTACTOE
from apprenti.games.tetris import Rules
from apprenti.games.tetris.agents.filtering import FilteringAgent
from apprenti.games.tetris.agents.linear import LinearAgent, LookaheadAgent, evaluation_weights
from apprenti.games.tetris.game import GAME as TETRIS
from apprenti.lab.agents import find, load_agent, zoo
from apprenti.store.agentfile import AgentFile, write_agent
from tests.helpers import DELLACHERIE

MINE = AgentFile("mine", "My player", "tetris", "linear", {"weights": {"holes": -1}}, "strict", "by hand")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Away from the checkout, where there may be runs."""
    monkeypatch.chdir(tmp_path)


def test_a_name_from_the_zoo():
    known = find("dellacherie")
    assert (known.name, known.agent, known.rules) == (
        "dellacherie", LinearAgent(DELLACHERIE), Rules.preset("simplified"),
    )  # fmt: skip
    assert known.file.source


@pytest.mark.parametrize("where", ["mine.json", "folder/agent.json", "./mine.json"])
def test_a_file(where, tmp_path):
    write_agent(tmp_path / where, MINE)
    known = find(where)
    assert (known.name, known.agent, known.rules) == ("mine", LinearAgent({"holes": -1}), Rules.preset("strict"))


def test_a_folder_with_an_agent_in_it(tmp_path):
    write_agent(tmp_path / "folder" / "agent.json", MINE)
    assert find("folder").name == find(str(tmp_path / "folder")).name == "mine"


def test_a_run(tmp_path):
    write_agent(tmp_path / "runs" / "first" / "agent.json", MINE)
    assert find("first").name == "mine"


@pytest.mark.parametrize(
    ("text", "agent", "rules"),
    [
        ("filtering:holes,lines", FilteringAgent(("holes", "lines")), "tetrisbot"),
        ("evaluation:0.5,0.5,0.6,0.2", LinearAgent(evaluation_weights(0.5, 0.5, 0.6, 0.2)), "tetrisbot"),
        ("linear:holes=-4,lines=1", LinearAgent({"holes": -4, "lines": 1}), "simplified"),
    ],
)
def test_a_description_on_one_line(text, agent, rules):
    known = find(text)
    assert (known.name, known.agent, known.rules, known.file) == (text, agent, Rules.preset(rules), None)


def test_the_same_player_one_piece_further():
    hidden, shown = find("expectimax:dellacherie"), find("preview:dellacherie")
    assert (hidden.agent, hidden.rules.preview) == (LookaheadAgent(DELLACHERIE, "expectimax"), False)
    assert (shown.agent, shown.rules.preview) == (LookaheadAgent(DELLACHERIE, "next_piece"), True)
    assert find("expectimax:linear:holes=-4").agent == LookaheadAgent({"holes": -4}, "expectimax")


@pytest.mark.parametrize("text", ["preview:random", "expectimax:filtering"])
def test_who_has_no_weights_cannot_look_further(text):
    with pytest.raises(ApprentiError, match="only a player with weights"):
        find(text)


@pytest.mark.parametrize(
    ("text", "near"),
    [("delacherie", "dellacherie"), ("Dellacherie", "dellacherie"), ("bctz", "bcts"), ("random:", "random")],
)
def test_an_unknown_name_gets_a_suggestion(text, near):
    with pytest.raises(UnknownName, match=f"did you mean {near}"):
        find(text)


@pytest.mark.parametrize("text", ["xyzzy", "preview:xyzzy", "☃"])
def test_a_name_like_no_other_gets_the_list(text):
    with pytest.raises(UnknownName) as refused:
        find(text)
    assert all(name in str(refused.value) for name in zoo())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nothing.json",
        "no/such/agent",
        "/proc/nowhere",
        "preview:",
        ".",
        "x@" + "9" * 5000,
        f"{'x' * 300}.json",
        "é" * 200,
    ],
)
def test_a_file_that_is_not_there_is_one_sentence(text):
    with pytest.raises(ApprentiError) as refused:
        find(text)
    assert str(refused.value).endswith((".", "?"))
    assert "\n" not in str(refused.value)


def test_agents_from_python_can_choose():
    assert hasattr(load_agent("tetrisbot"), "choose")


# Any game -------------------------------------------------------------------------------------------------------------

TABLE = AgentFile("learned", "My table", "mnk", "table", {"size": "4x4x3"}, {"size": "4x4x3"}, "by hand")


def test_an_agent_comes_with_its_game_and_rules(tmp_path):
    write_agent(tmp_path / "table.json", TABLE)
    known = find("table.json")
    assert (known.name, known.game, known.rules) == ("learned", MNK, MNK.rules(size="4x4x3"))
    assert load_agent("table.json") == TableAgent("4x4x3")


def test_large_arrays_come_with_the_file(tmp_path):
    arrays = {"keys": np.array([3, 9], np.uint64), "values": np.array([0.5, -1])}
    write_agent(tmp_path / "table.json", replace(TABLE, arrays=arrays))
    assert load_agent("table.json") == TableAgent("4x4x3", arrays=arrays)
    (beside,) = tmp_path.glob("table-*.safetensors")
    beside.unlink()
    with pytest.raises(ApprentiError, match=r"cannot read table-\w+\.safetensors"):
        load_agent("table.json")


def test_every_game_of_a_family_knows_its_agents_by_their_short_names(tmp_path):
    for game in (TICTACTOE, MNK, GOMOKU):
        assert find("random", game).name == find("mnk-random", game).name == "mnk-random"
    assert find("sarsa", TICTACTOE).name == "sarsa-tictactoe"
    with pytest.raises(UnknownName, match=r"no agent called 'sarsa': there is .*mnk-perfect, mnk-random"):
        find("sarsa", GOMOKU)
    write_agent(tmp_path / "table.json", TABLE)
    assert find("table.json", GOMOKU).name == "learned"  # whether the board fits is asked later


def test_agents_of_other_games_are_refused(tmp_path):
    write_agent(tmp_path / "soldier.json", replace(TABLE, name="soldier", game="luzhanqi", kind="random-moves",
                                                   config={}, rules="ccgc"))  # fmt: skip
    with pytest.raises(BadAgent, match="mnk-random plays mnk, not tetris"):
        find("mnk-random", TETRIS)
    with pytest.raises(BadAgent, match="dellacherie plays tetris, not tictactoe"):
        find("dellacherie", TICTACTOE)
    with pytest.raises(BadAgent, match="soldier plays luzhanqi, not tictactoe"):
        find("soldier.json", TICTACTOE)
    with pytest.raises(BadAgent, match="mnk-random plays mnk, not luzhanqi"):
        find("mnk-random", LUZHANQI)
    for name in ("nobody", ""):
        with pytest.raises(UnknownName, match=f"no agent called '{name}'"):
            find(name, TICTACTOE)


@pytest.mark.parametrize("name", GAMES)
def test_a_random_player_plays_every_game_once_it_is_said_which(name):
    game = GAMES.load(name)
    found = find("random", game)
    assert (found.game, found.rules) == (game, game.rules(found.rules))
    found.check(game, found.rules)
    assert find("random").game is TETRIS  # the one that is called so


@pytest.mark.parametrize(
    ("game", "kind", "config", "rules"),
    [
        ("mnk", "linear", {"weights": {"holes": -1}}, {"size": "3x3x3"}),
        ("luzhanqi", "table", {"size": "3x3x3"}, "ccgc"),
        ("luzhanqi", "perfect", {}, "ccgc"),
        ("tetris", "table", {"size": "3x3x3"}, "simplified"),
    ],
)
def test_a_file_whose_kind_plays_something_else_is_refused(tmp_path, game, kind, config, rules):
    write_agent(tmp_path / "odd.json", AgentFile("odd", "t", game, kind, config, rules, "s"))
    with pytest.raises(BadAgent, match=f"kind {kind} does not play {game}"):
        find("odd.json")


@pytest.mark.parametrize(
    "rules", ["chess", {"size": "big"}, {"size": 3}, {"size": "3x3x3", "more": 1}, {"size": "99x99x3"}]
)
def test_rules_that_are_none_are_refused(tmp_path, rules):
    write_agent(tmp_path / "odd.json", replace(TABLE, rules=rules))
    with pytest.raises(BadAgent, match=r"odd\.json cannot be used"):
        find("odd.json")


def test_a_file_that_says_nothing_of_its_rules_means_the_usual_ones(tmp_path):
    write_agent(tmp_path / "usual.json", replace(TABLE, rules={}))
    assert find("usual.json").rules == MNK.rules()
