"""Agent files: small JSON that can do no harm."""

import json
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apprenti.core.errors import ApprentiError, BadFile
from apprenti.lab.agents import from_file
from apprenti.store.agentfile import AgentFile, read_agent, write_agent
from tests.dying import dying_at

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


@pytest.mark.parametrize("format_", [None, 0, 3, "1", [1], True])
def test_another_format_is_refused(written, format_):
    with pytest.raises(BadFile, match=r"not an agent file (of format 1 or 2|for this version: .*install -U)"):
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


# Replacing ------------------------------------------------------------------------------------------------------------


def with_arrays(number):
    arrays = {"w": np.full(2000, number, np.float64)}
    return AgentFile("a", "t", "mnk", "table", {"size": "3x3x3"}, {"size": "3x3x3"}, f"step {number}", arrays=arrays)


def test_whoever_reads_while_an_agent_is_replaced_finds_one_that_is_whole(tmp_path):
    path, stop = tmp_path / "agent.json", threading.Event()
    write_agent(path, with_arrays(0))

    def replace_often():
        number = 0
        while not stop.is_set():
            number += 1
            write_agent(path, with_arrays(number))

    writer = threading.Thread(target=replace_often)
    writer.start()
    try:
        for _ in range(150):
            found = read_agent(path)
            assert set(found.arrays["w"]) == {float(found.source.split()[1])}
    finally:
        stop.set()
        writer.join()
    assert len(list(tmp_path.iterdir())) == 2  # what was replaced is gone


@pytest.mark.parametrize("place", range(1, 40))
def test_an_agent_can_be_read_after_a_death_at_any_file_operation_of_its_replacement(tmp_path, place):
    path = tmp_path / "agent.json"
    write_agent(path, with_arrays(1))
    with dying_at(place) as died:
        write_agent(path, with_arrays(2))
    assert read_agent(path).source in ("step 1", "step 2")
    assert died or read_agent(path).source == "step 2"


def test_names_with_paths_are_no_digests(written):
    with pytest.raises(BadFile, match="no digest"):
        read_agent(written({**GOOD, "arrays": "../../secret"}))
