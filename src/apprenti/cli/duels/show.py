"""Games for two shown position by position: `watch` and `replay`."""

import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from apprenti.arena.duel import play_duel, seeds_of_duel
from apprenti.cli.duels.frame import framed
from apprenti.cli.duels.options import rules_for
from apprenti.cli.keeper import Keeper
from apprenti.cli.session import Quit, counted, drawn_seed
from apprenti.cli.terminal import END, Terminal, in_colour, on_terminal, taken_terminal
from apprenti.cli.viewer import KEYS, faster, slower
from apprenti.core.errors import BadOption
from apprenti.core.protocols import GameForTwo, Position
from apprenti.core.text import printable
from apprenti.lab.agents import KnownForTwo, find_for_two
from apprenti.lab.duels import check_players
from apprenti.store.duel_replay import DuelReplay, positions_of, read_duel
from apprenti.views.positions import Look, view_of

EYES = {"": None, "first": 0, "second": 1}


@dataclass
class Stage:
    """Shows positions: animated on a terminal, as plain text elsewhere."""

    game: GameForTwo
    names: tuple[str, str]
    eyes: int | None
    speed: float
    terminal: Terminal | None = None
    paused: bool = False
    explain: Callable[[Position], str] | None = None
    """What a player thinks of a position, to be shown below it."""
    last: tuple[Position, str] | None = None
    """The position that was shown last, and the move that led to it."""

    def show(self, state: Position, move: str = "") -> None:
        """Show a position and wait until it is time for the next."""
        self.last = state, move
        if self.terminal is None:
            sys.stdout.write(self.text(state, move, False) + "\n\n")
            return
        due = monotonic() + (1 / self.speed if self.speed else 0.0)
        self._draw(state, move, self.terminal)
        while (key := self.terminal.key(None if self.paused else max(0.0, due - monotonic()))) is not None:
            if key in ("q", "Q", END):
                raise Quit
            if key == " ":
                self.paused = not self.paused
            elif key in ("+", "=", "-"):
                self.speed = slower(self.speed) if key == "-" else faster(self.speed)
                due = min(due, monotonic() + (1 / self.speed if self.speed else 0.0))
            elif key == "n" and self.paused:
                return
            self._draw(state, move, self.terminal)

    def _draw(self, state: Position, move: str, terminal: Terminal) -> None:
        pace = f"{self.speed:g} moves/s" if self.speed else "as fast as possible"
        keys = "   ".join(re.sub(" +", " ", key) for key in KEYS)
        below = [self.words(state, move), *self._thoughts(state), "", f"{pace}, paused" if self.paused else pace, keys]

        def board(small: bool) -> str:
            return self.board(state, move, in_colour(), small)

        terminal.draw(framed([self.title], board, below, terminal.rows))

    @property
    def title(self) -> str:
        """Who plays."""
        return "   ".join(f"{side} {name}" for side, name in zip(self.game.sides, self.names, strict=True))

    def board(self, state: Position, move: str, colour: bool, small: bool = False) -> str:
        """A position as text."""
        view = view_of(self.game.family)
        last = view.points(self.game.read_move(state, move)) if move else ()
        return view.screen(state, Look(self.eyes, colour, last=last, small=small))

    def words(self, state: Position, move: str) -> str:
        """What was played, and what came of it."""
        result = str(getattr(state, "last_result", "") or "").replace("_", " ")
        return f"{move} ({result})" if result and move else move

    def text(self, state: Position, move: str, colour: bool) -> str:
        """A position with who plays and what was played."""
        return "\n".join([self.title, self.board(state, move, colour), self.words(state, move), *self._thoughts(state)])

    def _thoughts(self, state: Position) -> list[str]:
        return self.explain(state).splitlines() if self.explain else []


def result_of(game: GameForTwo, names: tuple[str, str], state: Position) -> str:
    """How a game ended."""
    if state.outcome is None:
        return "left early"
    winner = state.outcome.winner
    who = "a draw" if winner is None else f"{names[winner]} ({game.sides[winner]}) wins"
    return f"{who}: {state.outcome.reason}"


def watch(known: KnownForTwo, options: Any) -> None:
    """Show two agents playing, say how it ended, and keep it."""
    game, rules = known.game, rules_for(options, known.game, known.rules)
    other = find_for_two(options.against or "random", game)
    check_players(game, rules, (known, other))
    seed, names = drawn_seed(options.seed), (known.name, other.name)
    stage, keeper = Stage(game, names, eyes_of(options.eyes), options.speed), Keeper(options.record)
    if getattr(options, "explain", False):
        stage.explain = explaining(known)
    positions: list[Position] = []
    moves: list[str] = []

    def see(state: Position, move: str) -> None:
        positions.append(state)
        moves.extend([move] if move else [])
        stage.show(state, move)

    try:
        with on_stage(stage), suppress(Quit):
            play_duel(game, rules, (known.agent, other.agent), seeds_of_duel(seed, 0), see)
    finally:
        if positions:
            opening, end = game.opening(positions[0]), positions[-1]
            keeper.keep(game.name, seed, DuelReplay.of(game, rules, names, opening, moves, end.outcome))
            print(f"{result_of(game, names, end)} (seed {seed})")
            keeper.report()


def explaining(known: KnownForTwo) -> Callable[[Position], str]:
    """What the first agent believes and wants in each position."""
    if known.game.family != "luzhanqi":
        raise BadOption(
            f"--explain is for luzhanqi, where pieces are hidden, and {known.name} plays {known.game.name}."
        )
    from apprenti.views.luzhanqi.beliefs import explained

    return partial(explained, known.agent, 0)


def eyes_of(text: str) -> int | None:
    """Whose eyes to look through."""
    if text not in EYES:
        raise BadOption(f"--eyes is first or second, not {text!r}.")
    return EYES[text]


@contextmanager
def on_stage(stage: Stage) -> Iterator[None]:
    """Show on the terminal if there is one, and leave the last position there to be read."""
    if not on_terminal():
        yield
        return
    with taken_terminal() as terminal:
        stage.terminal = terminal
        yield
    if stage.last:
        print(stage.text(*stage.last, in_colour()))


def replay(path: Path, speed: float, verify_only: bool, as_json: bool) -> None:
    """Show a recorded game, or only verify it."""
    recorded = read_duel(path)
    if on_terminal() and not (verify_only or as_json):
        print(show_replay(recorded, speed))
        return
    game = recorded.load_game()
    *_, end = positions_of(recorded)
    if as_json:
        print(json.dumps({"verified": True, **recorded.to_json()}, ensure_ascii=False))
        return
    moves, rules = counted(len(recorded.moves), "move"), game.describe(game.rules_from_json(recorded.rules))
    print(printable(f"verified: {result_of(game, recorded.players, end)}; {moves}; {rules}"))
    if not verify_only:
        print(view_of(game.family).screen(end, Look(colour=False)))


def show_replay(recorded: DuelReplay, speed: float) -> str:
    """Show a replay on the terminal; it is verified when it has been seen to the end."""
    game, shown = recorded.load_game(), -1
    first, second = map(printable, recorded.players)
    stage = Stage(game, (first, second), None, speed)
    try:
        with on_stage(stage):
            for shown, state in enumerate(positions_of(recorded)):
                stage.show(state, recorded.moves[shown - 1] if shown else "")
        return printable(f"verified: {result_of(game, (first, second), state)}")
    except Quit:
        return f"left after {shown} of {counted(len(recorded.moves), 'move')}; not verified."
