"""A game as data: the two layouts, which are the only secret, and the public record."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

from apprenti.core.errors import BadNotation, IllegalMove
from apprenti.core.game import StateBase
from apprenti.core.protocols import Outcome
from apprenti.games.luzhanqi import layout as layouts_
from apprenti.games.luzhanqi.board import NAMES, SLOTS, move_name, parse_move
from apprenti.games.luzhanqi.moves import NO_PIECE, NO_POINT, RESULTS, targets
from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.pieces import EMPTY, LETTERS, TYPE_OF
from apprenti.games.luzhanqi.play import Record, after, stuck, why_not
from apprenti.games.luzhanqi.rules import Rules


@dataclass(frozen=True)
class State(StateBase[str, Observation]):
    """A game at one moment. While the armies are being set up there is no record, and a layout is not complete."""

    rules: Rules = field(default_factory=Rules)
    layouts: tuple[str, str] = ("", "")
    record: Record | None = None

    @classmethod
    def start(cls, layout0: str, layout1: str, rules: Rules | str = "ccgc") -> Self:
        """A game between two complete layouts."""
        rules = Rules.preset(rules) if isinstance(rules, str) else rules
        return cls.setup(rules)._with_layouts((layouts_.check(layout0, rules), layouts_.check(layout1, rules)))

    @classmethod
    def setup(cls, rules: Rules | str = "ccgc") -> Self:
        """The empty board: first south, then north places 25 pieces, from the front row, left to right."""
        return cls(Rules.preset(rules) if isinstance(rules, str) else rules)

    def _with_layouts(self, layouts: tuple[str, str]) -> Self:
        """The same game with these layouts; once both are complete, it begins."""
        if len(layouts[0]) < SLOTS or len(layouts[1]) < SLOTS:
            return replace(self, layouts=layouts)
        record = Record.of_layouts(layouts, count_repetitions=self.rules.repetition > 0)
        begun = replace(self, layouts=layouts, record=record)
        outcome = stuck(self.rules, record, begun.types, 0)  # a reduced army may be unable to move
        return replace(begun, record=replace(record, outcome=outcome)) if outcome else begun

    @cached_property
    def types(self) -> tuple[int, ...]:
        """The type of every piece, by its number: 0 … 24 are south's, 25 … 49 north's."""
        return tuple(TYPE_OF[letter] for layout in self.layouts for letter in layout)

    @property
    def to_move(self) -> int:
        """Whose turn it is: 0 for south, 1 for north."""
        if self.record is None:
            return int(len(self.layouts[0]) == SLOTS)
        return self.record.to_move

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; None while it goes on."""
        return self.record.outcome if self.record else None

    @property
    def last_result(self) -> str | None:
        """What became of the piece that moved last: `moved`, `won`, `died` or `both_died`; None before the first."""
        return RESULTS[self.record.moves[-1].result] if self.record and self.record.moves else None

    def revealed_flag(self, player: int) -> str | None:
        """Where the player's flag is, if everybody knows."""
        return NAMES[self.record.flags[player]] if self.record and self.record.flags[player] != NO_POINT else None

    @cached_property
    def _legal(self) -> tuple[str, ...]:
        if self.record is None:
            return layouts_.placements(self.layouts[self.to_move], self.rules)
        if self.outcome:
            return ()
        board, player = self.record.board, self.to_move
        return tuple(
            move_name(origin, target)
            for origin, piece in enumerate(board)
            if piece != NO_PIECE and piece // SLOTS == player
            for target in targets(board, origin, self.types[piece], piece in self.record.carriers, self.rules)
        )

    def legal_moves(self) -> tuple[str, ...]:
        """The moves of the player to move, like `G2F2`; while setting up, the letters that can stand next."""
        return self._legal

    def play(self, move: str) -> Self:
        if self.record is None:
            return self._place(move)
        origin, target = parse_move(move)
        if move_name(origin, target) not in self._legal:
            raise IllegalMove(why_not(self.rules, self.record, self.types, origin, target))
        return replace(self, record=after(self.rules, self.record, self.types, origin, target))

    def _place(self, letters: str) -> Self:
        player = self.to_move
        placed = self.layouts[player]
        if len(letters) == SLOTS and not placed:
            layout = layouts_.check(letters, self.rules)
        elif letters in self._legal:
            layout = placed + letters
        else:
            raise IllegalMove(f"next can stand {', '.join(self._legal)} (or a whole layout at once), not {letters!r}.")
        return self._with_layouts((layout, self.layouts[1]) if player == 0 else (self.layouts[0], layout))

    def observation(self, player: int) -> Observation:
        placed = (len(self.layouts[0]), len(self.layouts[1]))
        return Observation(self.rules, player, self.layouts[player], placed, self.record)

    @property
    def notation(self) -> str:
        """The game so far on one line: both layouts and all moves. This is all there is to know of a position."""
        moves = self.record.moves if self.record else ()
        return " ".join(["/".join(self.layouts), *(move_name(move.origin, move.target) for move in moves)])

    @classmethod
    def parse(cls, text: str, rules: Rules | str = "ccgc") -> Self:
        """The position that `notation` wrote."""
        opening, *moves = text.split() or [""]
        layouts = opening.split("/")
        if len(layouts) != 2:
            raise BadNotation(f"a position is two layouts with a / between them, then the moves, not {text!r}.")
        state = cls.setup(rules)
        for letters in layouts:
            for move in [letters] if len(letters) == SLOTS else letters:
                state = state.play(move)
        if len(layouts[0]) < SLOTS and layouts[1]:
            raise BadNotation("north sets up after south: the first layout has to be complete.")
        for move in moves:
            state = state.play(move)
        return state

    @property
    def placement(self) -> str:
        """What stands where, row by row from the top: south in capitals, north in small letters, `.` for nothing."""
        board = self.record.board if self.record else ()
        letters = [self._letter(piece) for piece in board]
        return "/".join("".join(letters[start : start + 5]) for start in range(0, len(letters), 5))

    def _letter(self, piece: int) -> str:
        if piece == NO_PIECE:
            return EMPTY
        letter = LETTERS[self.types[piece]]
        return letter.upper() if piece < SLOTS else letter
