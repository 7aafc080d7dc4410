"""Who may speak to the page's server: this machine's browser, opened with the address that the terminal shows.

A stranger's page in the same browser can send requests to 127.0.0.1, by its own name even (DNS rebinding). So every
request must name a host of ours; a WebSocket and every writing request must come from our own page (an exact Origin);
and all but the first must carry a cookie, which is given once, for the token in the address.
"""

import hmac
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from time import monotonic
from urllib.parse import parse_qs

from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from apprenti.core.data import JsonData
from apprenti.web.refusals import Refused, refusal

READING, WRITING = ("GET", "HEAD"), ("POST",)
BODY = 2_000_000
"""Bytes of a request; a replay of a very long game has fewer."""
RATE, BURST = 300.0, 600.0
"""Requests a second, and how many may come at once."""
USED = "this address was used before or is not the one the terminal shows: open the newest address it shows."

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' ws://{host}; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "cache-control": "no-cache",
}


@dataclass
class Bucket:
    """How often something may happen: `rate` a second in the long run, `burst` at once."""

    rate: float = RATE
    burst: float = BURST
    clock: Callable[[], float] = monotonic

    def __post_init__(self) -> None:
        self.left, self._since = self.burst, self.clock()

    def take(self) -> bool:
        """Whether it may happen now."""
        now = self.clock()
        self.left = min(self.burst, self.left + (now - self._since) * self.rate)
        self._since = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


@dataclass
class Keys:
    """The token of the next address, good for once, and the cookie that it is exchanged for."""

    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    cookie: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    once: bool = True
    """Whether a token is spent when it is used; a class opens many browsers with the same one."""

    def use(self, token: str) -> bool:
        """Whether this is the token; it is spent then, and another one is good for the next browser."""
        if not hmac.compare_digest(token.encode(), self.token.encode()):
            return False
        if self.once:
            self.token = secrets.token_urlsafe(24)
        return True


@dataclass
class Guard:
    """Lets through what may come in; answers everything else with a sentence."""

    app: ASGIApp
    port: int
    keys: Keys = field(default_factory=Keys)
    on_used: Callable[[], None] = lambda: None
    """Told when an address has been used, so that the next one can be shown."""
    bucket: Bucket = field(default_factory=Bucket)

    def __post_init__(self) -> None:
        self.hosts = frozenset(f"{name}:{self.port}" for name in ("127.0.0.1", "localhost", "[::1]"))

    @property
    def cookie_name(self) -> str:
        """Cookies are shared by all ports of a machine, so the name has the port."""
        return f"apprenti-{self.port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request and pass it on."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        host = ""
        try:
            host = self._host(scope)
            self._check(scope, host)
            if self._is_first(scope):
                first = Response(status_code=303, headers={"location": "/", "set-cookie": self._set_cookie()})
                await first(scope, receive, _with_headers(send, host))
                self.on_used()
                return
            await self.app(scope, _bounded(scope, receive), _with_headers(send, host))
        except Refused as refused:
            await _refuse(scope, receive, send, refused, host)

    def _host(self, scope: Scope) -> str:
        """The host that was asked for, if it is one of ours."""
        named = _headers(scope, b"host")
        if len(named) != 1 or named[0].lower() not in self.hosts:
            raise Refused(421, "this server answers to 127.0.0.1, localhost and [::1] with its own port only.")
        return named[0].lower()

    def _check(self, scope: Scope, host: str) -> None:
        """Refuse what does not come from our own page."""
        method = scope.get("method", "GET")
        if method not in (*READING, *WRITING):
            raise Refused(405, f"{method[:20]} is not answered here: GET, HEAD and POST are.")
        if scope["type"] == "websocket" or method in WRITING:
            origins = _headers(scope, b"origin")
            if origins != [f"http://{host}"]:
                raise Refused(403, "this request does not come from the page itself.")
        if not self._is_first(scope) and not self._is_known(scope):
            raise Refused(403, USED, "cookie")
        if not self.bucket.take():  # last, so that strangers use up no requests of ours
            raise Refused(429, "too many requests: wait a second.")

    def _is_first(self, scope: Scope) -> bool:
        """Whether this is the address of the terminal; asked twice for a request, it is spent once."""
        if scope["type"] != "http" or scope["path"] != "/" or scope["method"] != "GET":
            return False
        if "apprenti.first" not in scope:
            tokens = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])
            scope["apprenti.first"] = self.keys.use(tokens[0])
        return bool(scope["apprenti.first"])

    def _is_known(self, scope: Scope) -> bool:
        """Whether the request carries the cookie."""
        pairs = (pair.partition("=") for line in _headers(scope, b"cookie") for pair in line.split(";"))
        ours = [value.strip() for name, _, value in pairs if name.strip() == self.cookie_name]
        return any(hmac.compare_digest(value.encode(), self.keys.cookie.encode()) for value in ours)

    def _set_cookie(self) -> str:
        return f"{self.cookie_name}={self.keys.cookie}; HttpOnly; SameSite=Strict; Path=/"


def _headers(scope: Scope, name: bytes) -> list[str]:
    """All values of a header."""
    return [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name]


def _bounded(scope: Scope, receive: Receive) -> Receive:
    """Reads the body of a request, and no more of it than is allowed."""
    lengths = _headers(scope, b"content-length")
    if lengths and (not lengths[0].isdecimal() or int(lengths[0]) > BODY):
        raise Refused(413, f"a request has at most {BODY:,} bytes.")
    seen = 0

    async def bounded() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > BODY and message["type"] == "http.request":
            raise Refused(413, f"a request has at most {BODY:,} bytes.")
        return message

    return bounded


def _safe(host: str) -> list[tuple[bytes, bytes]]:
    """The headers that every answer has."""
    headers = {**HEADERS, "content-security-policy": CSP.format(host=host or "127.0.0.1")}
    return [(name.encode(), value.encode()) for name, value in headers.items()]


def _with_headers(send: Send, host: str) -> Send:
    """Adds the headers to every answer."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            own: Iterable[tuple[bytes, bytes]] = message.get("headers", ())
            message["headers"] = [*own, *_safe(host)]
        await send(message)

    return sending


async def _refuse(scope: Scope, receive: Receive, send: Send, refused: Refused, host: str) -> None:
    """Say why a request is not answered; a WebSocket is not accepted."""
    if scope["type"] == "websocket":
        message: JsonData = {"type": "websocket.close", "code": 1008, "reason": str(refused)}
        await send(message)
        return
    await refusal(HTTPConnection(scope), refused)(scope, receive, _with_headers(send, host))
