"""Agent files: small JSON, no code in them, so that a stranger's agent can do no harm."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apprenti.core.errors import BadFile
from apprenti.store.files import read_json, write_json

FORMAT = 1
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


def _is_score(entry: Any) -> bool:
    return isinstance(entry, dict) and isinstance(entry.get("mean"), int | float)


def read_agent(path: Path) -> AgentFile:
    """Read an agent file."""
    data = read_json(path, "an agent file")
    if data.get("format") != FORMAT:
        raise BadFile(f"{path} is not an agent file of format {FORMAT}, the one this version reads.")
    for field, kinds in _WANTED.items():
        if not isinstance(data.get(field), kinds):
            raise BadFile(f"{path} is not an agent file: its field {field!r} is missing or not what it should be.")
    scores: dict[str, Any] = {field: data.get(field) or [] for field in ("published", "measured")}
    if not all(isinstance(entries, list) and all(map(_is_score, entries)) for entries in scores.values()):
        raise BadFile(f"{path} is not an agent file: published and measured are lists of scores.")
    fields: dict[str, Any] = {field: data[field] for field in _WANTED}
    fields |= {field: tuple(entries) for field, entries in scores.items()}
    return AgentFile(**fields)


def write_agent(path: Path, agent: AgentFile) -> None:
    """Write an agent file."""
    write_json(path, {"format": FORMAT, **agent.__dict__})
