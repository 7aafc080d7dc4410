"""Replays: rules, seed and moves as text. A replay is played again and verified; it is no film.

Format 2 is written, for every game. Format 1 had one form for games for one and one for games for two; both are still
read.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from apprenti.core.data import Json, JsonData, JsonObject
from apprenti.core.errors import ApprentiError, BadFile, printable
from apprenti.core.game import AnyGame
from apprenti.core.plugins import GAMES
from apprenti.core.protocols import CHANCE, AnyRules, AnyState, CommonReason, GameRecord, Measures, Outcome
from apprenti.core.seeds import Stream
from apprenti.store.files import check_format, read_json, write_json

FORMAT = 2


@dataclass(frozen=True)
class Replay:
    """A game that can be played again."""

    game: str
    players: tuple[str, ...]
    """The names of the agents, side 0 first."""
    rules: JsonObject
    opening: str
    seed: int
    """Of what chance deals."""
    moves: tuple[str, ...]
    outcome: Outcome | None
    """How it ended; None if it was left early."""
    measures: Measures

    @classmethod
    def of(cls, game: AnyGame, rules: AnyRules, players: tuple[str, ...], record: GameRecord) -> "Replay":
        """The replay of a game that was played to its end."""
        data = game.rules_to_json(rules)
        moves, measures = record.moves, record.measures
        return cls(game.name, players, data, record.opening, record.seed, moves, record.outcome, measures)

    def load_game(self) -> AnyGame:
        """The game that was played."""
        return GAMES.load(self.game)

    def states(self) -> Iterator[AnyState]:
        """Play it again, state by state; BadFile if it does not lead where it says."""
        return states_of(self)

    def to_json(self) -> dict[str, Json]:
        """The replay as plain data, with a digest that an altered file does not have."""
        data: JsonObject = {
            "format": FORMAT,
            "game": self.game,
            "players": list(self.players),
            "rules": self.rules,
            "opening": self.opening,
            "seed": self.seed,
            "moves": " ".join(self.moves),
            "outcome": outcome_to_json(self.outcome),
            "measures": {name: list(n) if isinstance(n, tuple) else n for name, n in self.measures.items()},
        }
        return {**data, "digest": digest_of(data)}


def outcome_to_json(outcome: Outcome | None) -> JsonObject | None:
    """An outcome as codes and numbers."""
    if outcome is None:
        return None
    scores = list(outcome.scores)
    return {"reason": outcome.reason.code, "winner": outcome.winner, "truncated": outcome.truncated, "scores": scores}


def outcome_from_json(game: AnyGame, data: JsonData | None) -> Outcome | None:
    """An outcome from codes and numbers."""
    if data is None:
        return None
    scores, winner = tuple(float(score) for score in data["scores"]), data["winner"]
    if winner is not None and (type(winner) is not int or winner not in range(game.players)):
        raise ValueError(f"{winner!r:.40} is no side that could have won")
    return Outcome(game.reason(str(data["reason"])), winner, bool(data["truncated"]), scores)


def digest_of(data: JsonObject) -> str:
    """A digest of everything but the digest."""
    rest = {key: value for key, value in data.items() if key != "digest"}
    text = json.dumps(rest, sort_keys=True, ensure_ascii=False)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def write_replay(path: Path, replay: Replay) -> None:
    """Write a replay."""
    write_json(path, replay.to_json())


def read_replay(path: Path) -> Replay:
    """Read a replay; an altered one is refused."""
    return replay_from_json(read_json(path, "a replay"), str(path))


def replay_from_json(data: JsonData, where: str) -> Replay:
    """A replay from plain data, which is called `where`; an altered one is refused."""
    readers = {1: _former, FORMAT: _current}
    check_format(where, data, "a replay", *readers)
    if str(data.get("game")) not in GAMES:
        raise BadFile(
            f"{where} is not a replay of a game that is installed here: {printable(str(data.get('game'))):.40}."
        )
    if data.get("digest") != digest_of(data):
        raise BadFile(f"{where} has been altered since it was recorded: its digest does not fit.")
    try:
        game = GAMES.load(data["game"])
        replay = readers[data["format"]](game, data)
        if len(replay.players) != game.players:
            raise BadFile(f"{game.name} is a game for {game.players}, not for {len(replay.players)}")
        return replay
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, ApprentiError) as error:
        raise BadFile(f"{where} is not a replay this version can play ({error}).") from None


def _current(game: AnyGame, data: JsonData) -> Replay:
    """Format 2."""
    game.rules_from_json(dict(data["rules"]))
    return Replay(
        game.name, tuple(map(str, data["players"])), dict(data["rules"]), str(data["opening"]), int(data["seed"]),
        tuple(str(data["moves"]).split()), outcome_from_json(game, data["outcome"]), _measures(data["measures"]),
    )  # fmt: skip


def _measures(data: JsonData) -> Measures:
    return {str(name): tuple(map(_number, n)) if isinstance(n, list) else _number(n) for name, n in data.items()}


def _number(n: object) -> float:
    """A number as it was written: a whole one stays whole, so that the digest stays the same."""
    if type(n) is int or type(n) is float:
        return n
    raise TypeError(f"{n!r} is no number")


def _former(game: AnyGame, data: JsonData) -> Replay:
    """Format 1: a game for one said what was counted, and not why it ended; a game for two why, in words."""
    alone = game.players == 1
    players = (data["agent"],) if alone else data["players"]
    opening, seed = ("", int(data["seed"])) if alone else (str(data["opening"]), 0)
    counted = game.measures(game.reopen(game.rules_from_json(dict(data["rules"])), "")) if alone else {}
    measures = {name: float(data[name]) for name, number in counted.items() if not isinstance(number, tuple)}
    moves = tuple(str(data["moves"]).split())
    replay = Replay(game.name, tuple(map(str, players)), dict(data["rules"]), opening, seed, moves, None, measures)
    *_, end = states_of(replay, verified=False)
    if not alone:
        reason = game.reason(str(data["reason"])) if data["reason"] else None
        if (reason, data["winner"]) != (end.outcome and end.outcome.reason, end.outcome and end.outcome.winner):
            raise BadFile(f"it says {reason or 'left early'}, but played again it is {_end(game, end.outcome)}")
    return replace(replay, outcome=end.outcome)


def states_of(replay: Replay, verified: bool = True) -> Iterator[AnyState]:
    """Play it again, state by state; raise if it does not lead where it says."""
    game = replay.load_game()
    try:
        state = game.reopen(game.rules_from_json(replay.rules), replay.opening)
    except ApprentiError as error:
        raise BadFile(f"the replay does not begin with a position of {replay.game}: {error}") from None
    chance = Stream(replay.seed)
    yield state
    for number, text in enumerate(replay.moves, 1):
        while state.turn == CHANCE:
            state = state.deal(chance)
            yield state
        if state.outcome:
            raise BadFile(f"the replay goes on after the end of the game, at move {number}.")
        try:
            state = state.play(game.read_move(state, text))
        except ApprentiError as error:
            raise BadFile(f"the replay is not a game under its rules: move {number}, {error}") from None
        yield state
    while state.turn == CHANCE:  # a game may end by what chance brings
        state = state.deal(chance)
        yield state
    if verified:
        _verify(game, replay, state)


UNSEEN = (CommonReason.FORFEIT, CommonReason.RESIGNED, CommonReason.STOPPED)
"""Ends that no move shows."""


def _verify(game: AnyGame, replay: Replay, state: AnyState) -> None:
    """Raise if a game did not lead where its replay says."""
    if not _agree(replay.outcome, state.outcome):
        stored, played = (_end(game, end) for end in (replay.outcome, state.outcome))
        raise BadFile(f"the replay says {stored}, but played again it is {played}.")
    counted = game.measures(state)
    for name, number in replay.measures.items():
        if counted.get(name) != number:
            raise BadFile(f"the replay says {name} {number}, but played again it gives {counted.get(name)}.")


def _agree(stored: Outcome | None, played: Outcome | None) -> bool:
    if stored is None or played is None:
        return stored == played or (stored is not None and stored.reason in UNSEEN)
    if stored.reason is CommonReason.BY_RULES:  # a kernel does not say by which
        return (stored.winner, stored.truncated) == (played.winner, played.truncated)
    return stored == played


def _end(game: AnyGame, outcome: Outcome | None) -> str:
    """How a game ended, in a few words."""
    if outcome is None:
        return "'left early'"
    winner = outcome.winner
    who = f"{game.sides[winner]} wins: " if winner is not None and 0 <= winner < game.players else ""
    return repr(f"{who}{outcome.reason}")
