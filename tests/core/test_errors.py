"""Errors are sentences with an end, whatever they quote."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import apprenti
from apprenti.core.errors import LONGEST, ApprentiError, BadFile, UnknownName

WRONG = [5, None, [1], 2**64, "x" * 120_000, "x " * 60_000, {}, b"x", 1.5, float("nan"), ("a",), "a\x1b[31m", "a\0b"]


@given(st.text(max_size=5000))
def test_every_sentence_is_printable_and_has_an_end(text):
    for error in (
        BadFile(f"{text!r} is no file."),
        BadFile(f"cannot read {text}: no."),
        UnknownName("game", text, ["go"]),
    ):
        assert str(error).isprintable() and len(str(error)) <= LONGEST + 3
        assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_what_is_quoted_has_60_characters_at_most_and_the_rest_stays():
    wrong = "'" + "x" * 120_000 + "'"
    assert str(ApprentiError(f"a size is like 10x20, not {wrong}.")) == f"a size is like 10x20, not '{'x' * 60}…'."
    plain = "the player's army is not the enemy's: no piece may stand on a mountain of the players' half, 'k' or 'l'."
    assert str(ApprentiError(plain)) == plain


@pytest.mark.parametrize("name", ["agent", "evaluate", "game", "load_replay", "resume", "solve", "train", "tournament"])
@pytest.mark.parametrize("value", WRONG, ids=lambda value: str(value)[:8].encode("ascii", "replace").decode())
def test_a_script_may_pass_anything(name, value, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ApprentiError) as caught:
        getattr(apprenti, name)(value)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("value", [5, [1], b"x", 1.5, ("a",), "x" * 120_000])
def test_options_of_a_script_may_be_anything(value):
    for option in ("cluster", "size", "game"):
        with pytest.raises(ApprentiError):
            apprenti.evaluate("random", **{"game": "tetris", "games": 1, "max_pieces": 5, option: value})
    with pytest.raises(ApprentiError):
        apprenti.match("random", value, game="tictactoe")


@pytest.mark.parametrize("value", [[1], "1", 1.5, None])
def test_a_stream_begins_with_a_whole_number(value):
    with pytest.raises(ApprentiError):
        apprenti.Stream(value)
