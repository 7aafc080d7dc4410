"""What breaks other servers: damaged files, absurd requests, agents that never answer, full disks, two tabs at once."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from apprenti.core.errors import BadFile
from apprenti.core.plugins import GAMES
from apprenti.store.replay import digest_of
from tests.web.client import Client, served
from tests.web.test_live import begun, yours

ABSURD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
    | st.sampled_from([10**400, -(2**63), "²", "\ud800", "../x", "9" * 999, "mcts:2", "1e9", "19x19x19", "99999999x9"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)  # fmt: skip
PATHS = ("/api/new", "/api/open", "/api/setup", "/api/rules", "/api/rematch/x", "/api/continue/x")
FIELDS = ("game", "options", "players", "seed", "minutes", "undo", "page", "setup", "side", "like", "text", "id")
CALM = {"deadline": None, "suppress_health_check": [HealthCheck.function_scoped_fixture], "database": None}


@seed(1)
@settings(max_examples=50, **CALM)
@given(data=st.data())
def test_no_request_is_so_absurd_that_the_server_makes_a_mistake(client, data):
    said = {"game": data.draw(st.sampled_from([*GAMES, "x"])), "players": ["", "mcts:2"]}
    said |= data.draw(st.dictionaries(st.sampled_from(FIELDS), ABSURD, max_size=3))
    game = GAMES.load(said["game"]) if isinstance(said["game"], str) and said["game"] in GAMES else None
    if game and data.draw(st.booleans()):
        names = [*game.Options.__dataclass_fields__]
        said["options"] = data.draw(st.dictionaries(st.sampled_from(names), ABSURD, max_size=2))
        said["players"] = ["", "mcts:2"][: game.players]
    path = data.draw(st.sampled_from(PATHS))
    status, _, body = client.ask("POST", path, json.dumps(said).encode())
    assert status in (200, 400, 429), (path, said, body)


@seed(2)
@settings(max_examples=25, **CALM)
@given(message=st.dictionaries(st.sampled_from(("type", "move", "moves", "eyes", "agent")), ABSURD),
       kind=st.sampled_from(("move", "step", "hint", "details", "undo", "flag", "eyes", "x")))  # fmt: skip
def test_no_message_is_so_absurd_that_the_server_makes_a_mistake(client, line, message, kind):
    line.say(**{"type": kind, **message})
    line.say(type="eyes", eyes=None)
    assert line.hear()["your_turn"]
    assert not any("mistake" in each.get("message", "") for each in line.heard)


@pytest.fixture(params=GAMES)
def line(client, request):
    game = GAMES.load(request.param)
    options = {"rules": "mini"} if request.param == "luzhanqi" else {}
    key = begun(client, game=request.param, players=["", "random"][: game.players], options=options, undo=False)
    with client.live(key) as line:
        line.hear(until=yours)
        yield line


@pytest.mark.parametrize(
    "query", ["from=%C2%B2", "from=" + "9" * 5000, "from=-1", "eyes=9", "from=1e3", "from=&eyes=x"]
)
def test_positions_are_asked_for_by_small_numbers(client, query):
    key = client.post("/api/open", {"id": begun(client)})["id"]
    assert client.ask("GET", f"/api/positions/{key}?{query}")[0] == 400


@pytest.mark.parametrize("query", ["games=%C2%B2", "speed=nan", "seed=" + "9" * 5000, "options=[[", "against=x",
                                   "options=[]", "agent=engine:true", "agent=../x", "run=x"])  # fmt: skip
def test_a_wall_is_asked_for_by_numbers_and_offered_names(client, query):
    usual = {"game": "tictactoe", "agent": "mnk-random", "games": "4"}
    name, _, value = query.partition("=")
    said = "&".join(f"{key}={word}" for key, word in {**usual, name: value}.items())
    status, _, body = client.ask("GET", f"/api/wall?{said}")
    assert (status, b"error" in body) == (400, True)


def test_walls_are_bounded(client, monkeypatch):
    monkeypatch.setattr("apprenti.web.app.MOST_WALLS", 0)
    assert "walls" in client.get("/api/wall?game=tictactoe&agent=mnk-random")["error"]


DAMAGES = [
    ("seating", 5), ("seating", {}), ("seating", None), ("seating.players", ["", "engine:/bin/true"]),
    ("seating.players", [1, 2]), ("seating.players", [""]), ("seating.minutes", 1e308), ("seating.minutes", "x"),
    ("seating.standing", ["x", 1, 2]), ("seating.standing", [1]), ("seating.seed", -1), ("seating.page", {"a": "<b>"}),
    ("seating.more", 1), ("left", "x"), ("left", -1), ("left", float("nan")), ("left", None), ("moves", "0 0"),
    ("moves", 77), ("opening", "x"), ("rules", {}), ("players", []), ("game", "x"), ("format", 99),
]  # fmt: skip


@pytest.mark.parametrize("digested", [True, False])
@pytest.mark.parametrize(("place", "value"), DAMAGES)
def test_a_damaged_file_is_a_sentence_and_the_others_are_listed(client, folder, place, value, digested):
    whole, key = begun(client), f"damaged-{abs(hash((place, str(value), digested)))}"
    data = json.loads((folder / f"{whole}.json").read_text())
    outer, _, inner = place.partition(".")
    data |= {outer: {**data[outer], inner: value} if inner else value}
    data["digest"] = digest_of(data) if digested else data["digest"]
    (folder / f"{key}.json").write_text(json.dumps(data))
    for ask in (("GET", f"/api/replay/{key}"), ("POST", "/api/open", {"id": key}), ("POST", f"/api/rematch/{key}", {})):
        assert client.ask(*ask)[0] in (200, 400), ask
    with client.live(key) as line:
        assert line.hear("gone")["message"].endswith(".")
    assert whole in [each["id"] for each in client.get("/api/played")["games"]]


def test_folders_pipes_links_to_nowhere_and_huge_files_are_passed_over(tmp_path, monkeypatch):
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "nowhere.json").symlink_to(tmp_path / "gone")
    (tmp_path / "bytes.json").write_bytes(bytes(range(256)))
    (tmp_path / "huge.json").write_bytes(b"[" * 2000)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.json")
    monkeypatch.setattr("apprenti.web.games.LARGEST", 1999)
    with served(tmp_path) as server:
        client = Client(server)
        key = begun(client)
        assert [each["id"] for each in client.get("/api/played")["games"]] == [key]
        for name in ("folder", "nowhere", "bytes", "huge", "pipe"):
            assert "error" in client.post("/api/open", {"id": name})


class Waits:
    """An agent that answers when it is let."""

    def __init__(self):
        self.asked, self.let = threading.Event(), threading.Event()

    def choose(self, observation, legal, rng):
        self.asked.set()
        self.let.wait(30)
        return legal[0]


@pytest.fixture
def waiting(client):
    """A game whose opponent does not answer, and the opponent."""
    key, agent = begun(client), Waits()
    session = client.server.page.games.live[key].session
    session.agents = [session.agents[0], agent]
    with client.live(key) as line:
        line.hear(until=yours)
        line.say(type="move", move="4")
        assert agent.asked.wait(20)
        yield line, agent, key
        agent.let.set()


def test_the_persons_move_is_shown_and_on_disk_while_the_agent_thinks(waiting, folder):
    line, _, key = waiting
    assert line.hear(until=lambda view: view["thinking"])["number"] == 1
    assert json.loads((folder / f"{key}.json").read_text())["moves"] == "4"


def test_one_can_resign_while_an_agent_thinks_and_its_answer_comes_too_late(waiting, client):
    line, agent, key = waiting
    line.say(type="resign")
    end = line.hear(until=lambda view: view["outcome"])
    assert (end["outcome"]["reason"], end["number"]) == ("resigned", 1)
    agent.let.set()
    again = client.post(f"/api/rematch/{key}", {})
    assert "id" in again
    time.sleep(0.1)
    with client.live(key) as other:
        assert other.hear()["number"] == 1


def test_one_can_take_back_while_an_agent_thinks_and_play_something_else(waiting):
    line, agent, _ = waiting
    line.say(type="undo")
    line.hear(until=lambda view: view["number"] == 0)
    agent.asked.clear()
    line.say(type="move", move="8")
    assert agent.asked.wait(20)
    agent.let.set()
    view = line.hear(until=lambda view: yours(view) and view["number"] == 2)
    assert view["moves"] == ["8", "0"]


def test_agents_that_never_answer_hold_up_no_other_game(client, monkeypatch):
    waits = [Waits() for _ in range(6)]
    lines = []
    for agent in waits:
        key = begun(client)
        session = client.server.page.games.live[key].session
        session.agents = [session.agents[0], agent]
        line = client.live(key)
        lines.append(line)
        opened = line.__enter__()
        opened.hear(until=yours)
        opened.say(type="move", move="4")
        assert agent.asked.wait(20)
    try:
        with client.live(begun(client)) as line:
            line.hear(until=yours)
            line.say(type="move", move="4")
            assert line.hear(until=lambda view: yours(view) and view["number"] == 2)
    finally:
        for agent, line in zip(waits, lines, strict=True):
            agent.let.set()
            line.__exit__(None, None, None)


def test_a_game_that_thinks_is_not_forgotten(waiting, client, monkeypatch):
    line, _, key = waiting
    line.socket.close()
    monkeypatch.setattr("apprenti.web.games.MOST_GAMES", 1)
    games = client.server.page.games
    for other in [other for other in games.live if other != key]:
        del games.live[other]
    game = games.live[key]
    while game.pages:
        time.sleep(0.01)
    assert "games are open" in client.post("/api/new", {"game": "tictactoe", "players": ["", "random"]})["error"]
    assert games.live[key] is game


def test_two_tabs_show_one_game_and_only_one_of_two_moves_at_once_counts(client):
    key = begun(client)
    with client.live(key) as one, client.live(key) as two:
        one.hear(until=yours)
        two.hear(until=yours)
        one.say(type="move", move="4")
        two.say(type="move", move="8")
        ends = [line.hear(until=lambda view: yours(view) and view["number"] >= 2) for line in (one, two)]
        assert ends[0]["moves"][:2] == ends[1]["moves"][:2]
        assert ends[0]["movers"][:2] == [0, 1]


def test_many_hints_at_once_are_refused_with_a_sentence(client, monkeypatch):
    waits = Waits()
    monkeypatch.setattr("apprenti.web.live.advice", lambda *words: waits.choose(None, [{}], None))
    with client.live(begun(client)) as line:
        line.hear(until=yours)
        for _ in range(20):
            line.say(type="hint", agent="mnk-random")
        assert "wait for the answers" in line.hear("refused")["message"]
        waits.let.set()


def test_a_disk_that_takes_no_more_is_told_and_the_game_goes_on(client, monkeypatch):
    with client.live(begun(client)) as line:
        line.hear(until=yours)

        def full(path, *words):
            raise BadFile(f"cannot write {path.name}: No space left on device.")

        monkeypatch.setattr("apprenti.web.live.write_json", full)
        line.say(type="move", move="4")
        view = line.hear(until=lambda view: yours(view) and view["number"] == 2)
        assert "No space left" in line.hear("refused")["message"]
        monkeypatch.undo()
        line.say(type="move", move=view["legal"][0])
        assert line.hear(until=lambda view: yours(view) and view["number"] >= 3)


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with served(tmp_path / "file") as server:
        client = Client(server)
        said = client.post("/api/new", {"game": "tictactoe", "players": ["", "random"]})
        assert "cannot write" in said["error"]


def test_cookies_of_other_programs_on_this_machine_lock_nobody_out(client):
    for others in ('a={"b":1}; {ours}', '{ours}; x="', "=; ;; @@=1; {ours}", "apprenti-1=2; {ours}"):
        assert client.ask("GET", "/api/played", Cookie=others.replace("{ours}", client.cookie))[0] == 200


def test_strangers_use_up_nobodys_requests(client):
    guard = client.server.guard
    before = guard.bucket.left
    for _ in range(50):
        assert client.ask("GET", "/api/games", Cookie="")[0] == 403
    assert guard.bucket.left >= before - 1


def test_a_page_that_never_reads_holds_up_nobody(client):
    key = begun(client, game="gomoku", players=["mnk-random", "mnk-random"])
    with client.live(key) as deaf, client.live(key) as line:
        deaf.socket.close_timeout = 0.1
        for _ in range(30):
            line.say(type="step", moves=1)
            line.hear()
        game = client.server.page.games.live[key]
        assert all(queue.qsize() <= 200 for queue in game.pages)


def test_half_a_request_holds_up_nobody(client):
    with socket.create_connection(("127.0.0.1", client.port)) as slow:
        slow.send(b"GET / HTTP/1.1\r\nHost: ")
        assert client.ask("GET", "/api/played")[0] == 200


def test_numbers_in_the_name_of_an_agent_are_bounded(client):
    said = {"game": "tictactoe", "players": ["", "mcts:999999999"]}
    assert "99,999" in client.post("/api/new", said)["error"]


def test_a_server_with_an_agent_that_never_answers_ends_when_it_is_told_to(tmp_path):
    words = [sys.executable, "-m", "apprenti", "web", "--no-browser", "--port", "0", "--folder", str(tmp_path)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        address = process.stdout.readline().split()[-1]

        class Served:
            port = int(address.split(":")[2].partition("/")[0])

        Served.address = address
        client = Client(Served)
        key = begun(client, game="gomoku", players=["mcts:99999", ""])
        with client.live(key) as line:
            line.hear(until=lambda view: view["thinking"])
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    assert (tmp_path / f"{key}.json").exists()


@pytest.mark.parametrize("text", ["é" * 200, "x" * 199, f"x@{'9' * 190}", "x" * 300 + ".json"])
def test_names_that_are_too_long_for_the_disk_are_sentences(client, text):
    named = quote(text)
    for ask in (
        ("POST", "/api/new", {"game": "tictactoe", "players": ["", text]}),
        ("POST", "/api/train", {"method": "best-response", "options": {"against": text, "initial_weights": text}}),
        ("POST", "/api/measure", {"game": "tetris", "agents": [f"linear:{text}"[:200]]}),
        ("GET", f"/api/wall?game=tetris&agent=linear:{named}"), ("GET", f"/api/agent/{named}"),
    ):  # fmt: skip
        status, _, body = client.ask(*ask)
        assert (status, b"error" in body) == (400, True), (ask, body[:200])
