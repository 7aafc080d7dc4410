"""How the addresses of the page answer: JSON, a stream of events, or one sentence about what is wrong."""

import asyncio
import json
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from apprenti.core.errors import ApprentiError, BadOption
from apprenti.lab.forms import BadForm
from apprenti.web.language import in_language, language_of
from apprenti.web.messages import Nothing, message_of, query_of
from apprenti.web.refusals import sentence_of
from apprenti.web.school import NotYours

Handler = Callable[[Request], Awaitable[Any]]
EVERY, BREATH = 0.4, 15.0
"""Seconds between two looks for news, and between two signs of life when there are none."""
MOST_STREAMS = 48
"""Streams of events at once."""


def answered(handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    """Answers with JSON in the reader's language; an error of the user is one sentence, with the field it is about."""

    async def answer(request: Request) -> Response:
        language = language_of(request)
        try:
            answer_data = await handler(request)
            if isinstance(answer_data, Response):
                return answer_data
            return Response(plain_json(in_language(answer_data, language)), media_type="application/json")
        except ApprentiError as error:
            about = {"field": error.field} if isinstance(error, BadForm) else {}
            words = in_language({**sentence_of(error), **about}, language)
            return JSONResponse(words, 403 if isinstance(error, NotYours) else 400)

    return answer


def reads(path: str, handler: Handler) -> Route:
    """An address that is read."""
    return Route(path, answered(handler), methods=["GET"])


class Asks(Route):
    """An address at which something is asked for, in a message (or a query) of one shape."""

    def __init__(self, path: str, handler: Callable[[Request, Any], Awaitable[Any]], shape: type, method: str) -> None:
        self.shape, self.posted = shape, method == "POST"

        async def asked(request: Request) -> Any:
            if method == "GET":
                return await handler(request, query_of(shape, request.query_params))
            return await handler(request, message_of(shape, await request.body()))

        super().__init__(path, answered(asked), methods=[method])


def writes(path: str, handler: Callable[[Request, Any], Awaitable[Any]], shape: type = Nothing) -> Asks:
    """An address at which something is asked for in a message."""
    return Asks(path, handler, shape, "POST")


class Streams:
    """Streams of events, counted as long as they are read."""

    def __init__(self) -> None:
        self.open = 0

    def of(self, news: Callable[[], list[str]]) -> Response:
        """A stream that asks for news, events as text, now and then in a thread of its own."""
        if self.open >= MOST_STREAMS:
            raise BadOption(f"{MOST_STREAMS} streams are read, which is all there may be: close some pages.")
        return StreamingResponse(self._events(news), media_type="text/event-stream")

    async def _events(self, news: Callable[[], list[str]]) -> AsyncIterator[str]:
        self.open += 1
        quiet = 0.0
        try:
            while True:
                events = await asyncio.to_thread(news)
                quiet = 0.0 if events else quiet + EVERY
                for event in events:
                    yield event
                if quiet >= BREATH:
                    quiet = 0.0
                    yield ": still here\n\n"
                await asyncio.sleep(EVERY)
        finally:
            self.open -= 1


def event_of(data: Any, identity: str = "") -> str:
    """One event; `identity` is what the page sends when it reads on after a lost line."""
    named = f"id: {identity}\n" if identity else ""
    return f"{named}data: {plain_json(data)}\n\n"


def plain_json(data: Any) -> str:
    """JSON in one line; numbers that JSON has no word for become null."""
    return json.dumps(_finite(data), ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _finite(data: Any) -> Any:
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, dict):
        return {name: _finite(value) for name, value in data.items()}
    return [_finite(value) for value in data] if isinstance(data, list | tuple) else data
