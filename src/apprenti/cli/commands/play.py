"""`apprenti play GAME`: a person plays."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

import tyro

from apprenti.arena.ratings import counted
from apprenti.cli.extras import extras_of
from apprenti.cli.options import BadUsage, Text
from apprenti.cli.person import KeyPerson, LinePerson, Player
from apprenti.cli.replays import ReplayWriter
from apprenti.cli.request import Request, read_game, scan
from apprenti.cli.session import Quit, Seed, Session, drawn_seed
from apprenti.cli.terminal import on_terminal, taken_terminal
from apprenti.core.errors import BadOption
from apprenti.core.protocols import Rules
from apprenti.games.catalogue import GAMES
from apprenti.lab.agents import NamedAgent

HELP = """usage: apprenti play GAME [options]

{games}

  apprenti play GAME --help    how it is played, and all options
"""


@dataclass(frozen=True, kw_only=True)
class Options:
    """Play yourself: with the keys of a terminal, or with lines of text when the input is no terminal."""

    game: tyro.conf.Positional[Annotated[str, tyro.conf.arg(metavar="GAME")]]
    """What to play."""
    undo: bool = False
    """Allow moves to be taken back."""
    seed: Seed = None
    """What chance decides depends on this alone; play again goes on with the next seed."""
    record: Text = ""
    """Keep the games as replays: a file that ends in .json, or a folder."""


@dataclass(frozen=True, kw_only=True)
class Against(Options):
    """Play yourself against an agent: with arrow keys or typed moves at a terminal, with lines of moves elsewhere.

    Words instead of a move: hint, undo, resign, quit.
    """

    against: Text = ""
    """The opponent: a name from the zoo (apprenti agents), a run or a file; default: the best that answers at once."""
    first: Text = ""
    """human or agent: who begins the first game; afterwards you take turns. Default: human."""


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
    games = Games.of(request)
    try:
        if on_terminal():
            with taken_terminal() as terminal:
                games.play(KeyPerson(games.view, terminal=terminal))
        else:
            games.play(LinePerson(games.view))
    finally:
        games.report()


@dataclass
class Games:
    """The games of a person, one after another; with others, who begins in turn."""

    request: Request
    rules: Rules
    other: NamedAgent | None = None
    """Who has all the other sides."""

    def __post_init__(self) -> None:
        extras, options = extras_of(self.request.game), self.request.options
        self.view = extras.view(self.request.game, options)
        self.setup = extras.setup(self.rules, options)
        self.seed = drawn_seed(options.seed)
        self.writer = ReplayWriter(options.record)
        self.sessions: list[tuple[Session, int]] = []

    @classmethod
    def of(cls, request: Request) -> "Games":
        """The games that were asked for; what cannot be played is refused."""
        game, options, usual = request.game, request.options, extras_of(request.game).usual_rules()
        if game.players == 1:
            return cls(request, request.rules(usual))
        if options.first not in ("", "human", "agent"):
            raise BadOption(f"--first is human or agent, not {options.first!r}.")
        rules = request.rules(request.first.rules if request.first else usual)
        other = request.agent(options.against or game.opponent(rules))
        other.check(game, rules)
        return cls(request, rules, other)

    def play(self, person: Player) -> None:
        """Play as long as the person likes; whatever happens, what was played is recorded."""
        with suppress(Quit):
            while person.again(self._one(person)):
                pass

    def _one(self, person: Player) -> Session:
        """One game."""
        game, options, number = self.request.game, self.request.options, len(self.sessions)
        person.side = (number + (self.other is not None and options.first == "agent")) % game.players
        agent, name = (self.other.agent, self.other.name) if self.other else (None, "")
        players, setups, names = [agent] * game.players, [agent] * game.players, [name] * game.players
        players[person.side], setups[person.side] = person, self.setup or person
        names[person.side] = "you" if self.other else "human"
        session = Session.new(game, self.rules, players, names, self.seed + number, setups)
        session.undo = options.undo
        self.sessions.append((session, person.side))
        try:
            session.play()
        finally:
            self.writer.write(session)
            person.standing = self.standing
        return session

    @property
    def standing(self) -> str:
        """How the games went that have ended, against another."""
        ended = [(session.outcome, side) for session, side in self.sessions if session.outcome]
        if not ended or self.request.game.players != 2:
            return ""
        won, drawn, lost = counted([outcome.scores[side] for outcome, side in ended])
        return f"you won {won}, drew {drawn}, lost {lost}"

    def report(self) -> None:
        """Say how the games ended, and what has been recorded."""
        for session, side in self.sessions:
            who = f"against {self.other.name}" if self.other else session.names[0]
            print(f"{session.result(side)} ({who}, seed {session.seed})")
        if sum(session.outcome is not None for session, _ in self.sessions) > 1 and self.standing:
            print(self.standing)
        self.writer.report()
