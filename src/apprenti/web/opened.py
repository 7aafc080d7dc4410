"""Replays that pages look at: played again and verified once, then shown position by position."""

import asyncio
import secrets
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from apprenti.core.errors import ApprentiError, BadFile, BadOption, UnknownName
from apprenti.core.protocols import CHANCE, AnyState
from apprenti.lab.session import result_of
from apprenti.store.files import parse_json
from apprenti.store.replay import Replay, replay_from_json
from apprenti.web.games import Games
from apprenti.web.live import plain
from apprenti.web.messages import Opening
from apprenti.web.scenes import Data, scenes_of

MOST_OPENED = 16
MOST_MOVES = 50_000
MOST_POSITIONS = 100_000
"""Positions of all open replays together."""
AT_ONCE = 100
"""Positions of one answer."""


@dataclass
class One:
    """A replay that has been played again: the position after every move."""

    replay: Replay
    states: list[AnyState] = field(default_factory=list)
    wrong: str = ""
    """Why it is not verified; empty if it is."""


class Opened:
    """The replays that are open; the oldest is forgotten when there are too many."""

    def __init__(self, games: Games) -> None:
        self.games = games
        self._open: OrderedDict[str, One] = OrderedDict()

    def __contains__(self, key: str) -> bool:
        return key in self._open

    def _one(self, key: str) -> One:
        if key not in self._open:
            raise UnknownName("open replay", key[:40], ["none of that id: open it again"])
        self._open.move_to_end(key)
        return self._open[key]

    def _positions(self) -> int:
        return sum(len(one.states) for one in list(self._open.values()))

    def replay(self, key: str) -> Replay:
        """An open replay."""
        return self._one(key).replay

    async def open(self, asked: Opening) -> Data:
        """Open a replay by its id, or from what the page sent."""
        return await asyncio.get_running_loop().run_in_executor(self.games.pool, self._opened, asked)

    def _opened(self, asked: Opening) -> Data:
        if asked.id:
            replay = self.games.replay(asked.id)
        else:
            text = asked.text.encode(errors="replace")
            replay = replay_from_json(parse_json(text, "a replay", "this file"), "this file")
        one, key = followed(replay), secrets.token_hex(8)
        self._open[key] = one
        while len(self._open) > 1 and (len(self._open) > MOST_OPENED or self._positions() > MOST_POSITIONS):
            self._open.popitem(last=False)
        game = replay.load_game()
        end = one.states[-1].outcome or (replay.outcome if not one.wrong else None)
        return {
            "id": key,
            "game": game.name,
            "family": game.family,
            "module": scenes_of(game).module,
            "players": game.players,
            "sides": list(game.sides),
            "names": list(replay.players),
            "description": game.describe(game.rules_from_json(replay.rules)),
            "rules": replay.rules,
            "moves": list(replay.moves[: len(one.states) - 1]),
            "positions": len(one.states),
            "verified": not one.wrong,
            "wrong": one.wrong,
            "said": result_of(game, replay.players, one.states[-1], end),
            "reason": end.reason.code if end else None,
            "winner": end.winner if end else None,
        }

    async def positions(self, key: str, query: dict[str, str]) -> Data:
        """Some positions: from which on, and through whose eyes."""
        one = self._one(key)
        first, eyes = query.get("from", "0"), query.get("eyes", "")
        if not first.isdecimal() or len(first) > 9 or eyes not in ("", "0", "1", "2", "3"):
            raise BadOption("positions are asked for by a number, and the eyes of a player by theirs.")
        chosen = one.states[int(first) : int(first) + AT_ONCE]
        player = int(eyes) if eyes and int(eyes) < one.replay.load_game().players else None
        found = await asyncio.get_running_loop().run_in_executor(
            self.games.pool, lambda: [position(one.replay, state, player) for state in chosen]
        )
        return {"from": int(first), "positions": found}


def followed(replay: Replay) -> One:
    """Play a replay again as far as it is a game; a first position that is none is refused."""
    if len(replay.moves) > MOST_MOVES:
        raise BadFile(f"the page shows replays of up to {MOST_MOVES:,} moves: `apprenti replay` shows longer ones.")
    one = One(replay)
    try:
        for state in replay.states():
            if one.states and one.states[-1].turn == CHANCE:
                one.states[-1] = state  # what was dealt belongs to the position
            else:
                one.states.append(state)
    except ApprentiError as error:
        if not one.states:
            raise
        one.wrong = str(error)
    return one


def position(replay: Replay, state: AnyState, eyes: int | None) -> Data:
    """A position of a replay for the page, open or through a player's eyes."""
    game = replay.load_game()
    seen: Any = state if eyes is None or state.outcome else state.observation(eyes)
    return {
        "turn": state.turn,
        "scene": scenes_of(game).scene(seen, eyes),
        "measures": {name: plain(n) for name, n in game.measures(state).items()},
        "text": game.write_state(state) if eyes is None else game.write_observation(state.observation(eyes)),
    }
