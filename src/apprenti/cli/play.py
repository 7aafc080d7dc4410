"""`apprenti play`, `watch` and `replay`: a game on the terminal, and its replay."""

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from typing import Annotated, Any

import tyro

from apprenti.arena.game import OnState
from apprenti.arena.statistics import counted as results_of
from apprenti.cli.language import say
from apprenti.cli.options import BadUsage, CommandLine, Seed, Text, check_writable
from apprenti.cli.person import KeyPerson, LinePerson, Person
from apprenti.cli.progress import progress
from apprenti.cli.request import Request, extras_of, read_agents, read_game, scan
from apprenti.cli.screen import on_terminal, taken_terminal
from apprenti.cli.viewer import Viewer, check_speed, on_screen
from apprenti.core.data import JsonMapping, JsonObject
from apprenti.core.errors import BadOption, printable
from apprenti.core.game import AnyGame
from apprenti.core.plugins import GAMES
from apprenti.core.protocols import CHANCE, AnyState, PressesKeys, Valued
from apprenti.lab.agents import NamedAgent
from apprenti.lab.people import rated_folder
from apprenti.lab.session import Quit, Session, drawn_seed, result_of, title_of
from apprenti.lab.train import after, learned_path, learning
from apprenti.store.replay import Replay, read_replay, write_replay
from apprenti.views.numbers import counted
from apprenti.views.view import Look, view_of


@dataclass
class ReplayWriter:
    """Where replays go. Nothing is written when no place is named."""

    where: str = ""
    """A file that ends in .json, or a folder."""
    written: list[Path] = field(default_factory=list)

    def __post_init__(self) -> None:
        place = Path(self.where)
        self._file = place if place.suffix == ".json" and not place.is_dir() else None
        self._folder = place.parent if self._file else place
        if self.where:
            check_writable(self._folder)

    def write(self, session: Session) -> None:
        """Write a game, also one that was left early; a game without a move is no game."""
        replay = session.replay()
        if self.where and replay.moves:
            path = self._path(session.names[0] if session.game.players == 1 else session.game.name, session.seed)
            write_replay(path, replay)
            self.written.append(path)

    def _path(self, who: str, seed: int) -> Path:
        """The file of a game; only a file named by the person is ever replaced, and only by the first game."""
        if self._file and not self.written:
            return self._file
        name = re.sub(r"[^\w.-]", "-", who)
        return unused(self._file or self._folder / f"{name}-{seed}.json")

    def report(self) -> None:
        """Say what has been written and how to see it."""
        for path in self.written:
            say(f"recorded: apprenti replay {path}")


def unused(path: Path) -> Path:
    """The path, or the first of path-2, path-3 … that is not taken."""
    names = (path.with_stem(f"{path.stem}-{number}") for number in count(2))
    return next(name for name in names if not name.exists()) if path.exists() else path


GAMES_HELP = """usage: apprenti play GAME [options]

{games}

  apprenti play GAME --help    how it is played, and all options
"""


@dataclass(frozen=True, kw_only=True)
class PlayOptions:
    """Play yourself: with the keys of a terminal, or with lines of text when the input is no terminal."""

    game: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="GAME")]
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
class Against(PlayOptions):
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


def read_play(options: Any, command: str, words: Sequence[str]) -> Request | None:
    """The request; which options there are depends on the game, wherever it stands among the words."""
    plain, _ = scan(words, options)
    if not words:
        raise BadUsage(f"GAME is missing: there is {', '.join(GAMES)} (apprenti play --help says more).")
    if not plain and words[0] in ("-h", "--help"):
        return None
    game = GAMES.load((plain or list(words))[0])
    return read_game(options if game.players == 1 else Against, command, words, game)


