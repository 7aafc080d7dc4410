"""One agent's games as a row of an experiment describes them."""

from typing import Any

from apprenti.games.tetris.rules import Rules
from apprenti.lab.agents import find
from apprenti.lab.effort import Effort
from apprenti.lab.evaluate import Evaluation, evaluate
from apprenti.lab.kinds.kind import Settings


def measure(row: dict[str, Any], settings: Settings) -> Evaluation:
    """Play one row of an experiment."""
    agent = find(row["agent"])
    rules = _rules(row, agent.rules)
    if settings.short and "max_pieces" not in row:
        rules = rules.changed(max_pieces=20_000)
    return evaluate(agent, rules, _effort(row, settings))


def _rules(row: dict[str, Any], default: Rules) -> Rules:
    """The rules of a row: a preset and changes, or the agent's own."""
    changes = {key: row[key] for key in ("randomiser", "points", "max_pieces", "preview") if key in row}
    size = row.get("size", "")
    return Rules.preset(row["rules"], size, **changes) if "rules" in row else default.changed(size, **changes)


def _effort(row: dict[str, Any], settings: Settings) -> Effort:
    if settings.short:
        return Effort(row.get("short_games", 8), settings.seed, settings.workers, seconds=row.get("short_seconds", 2.0))
    return Effort(row["games"], settings.seed, settings.workers, seconds=row.get("seconds", 0.0))
