"""`apprenti agents`: the zoo."""

import json
from dataclasses import dataclass
from typing import Any

from apprenti.agents.build import DESCRIBED
from apprenti.cli.options import Text
from apprenti.games.catalogue import GAMES
from apprenti.lab.agents import zoo
from apprenti.store.agentfile import AgentFile, read_agent


@dataclass(frozen=True)
class Options:
    """Who plays: the zoo, with published and measured scores."""

    game: Text = ""
    """Only those who play this game or others of its family."""
    json: bool = False
    """Print one JSON object and nothing else."""


def score(entry: dict[str, Any]) -> str:
    """A published or measured score in a few characters."""
    if "against" in entry:  # a game for two: the share of points against somebody
        low, high = entry["ci95"]
        return f"{entry['mean']:.0%} ({low:.0%}–{high:.0%}) against {entry['against']}"
    mean = entry["mean"]
    short = f"{mean / 1e6:.3g} M" if mean >= 1e6 else f"{mean:,.0f}".replace(",", " ")
    interval = entry.get("ci95")
    spread = f" ±{(interval[1] - interval[0]) / 2 / mean:.0%}" if interval and mean else ""
    rules = "" if entry["rules"] == "simplified" else f" {entry['rules']}"
    return f"{short}{spread} {entry['unit']} ({entry['size']}{rules})"


def row(agent: AgentFile) -> tuple[str, str, str, str]:
    """The line of an agent."""
    published = "\n".join(score(entry) for entry in agent.published) or "-"
    return agent.name, agent.title, published, "\n".join(score(entry) for entry in agent.measured) or "-"


def run(options: Options) -> None:
    """List the zoo."""
    agents = [read_agent(path) for path in zoo().values()]
    families = list(dict.fromkeys(GAMES.load(name).family for name in GAMES))
    if options.game:
        families = [GAMES.load(options.game).family]
        agents = [agent for agent in agents if agent.game in families]
    if options.json:
        plain = [{name: value for name, value in agent.__dict__.items() if name != "arrays"} for agent in agents]
        print(json.dumps({"agents": plain}, ensure_ascii=False))
        return
    for family in families:
        of_family = [agent for agent in agents if agent.game == family]
        if of_family:
            print_agents(family, of_family)
    if not agents:
        print(f"nobody in the zoo plays {options.game}.")
    lines = [entry.about for entry in DESCRIBED.values() if not options.game or of_one_of(families, entry.where)]
    also = [f", or described on one line: {' · '.join(lines)}"] if lines else []
    print("An agent is also a run, a file, a Python file" + "".join(also) + ".")


def of_one_of(families: list[str], where: str) -> bool:
    """Whether a part of the project serves these games: what belongs to one game is in a folder of that name."""
    others = {GAMES.load(name).family for name in GAMES} - set(families)
    return not any(f".{family}." in where for family in others)


def print_agents(game: str, agents: list[AgentFile]) -> None:
    """The table of those who play a game."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, title=f"agents who play {game}", title_justify="left")
    for heading in ("name", "what it is", "published", "measured here"):
        table.add_column(heading, no_wrap=heading != "what it is")
    for agent in agents:
        table.add_row(*row(agent))
    console = Console()
    Console(width=max(console.width, 130)).print(table)
