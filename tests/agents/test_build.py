"""From a description, in a file or on one line, to an agent."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from apprenti.agents.base import RandomAgent
from apprenti.agents.description import DESCRIBED, KINDS, build, parse
from apprenti.core.errors import ApprentiError, BadAgent
from apprenti.games.tetris import Rules
from apprenti.games.tetris.agents.filtering import DEFAULT, FilteringAgent
from apprenti.games.tetris.agents.linear import LinearAgent, evaluation_weights
from apprenti.games.tetris.agents.lookahead import LookaheadAgent


@pytest.mark.parametrize(
    ("kind", "config", "agent"),
    [
        ("random", {}, RandomAgent()),
        ("random", {"acts": "commands"}, RandomAgent("commands")),
        ("filtering", {}, FilteringAgent(DEFAULT)),
        ("filtering", {"criteria": ["lines", "holes"]}, FilteringAgent(("lines", "holes"))),
        ("linear", {"weights": {"holes": -1}}, LinearAgent({"holes": -1})),
        ("lookahead", {"weights": {"holes": -1}, "look": "next_piece"}, LookaheadAgent({"holes": -1}, "next_piece")),
        ("evaluation", {"a": 1, "b": 2, "c": 3, "d": 4}, LinearAgent(evaluation_weights(1, 2, 3, 4))),
        ("evaluation", {"a": 1, "b": 2, "c": 3, "d": 4, "norm": 2}, LinearAgent(evaluation_weights(1, 2, 3, 4, 2))),
    ],
)
def test_an_agent_is_built_from_its_kind_and_options(kind, config, agent):
    assert build(kind, config) == agent


def described(text, inner=None):
    """The agent of a line, the game it plays, and the rules it was made for."""
    description = parse(text)
    return DESCRIBED.load(description.prefix)(description.arguments, inner)


@pytest.mark.parametrize(
    ("text", "kind", "config", "rules"),
    [
        ("filtering:holes,lines", "filtering", {"criteria": ["holes", "lines"]}, "tetrisbot"),
        ("filtering: holes , lines ,", "filtering", {"criteria": ["holes", "lines"]}, "tetrisbot"),
        ("linear:holes=-4,lines=1", "linear", {"weights": {"holes": -4, "lines": 1}}, "simplified"),
        ("linear:holes=-4e-1", "linear", {"weights": {"holes": -0.4}}, "simplified"),
        ("evaluation:0.5,0.5,0.6,0.2", "evaluation", {"a": 0.5, "b": 0.5, "c": 0.6, "d": 0.2}, "tetrisbot"),
        ("evaluation:1,2,3,4,norm1", "evaluation", {"a": 1, "b": 2, "c": 3, "d": 4, "norm": 1}, "tetrisbot"),
        ("evaluation:1,2,3,4,norm2", "evaluation", {"a": 1, "b": 2, "c": 3, "d": 4, "norm": 2}, "tetrisbot"),
    ],
)
def test_an_agent_is_described_on_one_line(text, kind, config, rules):
    assert described(text) == (build(kind, config), "tetris", Rules.preset(rules))


@pytest.mark.parametrize("text", ["", "bcts", "agents/mine.json", "random:", "C:\\agent.json"])
def test_other_words_are_no_description(text):
    assert text.partition(":")[0] not in DESCRIBED


@pytest.mark.parametrize(
    "text",
    [
        "evaluation:", "evaluation:1", "evaluation:1,2,3", "evaluation:1,2,3,4,5", "evaluation:a,b,c,d",
        "evaluation:1,2,3,4,norm3", "evaluation:1,2,3,4,norm", "evaluation:norm1", "evaluation:0,0,0,0,norm1",
        "evaluation:nan,1,1,1", "evaluation:1,inf,1,1", "linear:", "linear:holes", "linear:holes=", "linear:=4",
        "linear:holes=four", "linear:holes=1=2", "linear:hole=-4", "linear:holes=nan", "linear:column_heights=1",
        "linear:holes=1e999", "filtering:", "filtering:,", "filtering:hole", "filtering:column_heights",
        "filtering:holes;lines",
    ],
)  # fmt: skip
def test_malformed_descriptions_are_refused_with_a_sentence(text):
    with pytest.raises(ApprentiError) as refused:
        described(text)
    assert str(refused.value).endswith((".", "?"))


anything = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**400), 10**400) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["holes", "x"]), inner, max_size=2),
    max_leaves=5,
)
names = st.sampled_from(["weights", "criteria", "acts", "look", "ties", "a", "b", "c", "d", "norm", "nonsense"])


@example("evaluation", {"a": 10**400, "b": 1, "c": 1, "d": 1})
@example("linear", {"weights": {"holes": 10**400}})
@example("filtering", {"criteria": 5})
@given(st.sampled_from([*KINDS, "human", ""]), st.dictionaries(names, anything, max_size=5))
def test_whatever_a_file_says_gives_an_agent_or_a_sentence(kind, config):
    try:
        assert hasattr(build(kind, config), "choose")
    except ApprentiError as error:
        assert str(error).endswith((".", "?"))


@pytest.mark.parametrize(("word", "look"), [("expectimax", "expectimax"), ("preview", "next_piece")])
def test_a_player_with_weights_can_look_further(word, look):
    rules = Rules.preset("strict")
    found = described(f"{word}:somebody", (LinearAgent({"holes": -1}), rules))
    assert found == (LookaheadAgent({"holes": -1}, look), "tetris", rules.changed(preview=word == "preview"))
    with pytest.raises(BadAgent, match="looks ahead as it is"):
        described(f"{word}:somebody", (LookaheadAgent({"holes": -1}), rules))


@pytest.mark.parametrize("agent", [RandomAgent(), FilteringAgent()])
def test_a_player_without_weights_cannot_look_further(agent):
    with pytest.raises(ApprentiError, match="only a player with weights"):
        described("expectimax:somebody", (agent, Rules.preset("strict")))
