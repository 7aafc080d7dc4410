"""Options that games for two share."""

from dataclasses import fields
from typing import Any

from apprenti.cli.options import RulesOptions
from apprenti.core.errors import BadOption
from apprenti.core.protocols import GameForTwo
from apprenti.lab.agents import KnownForTwo


def rules_for(options: RulesOptions, game: GameForTwo, default: Any) -> Any:
    """The rules to play: what is named on the command line, else the default; options of Tetris are refused."""
    for field in fields(RulesOptions):
        if field.name not in ("rules", "size") and getattr(options, field.name) != field.default:
            raise BadOption(f"--{field.name.replace('_', '-')} is for tetris, not for {game.name}.")
    return game.rules(options.rules, options.size) if options.rules or options.size else default


def usual_rules(game: GameForTwo, known: KnownForTwo) -> Any:
    """The rules when none are named: those the agent was made for, unless the game has its own, like tictactoe."""
    return known.rules if known.game == game else game.rules()
