"""All games of the page: those under way in memory, others and replays on disk, by an id that is no path."""

import asyncio
import os
import secrets
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from apprenti.core.data import JsonData
from apprenti.core.errors import ApprentiError, BadFile, BadOption, UnknownName
from apprenti.core.game import AnyGame
from apprenti.core.plugins import GAMES
from apprenti.core.protocols import CHANCE, AnyObservation, AnyRules, AnyState
from apprenti.lab.kinds.fields import read
from apprenti.lab.people import rated_folder
from apprenti.lab.session import Session, drawn_seed, result_of
from apprenti.store.files import parse_json, read_json
from apprenti.store.replay import Replay, replay_from_json
from apprenti.web.choices import agent_for, reasons_of, rules_from
from apprenti.web.live import LiveGame, Seating, has_secrets, plain, seated
from apprenti.web.messages import NewGame, Opening, Seats
from apprenti.web.scenes import scenes_of
from apprenti.web.school import School

SeatsT = TypeVar("SeatsT", bound=Seats)
MOST_GAMES = 256
"""Games in memory; those that no page shows are forgotten first, and taken up from disk when they are asked for."""
LISTED = 200
"""Games of the folder that are listed, the newest first."""
WORKERS = max(2, os.cpu_count() or 2) + 2
THINKERS = 16
"""Agents that may think at once. They have threads of their own, so one that never answers holds up no page."""
LARGEST = 20_000_000
"""Bytes of a file that is looked at."""


