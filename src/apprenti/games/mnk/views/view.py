"""Boards of m,n,k-games as text: with lines while they are small, close together when they are large."""

from apprenti.games.mnk.rules import NUMBERS, Rules
from apprenti.games.mnk.state import FREE, State
from apprenti.views.view import Look, View, best_of, worth

SMALL = 6
"""The longest side of a board with lines and named cells."""

_CODES = {"X": "1;34", "O": "1;31", "dim": "2", "last": "4", "cursor": "7", "good": "32"}


def _painted(text: str, *codes: str, colour: bool) -> str:
    chosen = [_CODES[code] for code in codes if code]
    return f"\x1b[{';'.join(chosen)}m{text}\x1b[0m" if colour and chosen else text


class MnkView(View[State]):
    """The view of all m,n,k-games."""

    def screen(self, state: State, look: Look) -> str:
        large = max(state.rules.rows, state.rules.columns) > SMALL
        return self._close(state, look) if large or look.small else self._with_lines(state, look)

    def _cell(self, state: State, look: Look, cell: int, width: int) -> str:
        """One cell, `width` characters wide."""
        mark = state.cells[cell]
        text, kind = mark, mark
        if mark == FREE:
            text, kind = (state.rules.name_of(cell) if width > 1 else "·"), "dim"
            if cell in look.hints and width > 1:
                text, kind = worth(look.hints[cell]), "good" if self._is_best(look, cell) else "dim"
        here = look.cursor == cell
        if here and not look.colour and width > 1:
            text = f"[{text}]"
        padded = text.center(width)[:width]
        return _painted(padded, kind, "last" if cell in look.last else "", "cursor" if here else "", colour=look.colour)

    def _is_best(self, look: Look, cell: int) -> bool:
        return look.hints[cell] >= max(look.hints.values())

    def _with_lines(self, state: State, look: Look) -> str:
        columns, width = state.rules.columns, 7
        edge = ["─" * width] * columns
        lines = ["    " + " ".join(chr(ord("a") + c).center(width) for c in range(columns))]
        lines.append("   ┌" + "┬".join(edge) + "┐")
        for row in range(state.rules.rows):
            if row:
                lines.append("   ├" + "┼".join(edge) + "┤")
            cells = [self._cell(state, look, row * columns + c, width) for c in range(columns)]
            lines.append(f"{row + 1:>2} │" + "│".join(cells) + "│")
        lines.append("   └" + "┴".join(edge) + "┘")
        return "\n".join(lines)

    def _close(self, state: State, look: Look) -> str:
        columns = state.rules.columns
        letters = "   " + " ".join(chr(ord("a") + c) for c in range(columns))
        lines = [letters]
        for row in range(state.rules.rows):
            cells = [self._cell(state, look, row * columns + c, 1) for c in range(columns)]
            lines.append(f"{row + 1:>2}" + self._spaced(cells, None if look.colour else look.cursor, row * columns))
        if look.hints:
            lines += ["", f"best: {best_of(look.hints, state.rules.name_of)}"]
        return "\n".join(lines)

    def _spaced(self, cells: list[str], cursor: int | None, first: int) -> str:
        """Cells of a row with spaces between them; brackets round the one of the cursor, where there are no colours."""
        gaps = [" "] * (len(cells) + 1)
        if cursor is not None and 0 <= cursor - first < len(cells):
            gaps[cursor - first : cursor - first + 2] = "[]"
        return "".join(gap + cell for gap, cell in zip(gaps, [*cells, ""], strict=True)).rstrip()

    def start(self, state: State) -> int:
        return state.rules.rows // 2 * state.rules.columns + state.rules.columns // 2

    def walk(self, state: State, point: int, key: str, eyes: int) -> int:
        row, column = divmod(point, state.rules.columns)
        down, right = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}[key]
        return (row + down) % state.rules.rows * state.rules.columns + (column + right) % state.rules.columns

    def pick(self, state: State, chosen: int | None, point: int) -> tuple[int | None, int | None]:
        return None, point

    def points(self, move: str) -> tuple[int, ...]:
        return (int(move),)

    def how(self, state: State) -> str:
        return "a cell: its column and row, like a1"

    def named(self, state: State, move: str) -> str:
        return state.rules.name_of(int(move)) if move else ""

    def about(self, rules: Rules) -> tuple[str, ...]:
        row = f"{NUMBERS[rules.k]} marks in a row" if rules.k > 1 else "a single mark"
        return (
            f"Two players mark a free cell in turn, X first, on {rules.rows} rows and {rules.columns} columns.",
            f"Who first has {row} wins: across, down or on a diagonal.",
            "When the board is full and nobody has, it is a draw.",
            "",
            "A cell has the name of its column and its row: a1 is the top left corner.",
        )


VIEW = MnkView()
