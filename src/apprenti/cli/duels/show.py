"""Games for two shown position by position: `watch` and `replay`."""

import json
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from apprenti.arena.duel import play_duel, seeds_of_duel
from apprenti.cli.duels.options import rules_for
from apprenti.cli.keeper import check_writable, unused
from apprenti.cli.session import Quit, drawn_seed
from apprenti.cli.terminal import END, Terminal, in_colour, on_terminal, taken_terminal
from apprenti.cli.viewer import KEYS, faster, slower
from apprenti.core.errors import BadOption
from apprenti.core.protocols import GameForTwo, Position
from apprenti.lab.agents import KnownForTwo, find_for_two
from apprenti.lab.duels import check_players
from apprenti.store.duel_replay import DuelReplay, positions_of, read_duel, write_duel
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
    shown: int = 0

    def show(self, state: Position, move: str = "") -> None:
        """Show a position and wait until it is time for the next."""
        if self.terminal is None:
            sys.stdout.write(self.text(state, move, False) + "\n\n")
            return
        due = monotonic() + (1 / self.speed if self.speed else 0.0)
        self._draw(state, move)
        while (key := self.terminal.key(None if self.paused else max(0.0, due - monotonic()))) is not None:
            if key in ("q", "Q", END):
                raise Quit
            if key == " ":
                self.paused = not self.paused
            elif key in ("+", "=", "-"):
                self.speed = slower(self.speed) if key == "-" else faster(self.speed)
            elif key == "n" and self.paused:
                return
            self._draw(state, move)

    def _draw(self, state: Position, move: str) -> None:
        assert self.terminal is not None
        self.terminal.draw(self.text(state, move, in_colour()) + "\n\n" + "   ".join(KEYS))

    def text(self, state: Position, move: str, colour: bool) -> str:
        """A position with who plays and what was played."""
        view = view_of(self.game.family)
        last = view.points(self.game.read_move(state, move)) if move else ()
        result = str(getattr(state, "last_result", "") or "").replace("_", " ")
        words = f"{move} {f'({result})' if result and move else ''}".strip()
        names = "   ".join(f"{side} {name}" for side, name in zip(self.game.sides, self.names, strict=True))
        return f"{names}\n{view.screen(state, Look(self.eyes, colour, last=last))}\n{words}"


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
    eyes = eyes_of(options.eyes)
    if options.record:
        check_writable(Path(options.record).parent if options.record.endswith(".json") else Path(options.record))
    seed, names = drawn_seed(options.seed), (known.name, other.name)
    positions: list[Position] = []
    moves: list[str] = []

    class Noted:
        """An agent whose moves are written down."""

        def __init__(self, agent: Any) -> None:
            self.agent = agent
            if hasattr(agent, "arrange"):
                self.arrange = agent.arrange

        def choose(self, observation: Any, legal: Any, rng: Any) -> Any:
            move = self.agent.choose(observation, legal, rng)
            moves.append(game.write_move(move))
            return move

    def see(stage: Stage, state: Position) -> None:
        positions.append(state)
        stage.show(state, moves[-1] if len(positions) > 1 else "")

    def play(stage: Stage) -> None:
        with suppress(Quit):
            players = (Noted(known.agent), Noted(other.agent))
            play_duel(game, rules, players, seeds_of_duel(seed, 0), lambda state: see(stage, state))

    try:
        on_stage(Stage(game, names, eyes, options.speed), play)
    finally:
        if positions:
            print(f"{result_of(game, names, positions[-1])} (seed {seed})")
            keep(game, rules, names, positions, moves, options.record, seed)


def keep(
    game: GameForTwo,
    rules: Any,
    names: tuple[str, str],
    positions: list[Position],
    moves: list[str],
    record: str,
    seed: int,
) -> None:
    """Write the game that was watched, if that was asked for."""
    if not record or len(positions) < 2:
        return
    outcome = positions[-1].outcome
    winner, reason = (outcome.winner, outcome.reason) if outcome else (None, "")
    kept = tuple(moves[: len(positions) - 1])
    replay = DuelReplay(game.name, names, game.rules_to_json(rules), game.opening(positions[0]), kept, winner, reason)
    path = Path(record) if record.endswith(".json") else unused(Path(record) / f"{game.name}-{seed}.json")
    write_duel(path, replay)
    print(f"recorded: apprenti replay {path}")


def eyes_of(text: str) -> int | None:
    """Whose eyes to look through."""
    if text not in EYES:
        raise BadOption(f"--eyes is first or second, not {text!r}.")
    return EYES[text]


def on_stage(stage: Stage, play: Any) -> None:
    """Play on the terminal if there is one, and leave the last position to be read."""
    if not on_terminal():
        play(stage)
        return
    with taken_terminal() as terminal:
        stage.terminal = terminal
        play(stage)


def replay(path: Path, speed: float, verify_only: bool, as_json: bool) -> None:
    """Show a recorded game, or only verify it."""
    recorded = read_duel(path)
    game = recorded.load_game()
    last: list[Position] = []

    def follow(positions: Iterable[Position]) -> None:
        for state in positions:
            last[:] = [state]

    if verify_only or as_json or not on_terminal():
        follow(positions_of(recorded))
        said = f"verified: {result_of(game, recorded.players, last[0])}; {len(recorded.moves)} moves"
        if as_json:
            print(json.dumps({"verified": True, **recorded.to_json()}, ensure_ascii=False))
        else:
            print(printable(said))
            if not verify_only:
                print(view_of(game.family).screen(last[0], Look(colour=False)))
        return

    def play(stage: Stage) -> None:
        with suppress(Quit):
            for number, state in enumerate(positions_of(recorded)):
                last[:] = [state]
                stage.show(state, recorded.moves[number - 1] if number else "")

    first, second = map(printable, recorded.players)
    on_stage(Stage(game, (first, second), None, speed), play)
    print(result_of(game, (first, second), last[0]))


def printable(text: str) -> str:
    """Text without control characters: a stranger's file must not command the terminal."""
    return "".join(character for character in text if character.isprintable())
