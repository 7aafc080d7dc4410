"""`apprenti watch AGENT`: watch it play."""

from dataclasses import dataclass, replace
from typing import Annotated

import tyro

from apprenti.cli.keeper import Keeper
from apprenti.cli.options import RulesOptions, Text
from apprenti.cli.session import Seed, Session, drawn_seed
from apprenti.cli.terminal import on_terminal
from apprenti.cli.viewer import check_speed, viewer
from apprenti.core.errors import BadOption
from apprenti.games.tetris.rules import Rules
from apprenti.lab.agents import KnownForTwo, find_any

UNWATCHED = 200
"""Pieces after which a game stops that nobody watches: good agents play for days."""


@dataclass(frozen=True, kw_only=True)
class Options(RulesOptions):
    """Watch an agent play: animated on a terminal, elsewhere every board as plain text.

    Keys: space pauses, n goes one step on, + and - change the speed, q quits.
    """

    agent: tyro.conf.Positional[Annotated[str, tyro.conf.arg(metavar="AGENT")]]
    """A name from the zoo (apprenti agents), a run, a file, or a description like evaluation:0.5,0.5,0.6,0.2."""
    against: Text = ""
    """For games for two: the opponent."""
    eyes: Text = ""
    """For games with hidden pieces: whose eyes to watch through, first or second; default: everything is open."""
    explain: bool = False
    """For luzhanqi: show what the agent believes of the enemy's pieces, and its favourite moves."""
    max_pieces: int = 0
    """Stop after so many pieces; 0 for never on a terminal, and for 200 elsewhere."""
    seed: Seed = None
    """The game depends on this alone; it is the first game of `evaluate` with this seed."""
    speed: float = 5.0
    """Pieces per second; 0 for as fast as possible, as it always is when the output is no terminal."""
    record: Text = ""
    """Keep the game as a replay: a file that ends in .json, or a folder."""


def rules_for(options: Options, default: Rules) -> Rules:
    """The rules to play; without a terminal every game ends."""
    rules = options.apply(default)
    return rules if rules.max_pieces or on_terminal() else replace(rules, max_pieces=UNWATCHED)


def run(options: Options) -> None:
    """Show a game, say how it ended, and keep it."""
    from apprenti.lab.evaluate import check_fit

    known, speed = find_any(options.agent), check_speed(options.speed)
    if isinstance(known, KnownForTwo):
        from apprenti.cli.duels.show import watch

        watch(known, options)
        return
    if options.against or options.eyes or options.explain:
        raise BadOption(f"--against, --eyes and --explain are for games for two, and {known.name} plays tetris.")
    rules = rules_for(options, known.rules)
    check_fit(known, rules)
    session = Session(known.name, known.agent, rules, drawn_seed(options.seed))
    keeper = Keeper(options.record)
    try:
        with viewer((known.name, f"seed   {session.seed}"), speed, ghost=session.acts == "commands") as show:
            session.play(show)
    finally:
        keeper.keep(session.name, session.seed, session.replay())
        print(session.result)
        keeper.report()
