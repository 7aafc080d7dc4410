"""Replays on the page: verified, shown position by position, gone on with; a stranger's file does no harm."""

import json

import pytest

from apprenti.core.seeds import Stream
from apprenti.store.replay import digest_of
from tests.web.test_live import begun, play_out, yours


@pytest.fixture(scope="module")
def replay(client):
    key = begun(client)
    with client.live(key) as line:
        play_out(line, Stream(1))
    return json.loads(client.ask("GET", f"/api/replay/{key}")[2])


def opened(client, data, **changes):
    data = {**data, **changes}
    return sent(client, {**data, "digest": digest_of(data)})


def sent(client, data):
    return client.post("/api/open", {"text": json.dumps(data)})


def test_a_replay_is_played_again_and_has_a_position_for_every_move(client, replay):
    found = sent(client, replay)
    assert found["verified"]
    positions = client.get(f"/api/positions/{found['id']}?from=0&eyes=")["positions"]
    assert len(positions) == found["positions"] == len(replay["moves"].split()) + 1
    assert positions[0]["scene"]["cells"] == "." * 9
    assert positions[-1]["turn"] == -2


def test_a_replay_that_lies_is_shown_as_far_as_it_is_a_game_and_not_verified(client, replay):
    lie = opened(client, replay, outcome={"reason": "full", "winner": None, "truncated": False, "scores": [0.5, 0.5]})
    assert not lie["verified"]
    assert "played again" in lie["wrong"]
    cut = opened(client, replay, moves="4 4")
    assert not cut["verified"]
    assert cut["positions"] == 2


def test_an_altered_file_is_refused_by_its_digest(client, replay):
    assert "altered" in sent(client, {**replay, "moves": "4"})["error"]


HOSTILE = [
    {"game": "chess"}, {"format": 99}, {"rules": {"size": "9999x9999x3"}}, {"rules": None}, {"rules": {"size": 3}},
    {"opening": "X" * 100_000}, {"opening": "<script>alert(1)</script>"}, {"moves": 7}, {"players": 3},
    {"players": ["a"] * 50}, {"seed": "x"}, {"outcome": {"reason": "__class__"}}, {"measures": {"lines": "1e999"}},
    {"moves": "0 " * 60_000}, {"outcome": []}, {"players": [["x"], {}]},
]  # fmt: skip


@pytest.mark.parametrize("changes", HOSTILE, ids=lambda changes: str(changes)[:40])
def test_a_hostile_replay_is_a_sentence_or_not_verified(client, replay, changes):
    found = opened(client, replay, **changes)
    assert "error" in found or not found["verified"] or "players" in changes


@pytest.mark.parametrize("body", [b"", b"[]", b"\xff\xfe", b"[" * 100_000, b'{"text": 1}', b'{"text": "{}"}', b"{}"])
def test_what_is_no_replay_is_a_sentence(client, body):
    status, _, answer = client.ask("POST", "/api/open", body)
    assert status == 400
    assert json.loads(answer)["error"]


def test_one_goes_on_from_any_position_against_any_agent(client, replay):
    found = sent(client, replay)
    said = {"move": 2, "players": ["", "mnk-perfect"], "undo": True}
    key = client.post(f"/api/continue/{found['id']}", said)["id"]
    with client.live(key) as line:
        view = line.hear(until=yours)
        assert view["moves"] == replay["moves"].split()[:2]
        line.say(type="undo")
        assert line.hear(until=lambda each: each["number"] == 0)
    assert "error" in client.post(f"/api/continue/{found['id']}", {**said, "move": 99})


def test_a_wall_is_a_stream_of_boards_with_the_mean_of_the_games_that_ended(client):
    path = "/api/wall?game=tictactoe&agent=mnk-random&against=mnk-random&games=4&speed=1000&seed=1"
    status, headers, body = client.ask("GET", path)
    assert status == 200
    assert headers["content-type"].startswith("text/event-stream")
    events = [json.loads(part.partition("data: ")[2]) for part in body.decode().split("\n\n") if "data: " in part]
    last = events[-2]
    assert last["statistics"]["ended"] == 4
    assert 0 <= last["statistics"]["low"] <= last["statistics"]["mean"] <= last["statistics"]["high"] <= 1
    assert len(events[0]["boards"]) == 4


@pytest.mark.parametrize(
    "query", ["games=65", "games=0", "games=x", "seed=-1", "speed=-1", "options=[]", "options={", "agent=nobody"]
)
def test_a_wall_that_cannot_be_is_refused(client, query):
    base = {"game": "tictactoe", "agent": "mnk-random", "games": "4"}
    name, _, value = query.partition("=")
    from urllib.parse import urlencode

    status, _, body = client.ask("GET", f"/api/wall?{urlencode({**base, name: value})}")
    assert status == 400
    assert json.loads(body)["error"]
