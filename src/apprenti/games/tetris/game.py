"""Tetris as everybody else sees it: its rules, its notation, what is counted, and its compiled form."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from apprenti.core.data import JsonData, JsonMapping, without_defaults
from apprenti.core.errors import BadFile, BadNotation, BadRules
from apprenti.core.game import Game
from apprenti.core.protocols import AnyAgent, Compiles, Fast, Measures, Outcome, PressesKeys, Reason
from apprenti.core.seeds import Chance
from apprenti.games.tetris.board import EMPTY, Board
from apprenti.games.tetris.pieces import PIECE_SETS, PieceSet
from apprenti.games.tetris.placement import Placement, Position, entry
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import COMMANDS, SHIFTS, End, Observation, State, Tally, find_placement, start
from apprenti.store.files import is_there, read_bytes

if TYPE_CHECKING:
    from apprenti.core.rare_events import Process


@dataclass(frozen=True)
class Options:
    """The rules of the game, as far as they are not the agent's own."""

    rules: str = ""
    """simplified (thesis), overflow, strict (Fahey) or tetrisbot; default: the rules the agent was made for."""
    size: str = ""
    """Columns x rows, like 10x20."""
    randomiser: str = ""
    """uniform, bag, weighted:S=2,Z=2,I=1 (shares), sequence:IOTSZJL (repeated), or worst: what is hardest to place."""
    pieces: str = ""
    """rapid, classic, domino, or a text file of shapes."""
    points: str = ""
    """lines, classic (40, 100, 300, 1200) or square (lines²)."""
    preview: bool = False
    """The next piece is known."""
    max_pieces: int = 0
    """Stop a game after this many pieces; 0 for never."""


LARGEST_SHAPES = 100_000
"""Bytes of a file of shapes."""
_POSITION = re.compile(
    r"(?P<board>\S+) (?P<piece>\S)( (?P<next>\S) (?P<lines>\d{1,15}) (?P<points>\d{1,15})"
    r"( (?P<pieces>\d{1,15}) (?P<clears>\d{1,15}(,\d{1,15})*) (?P<dealt>\d{1,15}) (?P<bag>\S+)"
    r" (?P<place>-|\d+,-?\d+,\d+)( (?P<end>[a-z_]+))?)?)?"
)


