"""`apprenti agents`: the zoo."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apprenti.agents.description import DESCRIBED
from apprenti.cli.options import Text
from apprenti.cli.request import working_games
from apprenti.cli.tables import LONG, print_table
from apprenti.core.plugins import GAMES
from apprenti.lab.agents import zoo
from apprenti.store.agentfile import AgentFile, read_agent

HEADINGS = ("name", LONG, "published", "measured here")


@dataclass(frozen=True)
class Options:
    """Who plays: the zoo, with published and measured scores."""

    game: Text = ""
    """Only those who play this game or others of its family."""
    json: bool = False
    """Print one JSON object and nothing else."""


def score(entry: Mapping[str, Any]) -> str:
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
    published, measured = ("\n".join(map(score, entries)) or "-" for entries in (agent.published, agent.measured))
    return agent.name, agent.title, published, measured


def run(options: Options) -> None:
    """List the zoo."""
    families = list(dict.fromkeys(game.family for game in working_games()))
    wanted = [GAMES.load(options.game).family] if options.game else families
    agents = [agent for agent in map(read_agent, zoo().values()) if agent.game in wanted]
    if options.json:
        plain = [{name: value for name, value in agent.__dict__.items() if name != "arrays"} for agent in agents]
        print(json.dumps({"agents": plain}, ensure_ascii=False))
        return
    for family in wanted:
        if rows := [row(agent) for agent in agents if agent.game == family]:
            print_table(HEADINGS, rows, f"agents who play {family}", width=130)
    if not agents:
        print(f"nobody in the zoo plays {options.game}.")
    others = [f".{family}." for family in families if family not in wanted]  # the folders of what serves one game only
    lines = [entry.about for entry in DESCRIBED.values() if not any(other in entry.where for other in others)]
    described = f", a Python file, or described on one line: {' · '.join(lines)}" if lines else " or a Python file"
    print(f"An agent is also a run, a file{described}.")
