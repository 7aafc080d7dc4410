"""`apprenti play GAME` for games for two."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

from apprenti.arena.duel import seeds_of_duel
from apprenti.cli.duels.options import opponent
from apprenti.cli.duels.person import KeyPerson, LinePerson
from apprenti.cli.duels.session import DuelSession, Evening
from apprenti.cli.keeper import check_writable, unused
from apprenti.cli.options import Text
from apprenti.cli.session import Quit, Seed, drawn_seed
from apprenti.cli.terminal import on_terminal, taken_terminal
from apprenti.core.errors import BadOption
from apprenti.core.protocols import GameForTwo
from apprenti.games.catalogue import GAMES_FOR_TWO
from apprenti.lab.agents import KnownForTwo
from apprenti.lab.duels import check_players
from apprenti.store.duel_replay import write_duel
from apprenti.views.positions import view_of

OPPONENTS = {"tictactoe": "sarsa-tictactoe", "mnk": "perfect", "gomoku": "random", "luzhanqi": "monte-carlo"}
"""Who is met when nobody is named."""


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
    known = opponent(options.against, game, OPPONENTS[options.game])
    fits = options.rules or options.size or game.name in ("tictactoe", "gomoku")
    rules = game.rules(options.rules, options.size) if fits else known.rules
    check_players(game, rules, [known])
    if options.record:
        check_writable(Path(options.record) if not options.record.endswith(".json") else Path(options.record).parent)
    table = Table(game, rules, known, options)
    if on_terminal():
        with taken_terminal() as terminal:
            person = KeyPerson(
                view_of(game.family),
                options.undo,
                options.chinese,
                table.setup,
                terminal=terminal,
                evening=table.evening,
            )
            table.play(person, person.again)
    else:
        table.play(LinePerson(view_of(game.family), options.undo, options.chinese, table.setup), lambda _: False)


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
        self.sessions: list[DuelSession] = []
        self.kept: list[Path] = []

    @property
    def setup(self) -> Callable[[Any, Any], Any] | None:
        """How the person sets up an army, where the game has one."""
        if self.game.family != "luzhanqi":
            return None
        from apprenti.cli.duels.setup import army

        return army(self.options.layout, self.options.chinese)

    def play(self, person: Any, again: Callable[[DuelSession], bool]) -> None:
        """Play as long as the person likes; whatever happens, what was played is kept and reported."""
        try:
            while self._one(person) and again(self.sessions[-1]):
                pass
        except Quit:
            pass
        finally:
            self._report(person)

    def _one(self, person: Any) -> bool:
        """One game; whether it came to its end."""
        number = len(self.sessions)
        side = (number + (self.options.first == "agent")) % 2
        names = ("you", self.known.name) if side == 0 else (self.known.name, "you")
        seeds = seeds_of_duel(self.seed + number, 0)
        session = DuelSession(self.game, self.rules, names, person, self.known.agent, side, seeds)
        self.sessions.append(session)
        try:
            session.play()
        finally:
            self.evening.add(session.points)
            self._keep(session)
        return session.over

    def _keep(self, session: DuelSession) -> None:
        if not self.options.record or not session.moves:
            return
        path = Path(self.options.record)
        if path.suffix != ".json":
            path = unused(path / f"{self.game.name}-{self.seed}-{len(self.sessions)}.json")
        elif self.kept:
            path = unused(path)
        write_duel(path, session.replay())
        self.kept.append(path)

    def _report(self, person: Any) -> None:
        for session in self.sessions:
            if session.over and isinstance(person, LinePerson):
                print(person.view.screen(session.state, person.look(session, colour=False)))
            print(f"{session.result} (against {self.known.name}, seed {self.seed})")
        if self.evening.games > 1:
            print(self.evening)
        for path in self.kept:
            print(f"recorded: apprenti replay {path}")
