"""Only this machine's browser, on our own page, is answered."""

import http.client
import json

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from apprenti.web.guard import BODY, Bucket

PAGE = "/api/games"


@pytest.mark.parametrize("host", ["127.0.0.1:{}", "localhost:{}", "LOCALHOST:{}", "[::1]:{}", "Localhost:{}"])
def test_our_own_names_are_answered_also_ipv6_and_upper_case(client, host):
    assert client.ask("GET", PAGE, Host=host.format(client.port))[0] == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example", "evil.example:{}", "127.0.0.1", "127.0.0.1:1", "localhost", "127.0.0.1:{}.evil.example",
        "evil.example#@127.0.0.1:{}", "[::1]", "[::2]:{}", "0.0.0.0:{}", "127.1:{}", "2130706433:{}", "",
        "127.0.0.1:{} evil.example", None,
    ],
)  # fmt: skip
def test_every_other_name_is_refused_as_after_dns_rebinding(client, host):
    status, _, body = client.ask("GET", PAGE, Host=host and host.format(client.port))
    assert status in (400, 421)
    assert b"games" not in body


def test_two_hosts_are_none(client):
    line = http.client.HTTPConnection("127.0.0.1", client.port, timeout=20)
    line.putrequest("GET", PAGE, skip_host=True)
    for host in (client.host, "evil.example"):
        line.putheader("Host", host)
    line.putheader("Cookie", client.cookie)
    line.endheaders()
    assert line.getresponse().status in (400, 421)
    line.close()


FOREIGN = ["http://evil.example", "null", "", "https://127.0.0.1:{}", "http://127.0.0.1", "http://localhost:{}",
           "http://127.0.0.1:{}/", "HTTP://127.0.0.1:{}", "http://127.0.0.1:{}.evil.example"]  # fmt: skip


@pytest.mark.parametrize("origin", [*FOREIGN, None])
def test_a_writing_request_comes_from_our_page_exactly(client, origin):
    data = {"game": "tictactoe", "players": ["", "mnk-random"]}
    assert client.ask("POST", "/api/new", data, Origin=origin and origin.format(client.port))[0] == 403


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_websocket_comes_from_our_page_exactly(client, origin):
    key = client.post("/api/new", {"game": "tictactoe", "players": ["", "mnk-random"]})["id"]
    with pytest.raises(InvalidStatus) as refused, client.live(key, origin=origin.format(client.port)):
        pass
    assert refused.value.response.status_code == 403


def test_a_websocket_without_origin_or_cookie_is_refused(client):
    address = f"ws://{client.host}/live/0000000000000000"
    for headers in ({"Cookie": client.cookie}, {"Origin": f"http://{client.host}"}, {}):
        with pytest.raises(InvalidStatus), connect(address, additional_headers=headers):
            pass


@pytest.mark.parametrize("cookie", ["", "apprenti=1", "apprenti-{}=wrong", "apprenti-{}=", ";;;=\x7f"])
def test_without_the_cookie_nothing_is_told(client, cookie):
    for path in ("/", PAGE, "/static/main.js", "/api/played", "/?token=wrong", "/?token="):
        status, _, body = client.ask("GET", path, Cookie=cookie.format(client.port))
        assert status == 403
        assert b"open the newest address" in body


def test_an_address_is_good_for_once_and_the_cookie_is_kept_from_scripts_and_strangers(client):
    path = client.server.address.partition(client.host)[2]
    status, headers, _ = client.ask("GET", path, Cookie=None)
    assert status == 303
    assert headers["location"] == "/"
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(headers["set-cookie"].split("; "))
    assert client.ask("GET", path, Cookie=None)[0] == 403
    assert client.server.address.partition(client.host)[2] != path


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"])
def test_methods_are_those_of_a_list(client, method):
    assert client.ask(method, PAGE)[0] == 405


def test_every_answer_forbids_framing_strangers_and_inline_scripts(client):
    for path, cookie in (("/", client.cookie), (PAGE, client.cookie), ("/nothing", client.cookie), ("/", "")):
        headers = client.ask("GET", path, Cookie=cookie)[1]
        rules = dict(part.strip().partition(" ")[::2] for part in headers["content-security-policy"].split(";"))
        assert rules["default-src"] == "'none'"
        assert rules["script-src"] == rules["style-src"] == "'self'"
        assert rules["frame-ancestors"] == rules["base-uri"] == rules["form-action"] == "'none'"
        assert headers["x-frame-options"] == "DENY"
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers


def test_a_large_request_is_refused_also_when_it_lies_about_its_size(client):
    assert client.ask("POST", "/api/open", b" " * (BODY + 1))[0] == 413
    line = http.client.HTTPConnection("127.0.0.1", client.port, timeout=20)
    line.putrequest("POST", "/api/open", skip_host=True)
    said = {"Host": client.host, "Origin": f"http://{client.host}", "Cookie": client.cookie}
    for name, value in {**said, "Transfer-Encoding": "chunked"}.items():
        line.putheader(name, value)
    line.endheaders()
    chunk = b" " * 100_000
    for _ in range(BODY // len(chunk) + 2):
        line.send(b"%x\r\n%s\r\n" % (len(chunk), chunk))
    line.send(b"0\r\n\r\n")
    assert line.getresponse().status == 413
    line.close()


def test_a_bucket_lets_a_burst_through_and_then_so_many_a_second():
    now = [0.0]
    bucket = Bucket(10, 3, lambda: now[0])
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now[0] = 0.1
    assert [bucket.take() for _ in range(2)] == [True, False]


def test_too_many_messages_are_refused_with_a_sentence_and_the_game_goes_on(client, monkeypatch):
    monkeypatch.setattr("apprenti.web.app.MESSAGES_AT_ONCE", 5.0)
    monkeypatch.setattr("apprenti.web.app.MESSAGES", 1.0)
    key = client.post("/api/new", {"game": "tictactoe", "players": ["", "mnk-random"]})["id"]
    with client.live(key) as line:
        line.hear()
        for _ in range(8):
            line.socket.send(json.dumps({"type": "eyes", "eyes": None}))
        assert "too many messages" in line.hear("refused")["message"]
    with client.live(key) as line:
        line.say(type="move", move="4")
        assert line.hear(until=lambda view: view["number"] >= 1)


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2f..%2fcli/main.py", "/static//etc/passwd"]
)
def test_nothing_outside_the_page_is_served(client, path):
    assert client.ask("GET", path)[0] in (400, 404)
