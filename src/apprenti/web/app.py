"""The server of the page: its addresses, and what is answered there."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from threading import Lock
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from apprenti import __version__
from apprenti.core.data import JsonData
from apprenti.core.errors import ApprentiError, BadOption, BadPlugin
from apprenti.core.plugins import GAMES
from apprenti.core.seeds import Stream
from apprenti.lab.agents import full_name
from apprenti.lab.runs import runs_with_population
from apprenti.lab.session import drawn_seed
from apprenti.web.answers import Asks, reads, writes
from apprenti.web.choices import about_game, about_rules, agent_for, agents_of, rules_from
from apprenti.web.files import Files
from apprenti.web.games import Games, Opened
from apprenti.web.guard import Bucket
from apprenti.web.laboratory import Laboratory
from apprenti.web.language import in_language, language_of
from apprenti.web.live import WAITING, LiveGame
from apprenti.web.messages import (
    Army,
    Details,
    Gone,
    GoOn,
    NewGame,
    Nothing,
    Opening,
    RulesOfAgent,
    Sentence,
    WallAsked,
    described,
    live_of,
)
from apprenti.web.refusals import Refused, refusal, why_of
from apprenti.web.scenes import page_folders, scenes_of
from apprenti.web.school import OnlyPages, School
from apprenti.web.wall import Wall

STATIC = Path(str(files("apprenti.web") / "static"))
MISTAKE = "a mistake in the server: its terminal says more."
NOTHING_THERE = "there is nothing at this address (any more)."
MESSAGES, MESSAGES_AT_ONCE = 120.0, 400.0
"""Messages of one page a second, and at once."""

MOST_PAGES = 32
"""Pages that show one game."""
MOST_WALLS = 8
"""Walls at once."""
MOST_ASKED = 8
"""Hints, details and steps of one page that are not answered yet."""


class Page:
    """The addresses of the page."""

    def __init__(self, folder: Path, school: School = School()) -> None:  # noqa: B008, it is frozen
        self.games = Games(folder, school)
        self.laboratory = Laboratory(school)
        self.opened = Opened(self.games)
        self.files = Files(STATIC, page_folders())
        self.walls: set[int] = set()
        """Those that are being read now."""
        self._offering = Lock()
        self.routes = self._routes()
        asked = {each.path: each.shape for each in self.routes if isinstance(each, Asks) and each.posted}
        self.files.given["messages.json"] = json.dumps(described(asked)).encode()

    def app(self) -> Starlette:
        """The application."""
        return Starlette(
            routes=self.routes,
            middleware=[Middleware(OnlyPages, school=self.laboratory.school)],
            exception_handlers={Refused: refused, HTTPException: not_there, Exception: failed},
        )

    def _routes(self) -> list[BaseRoute]:
        return [
            Route("/", self.own_file),
            Route("/static/{name:path}", self.own_file),
            reads("/api/games", self.list_games),
            reads("/api/agents/{game}", self.list_agents),
            reads("/api/played", self.played),
            reads("/api/replay/{key}", self.one_replay),
            reads("/api/positions/{key}", self.positions),
            writes("/api/new", self.new, NewGame),
            writes("/api/rematch/{key}", self.rematch),
            writes("/api/setup", self.setup, Army),
            writes("/api/open", self.open, Opening),
            writes("/api/continue/{key}", self.go_on, GoOn),
            writes("/api/rules", self.rules, RulesOfAgent),
            *self.laboratory.routes(),
            Asks("/api/wall", self.wall, WallAsked, "GET"),
            WebSocketRoute("/live/{key}", self.live),
        ]

    def _who(self, asked: HTTPConnection) -> str:
        """The pupil who asks; empty where there are none."""
        return self.laboratory.school.who(asked)

    async def own_file(self, request: Request) -> Response:
        """A file of the page itself."""
        return self.files.answer(request, request.path_params.get("name", "index.html"))

    def offered(self) -> list[JsonData]:
        """All games, as they are offered; who asks first waits a moment for their examples."""
        games = []
        with self._offering:  # games are imported here: two threads at it would meet halfway
            for name in [*(self.laboratory.school.games or GAMES)]:
                with suppress(BadPlugin):  # a broken package takes no other game away
                    about = about_game(name)
                    proposed = {what: self._proposed(name, about[what]) for what in ("opponent", "adviser")}
                    games.append({**about, **proposed})
        return games

    def _proposed(self, game: str, agent: str) -> str:
        """An agent that is proposed, if this class sees it; else the first one that it sees."""
        school = self.laboratory.school
        if not agent or school.shows(full_name(agent, GAMES.load(game))):
            return agent
        return next((each["name"] for each in agents_of(GAMES.load(game)) if school.shows(each["name"])), agent)

    async def list_games(self, request: Request) -> JsonData:
        """All games."""
        return {"version": __version__, "games": await asyncio.to_thread(self.offered)}

    async def list_agents(self, request: Request) -> JsonData:
        """Who plays a game."""
        game = GAMES.load(request.path_params["game"])
        agents = [each for each in agents_of(game) if self.laboratory.school.shows(each["name"])]
        return {"agents": agents, "runs": runs_with_population(game)}

    async def rules(self, request: Request, asked: RulesOfAgent) -> JsonData:
        """What rules the options ask for, and what is other by the agent's own."""
        game, school = GAMES.load(asked.game), self.laboratory.school
        rules = rules_from(game, asked.options)
        opponent = self._proposed(game.name, game.opponent(rules)) if game.players > 1 else ""
        own = agent_for(asked.agent, game.name, school).rules if asked.agent else None
        return {"opponent": opponent, **about_rules(game, rules, rules_from(game, asked.options, own))}

    async def new(self, request: Request, asked: NewGame) -> JsonData:
        """A new game; without a person it is watched."""
        who = self._who(request)
        self.laboratory.school.allow("play" if asked.like or "" in asked.players else "watch", asked.game)
        if asked.like:
            game = await self.games.like(await self.games.get(asked.like, who), asked, who)
        else:
            game = await self.games.new(asked, who)
        await game.save()
        return {"id": game.key}

    async def rematch(self, request: Request, asked: Nothing) -> JsonData:
        """Once more with sides changed."""
        game = await self.games.rematch(await self.games.get(request.path_params["key"], self._who(request)))
        await game.save()
        return {"id": game.key}

    async def setup(self, request: Request, asked: Army) -> JsonData:
        """What is needed to set up an army, and whether one is right."""
        game = GAMES.load(asked.game)
        rules = rules_from(game, asked.options)
        side, chance = int(asked.side == 1), Stream(drawn_seed(None))
        return {"module": scenes_of(game).module, "scene": scenes_of(game).setup(rules, side, asked.setup, chance)}

    async def played(self, request: Request) -> JsonData:
        """The games of the folder."""
        return {"games": await asyncio.to_thread(self.games.listing, self._who(request))}

    async def one_replay(self, request: Request) -> JsonData:
        """A replay as it is stored."""
        key, who = request.path_params["key"], self._who(request)
        return (self.opened if key in self.opened else self.games).replay(key, who).to_json()

    async def open(self, request: Request, asked: Opening) -> JsonData:
        """Open a replay: one of the folder by its id, or one that the page sends; it is played again and verified."""
        return await self.opened.open(asked, self._who(request))

    async def positions(self, request: Request) -> JsonData:
        """Some positions of an opened replay."""
        key, query = request.path_params["key"], dict(request.query_params)
        return await self.opened.positions(key, query, self._who(request))

    async def go_on(self, request: Request, asked: GoOn) -> JsonData:
        """Go on from a position of an opened replay, with other players."""
        who = self._who(request)
        replay = self.opened.replay(request.path_params["key"], who)
        self.laboratory.school.allow("replays", replay.game)
        number = len(replay.moves) if asked.move is None else asked.move
        if not 0 <= number <= len(replay.moves):
            raise BadOption(f"this replay has the moves 0 to {len(replay.moves)}.")
        game = await self.games.go_on_from(replace(replay, moves=replay.moves[:number]), asked, who)
        await game.save()
        return {"id": game.key}

    async def wall(self, request: Request, asked: WallAsked) -> Response:
        """A stream of many games at once."""
        if len(self.walls) >= MOST_WALLS:
            raise BadOption(f"{MOST_WALLS} walls are shown, which is all there may be: close one of them.")
        self.laboratory.school.allow("wall", asked.game)
        wall = await Wall.of(asked, self.games.thinkers, self.games.school)
        return StreamingResponse(self._events(wall), media_type="text/event-stream")

    async def _events(self, wall: Wall) -> AsyncIterator[str]:
        """The stream of a wall, counted as long as it is read."""
        self.walls.add(id(wall))
        try:
            async for event in wall.events():
                yield event
        finally:
            self.walls.discard(id(wall))

    async def live(self, socket: WebSocket) -> None:
        """A game under way: messages from the page, positions to it."""
        await socket.accept()
        try:
            game = await self.games.get(socket.path_params["key"], self._who(socket))
            if len(game.pages) >= MOST_PAGES:
                raise BadOption(f"{MOST_PAGES} pages show this game, which is all there may be: close some of them.")
        except ApprentiError as error:
            words = Gone(message=str(error), why=why_of(error)).to_json()
            await socket.send_json(in_language(words, language_of(socket)))
            await socket.close()
            return
        await Conversation(socket, game).hold()


