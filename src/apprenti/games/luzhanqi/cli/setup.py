"""A person's army at Luzhanqi: by letters, from the book, drawn, or set up by hand.

While an army is set up its points have the names that they have in the game: for south the front row is G, for north F.
"""

import sys
from dataclasses import dataclass, field, replace

from apprenti.cli.options import Text
from apprenti.cli.request import Extras
from apprenti.cli.screen import END, Terminal, framed, in_colour, on_terminal, wrapped
from apprenti.core.errors import ApprentiError, BadNotation, BadOption, IllegalMove
from apprenti.core.seeds import Chance
from apprenti.games.luzhanqi.board import CAMPS, COLUMNS, NAMES, ROWS, SLOTS, START, parse_point
from apprenti.games.luzhanqi.layout import REGIONS, book, book_layout, check, uniform_layout
from apprenti.games.luzhanqi.pieces import EMPTY, LETTERS
from apprenti.games.luzhanqi.pieces import NAMES as PIECE_NAMES
from apprenti.games.luzhanqi.rules import Rules
from apprenti.games.luzhanqi.views.pieces import army_of, rules_in_words
from apprenti.games.luzhanqi.views.view import LuzhanqiView, board_lines, neighbour
from apprenti.lab.session import Quit
from apprenti.views.view import Look