@dataclass
class Games:
    """The games of one server."""

    folder: Path
    school: School = field(default_factory=School)
    """What the class may ask for."""
    live: dict[str, LiveGame] = field(default_factory=dict)
    pool: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(WORKERS, "page"))
    thinkers: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(THINKERS, "agent"))
    _taking_up: asyncio.Lock = field(default_factory=asyncio.Lock)
    _changing: Lock = field(default_factory=Lock)

    async def new(self, asked: NewGame, who: str = "") -> LiveGame:
        """A game that the page asks for, for a pupil if there are any."""
        return await self._in_pool(self._begin, GAMES.load(asked.game), self._owned(asked, who))

    def _owned(self, asked: SeatsT, who: str) -> SeatsT:
        return replace(asked, page=self.school.owned(asked.page, who))

    async def like(self, former: LiveGame, asked: NewGame, who: str = "") -> LiveGame:
        """A game under the same rules and from the same seed, for other players or once more for the same."""
        check_open(former)
        check_does_not_count(asked)
        game, rules = former.session.game, former.session.rules
        seating = seating_of(game, replace(self._owned(asked, who), seed=former.seating.seed))
        return await self._in_pool(self._seated, game, rules, seating)

    def _begin(self, game: AnyGame, asked: NewGame) -> LiveGame:
        seating = seating_of(game, asked)
        first = next((agent_for(name, game.name, self.school) for name in asked.players if name), None)
        usual = first.rules if first and seating.you is None else None
        rules = rules_from(game, asked.options, usual)
        return self._seated(game, rules, seating)

    def _seated(self, game: AnyGame, rules: AnyRules, seating: Seating) -> LiveGame:
        """A new game of these players."""
        self._check_players(game, rules, seating)
        agents, names = seated(game, seating, self.school)
        session = Session.new(game, rules, agents, names, seating.seed)
        session.undo = seating.undo
        return self._keep(session, seating)

    def _check_players(self, game: AnyGame, rules: AnyRules, seating: Seating) -> None:
        """Refuse agents that cannot play under these rules, and a game that counts but cannot be counted."""
        agents = [agent_for(name, game.name, self.school) for name in filter(None, seating.players)]
        for agent in agents:
            agent.check(game, rules)
        if seating.rated:
            rated_folder(game, seating.rated, agents[0].name if agents else "", seating.undo)

    async def rematch(self, former: LiveGame) -> LiveGame:
        """Once more, with sides changed and the same army; after a seed that was chosen comes the next."""
        check_open(former)
        seating = former.seating
        seed = seating.seed + 1 if seating.own_seed else drawn_seed(None)
        players = seating.players[1:] + seating.players[:1]
        again = replace(seating, players=players, seed=seed, standing=former.standing())
        return await self._in_pool(self._seated, former.session.game, former.session.rules, again)

    async def go_on_from(self, replay: Replay, asked: Seats, who: str = "") -> LiveGame:
        """A game that goes on where a replay is, with other players."""
        check_does_not_count(asked)
        game = replay.load_game()
        seating = seating_of(game, self._owned(asked, who))

        def begin() -> LiveGame:
            self._check_players(game, game.rules_from_json(replay.rules), seating)
            agents, names = seated(game, seating, self.school)
            cut = replace(replay, outcome=None, measures={})
            return self._keep(Session.again(cut, agents, names, seating.seed, seating.undo), seating)

        return await self._in_pool(begin)

    def _keep(self, session: Session, seating: Seating, key: str = "") -> LiveGame:
        """Remember a game; one that a person plays is stored in the folder."""
        key = key or secrets.token_hex(8)
        path = self.folder / f"{key}.json" if seating.you is not None else None
        session.deal()
        game = LiveGame(key, session, seating, self.thinkers, path, self.school)
        with self._changing:  # two threads that begin games at once would forget the same one
            self._make_room()
            self.live[key] = game
        return game

    def _make_room(self) -> None:
        """Forget the game that was left the longest ago."""
        if len(self.live) < MOST_GAMES:
            return
        left = [game for game in list(self.live.values()) if not game.pages and not game.busy]
        if not left:
            raise BadOption(f"{MOST_GAMES} games are open, which is all there may be: close some of them first.")
        del self.live[min(left, key=lambda game: game.used).key]

    def close(self) -> None:
        """Begin nothing more; what is being written down is written to its end."""
        for pool in (self.pool, self.thinkers):
            pool.shutdown(wait=False, cancel_futures=True)

    async def get(self, key: str, who: str = "") -> LiveGame:
        """A game by its id, if need be from the disk; another pupil's is refused."""
        game = await self._any(key)
        self.school.check_owns(game.seating.page, who)
        return game

    async def _any(self, key: str) -> LiveGame:
        if key in self.live:
            return self.live[key]
        async with self._taking_up:  # two pages must get the same one
            if key in self.live:
                return self.live[key]
            path = self.files().get(key)
            if path is None:
                raise UnknownName("game", key[:40], ["none of that id"])
            return await self._in_pool(self._take_up, key, path)

    def _take_up(self, key: str, path: Path) -> LiveGame:
        """A game from its file."""
        data = read_json(path, "a game of the page")
        replay = replay_from_json(data, path.name)
        seating = stored_seating(data, replay, path)
        if seating is None:
            raise BadOption(f"{path.name} is a replay and no game of the page: open it under replays.")
        agents, names = seated(replay.load_game(), seating, self.school)
        live = self._keep(Session.again(replay, agents, names, seating.seed, seating.undo), seating, key)
        live.left = min(float(data["left"]), seating.minutes * 60)
        live.saved()
        return live

    def files(self) -> dict[str, Path]:
        """The files of the folder by their ids: what the page sends is looked up here."""
        return {path.stem: path for path in self.folder.glob("*.json") if _is_small_file(path)}

    def listing(self, who: str) -> list[JsonData]:
        """The newest games of the folder, in a few words each; of a class a pupil's own, and replays of no seats."""
        newest = sorted(self.files().items(), key=lambda each: _written(each[1]), reverse=True)
        found = (self._listed(key, path, who) for key, path in newest)
        return list(islice((each for each in found if each), LISTED))

    def _listed(self, key: str, path: Path, who: str) -> JsonData | None:
        try:
            data = read_json(path, "a replay")
            seating = data.get("seating")
            if isinstance(seating, dict) and not self.school.owns(seating.get("page", {}), who):
                return None
            return {
                "id": key,
                "game": str(data["game"]),
                "players": [str(name) for name in data["players"]],
                "moves": len(str(data["moves"]).split()),
                "over": data["outcome"] is not None,
                "reason": (reason := (data["outcome"] or {}).get("reason")),
                "words": reasons_of(str(data["game"])).get(str(reason), reason),
                "playable": isinstance(seating, dict),
                "time": _written(path),
            }
        except (ApprentiError, KeyError, TypeError, AttributeError, OSError):
            return None  # another file in the same folder

    def replay(self, key: str, who: str) -> Replay:
        """A replay of the folder by its id; another pupil's game is refused."""
        if key in self.live:
            game = self.live[key]
            self.school.check_owns(game.seating.page, who)
            return _open(game.session.replay(), game.seating)
        path = self.files().get(key)
        if path is None:
            raise UnknownName("replay", key[:40], ["none of that id"])
        data = read_json(path, "a replay")
        replay = replay_from_json(data, path.name)
        seating = stored_seating(data, replay, path)
        if seating:
            self.school.check_owns(seating.page, who)
        return _open(replay, seating)

    async def _in_pool(self, work: Callable[..., LiveGame], *words: Any) -> LiveGame:
        return await asyncio.get_running_loop().run_in_executor(self.pool, work, *words)


def _is_small_file(path: Path) -> bool:
    """Whether it can be looked at: no folder or pipe, and not larger than a game can be."""
    try:
        return path.is_file() and path.stat().st_size <= LARGEST
    except OSError:  # it has gone meanwhile
        return False


def _written(path: Path) -> float:
    """When it was written; a file that has gone meanwhile was written long ago."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def stored_seating(data: JsonData, replay: Replay, path: Path) -> Seating | None:
    """Who plays a stored game, as strictly read as if the page said it; None for a replay of others."""
    if "seating" not in data:
        return None
    try:
        seating: Seating = read(Seating, data["seating"], "seating")
        left = data.get("left", -1)
        check_players(replay.load_game(), seating.players)
        if type(left) not in (int, float) or not 0 <= left <= 60_000:
            raise BadOption("the time that is left is a number of seconds")
        return seating
    except ApprentiError as error:
        raise BadFile(f"{path.name} does not say who plays ({error}).") from None


def check_open(game: LiveGame) -> None:
    """Refuse to take a seed from a game that hides something: who knows the seed knows the enemy's army."""
    if game.hides:
        raise BadOption("this game hides something from you while it goes on: end it first, or resign.")