class Conversation:
    """One page that shows one game."""

    def __init__(self, socket: WebSocket, game: LiveGame) -> None:
        self.socket, self.game = socket, game
        self.queue: asyncio.Queue[JsonData] = asyncio.Queue(WAITING)
        self.language = language_of(socket)
        self.bucket = Bucket(MESSAGES, MESSAGES_AT_ONCE)
        self.tasks: set[asyncio.Task[None]] = set()

    async def hold(self) -> None:
        """Until the page is closed."""
        self.game.pages[self.queue] = None
        writer = asyncio.create_task(self._write())
        try:
            await self.queue.put(self.game.view())
            self._do(self.game.go_on())
            while (text := await self._received()) is not None:
                self.read(text)
        finally:
            self.game.pages.pop(self.queue, None)
            writer.cancel()

    async def _received(self) -> str | None:
        """The next message; None if the page was closed or sent bytes."""
        try:
            return await self.socket.receive_text()
        except (WebSocketDisconnect, KeyError):
            return None

    async def _write(self) -> None:
        while True:
            message = in_language(await self.queue.get(), self.language)
            await self.socket.send_text(json.dumps(message, allow_nan=False, separators=(",", ":")))

    def read(self, text: str) -> None:
        """Obey one message; what is wrong is answered with a sentence."""
        try:
            if not self.bucket.take():
                raise BadOption("too many messages: wait a second.")
            self._obey(*live_of(text))
        except Exception as error:
            self._refuse(error)

    def _obey(self, kind: str, message: Any) -> None:
        game = self.game
        if kind == "move":
            game.move(message.move, self._do)
        elif kind in ("step", "hint", "details"):
            if len(self.tasks) >= MOST_ASKED:
                raise BadOption("too much is asked for at once: wait for the answers.")
            self._do(game.step(message.moves) if kind == "step" else self._answer(kind, message))
        elif kind in ("undo", "resign", "flag"):
            {"undo": game.undo, "resign": game.resign, "flag": game.flag}[kind](self._do)
        else:
            known = message.eyes is not None and 0 <= message.eyes < game.session.game.players
            game.pages[self.queue] = message.eyes if known else None
            self._say(game.view(game.pages[self.queue]))

    async def _answer(self, kind: str, message: Any) -> None:
        """What takes time: it is answered when it is known."""
        number = len(self.game.session.moves)
        if kind == "hint":
            self._say(replace(await self.game.hint(message.agent), number=number).to_json())
        else:
            details = await self.game.details(self.game.pages.get(self.queue))
            self._say(Details(details=details, number=number).to_json())

    def _do(self, work: Any) -> None:
        """Begin what takes time; the page may go on sending messages meanwhile."""

        async def done() -> None:
            try:
                await work
            except Exception as error:  # of an agent, perhaps a stranger's: the page is told, and the game can go on
                self._refuse(error)

        task = asyncio.create_task(done())
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def _refuse(self, error: Exception) -> None:
        """Tell the page what is wrong; a mistake that is not the person's is told in the terminal too."""
        if not isinstance(error, ApprentiError):
            logging.getLogger("uvicorn.error").error("a mistake while a game went on", exc_info=error)
        self._say(Sentence(message=str(error) if isinstance(error, ApprentiError) else MISTAKE).to_json())

    def _say(self, message: JsonData) -> None:
        if not self.queue.full():
            self.queue.put_nowait(message)


async def refused(request: Request, error: Exception) -> Response:
    """A body that turned out to be too large while it was read."""
    return refusal(request, error if isinstance(error, Refused) else Refused(400, str(error)))


async def not_there(request: Request, error: Exception) -> Response:
    """An address at which there is nothing, or which is asked in a wrong way."""
    status = error.status_code if isinstance(error, HTTPException) else 404
    return refusal(request, Refused(status, NOTHING_THERE, "address"))


async def failed(request: Request, error: Exception) -> Response:
    """A mistake of ours: the page is told so, the terminal shows it."""
    return refusal(request, Refused(500, MISTAKE))
