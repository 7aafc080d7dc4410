"""`apprenti watch AGENT`: watch it play."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import tyro

from apprenti.cli.extras import extras_of
from apprenti.cli.options import Seed, Text
from apprenti.cli.replays import ReplayWriter
from apprenti.cli.request import Request, read_agents
from apprenti.cli.terminal import on_terminal
from apprenti.cli.viewer import Viewer, check_speed, on_screen
from apprenti.core.errors import BadOption
from apprenti.core.protocols import PressesKeys, Valued
from apprenti.lab.agents import NamedAgent
from apprenti.lab.session import Quit, Session, drawn_seed, title_of
from apprenti.views.view import view_of

EYES = ("first", "second", "third", "fourth")


@dataclass(frozen=True, kw_only=True)
class Options:
    """Watch an agent play: animated on a terminal, elsewhere every board as plain text.

    Keys: space pauses, n goes one step on, + and - change the speed, q quits.
    """

    agent: tyro.conf.Positional[Annotated[str, tyro.conf.arg(metavar="AGENT")]]
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


def read_words(words: Sequence[str]) -> Request:
    """The request."""
    return read_agents("watch", Options, words)


def run(request: Request) -> None:
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
        print(f"{session.result()} ({f'{first.name}, ' if game.players == 1 else ''}seed {seed})")
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
