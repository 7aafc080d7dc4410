"""`apprenti play GAME`: a person plays."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import tyro

from apprenti.cli.keeper import Keeper
from apprenti.cli.options import BadUsage, RulesOptions, Text, parse
from apprenti.cli.session import Seed, Session, drawn_seed
from apprenti.cli.terminal import on_terminal
from apprenti.core.errors import UnknownName
from apprenti.games.catalogue import GAMES_FOR_TWO
from apprenti.games.tetris.rules import Rules

HELP = """usage: apprenti play GAME [options]

{games}

  apprenti play GAME --help    how it is played, and all options
"""
GAMES = {"tetris": "falling blocks, for one", **{name: entry.about for name, entry in GAMES_FOR_TWO.items()}}


@dataclass(frozen=True, kw_only=True)
class Options(RulesOptions):
    """Play yourself: with the keys of a terminal, or with lines of commands when the input is no terminal.

    A line is any of L (left), R (right), D (drop), N (nothing), H (clockwise), T (anticlockwise) and
    P:column:rotation, with spaces between; Q or the end of the input quits.
    """

    game: tyro.conf.Positional[Annotated[str, tyro.conf.arg(metavar="GAME")]]
    """What to play."""
    rules: str = "tetrisbot"
    """simplified (thesis), overflow, strict (Fahey) or tetrisbot."""
    seed: Seed = None
    """The pieces depend on this alone; play again goes on with the next seed."""
    record: Text = ""
    """Keep the game as a replay: a file that ends in .json, or a folder."""


def read_words(words: Sequence[str]) -> Any:
    """The options; which there are depends on the game, wherever it stands among the words."""
    plain = [word for word in words if not word.startswith("-")]
    if not words:
        raise BadUsage(f"GAME is missing: there is {', '.join(GAMES)} (apprenti play --help says more).")
    if not plain and words[0] in ("-h", "--help"):
        return None
    for game in [word for word in plain if word in GAMES]:
        options = parse(options_of(game), "play", words)
        if options.game == game:  # and not the value of an option
            return options
    raise UnknownName("game", [*plain, *words][0], GAMES)


def options_of(game: str) -> type[Any]:
    """The options of a game."""
    if game == "tetris":
        return Options
    from apprenti.cli.duels import play

    return play.Options


def run(options: Any) -> None:
    """Play whatever was asked for."""
    if options is None:
        print(HELP.format(games="\n".join(f"  {name:<12} {about}" for name, about in GAMES.items())), end="")
    elif isinstance(options, Options):
        play_tetris(options)
    else:
        from apprenti.cli.duels import play

        play.run(options)


def play_tetris(options: Options) -> None:
    """Play, say how it ended, and keep it."""
    rules, seed = options.apply(Rules.preset("tetrisbot")), drawn_seed(options.seed)
    keeper = Keeper(options.record)
    if on_terminal():
        play_by_keys(rules, seed, keeper)
    else:
        play_by_lines(rules, seed, keeper)


def play_by_keys(rules: Rules, seed: int, keeper: Keeper) -> None:
    """Games at the terminal, as many as the person likes."""
    from apprenti.agents.human import HumanAgent
    from apprenti.cli.terminal import taken_terminal
    from apprenti.cli.tetris.keyboard import KeyPlayer

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
    from apprenti.cli.tetris.dictation import LinePlayer
    from apprenti.views.tetris.text import screen

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
        keeper.keep(session.name, session.seed, session.replay())
