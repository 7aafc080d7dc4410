"""The table of optima: boards solved exactly, and what published players reach of the optimum there."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from apprenti.games.tetris.compiled import why_not
from apprenti.games.tetris.rules import Rules
from apprenti.lab.agents import find
from apprenti.lab.evaluate import Effort, evaluate
from apprenti.lab.experiments import Experiment
from apprenti.lab.solve import Problem, solve
from apprenti.store.files import read_json, write_json

Report = Callable[[str], None]
Found = dict[str, Any]


def solution_of(rules: Rules, check_games: int, seed: int, workers: int, folder: Path, say: Report) -> Found:
    """A board as `apprenti solve --json` has it; one that was solved for this table before is not solved again."""
    problem = Problem(rules, check_games=check_games, curve_games=0, seed=seed, workers=workers)
    path = folder / f"{problem.name}-{seed}-{check_games}.json"
    if not path.exists():
        say("solving")
        write_json(path, solve(problem).to_json())
    return read_json(path, "a solution")


def score_of(name: str, rules: Rules, games: int, seed: int, workers: int) -> Found:
    """A player's mean on a board."""
    known = find(name)
    evaluation = evaluate(known, rules, Effort(games, seed, workers))
    if evaluation.interrupted:
        raise KeyboardInterrupt
    summary = evaluation.summary("lines")
    return {"player": name, "games": games, "mean": summary.mean, "ci95": list(summary.ci95)}


def board_of(
    experiment: Experiment, size: str, short: bool, seed: int, workers: int, folder: Path, say: Report
) -> Found:
    """A board, its optimum with overflow clears off and on, and the players' means."""
    data, check = experiment.data, 200 if short else experiment.data["check_games"]
    rules = Rules.preset("simplified", size)
    found = solution_of(rules, check, seed, workers, folder, say)
    if size in data["overflow"]:
        overflow = solution_of(Rules.preset("overflow", size), check, seed, workers, folder, say)
        found["overflow"] = {key: overflow[key] for key in ("reachable_walls", "value_of_empty_board", "seconds")}
    found["players"] = []
    for name in () if why_not(rules) else data["players"][: 2 if short else None]:
        say(name)
        found["players"].append(score_of(name, rules, 100 if short else data["games"], seed, workers))
    return found


def line_of(board: Found) -> list[str]:
    """A board's line of the first table."""
    overflow, check = board.get("overflow"), board["check"]
    return [
        board["size"],
        f"{board['reachable_walls']:,}".replace(",", " "),
        f"**{board['value_of_empty_board']:.4f}**",
        f"{check['mean']:.2f} ({check['ci95'][0]:.2f} … {check['ci95'][1]:.2f})",
        f"{overflow['value_of_empty_board']:.4f}" if overflow else "-",
        f"{board['seconds']:.1f} s",
        f"{board['cpu_seconds']:.1f} s",
        f"{board['memory_bytes'] / 1e9:.2g} GB",
    ]


HEADINGS = ["board", "reachable walls", "optimum", "played", "with overflow clears", "time", "core time", "memory"]


def parts_of(board: Found) -> dict[str, float]:
    """What each player reaches of the optimum."""
    return {score["player"]: score["mean"] / board["value_of_empty_board"] for score in board["players"]}