@dataclass(frozen=True)
class Tetris(Game[Rules, State, Placement | str, Observation]):
    """The game."""

    name: str = "tetris"
    players: int = 1
    sides: tuple[str, ...] = ("player",)
    exponential: bool = True
    RulesType = Rules
    StateType = State
    Reasons = End
    Options: ClassVar = Options

    def typed(self, options: JsonMapping) -> JsonData:
        return {name: TypedText(value) if name == "pieces" else value for name, value in options.items()}

    def _chosen(self, usual: Rules | None, options: JsonData) -> Rules:
        changes = without_defaults(Options, options)
        if "preview" in options:  # the usual rules may have it: to leave it out has to be possible
            changes["preview"] = options["preview"]
        name, size = changes.pop("rules", ""), changes.pop("size", "")
        if "pieces" in changes:
            changes["pieces"] = read_pieces(changes["pieces"])
        base = Rules.preset(name or "simplified") if name or usual is None else usual
        return base.changed(size, **changes)

    def start(self, rules: Rules, rng: Chance | Sequence[Chance], agents: Sequence[AnyAgent] = ()) -> State:
        return start(rules)

    def opening(self, state: State) -> str:
        return "" if state == start(state.rules) else self.write_state(state)

    def reopen(self, rules: Rules, opening: str) -> State:
        return self.read_state(rules, opening) if opening else start(rules)

    def read_move(self, state: State, text: str) -> Placement | str:
        text = text.strip().upper()
        if text in COMMANDS or text in SHIFTS:
            return text
        return find_placement(state.legal, text)

    def write_state(self, state: State) -> str:
        tally, here = state.tally, state.position
        place = f"{here.rotation},{here.row},{here.column}" if here else "-"
        clears = ",".join(map(str, tally.clears))
        end = f" {state.outcome.reason.code}" if state.outcome else ""
        return f"{state.notation} {tally.pieces} {clears} {state.dealt} {state.bag or '-'} {place}{end}"

    def read_state(self, rules: Rules, text: str) -> State:
        match = _POSITION.fullmatch(text.strip())
        if not match:
            raise BadNotation(f"a position is board, piece, next piece, lines and points, not {text!r:.60}.")
        rows = match["board"].split("/")
        sticks_out = match["end"] == End.STICKS_OUT.code
        rows = [EMPTY * len(rows[0])] * (rules.height + rules.hidden - len(rows)) + rows
        board = Board.parse(rows, len(rows) - rules.height if sticks_out else rules.hidden)
        if (board.width, board.height) != (rules.width, rules.height):
            size = f"{rules.width}x{rules.height}"
            raise BadNotation(f"this board is {board.width}x{board.height}, and {size} is played.")
        parts = {name: "" if text == "-" else text for name, text in match.groupdict("").items()}
        piece = parts["piece"] or None
        tally = Tally(int(parts["lines"] or 0), int(parts["points"] or 0), 0, int(parts["pieces"] or 0))
        if parts["clears"]:
            tally = replace(tally, clears=tuple(map(int, parts["clears"].split(","))))
        position = entry(rules, rules.pieces[piece]) if piece else None
        if parts["place"]:
            position = Position(*map(int, parts["place"].split(",")))
        dealt = int(parts["dealt"] or 0)
        outcome = _ended(self.reason(parts["end"]), tally) if parts["end"] else None
        return State(rules, board, piece, parts["next"] or None, parts["bag"], dealt, tally, position, outcome)

    def write_observation(self, observation: Observation) -> str:
        return observation.notation

    def worlds(self, observation: Observation, rng: Chance) -> Iterator[State]:
        """The one state that fits: of what has come the player knows all, and of what will come nothing."""
        seen = observation
        return repeat(
            State(
                seen.rules, seen.board, seen.piece or None, seen.next_piece, seen.remaining, seen.dealt, seen.tally,
                seen.position,
            )
        )  # fmt: skip

    def unit(self, rules: Rules) -> str:
        return "lines" if rules.points == "lines" else "points"

    def measures(self, state: State) -> Measures:
        return measures_of(state.tally)

    def note(self, rules: Rules) -> str:
        return "ties to the lowest rotation, then leftmost, unless the agent draws"

    def fast(self, rules: Rules, agents: Sequence[AnyAgent]) -> Fast | None:
        player = agents[0].compiled(rules) if isinstance(agents[0], Compiles) else None
        if player is None or not player.plays(rules):
            return None
        from apprenti.games.tetris.fast.players import WholeGames

        return WholeGames(rules, player)

    def process(self, rules: Rules, agent: AnyAgent) -> "Process | None":
        """The game as a process that can be split, for players whose placements the compiled engine chooses."""
        from apprenti.games.tetris.fast.players import CompiledPlayer
        from apprenti.games.tetris.fast.splitting import BatchProcess, ChoosesForMany, TetrisProcess

        player = agent.compiled(rules) if isinstance(agent, Compiles) else None
        steered = isinstance(agent, PressesKeys) and agent.presses_keys
        if player is None or not player.plays(rules) or steered:
            return None
        if rules.max_pieces:
            raise BadRules("--rare measures whole games: leave --max-pieces out.")
        if isinstance(player, CompiledPlayer):
            return TetrisProcess(rules, player)
        return BatchProcess(rules, player) if isinstance(player, ChoosesForMany) else None


def _ended(reason: Reason, tally: Tally) -> Outcome:
    """The end of a game by its reason: the last piece is a limit, everything else is the rules."""
    return Outcome(reason, truncated=reason is End.LAST_PIECE, scores=(float(tally.points),))


def measures_of(tally: Tally) -> Measures:
    """What is counted in a game."""
    return {"lines": tally.lines, "points": tally.points, "pieces": tally.pieces, "clears": tally.clears[:4]}


class TypedText(str):
    """Text that a user has typed: it may name a file. What is read from a file or a request is never one."""


def read_pieces(text: str) -> PieceSet | str:
    """A set of pieces by name, or from a text file of shapes that its user has typed."""
    path = Path(text)
    if text in PIECE_SETS or not (path.suffix or (isinstance(text, TypedText) and is_there(path))):
        return text
    if not isinstance(text, TypedText):
        raise BadRules(f"only what you type names a file of shapes, and {text!r:.60} was not typed.")
    try:
        return PieceSet.parse(read_bytes(path, LARGEST_SHAPES).decode("utf-8"), path.stem)
    except UnicodeDecodeError as error:
        raise BadFile(f"cannot read the shapes in {path} ({error}).") from None


GAME = Tetris()
