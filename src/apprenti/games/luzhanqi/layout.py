"""Layouts: how a player sets up the army. 25 letters as the owner sees them, front row first, left to right.

The flag stands in a headquarters, mines in the two back rows, bombs anywhere but in the front row, the rest anywhere.
These four regions lie inside each other, so a player who places the most restricted pieces first never gets stuck, and
a layout can be completed exactly when each region still has room for all that has to go there.
"""

from functools import cache

from apprenti.core.errors import BadNotation, IllegalMove
from apprenti.core.seeds import Chance, below, pick, shuffle
from apprenti.games.luzhanqi.board import BACK_SLOTS, FRONT_SLOTS, HEADQUARTERS_SLOTS, SLOTS, START, mirrored
from apprenti.games.luzhanqi.pieces import BOMB, EMPTY, FLAG, LETTERS, MINE, NAMES, NONE, TYPE_OF, type_set
from apprenti.games.luzhanqi.rules import STANDARD_ARMY, Rules

REGIONS = (
    (FLAG, HEADQUARTERS_SLOTS, "in a headquarters"),
    (MINE, BACK_SLOTS, "in the two back rows"),
    (BOMB, frozenset(range(SLOTS)) - FRONT_SLOTS, "behind the front row"),
)
"""Where the three restricted types may stand, the narrowest region first; each lies inside the next."""


def allowed_on(slot: int) -> int:
    """The set of types that may begin on a slot, as bits."""
    types = type_set(LETTERS)
    for kind, region, _ in REGIONS:
        if slot not in region:
            types &= ~(1 << kind)
    return types


ALLOWED = tuple(map(allowed_on, range(SLOTS)))


def check(layout: str, rules: Rules) -> str:
    """The layout itself, if it is legal; otherwise an error with the reason."""
    if len(layout) != SLOTS or not set(layout) <= TYPE_OF.keys():
        raise BadNotation(f"a layout is 25 letters a to l, front row first, not {layout!r}.")
    for kind, letter in enumerate(LETTERS):
        wanted, there = rules.counts[kind], layout.count(letter)
        if there != wanted:
            raise IllegalMove(f"an army has {wanted} of {letter} ({NAMES[kind]}), but this layout has {there}.")
    for slot, letter in enumerate(layout):
        if letter != EMPTY and slot not in rules.slots:
            raise IllegalMove(f"point {slot + 1} of the layout is not part of the {rules.board} board: leave a dot.")
    for kind, region, where in REGIONS:
        for slot, letter in enumerate(layout):
            if letter == LETTERS[kind] and slot not in region:
                raise IllegalMove(f"a {NAMES[kind]} begins {where}, not on point {slot + 1} of the layout.")
    return layout


def left_after(placed: str, rules: Rules) -> list[int]:
    """How many of each type are still to be placed; the last number is that of the points that stay empty."""
    counts = [*rules.counts, SLOTS - sum(rules.counts)]
    for letter in placed:
        counts[TYPE_OF[letter]] -= 1
    return counts


def placements(placed: str, rules: Rules) -> tuple[str, ...]:
    """The letters that may stand on the next point so that the layout can still be completed."""
    slot = len(placed)
    if slot >= SLOTS:
        return ()
    if slot not in rules.slots:
        return (EMPTY,)
    left = left_after(placed, rules)
    later = frozenset(other for other in rules.slots if other > slot)
    return tuple(letter for letter in LETTERS + EMPTY if left[TYPE_OF[letter]] > 0 and _fits(letter, slot, left, later))


def _fits(letter: str, slot: int, left: list[int], later: frozenset[int]) -> bool:
    """Whether every region still has room for its pieces once this letter stands on this slot."""
    waiting = 0
    for kind, region, _ in REGIONS:
        if letter == LETTERS[kind] and slot not in region:
            return False
        waiting += left[kind] - (letter == LETTERS[kind])
        if waiting > len(region & later):
            return False
    return sum(left[:NONE]) - (letter != EMPTY) <= len(later)


def uniform_layout(rules: Rules, rng: Chance) -> str:
    """A layout, every legal one as likely: flag first, then mines, then bombs, then the rest."""
    left = left_after("", rules)
    letters = ["" if slot in rules.slots else EMPTY for slot in range(SLOTS)]
    left[NONE] -= letters.count(EMPTY)
    for kind, region, _ in REGIONS:
        free = [slot for slot in sorted(region) if not letters[slot]]
        for _ in range(left[kind]):
            letters[free.pop(below(rng, len(free)))] = LETTERS[kind]
        left[kind] = 0
    rest = [letter for letter in LETTERS + EMPTY for _ in range(left[TYPE_OF[letter]])]
    shuffle(rng, rest)
    return "".join(letter or rest.pop() for letter in letters)


_SLOT_OF = {point: slot for slot, point in enumerate(START[0])}
MIRRORED_SLOTS = tuple(_SLOT_OF[mirrored(point)] for point in START[0])
"""For each slot the one it is exchanged with when left and right are."""


def mirror(layout: str) -> str:
    """The same layout with left and right exchanged."""
    return "".join(layout[slot] for slot in MIRRORED_SLOTS)


_WRITTEN = (
    "gchdg eaf kbkd cie ijgfi jljhh",
    "dgcgh ehb kafk cid iegjf hijlj",
    "fdgch gak ebhi kdc ejjfi gljhi",
    "hcgeg bfd kiak ehc dfijg hijlj",
    "dgahc efb kghk cid ejgfi jljhi",
    "ghdgc eka fbhk dic jefij gijlh",
    "ecghd fgb aihg ckd ijkef jljhi",
    "gdfch hbe kagi dkc ifejg hijlj",
)
BOOK = tuple(layout for text in _WRITTEN for layout in (text.replace(" ", ""), mirror(text.replace(" ", ""))))
"""Sensible layouts and their mirrors: the flag behind mines, a piece of little worth in the other headquarters, bombs
where they can still move, strength in the second line."""


@cache
def book(rules: Rules) -> tuple[str, ...]:
    """The layouts of the book; none for other than the usual army."""
    return BOOK if rules.army == STANDARD_ARMY else ()


def book_layout(rules: Rules, rng: Chance) -> str:
    """A layout of the book, or any layout where the book has none."""
    known = book(rules)
    return pick(rng, known) if known else uniform_layout(rules, rng)


EXCHANGES, ALIKE = 96, 3
"""How often two pieces may change places, and by how many ranks they may differ: so the army stays as strong."""


def varied_layout(rules: Rules, rng: Chance) -> str:
    """A layout of the book in which officers of nearly the same rank have changed places: too many to learn them all.

    Flag, mines and bombs stay where the book has them, in a mirror as often as not; where there is no book, any layout.
    """
    letters = list(book_layout(rules, rng))
    for _ in range(EXCHANGES if book(rules) else 0):
        first, second = below(rng, SLOTS), below(rng, SLOTS)
        kinds = TYPE_OF[letters[first]], TYPE_OF[letters[second]]
        if max(kinds) < MINE and abs(kinds[0] - kinds[1]) <= ALIKE:
            letters[first], letters[second] = letters[second], letters[first]
    return "".join(letters)
