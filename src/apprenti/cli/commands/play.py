"""`apprenti play GAME`: a person plays."""

from dataclasses import dataclass
from typing import Annotated

import tyro

from apprenti.cli.keeper import Keeper
from apprenti.cli.options import RulesOptions, Text
from apprenti.cli.session import Seed, Session, drawn_seed
from apprenti.cli.terminal import on_terminal
from apprenti.core.errors import UnknownName
from apprenti.games.tetris.rules import Rules

GAMES = ("tetris",)


@dataclass(frozen=True, kw_only=True)
class Options(RulesOptions):
    """Play yourself: with the keys of a terminal, or with lines of commands when the input is no terminal.

    A line is any of L (left), R (right), D (drop), N (nothing), H (clockwise), T (anticlockwise) and
    P:column:rotation, with spaces between; Q or the end of the input quits.
    """

    game: tyro.conf.Positional[Annotated[str, tyro.conf.arg(metavar="GAME")]]
    """What to play: tetris."""
    rules: str = "tetrisbot"
    """simplified (thesis), overflow, strict (Fahey) or tetrisbot."""
    seed: Seed = None
    """The pieces depend on this alone; play again goes on with the next seed."""
    record: Text = ""
    """Keep the game as a replay: a file that ends in .json, or a folder."""


def run(options: Options) -> None:
    """Play, say how it ended, and keep it."""
    if options.game not in GAMES:
        raise UnknownName("game", options.game, GAMES)
    rules, seed = options.apply(Rules.preset("tetrisbot")), drawn_seed(options.seed)
    keeper = Keeper(options.record)
    if on_terminal():
        play_by_keys(rules, seed, keeper)
    else:
        play_by_lines(rules, seed, keeper)


def play_by_keys(rules: Rules, seed: int, keeper: Keeper) -> None:
    """Games at the terminal, as many as the person likes."""
    from apprenti.agents.human import HumanAgent
    from apprenti.cli.keyboard import KeyPlayer
    from apprenti.cli.terminal import taken_terminal

    sessions: list[Session] = []
    try:
        with taken_terminal() as terminal:
            again = True
            while again:
                person = KeyPlayer(terminal, (f"{rules.name} rules", f"seed   {seed + len(sessions)}"))
                session = Session("human", HumanAgent(person.ask), rules, seed + len(sessions))
                sessions.append(session)
                play_and_keep(session, keeper)
                again = bool(session.state.outcome) and person.again(session.state)
    finally:
        for session in sessions:
            print(session.result)
        keeper.report()


def play_by_lines(rules: Rules, seed: int, keeper: Keeper) -> None:
    """One game, from lines of text."""
    from apprenti.agents.human import HumanAgent
    from apprenti.cli.dictation import LinePlayer
    from apprenti.views.text import screen

    session = Session("human", HumanAgent(LinePlayer().ask), rules, seed)
    try:
        play_and_keep(session, keeper)
    finally:
        if session.state.outcome:
            print(screen(session.state, colour=False), end="\n\n")
        print(session.result)
        keeper.report()


def play_and_keep(session: Session, keeper: Keeper) -> None:
    """Play; whatever happens, what was played is kept."""
    try:
        session.play()
    finally:
        keeper.keep(session)
