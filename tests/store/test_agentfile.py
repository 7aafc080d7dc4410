"""Agent files: small JSON that can do no harm."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apprenti.core.errors import ApprentiError, BadFile
from apprenti.lab.agents import from_file
from apprenti.store.agentfile import AgentFile, read_agent, write_agent

AGENT = AgentFile(
    name="mine",
    title="My first player",
    game="tetris",
    kind="linear",
    config={"weights": {"holes": -4.5, "lines": 1}},
    rules={"name": "simplified", "size": "10x10"},
    source="by hand, on a Sunday",
    published=({"mean": 12, "unit": "lines", "rules": "simplified", "size": "10x10"},),
)
GOOD = {"format": 1, **AGENT.__dict__}


@pytest.fixture
def written(tmp_path):
    """A file with these data in it."""

    def write(data):
        path = tmp_path / "agent.json"
        path.write_text(json.dumps(data))
        return path

    return write


def test_an_agent_survives_being_written_and_read(tmp_path):
    write_agent(tmp_path / "agent.json", AGENT)
    assert read_agent(tmp_path / "agent.json") == AGENT


def test_scores_may_be_left_out(written):
    data = {field: value for field, value in GOOD.items() if field not in ("published", "measured")}
    read = read_agent(written(data))
    assert (read.published, read.measured) == ((), ())


@pytest.mark.parametrize("field", ["name", "title", "game", "kind", "source", "config", "rules"])
def test_each_missing_field_is_refused_by_name(written, field):
    data = {key: value for key, value in GOOD.items() if key != field}
    with pytest.raises(BadFile, match=f"its field '{field}' is missing"):
        read_agent(written(data))


@pytest.mark.parametrize("wrong", [None, 5, True, [], ["holes"]])
@pytest.mark.parametrize("field", ["name", "title", "game", "kind", "source", "config", "rules"])
def test_each_field_of_the_wrong_kind_is_refused_by_name(written, field, wrong):
    with pytest.raises(BadFile, match=f"its field '{field}' is missing or not what it should be"):
        read_agent(written({**GOOD, field: wrong}))


@pytest.mark.parametrize("format_", [None, 0, 2, "1", [1]])
def test_another_format_is_refused(written, format_):
    with pytest.raises(BadFile, match="not an agent file of format 1"):
        read_agent(written({**GOOD, "format": format_}))


@pytest.mark.parametrize(
    "scores", [5, True, "many", {"mean": 5}, [5], [{}], [[]], [{"mean": "many"}], [{"mean": None}]]
)
@pytest.mark.parametrize("field", ["published", "measured"])
def test_scores_that_are_none_are_refused(written, field, scores):
    with pytest.raises(BadFile, match="published and measured are lists of scores"):
        read_agent(written({**GOOD, field: scores}))


def test_another_file_is_refused(written):
    with pytest.raises(BadFile, match="not an agent file"):
        read_agent(written({"some": "other file"}))


@pytest.mark.parametrize(
    "change",
    [
        {"game": "chess"}, {"kind": "human"}, {"kind": "os.system"}, {"config": {}}, {"config": {"weights": {}}},
        {"config": {"weights": {"holes": "-4"}}}, {"config": {"weights": {"holes": 10**400}}},
        {"config": {"weights": {"hole": -4}}}, {"config": {"weights": {"holes": -4}, "colour": "red"}},
        {"rules": "chess"}, {"rules": {"name": 5}}, {"rules": {"size": 5}}, {"rules": {"size": "1x1"}},
        {"rules": {"hidden": 1.5}}, {"rules": {"randomiser": 5}}, {"rules": {"pieces": {"name": "mine"}}},
        {"rules": {"points": []}}, {"rules": {"preview": "yes"}}, {"rules": {"nonsense": 1}},
    ],
)  # fmt: skip
def test_an_agent_that_cannot_play_is_refused_with_a_sentence(written, change):
    with pytest.raises(ApprentiError) as refused:
        from_file(written({**GOOD, **change}))
    assert str(refused.value).endswith((".", "?"))


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["", "holes", "10x20", "simplified"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)
inside = st.dictionaries(
    st.sampled_from(["weights", "name", "size", "hidden", "pieces", "randomiser", "entry", "points", "max_pieces"]),
    anything,
    max_size=3,
)


@given(st.sampled_from(sorted(GOOD)), anything | inside)
def test_whatever_a_file_says_gives_an_agent_or_a_sentence(tmp_path_factory, field, value):
    path = tmp_path_factory.mktemp("agent") / "agent.json"
    path.write_text(json.dumps({**GOOD, field: value}))
    try:
        assert from_file(path).rules.width > 0
    except ApprentiError as error:
        assert str(error).endswith((".", "?"))


def test_a_name_cannot_command_the_terminal(written):
    assert from_file(written({**GOOD, "name": "\x1b]0;title\x07me"})).name == "]0;titleme"