def check_does_not_count(asked: Seats) -> None:
    """Refuse to count a game whose deals, army or position somebody may have seen before."""
    if asked.rated:
        raise BadOption(
            "a game counts only if it is new: not one that goes on from a replay, or begins as another did."
        )


def _open(replay: Replay, seating: Seating | None) -> Replay:
    """The replay, unless a person plays this game now and must not know all of it."""
    if seating and seating.you is not None and replay.outcome is None:
        game = replay.load_game()
        if has_secrets(game, game.reopen(game.rules_from_json(replay.rules), replay.opening)):
            raise BadOption("this game hides something from you while it goes on: its replay can be seen afterwards.")
    return replay


def check_players(game: AnyGame, players: tuple[str, ...]) -> None:
    """Refuse another number of players than the game has, and a second person."""
    if len(players) != game.players:
        raise BadOption(f"{game.name} is for {game.players}: name who plays each side, and nothing for yourself.")
    if players.count("") > 1:
        raise BadOption("one person plays on a page: the other sides are for agents.")


def seating_of(game: AnyGame, asked: Seats) -> Seating:
    """Who plays and how, as the page says it."""
    check_players(game, asked.players)
    return Seating(players=asked.players, seed=drawn_seed(asked.seed), own_seed=asked.seed is not None, undo=asked.undo,
                   minutes=asked.minutes, page=asked.page, setup=asked.setup, rated=asked.rated)  # fmt: skip


MOST_OPENED = 16
MOST_MOVES = 50_000
MOST_POSITIONS = 100_000
"""Positions of all open replays together."""
SENT = 100
"""Positions of one answer."""


@dataclass
class Open:
    """A replay that has been played again: the position after every move."""

    replay: Replay
    who: str = ""
    """The pupil who has opened it."""
    states: list[AnyState] = field(default_factory=list)
    wrong: str = ""
    """Why it is not verified; empty if it is."""


class Opened:
    """The replays that are open; the oldest is forgotten when there are too many."""

    def __init__(self, games: Games) -> None:
        self.games = games
        self._open: OrderedDict[str, Open] = OrderedDict()

    def __contains__(self, key: str) -> bool:
        return key in self._open

    def _one(self, key: str, who: str) -> Open:
        if key not in self._open or self._open[key].who != who:
            raise UnknownName("open replay", key[:40], ["none of that id: open it again"])
        self._open.move_to_end(key)
        return self._open[key]

    def _positions(self) -> int:
        return sum(len(one.states) for one in list(self._open.values()))

    def replay(self, key: str, who: str) -> Replay:
        """An open replay, for who has opened it."""
        return self._one(key, who).replay

    async def open(self, asked: Opening, who: str) -> JsonData:
        """Open a replay by its id, or from what the page sent."""
        return await asyncio.get_running_loop().run_in_executor(self.games.pool, self._opened, asked, who)

    def _opened(self, asked: Opening, who: str) -> JsonData:
        if asked.id:
            replay = self.games.replay(asked.id, who)
        else:
            text = asked.text.encode(errors="replace")
            replay = replay_from_json(parse_json(text, "a replay", "this file"), "this file")
        one, key = played_again(replay), secrets.token_hex(8)
        one.who = who
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
            "words": end.reason.words if end else "",
            "winner": end.winner if end else None,
        }

    async def positions(self, key: str, query: dict[str, str], who: str) -> JsonData:
        """Some positions: from which on, and through whose eyes."""
        one = self._one(key, who)
        first, eyes = query.get("from", "0"), query.get("eyes", "")
        if not first.isdecimal() or len(first) > 9 or eyes not in ("", "0", "1", "2", "3"):
            raise BadOption("positions are asked for by a number, and the eyes of a player by theirs.")
        chosen = one.states[int(first) : int(first) + SENT]
        player = int(eyes) if eyes and int(eyes) < one.replay.load_game().players else None
        positions = await asyncio.get_running_loop().run_in_executor(
            self.games.pool, lambda: [position(one.replay, state, player) for state in chosen]
        )
        return {"from": int(first), "positions": positions}


def played_again(replay: Replay) -> Open:
    """Play a replay again as far as it is a game; a first position that is none is refused."""
    if len(replay.moves) > MOST_MOVES:
        raise BadFile(f"the page shows replays of up to {MOST_MOVES:,} moves: `apprenti replay` shows longer ones.")
    one = Open(replay)
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


def position(replay: Replay, state: AnyState, eyes: int | None) -> JsonData:
    """A position of a replay for the page, open or through a player's eyes."""
    game = replay.load_game()
    seen: AnyObservation = state if eyes is None or state.outcome else state.observation(eyes)
    return {
        "turn": state.turn,
        "scene": scenes_of(game).scene(seen, eyes),
        "measures": {name: plain(n) for name, n in game.measures(state).items()},
        "text": game.write_state(state) if eyes is None else game.write_observation(state.observation(eyes)),
    }
