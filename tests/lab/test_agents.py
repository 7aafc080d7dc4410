"""Agents by name: from the zoo, from a file or a run, or described on one line."""

import pytest

from apprenti import load_agent
from apprenti.agents.filtering import FilteringAgent
from apprenti.agents.linear import LinearAgent, evaluation_weights
from apprenti.agents.lookahead import LookaheadAgent
from apprenti.core.errors import ApprentiError, UnknownName
from apprenti.games.tetris import Rules
from apprenti.lab.agents import find, zoo
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


@pytest.mark.parametrize("text", ["", "nothing.json", "no/such/agent", "/proc/nowhere", "preview:", "."])
def test_a_file_that_is_not_there_is_one_sentence(text):
    with pytest.raises(ApprentiError) as refused:
        find(text)
    assert str(refused.value).endswith((".", "?"))
    assert "\n" not in str(refused.value)


def test_agents_from_python_can_choose():
    assert hasattr(load_agent("tetrisbot"), "choose")
