"""`apprenti games`: what can be played."""

import json
from dataclasses import dataclass
from typing import Any

from apprenti.cli.options import option_name
from apprenti.cli.request import working_games
from apprenti.core.data import help_of
from apprenti.core.game import AnyGame
from apprenti.core.plugins import GAMES

NUMBERS = ("nobody", "one", "two", "three", "four")


@dataclass(frozen=True)
class Options:
    """What can be played, and under which rules."""

    json: bool = False
    """Print one JSON object and nothing else."""


def about(game: AnyGame) -> dict[str, Any]:
    """A game: what it is, its usual rules, and what can be chosen."""
    rules = game.rules()
    return {
        "players": game.players,
        "about": GAMES[game.name].about,
        "sides": list(game.sides),
        "rules": game.rules_to_json(rules),
        "description": game.describe(rules),
        "options": {option_name(name): said for name, said in help_of(game.Options).items()},
    }


def run(options: Options) -> None:
    """List the games."""
    found = {game.name: about(game) for game in working_games()}
    if options.json:
        print(json.dumps(found, ensure_ascii=False))
        return
    for name, game in found.items():
        number = NUMBERS[game["players"]] if game["players"] < len(NUMBERS) else game["players"]
        print(f"{name}\n  for {number}: {game['about']}")
        for option, words in game["options"].items():
            print(f"  {option:<14} {words}")
    print("`apprenti play GAME` plays one; `apprenti agents --game GAME` shows who plays it.")
