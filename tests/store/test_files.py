"""Files that are either whole or not there."""

from contextlib import suppress

import pytest

from apprenti.core.errors import BadFile
from apprenti.store.files import DEEPEST, parse_json, read_json, read_toml, replacing, write_json, write_text


def test_what_is_written_is_read_again(tmp_path):
    path = tmp_path / "new" / "folders" / "data.json"
    data = {"words": "héron ×", "numbers": [1, 2.5, None], "inside": {"yes": True}}
    write_json(path, data)
    assert read_json(path, "data") == data
    assert path.read_text(encoding="utf-8").endswith("}\n")


def test_a_file_is_replaced_and_nothing_else_is_left_beside_it(tmp_path):
    path = tmp_path / "text.txt"
    write_text(path, "old")
    write_text(path, "new")
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("reason", [ZeroDivisionError, KeyboardInterrupt, SystemExit])
def test_a_writer_that_fails_leaves_the_old_file_and_no_temporary_one(tmp_path, reason):
    path = tmp_path / "text.txt"
    write_text(path, "old")
    with pytest.raises(reason), replacing(path) as temporary:
        temporary.write_text("half")
        raise reason
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_is_one_sentence_and_leaves_the_old_file(tmp_path):
    path = tmp_path / "text.txt"
    write_text(path, "old")
    with pytest.raises(BadFile, match=f"cannot write {path}: No space left on device"), replacing(path):
        raise OSError(28, "No space left on device")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_data_that_is_no_json_does_not_touch_the_old_file(tmp_path):
    path = tmp_path / "data.json"
    write_json(path, {"old": 1})
    with pytest.raises(TypeError):
        write_json(path, {"new": object()})
    assert read_json(path, "data") == {"old": 1}


def test_a_temporary_file_has_the_ending_of_the_real_one(tmp_path):
    # whoever writes a picture looks at the ending
    with replacing(tmp_path / "picture.svg") as temporary:
        assert temporary.suffix == ".svg"
        assert temporary.parent == tmp_path


def test_what_is_written_can_be_read_by_others(tmp_path):
    write_text(tmp_path / "text.txt", "for everybody")
    assert (tmp_path / "text.txt").stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("where", ["{file}/data.json", "{file}/more/data.json", "/proc/nowhere/data.json", "{folder}"])
def test_where_nothing_can_be_written_one_sentence_says_so(tmp_path, where):
    file, folder = tmp_path / "file", tmp_path / "folder"
    file.write_text("in the way")
    folder.mkdir()
    path = type(tmp_path)(where.format(file=file, folder=folder))
    with pytest.raises(BadFile, match=f"cannot write {path}: .+"):
        write_json(path, {})
    assert sorted(tmp_path.iterdir()) == [file, folder]
    assert file.read_text() == "in the way"
    assert list(folder.iterdir()) == []


DEEP = 100_000


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "not JSON"),
        (b"{", "cut"),
        (b'{"a": 1', "cut"),
        (b"nonsense", "not JSON"),
        (b"[1, 2]", "an object was expected"),
        (b'"text"', "an object was expected"),
        (b"null", "an object was expected"),
        (b"\xff\xfe\x00", "not JSON"),
        (b'{"a": ' + b"9" * 10_000 + b"}", "not JSON"),
        (b"[" * DEEP + b"]" * DEEP, "not JSON"),
        (b'{"a":' * DEEP + b"1" + b"}" * DEEP, "not JSON"),
    ],
    ids=["empty", "brace", "cut", "words", "list", "text", "null", "binary", "huge number", "deep list", "deep object"],
)
def test_what_is_not_an_object_of_json_is_refused_with_a_sentence(tmp_path, content, why):
    path = tmp_path / "data.json"
    path.write_bytes(content)
    with pytest.raises(BadFile, match=f"{path} is not a shopping list: .*{why}"):
        read_json(path, "a shopping list")


@pytest.mark.parametrize("depth", range(900, 1000, 7))
def test_any_depth_is_read_or_refused(tmp_path, depth):
    path = tmp_path / "data.json"
    path.write_text('{"a":' + "[" * depth + "]" * depth + "}")
    with suppress(BadFile):
        assert "a" in read_json(path, "data")


def test_a_file_that_is_not_there_and_a_folder_cannot_be_read(tmp_path):
    for path in (tmp_path / "nothing.json", tmp_path):
        with pytest.raises(BadFile, match=f"cannot read {path}: .+"):
            read_json(path, "data")


def test_half_a_character_is_refused_and_a_whole_one_in_two_halves_is_not(tmp_path):
    path = tmp_path / "data.json"
    path.write_text('{"name": "\\ud83d\\ude00"}')
    assert read_json(path, "data") == {"name": "😀"}
    path.write_text('{"name": "\\uD83D"}')
    with pytest.raises(BadFile, match="is not data"):
        read_json(path, "data")


@pytest.mark.parametrize("depth", [DEEPEST, 300, 900, 5000])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a": ', "}")])
def test_what_is_too_deep_is_refused_where_it_is_read(depth, opening, closing, tmp_path):
    text = '{"a": ' + opening * depth + "1" + closing * depth + "}"
    with pytest.raises(BadFile, match=r"lists and objects|not JSON"):
        parse_json(text.encode(), "a thing", "this")
    path = tmp_path / "deep.toml"
    path.write_text("a = " + "[" * depth + "]" * depth)
    with pytest.raises(BadFile, match=r"lists and objects|not TOML"):
        read_toml(path, "a thing")


def test_what_is_as_deep_as_it_may_be_is_read(tmp_path):
    inner = DEEPEST - 1
    assert parse_json(('{"a": ' + "[" * inner + "]" * inner + "}").encode(), "a thing", "this")
    path = tmp_path / "deep.toml"
    path.write_text("a = " + "[" * inner + "]" * inner)
    assert read_toml(path, "a thing")


@pytest.mark.parametrize("blob", [b"a = " + b"9" * 5000, b"a = '\xff'", b"a =", b"a = " + b"[" * 5000])
def test_toml_that_is_none_is_one_sentence(blob, tmp_path):
    path = tmp_path / "a.toml"
    path.write_bytes(blob)
    with pytest.raises(BadFile, match="is not a thing: it is not TOML"):
        read_toml(path, "a thing")
