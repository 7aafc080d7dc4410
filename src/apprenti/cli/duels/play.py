"""`apprenti play GAME` for games for two."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any

import tyro

from apprenti.agents.mnk.perfect import solved_soon
from apprenti.cli.duels.options import usual_rules
from apprenti.cli.duels.person import KeyPerson, LinePerson
from apprenti.cli.duels.session import DuelSession, Evening
from apprenti.cli.keeper import Keeper
from apprenti.cli.options import Text
from apprenti.cli.session import Quit, Seed, drawn_seed
from apprenti.cli.terminal import on_terminal, taken_terminal
from apprenti.core.errors import BadOption
from apprenti.core.protocols import GameForTwo
from apprenti.games.catalogue import GAMES_FOR_TWO
from apprenti.lab.agents import KnownForTwo, find_for_two
from apprenti.lab.duels import check_players
from apprenti.views.positions import view_of

OPPONENTS = {"tictactoe": "sarsa-tictactoe", "mnk": "mnk-perfect", "luzhanqi": "monte-carlo"}
"""Who is met when nobody is named; elsewhere a random player."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """Play yourself against an agent: with arrow keys or typed moves at a terminal, with lines of moves elsewhere.

    Words instead of a move: hint, undo, resign, quit.
    """

    game: tyro.conf.Positional[Annotated[str, tyro.conf.arg(metavar="GAME")]]
    """What to play."""
    against: Text = ""
    """The opponent: a name from the zoo (apprenti agents), a run or a file; default: the best that answers at once."""
    first: Text = ""
    """human or agent: who begins the first game; afterwards you take turns. Default: human."""
    rules: Text = ""
    """A set of rules by name (apprenti games)."""
    size: Text = ""
    """Rows x columns x how many in a row, like 5x5x4, where the game leaves it open."""
    layout: Text = ""
    """luzhanqi: your army as 25 letters, front row first; book (default), random, or hand to set it up yourself."""
    chinese: bool = False
    """luzhanqi: the pieces by their Chinese names."""
    undo: bool = False
    """Allow moves to be taken back."""
    seed: Seed = None
    """What chance decides depends on this alone; play again goes on with the next seed."""
    record: Text = ""
    """Keep the games as replays: a file that ends in .json, or a folder."""


def run(options: Options) -> None:
    """Play, say how it ended, and keep it."""
    if options.first not in ("", "human", "agent"):
        raise BadOption(f"--first is human or agent, not {options.first!r}.")
    game: GameForTwo = GAMES_FOR_TWO.load(options.game)
    if game.family != "luzhanqi" and (options.layout or options.chinese):
        raise BadOption(f"--layout and --chinese are for luzhanqi, not for {game.name}.")
    chosen = game.rules(options.rules, options.size) if options.rules or options.size else None
    known = find_for_two(options.against or usual_opponent(game, chosen), game)
    rules = chosen or usual_rules(game, known)
    check_players(game, rules, [known])
    table = Table(game, rules, known, options)
    seat: dict[str, Any] = {
        "view": view_of(game.family), "undo": options.undo, "chinese": options.chinese, "setup": table.setup,
    }  # fmt: skip
    try:
        if on_terminal():
            with taken_terminal() as terminal:
                table.play(KeyPerson(**seat, terminal=terminal, evening=table.evening))
        else:
            table.play(LinePerson(**seat))
    finally:
        table.report()


def usual_opponent(game: GameForTwo, rules: Any) -> str:
    """Who is met when nobody is named: the best that does not let one wait."""
    if game.name == "mnk" and rules and not solved_soon(rules):
        return "random"
    return OPPONENTS.get(game.name, "random")


@dataclass
class Table:
    """Where a person and an agent play, game after game."""

    game: GameForTwo
    rules: Any
    known: KnownForTwo
    options: Options

    def __post_init__(self) -> None:
        self.evening = Evening()
        self.seed = drawn_seed(self.options.seed)
        self.keeper = Keeper(self.options.record)
        self.sessions: list[DuelSession] = []

    @property
    def setup(self) -> Callable[[Any, Any], Any] | None:
        """How the person sets up an army, where the game has one."""
        if self.game.family != "luzhanqi":
            return None
        from apprenti.cli.luzhanqi.setup import army

        return army(self.options.layout, self.rules, self.options.chinese)

    def play(self, person: KeyPerson | LinePerson) -> None:
        """Play as long as the person likes; whatever happens, what was played is kept."""
        with suppress(Quit):
            while self._one(person) and person.again(self.sessions[-1]):
                pass

    def _one(self, person: KeyPerson | LinePerson) -> bool:
        """One game; whether it came to its end."""
        number = len(self.sessions)
        side = (number + (self.options.first == "agent")) % 2
        names = ("you", self.known.name) if side == 0 else (self.known.name, "you")
        session = DuelSession(self.game, self.rules, names, person, self.known.agent, side, self.seed + number)
        self.sessions.append(session)
        try:
            session.play()
        finally:
            self.evening.add(session.points)
            self.keeper.keep(self.game.name, session.seed, session.replay())
        return session.over

    def report(self) -> None:
        """Say how the games ended, and what has been kept."""
        for session in self.sessions:
            print(f"{session.result} (against {self.known.name}, seed {session.seed})")
        if self.evening.games > 1:
            print(self.evening)
        self.keeper.report()
