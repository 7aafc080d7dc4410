"""Replays on the page: verified, shown position by position, gone on with; a stranger's file does no harm."""

import json
import os
from functools import partial

import pytest

from apprenti.core.plugins import GAMES
from apprenti.core.seeds import Stream
from apprenti.games.tetris.agents.linear import LinearAgent
from apprenti.games.tetris.learn.genetic_algorithm import GeneticConfig
from apprenti.games.tetris.rules import Rules
from apprenti.lab.runs import population_of
from apprenti.lab.session import Session
from apprenti.lab.train import train
from apprenti.store.replay import digest_of
from apprenti.web.choices import agent_for
from apprenti.web.messages import WallAsked
from apprenti.web.scenes import scenes_of
from apprenti.web.school import School
from apprenti.web.wall import Wall, of_run
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


def test_a_wall_of_a_run_shows_the_players_of_its_newest_generation_and_then_of_the_next(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("apprenti.web.wall.SHOWN", 0.0)
    config = GeneticConfig(population=6, games=1, iterations=2, max_pieces=20, rules="simplified", size="5x6")
    run = train("ga", config, "bred")
    before = agent_for("bred", "tetris", School())
    assert agent_for("bred", "tetris", School()) is before
    os.utime(run.agent_path, (1, 1))  # the run has stored another agent
    assert agent_for("bred", "tetris", School()) is not before
    newest = population_of(run)
    assert (newest.generation, len(newest.players), newest.finished) == (2, 6, True)
    asked = WallAsked(game="tetris", run="bred", games=4, seed=7)
    wall = Wall(of_run(asked), partial(of_run, asked), None, 0.0)
    assert [session.names for session in wall.sessions] == [("1",), ("2",), ("3",), ("4",)]
    assert len({session.state.piece for session in wall.sessions}) == 1
    wall.games.generation, wall.games.finished = 1, False
    assert wall.is_next() and wall.games.generation == 2
    assert not wall.is_next() and wall.games.finished


def test_on_a_wall_the_kernel_makes_the_choices_of_the_readable_player():
    game = GAMES.load("tetris")
    agent = LinearAgent({"holes": -0.1, "bumpiness": -0.3, "sum_heights": -0.7})
    rules = game.rules(Rules.preset("simplified"), max_pieces=40)
    quick = scenes_of(game).quick(agent, rules)
    quick.compiling.result()
    played = [Session.new(game, rules, [each], ["it"], 3) for each in (agent, quick)]
    for session in played:
        session.play()
    assert played[0].moves == played[1].moves


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
