"""Replays of games for two: rules, opening and moves as text, played again and verified."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from apprenti.core.errors import ApprentiError, BadFile
from apprenti.core.protocols import GameForTwo, Outcome, Position
from apprenti.games.catalogue import GAMES_FOR_TWO
from apprenti.store.files import read_json, write_json
from apprenti.store.replay import FORMAT, digest_of


@dataclass(frozen=True)
class DuelReplay:
    """A game between two that can be played again."""

    game: str
    players: tuple[str, str]
    """Their names, side 0 first."""
    rules: dict[str, Any]
    opening: str
    moves: tuple[str, ...]
    winner: int | None
    reason: str
    """How it ended; empty if it was left early."""

    @classmethod
    def of(
        cls,
        game: GameForTwo,
        rules: Any,
        players: tuple[str, str],
        opening: str,
        moves: Sequence[str],
        outcome: Outcome | None,
    ) -> "DuelReplay":
        """The replay of a game, which may have been left early."""
        winner, reason = (outcome.winner, outcome.reason) if outcome else (None, "")
        return cls(game.name, players, game.rules_to_json(rules), opening, tuple(moves), winner, reason)

    def to_json(self) -> dict[str, Any]:
        """The replay as plain data, with a digest that an altered file does not have."""
        data = {"format": FORMAT, **asdict(self), "moves": " ".join(self.moves), "players": list(self.players)}
        return {**data, "digest": digest_of(data)}

    def load_game(self) -> GameForTwo:
        """The game that was played."""
        game: GameForTwo = GAMES_FOR_TWO.load(self.game)
        return game


def write_duel(path: Path, replay: DuelReplay) -> None:
    """Write a replay."""
    write_json(path, replay.to_json())


def game_of(path: Path) -> str:
    """Which game a replay is of."""
    return str(read_json(path, "a replay").get("game", ""))


def read_duel(path: Path) -> DuelReplay:
    """Read a replay; an altered one is refused."""
    data = read_json(path, "a replay")
    if data.get("format") != FORMAT or str(data.get("game")) not in GAMES_FOR_TWO:
        raise BadFile(f"{path} is not a replay of a game for two of format {FORMAT}, the one this version reads.")
    if data.get("digest") != digest_of(data):
        raise BadFile(f"{path} has been altered since it was recorded: its digest does not fit.")
    try:
        first, second = map(str, data["players"])
        return DuelReplay(
            data["game"], (first, second), dict(data["rules"]), str(data["opening"]),
            tuple(str(data["moves"]).split()), data["winner"], str(data["reason"]),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError) as error:
        raise BadFile(f"{path} is not a replay this version can play ({error}).") from None


def positions_of(replay: DuelReplay) -> Iterator[Position]:
    """Play it again, position by position; raise if it does not lead where it says."""
    game = replay.load_game()
    try:
        state = game.reopen(game.rules_from_json(replay.rules), replay.opening)
    except ApprentiError as error:
        raise BadFile(f"the replay does not begin with a position of {replay.game}: {error}") from None
    yield state
    for number, text in enumerate(replay.moves, 1):
        try:
            state = state.play(game.read_move(state, text))
        except ApprentiError as error:
            raise BadFile(f"the replay is not a game under its rules: move {number}, {error}") from None
        yield state
    reason, winner = (state.outcome.reason, state.outcome.winner) if state.outcome else ("", None)
    if (reason, winner) != (replay.reason, replay.winner):
        said, found = (_end(game, *end) for end in ((replay.reason, replay.winner), (reason, winner)))
        raise BadFile(f"the replay says {said}, but played again it is {found}.")


def _end(game: GameForTwo, reason: str, winner: Any) -> str:
    """How a game ended, in a few words."""
    if not reason and winner is None:
        return "'left early'"
    who = "nobody" if winner is None else game.sides[winner] if winner in (0, 1) else winner
    return repr(f"{who} wins: {reason}")
