"""`apprenti play GAME`: a person plays."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Any

import tyro

from apprenti.arena.statistics import counted
from apprenti.cli.extras import extras_of
from apprenti.cli.options import BadUsage, Seed, Text
from apprenti.cli.person import KeyPerson, LinePerson, Person
from apprenti.cli.replays import ReplayWriter
from apprenti.cli.request import Request, read_game, scan
from apprenti.cli.terminal import on_terminal, taken_terminal
from apprenti.core.errors import BadOption
from apprenti.core.plugins import GAMES
from apprenti.lab.agents import NamedAgent
from apprenti.lab.people import rated_folder
from apprenti.lab.session import Quit, Session, drawn_seed
from apprenti.lab.train import after, learned_path, learning
from apprenti.views.view import view_of

HELP = """usage: apprenti play GAME [options]

{games}

  apprenti play GAME --help    how it is played, and all options
"""


@dataclass(frozen=True, kw_only=True)
class Options:
    """Play yourself: with the keys of a terminal, or with lines of text when the input is no terminal."""

    game: tyro.conf.Positional[Annotated[str, tyro.conf.arg(metavar="GAME")]]
    """What to play."""
    name: Text = ""
    """Your name, on the screen and in replays; default: you."""
    undo: bool = False
    """Allow moves to be taken back."""
    seed: Seed = None
    """What chance decides depends on this alone; play again goes on with the next seed."""
    numbers: bool = False
    """Number the rows and columns of the board."""
    statistics: bool = False
    """Count on the board while you play (at tetris lines, heights, holes, bumpiness), and take the time of moves."""
    record: Text = ""
    """Store the games as replays: a file that ends in .json, or a folder."""


@dataclass(frozen=True, kw_only=True)
class Against(Options):
    """Play yourself against an agent: with arrow keys or typed moves at a terminal, with lines of moves elsewhere.

    Words instead of a move: help, hint, undo, resign, quit.
    """

    against: Text = ""
    """The opponent: a name from the zoo (apprenti agents), a run or a file; default: the best that answers at once."""
    first: Text = ""
    """human or agent: who begins the first game; afterwards you take turns. Default: human."""
    learn: bool = False
    """Let an agent with a table learn from every game; it is stored in learned/, and goes on from there next time."""
    rated: bool = False
    """Count these games in `apprenti ladder people`: they are stored on this machine, in people/, under your --name."""


def read_words(words: Sequence[str]) -> Request | None:
    """The request; which options there are depends on the game, wherever it stands among the words."""
    plain, _ = scan(words, Options)
    if not words:
        raise BadUsage(f"GAME is missing: there is {', '.join(GAMES)} (apprenti play --help says more).")
    if not plain and words[0] in ("-h", "--help"):
        return None
    game = GAMES.load((plain or list(words))[0])
    return read_game("play", Options if game.players == 1 else Against, words, game)


def run(request: Request | None) -> None:
    """Play, say how it ended, and record it."""
    if request is None:
        print(HELP.format(games="\n".join(f"  {name:<12} {entry.about}" for name, entry in GAMES.items())), end="")
        return
    games = Games(request)
    try:
        if on_terminal():
            with taken_terminal() as terminal:
                games.play(KeyPerson(games.view, terminal=terminal))
        else:
            games.play(LinePerson(games.view))
    finally:
        games.report()


class Games:
    """The games of a person, one after another; with others, who begins in turn."""

    def __init__(self, request: Request) -> None:
        self.game, self.options, extras = request.game, request.options, extras_of(request.game)
        self.rules = request.rules(request.first.rules if request.first else extras.usual_rules)
        self.other = self._other(request) if self.game.players > 1 else None
        self.name = self.other.name if self.other else ""
        self.view = extras.view(self.options) if extras.view else view_of(self.game)
        self.setup = extras.setup(self.rules, self.options)
        self.seed = drawn_seed(self.options.seed)
        self.writer = ReplayWriter(self.options.record)
        asked = bool(self.other and self.options.rated)
        self.rated = ReplayWriter(
            str(rated_folder(self.game, self.options.name, self.name, self.options.undo)) if asked else ""
        )
        self.sessions: list[tuple[Session, int]] = []
        """Each with the side of the person."""

    def _other(self, request: Request) -> NamedAgent:
        """Who has all the other sides."""
        if self.options.first not in ("", "human", "agent"):
            raise BadOption(f"--first is human or agent, not {self.options.first!r}.")
        if self.options.rated and self.options.learn:
            raise BadOption("--rated goes without --learn: an opponent that changes cannot be rated under one name.")
        other = request.agent(self.options.against or self.game.opponent(self.rules))
        if self.options.learn:
            other = learning(other)
        other.check(self.game, self.rules)
        return other

    def play(self, person: Person) -> None:
        """Play as long as the person likes; whatever happens, what was played is recorded."""
        with suppress(Quit):
            person.welcome(self.game, self.rules)
            again = True
            while again:
                self._one(person)
                again = person.again()

    def _one(self, person: Person) -> None:
        """One game."""
        person.numbers, person.statistics = self.options.numbers, self.options.statistics
        person.rated = bool(self.rated.where)
        number, others = len(self.sessions), self.game.players - 1
        person.side = side = (number + bool(others and self.options.first == "agent")) % (others + 1)
        players: list[Any] = [self.other.agent] * others if self.other else []
        setups, names = [*players], [self.name] * others
        players.insert(side, person)
        setups.insert(side, self.setup or person)
        names.insert(side, self.options.name or ("you" if others else "human"))
        person.session = session = Session.new(self.game, self.rules, players, names, self.seed + number, setups)
        session.undo = self.options.undo
        self.sessions.append((session, side))
        try:
            session.play(person.see)
        finally:
            self.writer.write(session)
            if session.outcome:
                self.rated.write(session)
            person.standing = self.standing
        if self.other and self.options.learn:
            self.other = after(self.other, session, 1 - side)

    @property
    def standing(self) -> str:
        """How the games went that have ended, against another."""
        scores = [session.outcome.scores[side] for session, side in self.sessions if session.outcome]
        won, drawn, lost = counted(scores)
        return f"you won {won}, drew {drawn}, lost {lost}" if scores and self.game.players == 2 else ""

    def report(self) -> None:
        """Say how the games ended, and what has been recorded."""
        for session, side in self.sessions:
            who = f"against {self.name}" if self.name else session.names[side]
            print(f"{session.result(side)} ({who}, seed {session.seed})")
        if sum(session.outcome is not None for session, _ in self.sessions) > 1 and self.standing:
            print(self.standing)
        self.writer.report()
        if self.rated.written:
            print("these games count: apprenti ladder people")
        if self.game.players > 1 and self.options.learn and any(session.outcome for session, _ in self.sessions):
            print(f"what it has learned is in {learned_path(self.name)}")
