"""The pieces and the rules of Luzhanqi in words: own pieces by name, the enemy's by what is known of them.

What a player is shown comes from that player's observation and from nothing else.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple
from unicodedata import east_asian_width

from apprenti.games.luzhanqi.board import SLOTS, START
from apprenti.games.luzhanqi.moves import NO_PIECE
from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.pieces import BOMB, CHINESE, FLAG, MINE, NAMES, NONE, RANKS, TYPE_OF, TYPES
from apprenti.games.luzhanqi.play import Record
from apprenti.games.luzhanqi.rules import Rules
from apprenti.games.luzhanqi.state import State

SHORT = (
    "Marshal", "General", "Maj. Gen.", "Brigadier", "Colonel", "Major", "Captain", "Lieut.", "Engineer", "Mine", "Bomb",
    "Flag",
)  # fmt: skip
INSIDE = 11
"""Columns of the terminal there are for a piece."""
ENEMY, STILL, MOVED, CARRIES = "▾", "?", "~", "⚑"
LEGEND = f"{ENEMY} enemy: {STILL} has not moved, {MOVED} has; 4-9 ranks it can have, m mine, b bomb, f flag"


class Shown(NamedTuple):
    """A piece as it is shown."""

    text: str
    own: bool
    """Whether it belongs to the player at the bottom."""


def width_of(text: str) -> int:
    """How many columns of the terminal a text takes: Chinese characters are two wide."""
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def centred(text: str, width: int) -> str:
    """The text with spaces around it."""
    room = width - width_of(text)
    return " " * (room // 2) + text + " " * (room - room // 2)


def name_of(kind: int, chinese: bool = False) -> str:
    """A type by its short name, after its rank if it has one."""
    name = (CHINESE if chinese else SHORT)[kind]
    return f"{RANKS[kind]} {name}" if RANKS[kind] else name


def kinds_of(types: int) -> list[int]:
    """The types of a set."""
    return [kind for kind in range(TYPES) if types >> kind & 1]


def enemy_named(kind: int, chinese: bool = False) -> str:
    """An enemy piece whose type is known."""
    text = ENEMY + name_of(kind, chinese)
    return text if width_of(text) <= INSIDE else text.replace(" ", "", 1)


def enemy_text(types: int, moved: bool, chinese: bool = False) -> str:
    """What is known of an enemy piece: its name if only one type is left, else its ranks and `m`, `b`, `f`."""
    kinds = kinds_of(types)
    if len(kinds) == 1:
        return enemy_named(kinds[0], chinese)
    ranks = sorted(RANKS[kind] for kind in kinds if RANKS[kind])
    span = "" if not ranks else str(ranks[0]) if len(ranks) == 1 else f"{ranks[0]}-{ranks[-1]}"
    special = "".join(letter for kind, letter in ((MINE, "m"), (BOMB, "b"), (FLAG, "f")) if kind in kinds)
    return f"{ENEMY}{MOVED if moved else STILL}{span} {special}".rstrip()


def army_of(player: int, layout: str, own: bool, chinese: bool = False) -> dict[int, Shown]:
    """By their points, the pieces of an army as it is set up."""
    kinds = ((START[player][slot], TYPE_OF[letter]) for slot, letter in enumerate(layout))
    return {
        point: Shown(name_of(kind, chinese) if own else enemy_named(kind, chinese), own)
        for point, kind in kinds
        if kind != NONE
    }


def _with_flag(text: str, piece: int, record: Record) -> str:
    """A piece that carries a flag has a mark, for which a long name gives way."""
    if piece not in record.carriers:
        return text
    return (text if width_of(text) < INSIDE else text[:-1]) + CARRIES


def seen_by(seen: Observation, chinese: bool = False) -> dict[int, Shown]:
    """By their points, the pieces as one player sees them."""
    record = seen.record
    if record is None:
        return army_of(seen.player, seen.layout, True, chinese)
    pieces = {}
    for point, piece in enumerate(record.board):
        if piece != NO_PIECE:
            slot, own = piece % SLOTS, piece // SLOTS == seen.player
            moved = piece in record.moved
            text = name_of(seen.own_types[slot], chinese) if own else enemy_text(seen.possible[slot], moved, chinese)
            pieces[point] = Shown(_with_flag(text, piece, record), own)
    return pieces


def seen_open(state: State, chinese: bool = False, below: int = 0) -> dict[int, Shown]:
    """By their points, all pieces; the player who sits `below` has those without a mark."""
    record = state.record
    if record is None:
        south, north = state.layouts
        return army_of(0, south, below == 0, chinese) | army_of(1, north, below == 1, chinese)
    pieces = {}
    for point, piece in enumerate(record.board):
        if piece != NO_PIECE:
            own = piece // SLOTS == below
            text = (name_of if own else enemy_named)(state.types[piece], chinese)
            pieces[point] = Shown(_with_flag(text, piece, record), own)
    return pieces


def in_words(seen: Observation, point: int, chinese: bool = False) -> str:
    """All that a player knows of what stands on a point."""
    record = seen.record
    if record is None or record.board[point] == NO_PIECE:
        return "nothing stands here"
    piece, names = record.board[point], CHINESE if chinese else NAMES
    if piece // SLOTS == seen.player:
        return f"your {names[seen.own_types[piece % SLOTS]]}"
    kinds = kinds_of(seen.possible[piece % SLOTS])
    past = [
        "moved" if piece in record.moved else "never moved",
        *(["turned on the railway"] if piece in record.turned else []),
        *(["survived a fight"] if piece in record.survivors else []),
        *(["carries your flag"] if piece in record.carriers else []),
    ]
    can_be = _run(kinds, names)
    return f"enemy, {', '.join(past)}: {'it is' if len(kinds) == 1 else 'can be'} {can_be}"


def _run(kinds: list[int], names: tuple[str, ...]) -> str:
    """Types in words, more than three that follow each other as from … to."""
    ranked, words = [kind for kind in kinds if RANKS[kind]], []
    for _, group in groupby(enumerate(ranked), lambda each: each[1] - each[0]):
        run = [names[kind] for _, kind in group]
        words += [f"{run[0]} … {run[-1]}"] if len(run) > 3 else run
    words += [names[kind] for kind in kinds if not RANKS[kind]]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def counted(kinds: Iterable[int], room: int, chinese: bool = False) -> str:
    """Types, the strongest first, with how many of each: by name, or by rank where there is not enough room."""
    counts, names = Counter(kinds), CHINESE if chinese else SHORT
    by_name = ", ".join(f"{counts[kind]} {names[kind]}" if counts[kind] > 1 else names[kind] for kind in sorted(counts))
    if width_of(by_name) <= room:
        return by_name
    ranks = {kind: str(RANKS[kind]) if RANKS[kind] else names[kind] for kind in counts}
    return " ".join(f"{ranks[kind]}×{counts[kind]}" if counts[kind] > 1 else ranks[kind] for kind in sorted(counts))


_FLAG = {
    "wins": "Take the enemy's flag: that wins.",
    "carried": "Take the enemy's flag and carry it into a headquarters of your own: that wins.",
    "mines": "Take the enemy's flag: that wins. It can be taken only when its mines are gone.",
}


def rules_in_words(rules: Rules) -> tuple[str, ...]:
    """How it is played under these rules, and what the signs mean; lines of up to 80 columns."""
    mine = "whoever else runs into it dies" + (", and it too" if rules.mine == "dies" else "")
    turning = "Engineers and Bombs turn" if rules.bombs_turn else "Engineers turn"
    stay = "stays there" if rules.headquarters == "lock" else "may leave again"
    return (
        f"{_FLAG[rules.flag]} You do not see what the enemy's pieces are.",
        "",
        "9 Marshal, 8 General, 7 Major General, 6 Brigadier, 5 Colonel, 4 Major,",
        "3 Captain, 2 Lieutenant, 1 Engineer: the higher rank wins, equals die both.",
        "A Bomb and whatever it meets die both. A Mine does not move, nor does the Flag.",
        f"An Engineer clears a Mine; {mine}.",
        "One step along any line; along a railway (═ ║) straight on while it is free.",
        f"{turning} corners there. ^^^ are mountains: no way through.",
        f"( ) camp: nobody is attacked there. {{ }} headquarters: who goes in {stay}.",
        *(["When a Marshal dies, everybody is shown where the flag of its army is."] if rules.reveal_flag else []),
        *_ends(rules),
        "",
        f"{LEGEND}.",
        "Points are named by row and column, G2; a move by two of them, G2F2.",
    )


def _ends(rules: Rules) -> tuple[str, ...]:
    """How a game ends without the flag."""
    lost = "Who has no move left loses."
    if not rules.quiet_limit:
        return (lost,)
    what = "ends the game in a draw" if rules.quiet_draw else "loses the game for who made it"
    return (f"{lost} Quiet move number {rules.quiet_limit} in a row, without an attack,", f"{what}.")
