"""`apprenti tournament AGENT AGENT…`: everybody against everybody."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from apprenti.cli.duels.measure import compare_for_two
from apprenti.cli.duels.options import usual_rules
from apprenti.cli.keeper import check_writable
from apprenti.cli.options import Text
from apprenti.core.errors import BadAgent, BadOption
from apprenti.core.protocols import GameForTwo
from apprenti.games.catalogue import GAMES_FOR_TWO
from apprenti.lab.agents import KnownForTwo, find_any, find_for_two
from apprenti.lab.evaluate import Effort


@dataclass(frozen=True, kw_only=True)
class Options:
    """Everybody against everybody: Elo, every match with Wilson's interval, how games ended, a picture.

    Every opening is played twice with the sides exchanged.
    """

    agents: Annotated[tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="AGENT…")]
    """Names from the zoo (apprenti agents), runs or files; with --game the short names too, like random."""
    game: Text = ""
    """The game; default: the first agent's."""
    rules: Text = ""
    """A set of rules by name (apprenti games)."""
    size: Text = ""
    """The board, where the game leaves it open, like 5x5x4."""
    games: int = 100
    """Games for each pair."""
    seed: int = 1
    """Game i of a match depends on this and on i alone."""
    workers: int = 0
    """Cores to use; 0 for all. The result does not depend on it."""
    json: bool = False
    """Print one JSON object and nothing else."""
    figure: Text = ""
    """Write a picture of the strength to this file (png, svg, pdf)."""
    record: Text = ""
    """Keep every game as a replay in this folder."""


def run(options: Options) -> int:
    """Let them play."""
    from apprenti.views.plots import check_path

    if len(options.agents) < 2:
        raise BadOption("a tournament needs at least two agents, like: apprenti tournament sarsa-tictactoe perfect.")
    figure = check_path(Path(options.figure)) if options.figure else None
    if figure:
        check_writable(figure.parent)
    game = game_of(options)
    players = [find_for_two(name, game) for name in options.agents]
    chosen = options.rules or options.size
    rules = game.rules(options.rules, options.size) if chosen else usual_rules(game, players[0])
    effort = Effort(options.games, options.seed, options.workers)
    return compare_for_two(game, rules, players, effort, options.json, figure, options.record)


def game_of(options: Options) -> GameForTwo:
    """The game that was named, or the first agent's."""
    if options.game:
        game: GameForTwo = GAMES_FOR_TWO.load(options.game)
        return game
    known = find_any(options.agents[0])
    if not isinstance(known, KnownForTwo):
        raise BadAgent(f"{known.name} plays tetris, a game for one: use compare, or name a --game.")
    return known.game
