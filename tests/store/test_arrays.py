"""Arrays on disk: what comes back is what was written, or one sentence."""

import json
import struct

import numpy as np
import pytest

from apprenti.core.errors import BadFile
from apprenti.store.agentfile import digest_of, packed, read_arrays
from apprenti.store.files import write_bytes

ARRAYS = {
    "keys": np.array([0, 2**64 - 1], np.uint64),
    "values": np.array([[0.1, -np.inf], [5e-324, 1 / 3]]),
    "turned": np.arange(6, dtype=np.int32).reshape(2, 3).T,
    "nothing": np.zeros((0, 4), np.float32),
    "single": np.array(7.5),
    "flags": np.array([True, False]),
}


def write_arrays(path, arrays):
    """Write arrays; their digest."""
    write_bytes(path, packed(arrays))
    return digest_of(packed(arrays))


def test_every_bit_shape_and_type_comes_back(tmp_path):
    digest = write_arrays(tmp_path / "new" / "x.safetensors", ARRAYS)
    read = read_arrays(tmp_path / "new" / "x.safetensors", digest)
    assert read.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert (read[name].dtype, read[name].shape) == (array.dtype, array.shape), name
        assert np.array_equal(read[name], array), name


def test_the_digest_depends_on_the_arrays_alone(tmp_path):
    digest = write_arrays(tmp_path / "a", ARRAYS)
    assert digest == write_arrays(tmp_path / "b", dict(ARRAYS)) == digest_of(packed(ARRAYS))
    assert digest != digest_of(packed({**ARRAYS, "single": np.array(7.25)}))


def test_a_single_changed_or_missing_byte_is_noticed(tmp_path):
    path = tmp_path / "x"
    digest = write_arrays(path, ARRAYS)
    blob = path.read_bytes()
    for place in (0, len(blob) // 2, len(blob) - 1):
        path.write_bytes(blob[:place] + bytes([blob[place] ^ 1]) + blob[place + 1 :])
        with pytest.raises(BadFile, match="altered or cut"):
            read_arrays(path, digest)
    for spoilt in (blob[:-1], blob[:7], b"", blob + b"\0"):
        path.write_bytes(spoilt)
        with pytest.raises(BadFile, match="altered or cut"):
            read_arrays(path, digest)


def test_a_missing_file_and_a_folder_are_one_sentence(tmp_path):
    for path in (tmp_path / "nothing", tmp_path):
        with pytest.raises(BadFile, match=f"^cannot read {path}: .+\\.$"):
            read_arrays(path, "")


def _blob(header, data=b""):
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


@pytest.mark.parametrize(
    "blob",
    [
        b"",
        b"not arrays",
        b"\xff" * 64,
        _blob([1, 2]),
        _blob({"a": {"dtype": "F64", "shape": [2], "data_offsets": [0, 8]}}, bytes(8)),
        _blob({"a": {"dtype": "BF16", "shape": [1], "data_offsets": [0, 2]}}, bytes(2)),
        _blob({"a": {"dtype": "CODE", "shape": [1], "data_offsets": [0, 1]}}, bytes(1)),
    ],
)
def test_what_is_no_file_of_arrays_is_refused_even_with_a_good_digest(tmp_path, blob):
    (tmp_path / "x").write_bytes(blob)
    with pytest.raises(BadFile, match="is not a file of arrays"):
        read_arrays(tmp_path / "x", digest_of(blob))
