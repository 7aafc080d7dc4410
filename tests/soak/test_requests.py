"""Strangers at the page's server: refused, and nobody else has to wait for it. `make soak PART=requests`."""

import contextlib
import random
import socket
import string
from time import monotonic

import pytest
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from tests.soak.campaign import campaign
from tests.web.client import Client, served

PAGE = "/api/games"
HOSTS = (
    "evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "127.0.0.1:{port}.evil.example", "",
    "[::2]:{port}", "0.0.0.0:{port}", "127.0.0.1:{port}:80", "user@127.0.0.1:{port}", "127.0.0.1:0{port}", "x" * 4000,
)  # fmt: skip
ORIGINS = (
    "http://evil.example", "null", "", "https://127.0.0.1:{port}", "http://localhost:{port}", "file://", "x" * 3000,
)  # fmt: skip
COOKIES = (
    "", "apprenti-{port}=", "apprenti-{port}=x", "apprenti-1={key}", "apprenti-{port}= {key}x", "x={key}", ";" * 3000,
)  # fmt: skip
PATHS = (
    "/", PAGE, "/api/new", "/static/../app.py", "/static/%2e%2e/%2e%2e/cli/main.py", "/static/..%5c..%5capp.py", "//x",
    "/live/../../x", "/api/replay/..%2f..%2fx", "/api/replay/%00", "/api/positions/x?from=" + "9" * 5000, "/%ff%fe",
    "/api/played?" + "a=b&" * 900, "/api/job/../../etc/passwd", "/?token=x", "/?token=" + "y" * 3000,
    "/api/" + "a/" * 900,
)  # fmt: skip
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "TRACE", "BREW", "get", "G" * 3000)
POST = b"POST /api/new HTTP/1.1\r\n"
GARBAGE = (
    b"\r\n\r\n", b"\0" * 999, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", POST + b"Content-Length: -1\r\n\r\n",
    POST + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 3000 + b"\r\n",
    POST + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nffffffffffffffff\r\n",
)  # fmt: skip
HALVES = (b"", b"GET / HTT", b"GET / HTTP/1.1\r\nHost: x\r\n", POST + b"Content-Length: 9\r\n\r\nx")
SOON = 5.0
"""Seconds within which a page of ours is answered, whatever strangers do."""


def request(client, rng):
    """One strange request, and whether it may be answered: only if nothing of it is strange."""
    fill = {"port": client.port, "key": client.cookie.partition("=")[2]}
    said = {"Host": client.host, "Origin": f"http://{client.host}", "Cookie": client.cookie}
    strange = rng.sample(("Host", "Origin", "Cookie"), rng.choice((1, 1, 2, 3)))
    for name in strange:
        said[name] = rng.choice({"Host": HOSTS, "Origin": ORIGINS, "Cookie": COOKIES}[name]).format(**fill)
    method, path = rng.choice(METHODS), rng.choice(PATHS)
    reads = strange == ["Origin"] and method in ("GET", "HEAD")
    body = "".join(rng.choices(string.printable, k=rng.choice((0, 10, 3000))))
    head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in said.items())
    return f"{head}Content-Length: {len(body.encode())}\r\nConnection: close\r\n\r\n{body}".encode(
        "latin-1", "replace"
    ), reads


def answer(client, blob):
    """The status that some bytes are answered with; 0 if the server hangs up."""
    with contextlib.suppress(ConnectionError), socket.create_connection(("127.0.0.1", client.port), 20) as line:
        line.sendall(blob)
        line.shutdown(socket.SHUT_WR)
        first = line.makefile("rb").readline(200).split()
        return int(first[1]) if len(first) > 1 and first[1].isdigit() else 0
    return 0


def strange_request(client, rng, held):
    blob, reads = request(client, rng)
    status = answer(client, blob)
    fine = status in (0, *range(400, 500)) or (reads and status in (200, 303))
    return "" if fine else f"{status} for {blob[:300]!r}"


def garbage(client, rng, held):
    blob = rng.choice(GARBAGE) if rng.random() < 0.7 else rng.randbytes(rng.choice((1, 100, 70_000)))
    status = answer(client, blob)
    return "" if status in (0, *range(400, 500)) else f"{status} for {blob[:200]!r}"


def half_a_request(client, rng, held):
    """Kept open and never ended, up to 200 of them."""
    line = socket.create_connection(("127.0.0.1", client.port), 20)
    line.sendall(rng.choice(HALVES))
    held.append(line)
    if len(held) > 200:
        held.pop(rng.randrange(len(held))).close()
    return ""


def flood(client, rng, held):
    """Many at once, from somebody without a cookie: they use up nobody's requests."""
    blob = f"GET {PAGE} HTTP/1.1\r\nHost: {client.host}\r\n\r\n".encode() * 700
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", client.port), 5) as line:
        line.sendall(blob)
    return ""


def stranger_listens(client, rng, held):
    """A WebSocket of a stranger is not accepted."""
    origin = rng.choice(ORIGINS).format(port=client.port)
    headers = {"Cookie": rng.choice((client.cookie, "x=y"))}
    try:
        connect(f"ws://{client.host}/live/x", origin=origin, additional_headers=headers, open_timeout=20).close()
    except (WebSocketException, OSError):
        return ""
    return f"a WebSocket from {origin!r} was accepted"


def slow_reader(client, rng, held):
    """A page that asks for all and reads nothing; the game goes on for others."""
    key = client.post("/api/new", {"game": "tictactoe", "players": ["mnk-random", "mnk-random"]}).get("id")
    if key is None:
        return ""  # all games that there may be are open
    with contextlib.suppress(WebSocketException), client.live(key) as line:
        line.socket.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        for _ in range(60):
            line.say(type="eyes", eyes=None)
    return ""


ATTACKS = (
    *(strange_request,) * 12,
    *(garbage,) * 4,
    half_a_request,
    half_a_request,
    stranger_listens,
    slow_reader,
    flood,
)


def cases(seed, client):
    """One attack after the other; after each a page of ours is answered soon."""
    rng, held = random.Random(seed), []
    try:
        while True:
            attack = rng.choice(ATTACKS)
            wrong = attack(client, rng, held)
            began = monotonic()  # a slow reader takes its time to close its line
            status = client.ask("GET", PAGE)[0]
            late = monotonic() - began
            yield wrong or (
                f"{attack.__name__}: our own page got {status} after {late:.1f} s"
                if status != 200 or late > SOON
                else ""
            )
    finally:
        for line in held:
            line.close()


@pytest.fixture
def client(tmp_path):
    with served(tmp_path) as server:
        yield Client(server)


def test_strange_requests(client):
    campaign("strange requests", cases(1, client))
