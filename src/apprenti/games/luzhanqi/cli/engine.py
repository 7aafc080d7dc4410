"""`apprenti engine GAME`: an agent as an engine for other programs."""

import sys
from dataclasses import dataclass
from typing import Annotated

import tyro

from apprenti.cli.options import Text
from apprenti.core.errors import BadOption
from apprenti.core.plugins import GAMES
from apprenti.lab.agents import find_own


@dataclass(frozen=True, kw_only=True)
class Options:
    """Let an agent play as an engine: orders come line by line on standard input, answers go to standard output.

    The protocol is the one of the Chinese computer-game championship: INFO, START, GO, RESULT and END are answered
    with NAME, ARRAY and BESTMOVE. docs/luzhanqi-engines.md has all of it.
    """

    game: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="GAME")]
    """luzhanqi."""
    agent: str = "random"
    """Who plays: a name from the zoo (apprenti agents), a run or a file."""
    rules: Text = ""
    """A set of rules by name (apprenti games); START says after how many quiet moves a game ends."""
    seed: int = 1
    """What chance decides depends on this and on the number of the game alone."""


def run(options: Options) -> None:
    """Speak the protocol until the input ends."""
    from apprenti.games.luzhanqi.agents.engine.serve import Engine, serve

    if options.game != "luzhanqi":
        raise BadOption(f"only luzhanqi has an engine protocol, not {options.game!r}.")
    game = GAMES.load(options.game)
    known = find_own(options.agent, game)
    rules = game.rules(known.rules, rules=options.rules)
    known.check(game, rules)
    serve(Engine(known.name, known.agent, rules, options.seed), iter(sys.stdin.readline, ""))
