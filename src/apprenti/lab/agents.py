"""Agents by name: from the zoo, from a file, or described on one line."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from apprenti.agents.build import build, looking, parse
from apprenti.core.errors import ApprentiError, BadAgent, UnknownName
from apprenti.core.protocols import GameForTwo
from apprenti.core.text import printable
from apprenti.games.catalogue import GAMES_FOR_TWO
from apprenti.games.tetris.rules import Rules
from apprenti.store.agentfile import AgentFile, read_agent
from apprenti.store.runs import ROOT

LOOKS = {"expectimax": "expectimax", "preview": "next_piece"}


@dataclass(frozen=True)
class Known:
    """An agent ready to play Tetris, its name, and the rules it was made for."""

    name: str
    agent: Any
    rules: Rules
    file: AgentFile | None = None


@dataclass(frozen=True)
class KnownForTwo:
    """An agent ready to play a game for two, its name, the game, and the rules it was made for."""

    name: str
    agent: Any
    rules: Any
    game: GameForTwo
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


def from_file(path: Path) -> Known | KnownForTwo:
    """An agent from its file."""
    file = read_agent(path)
    if file.game != "tetris" and file.game not in GAMES_FOR_TWO:
        raise BadAgent(f"agent {file.name} plays {file.game}, which this version cannot.")
    try:
        name = printable(file.name)
        agent = build(file.kind, file.config, file.arrays)
        if file.game == "tetris":
            check_plays(agent, file)
            return Known(name, agent, rules_of(file), file)
        game: GameForTwo = GAMES_FOR_TWO.load(file.game)
        check_plays(agent, file, game.family)
        rules = game.rules(file.rules) if isinstance(file.rules, str) else game.rules_from_json(file.rules)
        return KnownForTwo(name, agent, rules, game, file)
    except ApprentiError as error:
        raise BadAgent(f"{path} cannot be used: {error}") from None


def check_plays(agent: Any, file: AgentFile, family: str = "tetris") -> None:
    """Refuse an agent of a kind that plays something else: those of Tetris have `acts`, others may have a `family`."""
    own = "tetris" if hasattr(agent, "acts") else getattr(agent, "family", "")
    if own != family and (own or family == "tetris"):
        raise BadAgent(f"an agent of kind {file.kind} does not play {file.game}.")


def find(text: str) -> Known:
    """An agent that plays Tetris, by name, file or description."""
    known = find_any(text)
    if isinstance(known, KnownForTwo):
        raise BadAgent(f"{known.name} plays {known.game.name}, not tetris.")
    return known


def find_for_two(text: str, game: GameForTwo) -> KnownForTwo:
    """An agent that plays a game for two; `random` is short for `mnk-random`, `perfect` for `mnk-perfect`."""
    short = next((name for name in (f"{game.family}-{text}", f"{text}-{game.name}") if name in zoo()), text)
    try:
        known = find_any(short)
    except UnknownName:
        players = [name for name, path in zoo().items() if read_agent(path).game == game.family]
        raise UnknownName("agent", text, players) from None
    if isinstance(known, Known):
        raise BadAgent(f"{known.name} plays tetris, not {game.name}: `apprenti agents` shows who plays what.")
    if known.game.family != game.family:
        raise BadAgent(f"{known.name} plays {known.game.name}, not {game.name}.")
    return known


def find_any(text: str) -> Known | KnownForTwo:
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
    return find_any(text).agent
