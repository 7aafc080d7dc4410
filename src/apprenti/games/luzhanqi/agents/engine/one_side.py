"""A game as one player can follow it: the own layout, and what a referee tells of moves and their results.

An engine never sees the enemy's layout. What it is told is enough to keep the very record both players share, so that
its observation is the one the referee's `State` would give it.
"""

from dataclasses import dataclass, replace
from typing import Self

from apprenti.core.errors import BadNotation, BadRules
from apprenti.games.luzhanqi import layout as layouts_
from apprenti.games.luzhanqi.board import NAMES, SLOTS, move_name
from apprenti.games.luzhanqi.moves import MOVED, NOBODY
from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.pieces import FLAG, LETTERS, MARSHAL, TYPE_OF
from apprenti.games.luzhanqi.play import Fight, Record, fallen_in, stepped, with_repetition
from apprenti.games.luzhanqi.rules import Rules


def check_told(rules: Rules) -> Rules:
    """The rules, if results and flags are all that has to be told; BadRules otherwise."""
    if rules.show_fights or rules.flag == "carried":
        raise BadRules("engines are told results and nothing else: rules that show or carry pieces cannot be played.")
    if sum(rules.counts) != SLOTS:
        raise BadRules("engines begin with all 25 pieces: a reduced army cannot be played.")
    return rules


@dataclass(frozen=True)
class OneSide:
    """A game so far, from one side."""

    rules: Rules
    player: int
    """The own side: 0 moves first."""
    layout: str
    record: Record

    @classmethod
    def start(cls, layout: str, player: int, rules: Rules) -> Self:
        """The beginning; of the enemy it is only known that every point is filled."""
        check_told(rules)
        layouts_.check(layout, rules)
        full = LETTERS[0] * SLOTS  # only that something stands there is taken from it
        return cls(rules, player, layout, Record.of_layouts((full, full), rules.repetition > 0))

    @property
    def observation(self) -> Observation:
        """What the player knows."""
        return Observation(self.rules, self.player, self.layout, (SLOTS, SLOTS), self.record)

    def told(self, origin: int, target: int, result: int, flag: int = NOBODY) -> Self:
        """The game after a move of either player with this result; `flag` is where the enemy's is, if it is shown."""
        self._check(origin, target, result)
        before = self.record
        mover, other = before.board[origin], before.board[target]
        new = stepped(self.rules, before, origin, target, result)
        if result != MOVED:
            new = self._after_fight(new, Fight(mover, other, result, False, (False, False)), flag)
        elif flag not in (NOBODY, before.flags[1 - self.player]):
            raise BadNotation(f"a flag is shown when a marshal falls, but {move_name(origin, target)} was no fight.")
        return replace(self, record=with_repetition(self.rules, before, new))

    def _check(self, origin: int, target: int, result: int) -> None:
        """Refuse what cannot have happened on this board."""
        move, board, player = move_name(origin, target), self.record.board, self.record.to_move
        if board[origin] == NOBODY or board[origin] // SLOTS != player:
            raise BadNotation(f"{move} was told, but no piece of the player to move stands on {NAMES[origin]}.")
        if board[target] != NOBODY and board[target] // SLOTS == player:
            raise BadNotation(f"{move} was told, but a piece of the same player stands on {NAMES[target]}.")
        if (board[target] == NOBODY) != (result == MOVED):
            what = "nothing" if board[target] == NOBODY else "a piece"
            raise BadNotation(f"{move} was told with result {result}, but {what} stands on {NAMES[target]}.")

    def _after_fight(self, record: Record, seen: Fight, flag: int) -> Record:
        """Write a fight down; a fallen marshal shows its flag: the own one is known, the enemy's is told."""
        own, enemy, types = self.player, 1 - self.player, [TYPE_OF[letter] for letter in self.layout]
        flags, revealed = list(record.flags), [False, False]
        lost = [types[piece % SLOTS] for piece in fallen_in(seen) if piece // SLOTS == own]
        if MARSHAL in lost and self.rules.reveal_flag and flags[own] == NOBODY:
            home = SLOTS * own + types.index(FLAG)
            flags[own], revealed[own] = record.board.index(home), True
        if flag != NOBODY and flags[enemy] == NOBODY:
            flags[enemy], revealed[enemy] = flag, True
        written = seen._replace(revealed=(revealed[0], revealed[1]))
        return replace(record, fights=(*record.fights, written), flags=(flags[0], flags[1]))
