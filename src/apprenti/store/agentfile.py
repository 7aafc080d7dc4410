"""Agent files: small JSON, no code in them, so that a stranger's agent can do no harm."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apprenti.core.errors import BadFile
from apprenti.store.arrays import Arrays, read_arrays, write_arrays
from apprenti.store.files import read_json, write_json

FORMAT = 1
BESIDE = ".safetensors"
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
    config: dict[str, Any]
    rules: str | dict[str, Any]
    """The rules it was made for: the name of a preset, or a preset and what is different."""
    source: str
    published: tuple[dict[str, Any], ...] = ()
    measured: tuple[dict[str, Any], ...] = ()
    arrays: Arrays = field(default_factory=dict)
    """Large tables and networks; they are kept beside the file, under the same name with .safetensors."""


def _is_score(entry: Any) -> bool:
    return isinstance(entry, dict) and isinstance(entry.get("mean"), int | float)


def read_agent(path: Path) -> AgentFile:
    """Read an agent file."""
    data = read_json(path, "an agent file")
    if data.get("format") != FORMAT:
        raise BadFile(f"{path} is not an agent file of format {FORMAT}, the one this version reads.")
    for name, kinds in _WANTED.items():
        if not isinstance(data.get(name), kinds):
            raise BadFile(f"{path} is not an agent file: its field {name!r} is missing or not what it should be.")
    scores: dict[str, Any] = {field: data.get(field) or [] for field in ("published", "measured")}
    if not all(isinstance(entries, list) and all(map(_is_score, entries)) for entries in scores.values()):
        raise BadFile(f"{path} is not an agent file: published and measured are lists of scores.")
    fields: dict[str, Any] = {field: data[field] for field in _WANTED}
    fields |= {field: tuple(entries) for field, entries in scores.items()}
    digest = data.get("arrays") or ""
    return AgentFile(**fields, arrays=read_arrays(path.with_suffix(BESIDE), str(digest)) if digest else {})


def write_agent(path: Path, agent: AgentFile) -> None:
    """Write an agent file."""
    digest = write_arrays(path.with_suffix(BESIDE), agent.arrays) if agent.arrays else ""
    rest = {name: value for name, value in agent.__dict__.items() if name != "arrays"}
    write_json(path, {"format": FORMAT, **rest, **({"arrays": digest} if digest else {})})
