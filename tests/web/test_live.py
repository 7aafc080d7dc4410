"""Games of the page: played move by move, on disk after every move, taken up again."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from time import sleep

import pytest

from apprenti.core.plugins import GAMES, Entry
from apprenti.core.protocols import CommonReason
from apprenti.core.seeds import Stream, pick
from apprenti.lab.session import Session
from apprenti.store.replay import read_replay
from apprenti.web.games import Games
from apprenti.web.live import LiveGame
from apprenti.web.messages import NewGame
from tests.web.client import Client, served

TICTACTOE = {"game": "tictactoe", "players": ["", "sarsa-tictactoe"], "seed": 3, "undo": True}


def begun(client, **said):
    answer = client.post("/api/new", {**TICTACTOE, **said})
    assert "id" in answer, answer
    return answer["id"]


def yours(message):
    return message["your_turn"] or message["outcome"]


def play_out(line, rng):
    """Any moves until the end; the last position."""
    view = line.hear(until=yours)
    while not view["outcome"]:
        before = view["number"]
        line.say(type="move", move=pick(rng, view["legal"] or list(view["scene"]["placements"])))
        view = line.hear(until=lambda each, before=before: each["outcome"] or (yours(each) and each["number"] > before))
    return view


@pytest.mark.parametrize("name", GAMES)
def test_every_game_can_be_played_to_its_end_and_its_file_is_a_verified_replay(client, folder, name):
    game = GAMES.load(name)
    others = "mcts:2" if game.family not in ("mnk", "luzhanqi") else f"{game.family}-random"
    options = {"tetris": {"max_pieces": 6}, "gomoku": {}, "luzhanqi": {"rules": "mini", "max_moves": 30}}.get(name, {})
    key = begun(client, game=name, players=["", *[others] * (game.players - 1)], options=options, undo=False)
    with client.live(key) as line:
        end = play_out(line, Stream(5))
        assert end["outcome"]["reason"] in {reason.code for reason in (*game.Reasons, *CommonReason)}
    replay = read_replay(folder / f"{key}.json")
    *_, last = replay.states()
    assert last.outcome == replay.outcome
    assert len(replay.moves) == end["number"]


def test_a_wrong_move_is_a_sentence_and_changes_nothing(client):
    with client.live(begun(client)) as line:
        before = line.hear(until=yours)
        for move in ("9", "x", "", "a" * 900, "-1", "\u0000", "P:1:0"):
            line.say(type="move", move=move)
            assert line.hear("refused")["message"].endswith(".")
        line.say(type="eyes", eyes=None)
        assert line.hear()["scene"] == before["scene"]


@pytest.mark.parametrize(
    "text", ["", "[]", "1", "{", '{"type": 1}', '{"type": "moves"}', "[" * 9000, '{"type":"move","move":5}']
)
def test_a_wrong_message_is_a_sentence(client, text):
    with client.live(begun(client)) as line:
        line.hear(until=yours)
        line.socket.send(text)
        assert line.hear("refused")["message"]


def test_moves_are_taken_back_and_the_same_can_be_played_again(client):
    with client.live(begun(client)) as line:
        first = line.hear(until=yours)
        line.say(type="move", move="4")
        line.hear(until=lambda view: yours(view) and view["number"] == 2)
        line.say(type="undo")
        assert line.hear(until=lambda view: view["number"] == 0)["scene"] == first["scene"]


def test_without_leave_no_move_is_taken_back(client):
    with client.live(begun(client, undo=False)) as line:
        line.hear(until=yours)
        line.say(type="undo")
        assert "not taken back" in line.hear("refused")["message"]


def test_who_resigns_has_lost_and_a_rematch_changes_sides_and_keeps_the_score(client):
    key = begun(client)
    with client.live(key) as line:
        line.hear(until=yours)
        line.say(type="resign")
        end = line.hear(until=lambda view: view["outcome"])
        assert (end["outcome"]["reason"], end["outcome"]["winner"], end["standing"]) == ("resigned", 1, [0, 0, 1])
    again = client.post(f"/api/rematch/{key}", {})["id"]
    with client.live(again) as line:
        view = line.hear(until=yours)
        assert (view["you"], view["players"], view["standing"]) == (1, ["sarsa-tictactoe", ""], [0, 0, 1])


def test_who_has_no_time_left_loses(client):
    with client.live(begun(client, minutes=0.0005)) as line:
        line.hear(until=yours)
        line.say(type="flag")
        while not (end := line.hear())["outcome"]:
            line.say(type="flag")
        assert (end["outcome"]["reason"], end["outcome"]["winner"]) == ("forfeit", 1)


def test_hints_tell_values_and_the_move(client):
    with client.live(begun(client)) as line:
        line.hear(until=yours)
        line.say(type="hint", agent="mnk-perfect")
        hint = line.hear("hint")
        assert set(hint["worth"]) == set(map(str, range(9)))
        assert hint["worth"][hint["move"]] == max(hint["worth"].values())
        line.say(type="hint", agent="bcts")
        assert "not among the agents" in line.hear("refused")["message"]


def test_a_game_survives_a_closed_tab_and_a_killed_server(tmp_path):
    with served(tmp_path) as server:
        client = Client(server)
        key = begun(client)
        with client.live(key) as line:
            line.hear(until=yours)
            line.say(type="move", move="4")
            before = line.hear(until=lambda view: yours(view) and view["number"] == 2)
        with client.live(key) as line:
            assert line.hear()["scene"] == before["scene"]
    with served(tmp_path) as server:
        client = Client(server)
        assert [each["id"] for each in client.get("/api/played")["games"]] == [key]
        with client.live(key) as line:
            after = line.hear(until=yours)
            changing = ("left", "thinking")
            assert {**after, **dict.fromkeys(changing)} == {**before, **dict.fromkeys(changing)}
            line.say(type="undo")
            assert line.hear(until=lambda view: view["number"] == 0)


def test_tetris_by_keys_is_stored_and_goes_on_with_the_same_pieces(tmp_path):
    said = {"game": "tetris", "players": [""], "seed": 9, "page": {"mode": "real"}, "options": {"preview": True}}
    keys = ["L0", "L0", "H0", "N", "R", "D", "T0", "N", "D", "P:3:0", "L0"]
    with served(tmp_path) as server:
        client = Client(server)
        key = begun(client, **said)
        with client.live(key) as line:
            line.hear()
            for move in keys:
                line.say(type="move", move=move)
            before = line.hear(until=lambda view: view["number"] == len(keys))
    with served(tmp_path) as server, Client(server).live(key) as line:
        assert line.hear()["scene"] == before["scene"]
    assert read_replay(tmp_path / f"{key}.json").moves == tuple(keys)


def test_a_race_has_the_same_pieces(client):
    key = begun(client, game="tetris", players=[""], seed=4)
    rival = client.post("/api/new", {"like": key, "players": ["random"]})["id"]
    with client.live(key) as own, client.live(rival) as other:
        assert own.hear()["scene"]["piece"] == other.hear()["scene"]["piece"]
        own.say(type="move", move="D")
        other.say(type="step", moves=1)
        mine, its = (line.hear(until=lambda view: view["scene"]["pieces"] == 1)["scene"] for line in (own, other))
        assert (mine["piece"], mine["next"]) == (its["piece"], its["next"])


def test_a_watched_game_is_the_session_of_its_seed(client):
    key = begun(client, game="tictactoe", players=["mnk-random", "mnk-random"], seed=11)
    with client.live(key) as line:
        while not (view := line.hear())["outcome"]:
            line.say(type="step", moves=1)
    game = GAMES.load("tictactoe")
    from apprenti.lab.agents import find

    agents = [find("mnk-random", game).agent] * 2
    session = Session.new(game, game.rules(), agents, ("a", "b"), 11)
    session.play()
    assert view["moves"] == session.moves


def test_an_agent_that_breaks_is_told_and_the_page_goes_on(client):
    key = begun(client)
    with client.live(key) as line:
        line.hear(until=yours)
        session = client.server.page.games.live[key].session
        session.agents = [session.agents[0], None]
        line.say(type="move", move="4")
        assert "mistake" in line.hear("refused")["message"]
        line.say(type="undo")
        assert line.hear(until=lambda view: view["number"] == 0)["your_turn"]


@pytest.mark.parametrize(
    "said",
    [
        {"game": "chess"}, {"players": []}, {"players": ["", ""]}, {"players": ["", "nobody"]}, {"players": ["", 3]},
        {"players": ["", "engine:/bin/true"]}, {"players": ["", "../../etc/passwd"]}, {"players": ["", "agent.py"]},
        {"players": ["", "mcts:1,x.py"]}, {"players": ["", "expectimax:./x.json"]}, {"seed": -1}, {"seed": 1.5},
        {"seed": "1"}, {"minutes": -1}, {"minutes": "x"}, {"options": {"size": "99x99x9"}}, {"options": []},
        {"options": {"nothing": 1}}, {"options": {"size": 3}}, {"setup": 3}, {"setup": "x" * 2000},
        {"page": {"mode": "<script>"}}, {"page": {str(n): "x" for n in range(50)}}, {"like": "../../x"},
        {"game": "tetris", "players": [""], "options": {"pieces": "/etc/passwd"}},
        {"game": "tetris", "players": [""], "options": {"pieces": "pyproject.toml"}},
        {"game": "tetris", "players": [""], "options": {"size": "900x900"}},
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_refused_with_one_sentence(client, said):
    status, _, body = client.ask("POST", "/api/new", {**TICTACTOE, **said})
    assert status == 400
    assert json.loads(body)["error"].strip()


@pytest.mark.parametrize("key", ["..", "../secret", "%2e%2e%2fother", "a/b", ".hidden", "\u0000", "x" * 3000])
def test_an_id_never_becomes_a_path(client, folder, key):
    from urllib.parse import quote

    (folder.parent / "secret.json").write_text('{"secret": 1}')
    for path in (f"/api/replay/{quote(key, safe='')}", f"/api/positions/{quote(key, safe='')}"):
        status, _, body = client.ask("GET", path)
        assert status in (400, 404)
        assert b"secret" not in body.replace(b"../secret", b"")
    assert "error" in client.post("/api/open", {"id": key[:900]})


def test_too_many_games_are_refused_only_while_all_are_looked_at(client, monkeypatch):
    monkeypatch.setattr("apprenti.web.games.MOST_GAMES", 2)
    keys = [begun(client) for _ in range(3)]
    with client.live(keys[0]) as first, client.live(keys[1]) as second:
        first.hear()
        second.hear()
        live = client.server.page.games.live
        for key in [key for key, game in live.items() if not game.pages]:
            del live[key]
        assert "games are open" in client.post("/api/new", TICTACTOE)["error"]
    with client.live(keys[2]) as third:  # from the disk again
        assert third.hear()["number"] == 0


def test_games_that_begin_at_the_same_time_make_room_one_after_the_other(tmp_path, monkeypatch):
    monkeypatch.setattr("apprenti.web.games.MOST_GAMES", 4)
    games, said = Games(tmp_path), NewGame(game="tictactoe", players=("random", "random"))

    async def begin():
        return await asyncio.gather(*(games.new(replace(said, seed=seed)) for seed in range(60)))

    monkeypatch.setattr(LiveGame, "busy", property(lambda game: sleep(0.002)))  # time for another to choose the same
    assert len(asyncio.run(begin())) == 60
    games.close()
    assert len(games.live) == 4


def test_an_option_that_is_a_fraction_is_taken_as_a_browser_writes_it(client, plug_in, monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "examples"))
    plug_in(games={"2048": Entry("game_2048:GAME", "tiles")})
    for fours in (0.5, 1, 0):
        key = begun(client, game="2048", players=[""], options={"fours": fours})
        assert client.server.page.games.live[key].session.rules.fours == fours
    asked = {"game": "2048", "players": [""], "options": {"fours": "1"}}
    assert "is a number, not '1'" in client.post("/api/new", asked)["error"]