def play(request: Request | None) -> None:
    """Play, say how it ended, and record it."""
    if request is None:
        say(GAMES_HELP.format(games="\n".join(f"  {name:<12} {entry.about}" for name, entry in GAMES.items())), end="")
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
        won, drawn, lost = results_of(scores)
        return f"you won {won}, drew {drawn}, lost {lost}" if scores and self.game.players == 2 else ""

    def report(self) -> None:
        """Say how the games ended, and what has been recorded."""
        for session, side in self.sessions:
            who = f"against {self.name}" if self.name else session.names[side]
            say(f"{session.result(side)} ({who}, seed {session.seed})")
        if sum(session.outcome is not None for session, _ in self.sessions) > 1 and self.standing:
            say(self.standing)
        self.writer.report()
        if self.rated.written:
            say("these games count: apprenti ladder people")
        if self.game.players > 1 and self.options.learn and any(session.outcome for session, _ in self.sessions):
            say(f"what it has learned is in {learned_path(self.name)}")


EYES = ("first", "second", "third", "fourth")


@dataclass(frozen=True, kw_only=True)
class WatchOptions:
    """Watch an agent play: animated on a terminal, elsewhere every board as plain text.

    Keys: space pauses, n goes one step on, + and - change the speed, q quits.
    """

    agent: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="AGENT")]
    """A name from the zoo (apprenti agents), a run, a file, or a description like evaluation:0.5,0.5,0.6,0.2."""
    game: Text = ""
    """The game (apprenti games), so that short names like random will do; default: the one the agent plays."""
    against: Text = ""
    """For games for two: the opponent; default: the best that answers at once."""
    eyes: Text = ""
    """For games with hidden pieces: whose eyes to watch through, first or second; default: everything is open."""
    explain: bool = False
    """Show what the agent thinks, if it can tell: what each move is worth and why; at luzhanqi what it believes."""
    numbers: bool = False
    """Number the rows and columns of the board."""
    statistics: bool = False
    """Count on the board while it plays (at tetris lines, heights, holes, bumpiness), and take the time of moves."""
    seed: Seed = None
    """The game depends on this alone; it is the first game of `evaluate` with this seed."""
    speed: float = 5.0
    """Moves per second; 0 for as fast as possible, as it always is when the output is no terminal."""
    record: Text = ""
    """Store the game as a replay: a file that ends in .json, or a folder."""


def watch(request: Request) -> None:
    """Show a game, say how it ended, and record it."""
    game, options, view = request.game, request.options, view_of(request.game)
    agents, rules = request.players(options.agent, options.against)
    first, names, seed = agents[0], tuple(agent.name for agent in agents), drawn_seed(options.seed)
    title = title_of(game, names, f"seed   {seed}")
    by_keys = isinstance(first.agent, PressesKeys) and first.agent.presses_keys
    viewer = Viewer(view, title, check_speed(options.speed), eyes_of(options.eyes, first), by_keys)
    viewer.numbers = options.numbers
    if options.explain:
        explain_with(viewer, first)
    writer = ReplayWriter(options.record)
    rules = rules if on_terminal() else extras_of(game).unwatched(rules)
    session = Session.new(game, rules, [agent.agent for agent in agents], names, seed)
    if options.statistics:
        viewer.statistics = lambda state: [*view.statistics(state), session.timing(0)]
    try:
        with on_screen(viewer), suppress(Quit):
            session.play(viewer.show)
    finally:
        writer.write(session)
        say(f"{session.result()} ({f'{first.name}, ' if game.players == 1 else ''}seed {seed})")
        writer.report()


def eyes_of(text: str, first: NamedAgent) -> int | None:
    """Whose eyes to look through."""
    game, known = first.game, EYES[: first.game.players]
    if text and game.players == 1:
        raise BadOption(f"--eyes is for games for two, and {first.name} plays {game.name}.")
    if text and text not in known:
        raise BadOption(f"--eyes is {' or '.join(known)}, not {text!r}.")
    return known.index(text) if text else None


