"""`apprenti agents`: the zoo."""

import json
from dataclasses import dataclass
from typing import Any

from apprenti.lab.agents import zoo
from apprenti.store.agentfile import AgentFile, read_agent


@dataclass(frozen=True)
class Options:
    """Who plays: the zoo, with published and measured scores."""

    json: bool = False
    """Print one JSON object and nothing else."""


def score(entry: dict[str, Any]) -> str:
    """A published or measured score in a few characters."""
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
    if options.json:
        print(json.dumps({"agents": [agent.__dict__ for agent in agents]}, ensure_ascii=False))
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, title="agents of the zoo (all play tetris)", title_justify="left")
    for heading in ("name", "what it is", "published", "measured here"):
        table.add_column(heading, no_wrap=heading != "what it is")
    for agent in agents:
        table.add_row(*row(agent))
    console = Console()
    Console(width=max(console.width, 130)).print(table)
    print("An agent is also a file, or described on one line: filtering:holes,lines · evaluation:0.5,0.5,0.6,0.2 ·")
    print("linear:holes=-4,lines=1 · and expectimax:NAME or preview:NAME, one piece further.")
