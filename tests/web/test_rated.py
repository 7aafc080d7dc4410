"""Games of people on the page that count: only for who agrees, as `apprenti play --rated` stores them."""

import json

import pytest

from apprenti.lab.people import Rated, rated_games
from apprenti.store.replay import digest_of

RATED = {"game": "tictactoe", "players": ["", "mnk-random"], "rated": "Ada"}


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def resigned(client, key):
    """Play one move and give up."""
    with client.live(key) as line:
        view = line.hear(until=lambda view: view["your_turn"])
        line.say(type="move", move=view["legal"][0])
        line.hear(until=lambda view: view["your_turn"] and view["number"] >= 2)
        line.say(type="resign")
        return line.hear(until=lambda view: view["outcome"])


def test_a_game_counts_when_it_is_over_and_only_if_it_was_agreed(client, tmp_path):
    resigned(client, client.post("/api/new", {**RATED, "rated": ""})["id"])
    key = client.post("/api/new", RATED)["id"]
    assert not (tmp_path / "people").exists()
    assert client.get("/api/people") == {"games": [], "wrong": []}
    assert resigned(client, key)["names"] == ["Ada", "mnk-random"]
    assert rated_games() == ([Rated("tictactoe", "Ada", "mnk-random", 0.0)], [])
    (ladder,) = client.get("/api/people")["games"]
    (met,) = ladder["meetings"]
    assert (ladder["game"], met["person"], met["counted"], met["share"]) == ("tictactoe", "Ada", [0, 0, 1], 0.0)
    assert 0 == met["low"] < met["high"] < 1
    assert {each["name"] for each in ladder["elo"]} == {"Ada", "mnk-random"}


def test_a_rated_game_that_was_taken_up_again_and_its_rematch_count_too(client):
    key = client.post("/api/new", RATED)["id"]
    del client.server.page.games.live[key]  # as after a server that was killed
    resigned(client, key)
    again = client.post(f"/api/rematch/{key}", {})["id"]
    resigned(client, again)
    games, wrong = rated_games()
    assert [each.points for each in games] == [0.0, 0.0] and not wrong


def test_nobody_is_asked_for_advice_in_a_game_that_counts(client):
    with client.live(client.post("/api/new", RATED)["id"]) as line:
        line.say(type="hint", agent="mnk-perfect")
        assert "advice" in line.hear("refused")["message"]
        line.say(type="resign")
        assert line.hear(until=lambda view: view["outcome"])["rated"] == "Ada"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"undo": True}, "taken back"),
        ({"rated": "../Ada"}, "without a slash"),
        ({"rated": ".Ada"}, "without a slash"),
        ({"rated": "   "}, "needs --name"),
        ({"rated": "A" * 81}, "at most 80"),
        ({"rated": "mnk-random"}, "name of your opponent"),
        ({"game": "tetris", "players": [""]}, "games for two"),
    ],
)
def test_what_cannot_be_counted_is_refused_before_a_move(client, said, why):
    assert why in client.post("/api/new", {**RATED, **said})["error"]


def test_only_a_new_game_counts(client):
    key = client.post("/api/new", {**RATED, "rated": ""})["id"]
    resigned(client, key)
    opened = client.post("/api/open", {"id": key})["id"]
    for path, said in (
        ("/api/new", {**RATED, "like": key}),
        (f"/api/continue/{opened}", {"players": RATED["players"], "rated": RATED["rated"], "move": 1}),
    ):
        assert "only if it is new" in client.post(path, said)["error"]


def test_a_strangers_game_file_writes_nothing_elsewhere(client, folder, tmp_path):
    key = client.post("/api/new", RATED)["id"]
    path = folder / f"{key}.json"
    data = json.loads(path.read_text())
    data["seating"]["rated"] = "../../elsewhere"
    path.write_text(json.dumps({**data, "digest": digest_of(data)}))
    del client.server.page.games.live[key]
    with client.live(key) as line:
        assert "without a slash" in line.hear("gone")["message"]
    assert not list(tmp_path.glob("**/elsewhere"))