def explain_with(viewer: Viewer, first: NamedAgent) -> None:
    """Show what the first agent thinks of each position, and what it thinks of each move on the board."""
    agent = first.agent
    if not viewer.view.explains(agent):
        raise BadOption(f"--explain is for agents that can say what they think, and {first.name} cannot.")
    viewer.explain = partial(viewer.view.explain, agent, 0)
    if isinstance(agent, Valued):
        viewer.hints = lambda state: agent.values(state.observation(0)) if state.turn == 0 else {}


@dataclass(frozen=True, kw_only=True)
class ReplayOptions:
    """Show a recorded game and verify it: it is played again, and must lead where it says.

    Keys: space pauses, n goes one step on, + and - change the speed, q quits.
    """

    file: Annotated[Path, tyro.conf.Positional, tyro.conf.arg(metavar="FILE")]
    """A replay, as --record writes them."""
    speed: float = 5.0
    """Moves per second; 0 for as fast as possible."""
    verify: bool = False
    """Only verify it, and print one line."""
    json: bool = False
    """Only verify it, and print one JSON object and nothing else."""


def replay(options: ReplayOptions) -> None:
    """Show or verify a replay."""
    speed, replay = check_speed(options.speed), read_replay(options.file)
    game = replay.load_game()
    if on_terminal() and not (options.verify or options.json):
        say(printable(show_replay(replay, game, speed)))
        return
    with progress(f"verify {options.file}", quiet=options.json) as report:
        done = count()
        state = followed(replay, lambda state, move: report(next(done) / (2 * len(replay.moves) + 2), ""))
    if options.json:
        print(json.dumps(verified(replay, game, state), ensure_ascii=False))
        return
    moves, rules = counted(len(replay.moves), "move"), game.describe(game.rules_from_json(replay.rules))
    say(printable(f"verified: {result_of_replay(replay, game, state)}; {moves}; {rules}"))
    if not options.verify:
        say(view_of(game).screen(state, Look(colour=False, by_keys=by_keys(replay, game))))


def followed(replay: Replay, on_state: OnState) -> AnyState:
    """Play a replay again, state by state; return the last one."""
    last, moves = None, iter(replay.moves)
    for state in replay.states():
        on_state(state, "" if last is None or last.turn == CHANCE else next(moves))
        last = state
    assert last is not None, "every game has a first state"
    return last


def show_replay(replay: Replay, game: AnyGame, speed: float) -> str:
    """Show a replay on the terminal; it is verified when it has been seen to the end."""
    title = title_of(game, tuple(map(printable, replay.players)), "replay")
    viewer = Viewer(view_of(game), title, speed, by_keys=by_keys(replay, game))
    try:
        with on_screen(viewer):
            state = followed(replay, viewer.show)
        return f"verified: {result_of_replay(replay, game, state)}"
    except Quit:
        return f"left after {viewer.moves} of {counted(len(replay.moves), 'move')}; not verified."


def by_keys(replay: Replay, game: AnyGame) -> bool:
    """Whether the game was played key by key."""
    return bool(set(view_of(game).keys.values()) & set(replay.moves))


def result_of_replay(replay: Replay, game: AnyGame, state: AnyState) -> str:
    """How it ended; in a game for one, also who played."""
    who = f"{replay.players[0]}, " if game.players == 1 else ""
    return who + result_of(game, replay.players, state, state.outcome or replay.outcome)


def verified(replay: Replay, game: AnyGame, state: AnyState) -> JsonObject:
    """What a verified replay says."""
    data: JsonMapping = replay.to_json()
    outcome = state.outcome or replay.outcome
    return {
        "verified": True,
        "agent": replay.players[0],
        **data,
        **data["measures"],
        "description": game.describe(game.rules_from_json(replay.rules)),
        "end": outcome.reason.code if outcome else None,
        "position": game.write_state(state),
    }


PLAY = CommandLine(PlayOptions, play, read_play)
WATCH = CommandLine(WatchOptions, watch, read_agents)
REPLAY = CommandLine(ReplayOptions, replay)
