"""Agent files: small JSON, no code in them, so that a stranger's agent can do no harm.

Format 2 is written: large arrays lie beside the file under a name that changes with what is in them, so that the
replacement of the small file is the one step from the old agent to the new one. In format 1 they had the name of the
file, and a reader between two replacements got arrays of another generation.
"""

import glob
import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from apprenti.core.data import Arrays, JsonData, JsonMapping
from apprenti.core.errors import BadFile
from apprenti.store.files import check_format, read_bytes, read_json, read_steadily, write_bytes, write_json

FORMAT = 2
ARRAYS_SUFFIX = ".safetensors"
"""Of the file beside an agent's, with its arrays."""
_WANTED: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("name", "title", "game", "kind", "source"), (str,)),
    "config": (dict,),
    "rules": (str, dict),
}


@dataclass(frozen=True)
class AgentFile:
    """An agent on disk: what it is, where it comes from, what it scores."""

    name: str
    title: str
    game: str
    kind: str
    config: JsonMapping
    rules: str | JsonMapping
    """The rules it was made for: the name of a preset, or a preset and what is different."""
    source: str
    published: tuple[JsonMapping, ...] = ()
    measured: tuple[JsonMapping, ...] = ()
    arrays: Arrays = field(default_factory=dict)
    """Large tables and networks; they are kept beside the file, see `arrays_path`."""


def _is_score(entry: object) -> bool:
    return isinstance(entry, dict) and isinstance(entry.get("mean"), int | float)


def arrays_path(path: Path, data: JsonData) -> Path:
    """Where the arrays of an agent file are."""
    return path.with_suffix(ARRAYS_SUFFIX) if data["format"] == 1 else _beside(path, str(data["arrays"]))


def _beside(path: Path, digest: str) -> Path:
    return path.with_name(f"{path.stem}-{digest}{ARRAYS_SUFFIX}")


def read_agent(path: Path) -> AgentFile:
    """Read an agent file."""
    return read_steadily(path, _read)


def _read(path: Path) -> AgentFile:
    data = _read_fields(path)
    arrays = read_arrays(arrays_path(path, data), data["arrays"]) if data.get("arrays") else {}
    fields: JsonData = {name: data[name] for name in _WANTED}
    fields |= {name: tuple(data.get(name) or ()) for name in ("published", "measured")}
    return AgentFile(**fields, arrays=arrays)


def _read_fields(path: Path) -> JsonData:
    """The small file, if all in it is what it should be."""
    data = read_json(path, "an agent file")
    check_format(path, data, "an agent file", 1, FORMAT)
    for name, kinds in _WANTED.items():
        if not isinstance(data.get(name), kinds):
            raise BadFile(f"{path} is not an agent file: its field {name!r} is missing or not what it should be.")
    scores: JsonData = {field: data.get(field) or [] for field in ("published", "measured")}
    if not all(isinstance(entries, list) and all(map(_is_score, entries)) for entries in scores.values()):
        raise BadFile(f"{path} is not an agent file: published and measured are lists of scores.")
    if data.get("arrays") and not is_digest(data["arrays"]):
        raise BadFile(f"{path} is not an agent file: its field 'arrays' is no digest.")
    return data


def write_agent(path: Path, agent: AgentFile) -> None:
    """Write an agent file; a reader gets the agent before it or this one, at every moment."""
    blob = packed(agent.arrays) if agent.arrays else b""
    digest = digest_of(blob) if blob else ""
    if digest:
        write_bytes(_beside(path, digest), blob)
    rest = {name: value for name, value in agent.__dict__.items() if name != "arrays"}
    write_json(path, {"format": FORMAT, **rest, **({"arrays": digest} if digest else {})})
    for old in path.parent.glob(f"{glob.escape(path.stem)}-*{ARRAYS_SUFFIX}"):
        if is_digest(old.stem.removeprefix(f"{path.stem}-")) and old != _beside(path, digest):
            old.unlink(missing_ok=True)


def digest_of(blob: bytes) -> str:
    """The digest of a file."""
    return hashlib.blake2b(blob, digest_size=16).hexdigest()


def is_digest(text: object) -> bool:
    """Whether it is what `digest_of` gives, and so safe in the name of a file."""
    return isinstance(text, str) and re.fullmatch(r"[0-9a-f]{32}", text) is not None


def packed(arrays: Arrays) -> bytes:
    """Arrays as the bytes of a file."""
    return bytes(save({name: np.asarray(array, order="C") for name, array in arrays.items()}))


def unpacked(blob: bytes) -> dict[str, NDArray[np.generic]]:
    """The arrays of a file from its bytes."""
    return dict(load(blob))


def read_arrays(path: Path, digest: str) -> dict[str, NDArray[np.generic]]:
    """Read arrays back; refuse others than the digest was made of."""
    blob = read_bytes(path)
    if digest_of(blob) != digest:
        raise BadFile(f"{path} has been altered or cut.")
    try:
        return unpacked(blob)
    except (SafetensorError, ValueError, KeyError) as error:  # a type that numpy does not have is a KeyError
        raise BadFile(f"{path} is not a file of arrays ({error}).") from None
