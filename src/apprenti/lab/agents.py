"""Agents by name: from the zoo, from a file, or described on one line."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from apprenti.agents.build import build, looking, parse
from apprenti.core.errors import ApprentiError, BadAgent, UnknownName
from apprenti.games.tetris.rules import Rules
from apprenti.store.agentfile import AgentFile, read_agent
from apprenti.store.runs import ROOT

LOOKS = {"expectimax": "expectimax", "preview": "next_piece"}


@dataclass(frozen=True)
class Known:
    """An agent ready to play, its name, and the rules it was made for."""

    name: str
    agent: Any
    rules: Rules
    file: AgentFile | None = None


def zoo_folder() -> Path:
    """Where the shipped agents are."""
    return Path(str(files("apprenti") / "zoo"))


@cache
def zoo() -> dict[str, Path]:
    """The shipped agents by name."""
    return {path.stem: path for path in sorted(zoo_folder().glob("*.json"))}


def rules_of(agent: AgentFile) -> Rules:
    """The rules an agent file was made for."""
    changes = {"name": agent.rules} if isinstance(agent.rules, str) else agent.rules
    preset = Rules.preset(str(changes.get("name", "simplified")))
    return Rules.from_json({**preset.to_json(), **{key: value for key, value in changes.items() if value != ""}})


def from_file(path: Path) -> Known:
    """An agent from its file."""
    file = read_agent(path)
    if file.game != "tetris":
        raise BadAgent(f"agent {file.name} plays {file.game}, which this version cannot.")
    try:
        name = "".join(character for character in file.name if character.isprintable())
        return Known(name, build(file.kind, file.config, file.arrays), rules_of(file), file)
    except ApprentiError as error:
        raise BadAgent(f"{path} cannot be used: {error}") from None


def find(text: str) -> Known:
    """An agent by its name in the zoo, its file, or its description.

    `expectimax:NAME` and `preview:NAME` are the same player, looking one piece further.
    """
    prefix, colon, rest = text.partition(":")
    if colon and prefix in LOOKS:
        inner = find(rest)
        return Known(text, looking(inner.agent, LOOKS[prefix]), _with_preview(inner.rules, prefix))
    described = parse(text)
    if described:
        kind = described[0]
        return Known(text, build(*described), Rules.preset("simplified" if kind == "linear" else "tetrisbot"))
    if text in zoo():
        return from_file(zoo()[text])
    run = ROOT / text / "agent.json"
    if run.exists():
        return from_file(run)
    path = Path(text)
    if path.suffix == ".json" or path.exists() or "/" in text:
        return from_file(path / "agent.json" if path.is_dir() else path)
    raise UnknownName("agent", text, zoo())


def _with_preview(rules: Rules, prefix: str) -> Rules:
    from dataclasses import replace

    return replace(rules, preview=True) if prefix == "preview" else rules


def load_agent(text: str) -> Any:
    """An agent that can `choose`: a name from the zoo, a file, or a description on one line."""
    return find(text).agent
