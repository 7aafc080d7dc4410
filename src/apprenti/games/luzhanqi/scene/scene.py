"""A position of Luzhanqi as the page draws it.

A player is sent the own layout, the public record and what follows from them. The enemy's layout is sent with the open
state alone: where a game is watched openly, and once it is over.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import ClassVar

from apprenti.core.data import JsonData
from apprenti.core.protocols import AnyObservation
from apprenti.core.seeds import Chance
from apprenti.games.luzhanqi.board import BLOCKED, CAMPS, EDGES, HEADQUARTERS, NAMES, POINTS, RAIL_EDGES, SLOTS, START
from apprenti.games.luzhanqi.layout import ALLOWED, book, book_layout, check, uniform_layout
from apprenti.games.luzhanqi.moves import NO_PIECE, NO_POINT, RESULTS
from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.pieces import LETTERS, letters_of
from apprenti.games.luzhanqi.play import Record
from apprenti.games.luzhanqi.rules import PRESETS, Rules
from apprenti.games.luzhanqi.state import State
from apprenti.web.scenes import Scenes

NOTHING = Record((NO_PIECE,) * POINTS)
"""While armies are set up, nothing stands on the board."""


@cache
def ground(board: str) -> JsonData:
    """The points of a board and its links, each a pair of names."""
    blocked = BLOCKED[board]
    links = [pair for pair in sorted(EDGES) if blocked.isdisjoint(pair)]
    return {
        "points": [NAMES[point] for point in range(POINTS) if point not in blocked],
        "camps": [NAMES[point] for point in sorted(CAMPS - blocked)],
        "headquarters": [NAMES[point] for point in sorted(HEADQUARTERS - blocked)],
        "rails": [NAMES[first] + NAMES[second] for first, second in links if (first, second) in RAIL_EDGES],
        "roads": [NAMES[first] + NAMES[second] for first, second in links if (first, second) not in RAIL_EDGES],
    }


def types_of(seen: State | Observation, piece: int) -> int:
    """The set of types a piece can be, for who looks: one if it is an own piece or everything is open."""
    if isinstance(seen, State):
        return 1 << seen.types[piece]
    slot = piece % SLOTS
    return 1 << seen.own_types[slot] if piece // SLOTS == seen.player else seen.possible[slot]


def piece_data(seen: State | Observation, piece: int) -> JsonData:
    """A piece: whose it is, what it can be, and what it has done before everybody's eyes."""
    record = seen.record or NOTHING
    done = {
        "moved": record.moved,
        "turned": record.turned,
        "survived": record.survivors,
        "carries": frozenset(record.carriers),
    }
    return {
        "side": piece // SLOTS,
        "can": letters_of(types_of(seen, piece)),
        "did": [word for word, pieces in done.items() if piece in pieces],
    }


class LuzhanqiScenes(Scenes):
    """The scenes of Luzhanqi."""

    module: ClassVar[str] = "luzhanqi"

    def scene(self, seen: State | Observation, eyes: int | None) -> JsonData:
        record, rules = seen.record or NOTHING, seen.rules
        lost = sorted(record.pieces - record.alive)
        return {
            **ground(rules.board),
            "bottom": eyes or 0,
            "open": isinstance(seen, State),
            "pieces": {
                NAMES[at]: piece_data(seen, piece) for at, piece in enumerate(record.board) if piece != NO_PIECE
            },
            "lost": [piece_data(seen, piece) for piece in lost],
            "flags": [None if at == NO_POINT else NAMES[at] for at in record.flags],
            "last": [
                {"from": NAMES[move.origin], "to": NAMES[move.target], "result": RESULTS[move.result]}
                for move in record.moves[-2:]
            ],
            "made": len(record.moves),
            "quiet": record.quiet,
            "rules": rules.to_json(),
        }

    def choices(self) -> Mapping[str, Sequence[str]]:
        return {"rules": tuple(PRESETS), "mine": ("stays", "dies"), "flag": ("wins", "carried", "mines"),
                "headquarters": ("lock", "free")}  # fmt: skip

    def details(self, seen: AnyObservation) -> JsonData:
        if not isinstance(seen, Observation) or seen.record is None:
            return {}
        from apprenti.games.luzhanqi.fast.beliefs import Beliefs  # compiled code, which takes a while to import

        beliefs = Beliefs.of(seen)
        shares = beliefs.marginals()
        return {
            "layouts": float(beliefs.total),
            "shares": {
                NAMES[at]: {LETTERS[kind]: float(share) for kind, share in enumerate(shares[piece % SLOTS]) if share}
                for at, piece in enumerate(seen.record.board)
                if piece != NO_PIECE and piece // SLOTS != seen.player
            },
        }

    def setup(self, rules: Rules, side: int, text: str, rng: Chance) -> JsonData:
        return {
            **ground(rules.board),
            "layout": check(text, rules) if text else book_layout(rules, rng),
            "slots": {NAMES[START[0][slot]]: {"slot": slot, "may": letters_of(ALLOWED[slot])} for slot in rules.slots},
            "book": list(book(rules)),
            "random": uniform_layout(rules, rng),
            "army": f"{rules.board} {rules.army}",
        }


SCENES = LuzhanqiScenes()
