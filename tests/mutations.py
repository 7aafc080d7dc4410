"""Damage of every sort: to plain data, to arrays and to the bytes of a file. The same seed does the same damage."""

import copy
import json
import math

import numpy as np

DEEP = json.loads("[" * 120 + "]" * 120)
ODD = (
    None, True, False, 0, -1, 1, 2**63, -(2**63), 2**64, 10**30, 0.5, -0.0, 1e308, math.nan, math.inf, -math.inf, "",
    "x", "../../etc/passwd", "/dev/zero", "\0", "é" * 300, [], [[]], [None], {}, {"a": 1}, {"": {}}, DEEP,
)  # fmt: skip

MARK = "@@ here @@"
RAW = (
    "[" * 900 + "]" * 900,
    "[" * 5000,
    '{"a":' * 480 + "1" + "}" * 480,
    "9" * 5000,
    '"' + "x" * 300 + '"',
    '"' + "é" * 200 + '"',
)
"""What stands in the text of a file instead of a value: no data of ours is so deep, or so long."""


def text_damage(data, written, rng):
    """The text of data, as `written` makes it, with one value in it too deep or too long."""
    every = list(places(data))
    if not every:
        return RAW[rng.integers(len(RAW))]
    found, path = copy.deepcopy(data), every[rng.integers(len(every))]
    holder = found
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = MARK
    return written(found).replace(json.dumps(MARK), RAW[rng.integers(len(RAW))])


def places(data, path=()):
    """Every place in plain data and arrays, as keys from the outside in."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list | tuple) else ()
    for key, part in list(items)[:40]:
        yield (*path, key)
        yield from places(part, (*path, key))


def _worst(dtype):
    """The numbers of a type that do most harm."""
    if dtype.kind in "iu":
        return np.array([np.iinfo(dtype).max, np.iinfo(dtype).min], dtype)
    return np.array([np.inf, -np.inf, np.nan] if dtype.kind == "f" else [True], dtype)


@np.errstate(all="ignore")
def array_damage(array, rng):
    """An array of another type, shape or content."""
    flat = array.copy().ravel()
    if flat.size:
        flat[rng.integers(flat.size)] = rng.choice(_worst(flat.dtype))
    choices = (
        flat.reshape(array.shape), array[:-1], array.ravel(), array[None], np.zeros(0, array.dtype),
        array.astype(np.float16), array.astype(np.int8), np.repeat(array, 2, axis=0) if array.ndim else array[None],
    )  # fmt: skip
    return choices[rng.integers(len(choices))]


def data_damage(data, rng):
    """The same data with one thing in it removed, renamed or replaced."""
    found = copy.deepcopy(data)
    every = list(places(found))
    path = every[rng.integers(len(every))]
    holder = found
    for key in path[:-1]:
        holder = holder[key]
    if isinstance(holder, tuple):
        return found
    old = holder[path[-1]]
    how = rng.integers(4)
    if isinstance(old, np.ndarray) and how:
        holder[path[-1]] = array_damage(old, rng)
    elif how == 0:
        del holder[path[-1]]
    elif how == 1 and isinstance(holder, dict):
        holder[f"{path[-1]}s"] = holder.pop(path[-1])
    else:
        holder[path[-1]] = copy.deepcopy(ODD[rng.integers(len(ODD))])
    return found


def byte_damage(blob, rng):
    """The bytes of a file with bits flipped, a part cut out, doubled or overwritten."""
    if not blob:
        return b"\0"
    at, size = int(rng.integers(len(blob))), int(rng.integers(1, 40))
    noise = rng.integers(0, 256, size, np.uint8).tobytes()
    choices = (
        blob[:at] + bytes([blob[at] ^ (1 << int(rng.integers(8)))]) + blob[at + 1 :], blob[:at], blob[at:],
        blob[:at] + blob[at + size :], blob[:at] + noise + blob[at:], blob[:at] + noise + blob[at + size :],
        blob + blob,
    )  # fmt: skip
    return choices[rng.integers(len(choices))]
