"""One move of the game: from a record to the next, by the rules and the types of all pieces."""

from collections.abc import Sequence
from dataclasses import replace

from apprenti.core.protocols import Outcome
from apprenti.games.luzhanqi.board import HEADQUARTERS, SLOTS, START, owner_of_headquarters
from apprenti.games.luzhanqi.combat import BOTH_DIED, DIED, MOVED, WON, fight
from apprenti.games.luzhanqi.moves import NOBODY, ordinary_reach, targets
from apprenti.games.luzhanqi.pieces import FLAG, LETTERS, MARSHAL, MINE
from apprenti.games.luzhanqi.record import End, Fight, Move, Record
from apprenti.games.luzhanqi.rules import Rules

Types = Sequence[int]


def after(rules: Rules, record: Record, types: Types, origin: int, target: int) -> Record:
    """The record after a legal move."""
    mover, other = record.board[origin], record.board[target]
    result = MOVED if other == NOBODY else _result(rules, record, types, mover, other)
    new = stepped(rules, record, origin, target, result)
    if result != MOVED:
        new = _after_fight(rules, new, types, Fight(mover, other, result, False, (False, False)))
    new = with_repetition(rules, record, _flags_followed(new))
    return replace(new, outcome=_outcome(rules, new, types))


def stepped(rules: Rules, record: Record, origin: int, target: int, result: int) -> Record:
    """The part of a move that needs no types: what stands where, who has moved, and how."""
    mover, board = record.board[origin], list(record.board)
    ordinary = target in ordinary_reach(record.board, origin, rules.blocked)
    board[origin] = NOBODY
    if result in (MOVED, WON):
        board[target] = mover
    elif result == BOTH_DIED:
        board[target] = NOBODY
    return replace(
        record,
        board=tuple(board),
        moves=(*record.moves, Move(origin, target, result)),
        moved=record.moved | {mover},
        turned=record.turned if ordinary else record.turned | {mover},
        quiet=record.quiet + 1 if result == MOVED else 0,
    )


def with_repetition(rules: Rules, before: Record, after: Record) -> Record:
    """The record with the boards since the last attack, where the rules count repetitions."""
    if not rules.repetition:
        return after
    return replace(after, since_attack=(*(before.since_attack if after.quiet else ()), after.board))


def _result(rules: Rules, record: Record, types: Types, attacker: int, defender: int) -> int:
    owner = defender // SLOTS
    mines_left = any(types[piece] == MINE and piece // SLOTS == owner for piece in record.alive)
    return fight(types[attacker], types[defender], rules, mines_left)


def fallen_in(seen: Fight) -> list[int]:
    """The pieces a fight removed."""
    return ([seen.attacker] if seen.result != WON else []) + ([seen.defender] if seen.result != DIED else [])


def _after_fight(rules: Rules, record: Record, types: Types, seen: Fight) -> Record:
    """Write a fight down; a fallen marshal reveals the flag, a fallen flag is carried, a fallen carrier loses it."""
    fallen = fallen_in(seen)
    flags, revealed = list(record.flags), [False, False]
    for piece in fallen:
        owner = piece // SLOTS
        if types[piece] == MARSHAL and rules.reveal_flag and flags[owner] == NOBODY:
            flags[owner] = next(
                (point for point, other in enumerate(record.board) if other // SLOTS == owner and types[other] == FLAG),
                NOBODY,
            )
            revealed[owner] = flags[owner] != NOBODY
    flag_fell = types[seen.defender] == FLAG and seen.defender in fallen
    shown = LETTERS[types[seen.attacker]] + LETTERS[types[seen.defender]] if rules.show_fights else ""
    written = seen._replace(flag=flag_fell, revealed=(revealed[0], revealed[1]), shown=shown)
    record = replace(record, fights=(*record.fights, written), flags=(flags[0], flags[1]))
    if flag_fell and rules.flag == "carried" and seen.result == WON:
        owner = seen.defender // SLOTS
        return replace(record, carriers=_set(record.carriers, owner, seen.attacker))
    if flag_fell:
        return replace(record, flags=_set(record.flags, seen.defender // SLOTS, NOBODY))
    return _flags_put_back(record, types, fallen)


def _set(pair: tuple[int, int], player: int, value: int) -> tuple[int, int]:
    return (value, pair[1]) if player == 0 else (pair[0], value)


def _flags_put_back(record: Record, types: Types, fallen: list[int]) -> Record:
    """A flag whose carrier fell goes back to its headquarters, or to the other one if a piece stands there."""
    for owner in (0, 1):
        if record.carriers[owner] in fallen:
            flag = next(piece for piece in range(SLOTS * owner, SLOTS * owner + SLOTS) if types[piece] == FLAG)
            home = START[owner][flag % SLOTS]
            both = sorted(HEADQUARTERS & set(START[owner]), key=lambda point: point != home)
            free = [point for point in both if record.board[point] == NOBODY]
            board = list(record.board)
            if free:
                board[free[0]] = flag
            point = free[0] if free else NOBODY
            carriers, flags = _set(record.carriers, owner, NOBODY), _set(record.flags, owner, point)
            record = replace(record, board=tuple(board), carriers=carriers, flags=flags)
    return record


def _flags_followed(record: Record) -> Record:
    """A flag that is carried is where its carrier is, and both players see it."""
    for owner, carrier in enumerate(record.carriers):
        if carrier != NOBODY:
            record = replace(record, flags=_set(record.flags, owner, record.board.index(carrier)))
    return record


def _flag_gone(record: Record, types: Types) -> int | None:
    """The player whose flag is neither on the board nor carried."""
    for owner in (0, 1):
        flag = next(piece for piece in range(SLOTS * owner, SLOTS * owner + SLOTS) if types[piece] == FLAG)
        if flag not in record.board and record.carriers[owner] == NOBODY:
            return owner
    return None


def _outcome(rules: Rules, record: Record, types: Types) -> Outcome | None:
    """Whether the move just made ended the game: the flag first, then the quiet clock, then who cannot move."""
    mover = 1 - record.to_move
    loser = _flag_gone(record, types)
    if loser is not None:
        return Outcome.between_two(End.FLAG_TAKEN, 1 - loser)
    carried = record.flags[1 - mover] if record.carriers[1 - mover] != NOBODY else NOBODY
    if carried in HEADQUARTERS and owner_of_headquarters(carried) == mover:
        return Outcome.between_two(End.FLAG_HOME, mover)
    if rules.quiet_limit and record.quiet >= rules.quiet_limit:
        return Outcome.between_two(End.QUIET, None if rules.quiet_draw else 1 - mover)
    over = stuck(rules, record, types, record.to_move)
    if over:
        return over
    if rules.max_moves and len(record.moves) >= rules.max_moves:
        return Outcome.between_two(End.LONG, truncated=True)
    if rules.repetition and record.since_attack[::-2].count(record.board) >= rules.repetition:
        return Outcome.between_two(End.REPEATED)
    return None


def stuck(rules: Rules, record: Record, types: Types, player: int) -> Outcome | None:
    """The end, if the player has no legal move: a loss, or a draw if the other one has none either."""
    if _can_move(rules, record, types, player):
        return None
    return Outcome.between_two(End.NO_MOVE, 1 - player if _can_move(rules, record, types, 1 - player) else None)


def _can_move(rules: Rules, record: Record, types: Types, player: int) -> bool:
    return any(
        targets(record.board, origin, types[piece], piece in record.carriers, rules)
        for origin, piece in enumerate(record.board)
        if piece != NOBODY and piece // SLOTS == player
    )