WAYS = ("", "book", "random", "hand")
HALF = range(ROWS // 2, ROWS)
"""The rows at the bottom of the screen."""
OWN_ROWS = (HALF, range(ROWS // 2))
ARROWS, ENTER = ("up", "down", "left", "right"), ("\n", "\r", " ")
_SLOT_OF = [{point: slot for slot, point in enumerate(points)} for points in START]
_WIDTHS = (5, 3, 4, 3, 5, 5)
"""Points to fill in each row, the front row first."""
WHERE = "Flag in a headquarters { }, Mines in the two back rows, Bombs not in front."
"""Said while nothing else is."""


@dataclass(frozen=True)
class Army:
    """How a person's army is set up: `book`, `random`, `hand`, or a layout.

    If nothing is said, a person at a terminal is offered a layout of the book to change, and others get one.
    """

    text: str
    rules: Rules
    chinese: bool = False

    def __post_init__(self) -> None:
        layout = letters_in(self.text)
        if self.text in WAYS:
            return
        if len(layout) != SLOTS or not layout.replace(EMPTY, "a").isalpha():
            raise BadOption(f"--layout is book, random, hand or 25 letters a to l, front row first, not {self.text!r}.")
        check(layout, self.rules)

    def arrange(self, rules: Rules, rng: Chance) -> str:
        return self.arrange_as(0, rules, rng)

    def arrange_as(self, player: int, rules: Rules, rng: Chance) -> str:
        if self.text == "hand" or (not self.text and on_terminal()):
            return by_hand(rules, rng, self.chinese, player)
        if self.text in WAYS:
            return uniform_layout(rules, rng) if self.text == "random" else book_layout(rules, rng)
        return check(letters_in(self.text), rules)


def letters_in(text: str) -> str:
    """A layout as people type it, with spaces and capitals."""
    return "".join(text.split()).lower()


def by_hand(rules: Rules, rng: Chance, chinese: bool = False, player: int = 0) -> str:
    """The layout a person makes: with the keys of a terminal, with lines of text elsewhere."""
    draft = Draft(rules, rng, player=player)
    return KeySetup(draft, chinese).run() if on_terminal() else with_lines(draft, chinese)


@dataclass
class Draft:
    """A layout being made. It is always legal: whatever is done to it, it can be played."""

    rules: Rules
    rng: Chance
    layout: str = ""
    page: int = 0
    """Which layout of the book comes next."""
    player: int = 0
    """Whose it is: south's, or north's."""

    def __post_init__(self) -> None:
        self.layout = self.layout or book_layout(self.rules, self.rng)

    def obey(self, line: str) -> None:
        """Do what a line says; what cannot be done is explained."""
        word, *rest = line.lower().split()
        if word == "book" and not rest:
            self._turn_page()
        elif word == "random" and not rest:
            self.layout = uniform_layout(self.rules, self.rng)
        elif word == "swap" and len(rest) == 2:
            self.swap(parse_point(rest[0]), parse_point(rest[1]))
        elif len(letters_in(line)) == SLOTS:
            self.layout = check(letters_in(line), self.rules)
        else:
            raise BadNotation(f"say {self.example}, book, random, 25 letters, done or quit, not {line.strip()[:40]!r}.")

    def _turn_page(self) -> None:
        pages = book(self.rules)
        if not pages:
            raise IllegalMove("the book has no layouts for this army.")
        self.layout, self.page = pages[self.page % len(pages)], self.page + 1

    def swap(self, one: int, other: int) -> None:
        """Exchange what stands on two points; IllegalMove, with the reason, if it may not stand there."""
        first, second = self._slot(one), self._slot(other)
        letters = list(self.layout)
        letters[first], letters[second] = letters[second], letters[first]
        for slot, point in ((first, one), (second, other)):
            for kind, region, where in REGIONS:
                if letters[slot] == LETTERS[kind] and slot not in region:
                    raise IllegalMove(f"a {PIECE_NAMES[kind]} begins {where}, not on {NAMES[point]}.")
        self.layout = "".join(letters)

    def _slot(self, point: int) -> int:
        if point in CAMPS:
            raise IllegalMove(f"{NAMES[point]} is a camp, and camps are empty at the beginning.")
        if point not in _SLOT_OF[self.player]:
            raise IllegalMove(f"{NAMES[point]} is not on your side, which is rows {('G to L', 'A to F')[self.player]}.")
        if point in self.rules.blocked:
            raise IllegalMove(f"{NAMES[point]} is not part of the {self.rules.board} board.")
        return _SLOT_OF[self.player][point]

    def partners(self, point: int) -> frozenset[int]:
        """The points that can be exchanged with this one."""
        return frozenset(other for other in START[self.player] if other != point and self._can_swap(point, other))

    def _can_swap(self, one: int, other: int) -> bool:
        try:
            replace(self).swap(one, other)
        except IllegalMove:
            return False
        return True

    @property
    def example(self) -> str:
        """An exchange as it is typed."""
        return "swap " + " ".join(NAMES[START[self.player][slot]] for slot in (0, 6))

    @property
    def spaced(self) -> str:
        """The layout with a space between rows."""
        starts = [sum(_WIDTHS[:row]) for row in range(len(_WIDTHS))]
        return " ".join(self.layout[start : start + width] for start, width in zip(starts, _WIDTHS, strict=True))


def picture(draft: Draft, look: Look, chinese: bool) -> str:
    """The own half of the board."""
    aims = draft.partners(look.chosen) if look.chosen is not None else frozenset()
    army = army_of(draft.player, draft.layout, True, chinese)
    return "\n".join(board_lines(army, look, aims, draft.rules.blocked, HALF))


def with_lines(draft: Draft, chinese: bool) -> str:
    """The layout of a person who writes lines of text."""
    short, shown = {"b": "book", "r": "random", "d": "done", "q": "quit", "exit": "quit"}, ""
    while True:
        if draft.layout != shown:
            print(picture(draft, Look(draft.player, False), chinese), f"layout {draft.spaced}", WHERE, sep="\n")
            print(f"set up your army: {draft.example}, book, random, 25 letters, or done; or help, quit", flush=True)
            shown = draft.layout
        text = sys.stdin.readline()
        line = short.get(text.strip().lower(), text.strip())
        if not text or line.lower() == "quit":
            raise Quit
        if line.lower() == "done":
            return draft.layout
        if line.lower() in ("help", "?"):
            print(*rules_in_words(draft.rules), "", sep="\n", flush=True)
            continue
        try:
            if line:
                draft.obey(line)
        except ApprentiError as error:
            print(f"apprenti: {error}", file=sys.stderr, flush=True)


@dataclass
class KeySetup:
    """An army set up with the keys of a terminal."""

    draft: Draft
    chinese: bool = False
    terminal: Terminal = field(default_factory=Terminal)
    cursor: int = field(init=False)
    chosen: int | None = None
    trouble: str = ""

    def __post_init__(self) -> None:
        self.cursor = START[self.draft.player][2]

    def run(self) -> str:
        """The layout, when the person is done."""
        while True:
            self._draw()
            key = (self.terminal.key() or "").lower()
            self.trouble = ""
            if key in ("q", END) or (key == "?" and not self.terminal.leaf(self._rules())):
                raise Quit
            if key == "d":
                return self.draft.layout
            try:
                self._obey(key)
            except IllegalMove as error:
                self.trouble = str(error)

    def _obey(self, key: str) -> None:
        if key in ARROWS:
            there = neighbour(self.cursor, key, self.draft.rules.blocked, turn=self.draft.player == 1)
            self.cursor = there if there // COLUMNS in OWN_ROWS[self.draft.player] else self.cursor
        elif key in ENTER:  # the first point is picked up, the second exchanged with it
            self.draft.swap(self.cursor if self.chosen is None else self.chosen, self.cursor)
            self.chosen = self.cursor if self.chosen is None else None
        elif key in ("r", "b"):
            self.chosen = None
            self.draft.obey("random" if key == "r" else "book")

    def _rules(self) -> list[str]:
        """The rules on a page."""
        return [part for line in [*rules_in_words(self.draft.rules), ""] for part in wrapped(line)]

    def _draw(self) -> None:
        def board(small: bool) -> str:
            look = Look(self.draft.player, in_colour(), self.cursor, self.chosen, small=small)
            return picture(self.draft, look, self.chinese)

        below = [
            "",
            f"layout {self.draft.spaced}",
            self.trouble or WHERE,
            "arrows and Enter on two points exchange them (▪ can be exchanged with the first)",
            "d begin the game   r random   b next of the book   ? help   q quit",
        ]
        above = ["Your army; the enemy is above. Press d to begin with it, or change it first.", ""]
        self.terminal.draw(framed(above, board, below, self.terminal.rows))


@dataclass(frozen=True, kw_only=True)
class Options:
    """More options of `play luzhanqi`."""

    layout: Text = ""
    """Your army as 25 letters, front row first; book, random, or hand to set it up yourself. Default: hand at a
    terminal, which begins with one of the book; book elsewhere."""
    chinese: bool = False
    """The pieces by their Chinese names."""


EXTRAS = Extras(
    Options=Options,
    view=lambda options: LuzhanqiView(options.chinese),
    setup=lambda rules, options: Army(options.layout, rules, options.chinese),
)
