"""Learn, measure, reproduce over the page's addresses: what is answered, what is refused, what a stream misses."""

import http.client
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path

import pytest

from apprenti.agents.description import ANY_GAME
from apprenti.api import tournament
from apprenti.cli.main import main
from apprenti.lab.agents import zoo
from apprenti.lab.queue import Jobs
from apprenti.lab.results import csv_lines
from apprenti.lab.train import agents_named
from apprenti.learn.methods import METHODS, config_class
from apprenti.web.school import School, read_school
from apprenti.web.server import Server
from tests.lab.test_queue import until
from tests.web.client import Client, served

TABULAR = {"iterations": 4, "episodes": 10, "test_games": 2}
LONG = {"iterations": 100_000, "episodes": 10, "test_games": 0}
WORDS = [word for name, value in TABULAR.items() for word in (f"--{name.replace('_', '-')}", str(value))]


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """A folder of its own for runs, jobs and results, which are found from where one is."""
    before, folder = Path.cwd(), tmp_path_factory.mktemp("lab")
    os.chdir(folder)
    yield folder
    os.chdir(before)


@pytest.fixture(scope="module")
def client(here):
    with served(here / "replays") as server:
        client = Client(server)
        client.post("/api/jobs/at-once", {"number": 4})
        yield client
        for job in client.get("/api/jobs")["jobs"]:
            client.post(f"/api/jobs/{job['id']}/stop", {})


def state(client, run):
    return client.get(f"/api/runs/{run}")["state"]


@contextmanager
def events(client, path, after=""):
    """The events of a stream, as the page reads them: each its id and its data."""
    line = http.client.HTTPConnection("127.0.0.1", client.port, timeout=60)
    headers = {"Host": client.host, "Cookie": client.cookie} | ({"Last-Event-ID": after} if after else {})
    line.request("GET", path, headers=headers)
    answer = line.getresponse()

    def read():
        found = {}
        while "data" not in found:  # a sign of life has none
            while text := answer.readline().decode().rstrip("\n"):
                name, _, value = text.partition(": ")
                found[name] = value
        return found.get("id"), json.loads(found["data"])

    yield read
    line.close()


def rows_of(client, run, until_generation, after=""):
    found, last = [], after
    with events(client, f"/api/stream/runs?runs={run}", after) as read:
        while not found or found[-1]["generation"] < until_generation:
            last, event = read()
            found += event["rows"]
    return found, last


def test_a_run_of_the_page_equals_the_command_lines_to_the_bit(client, here):
    name = client.post("/api/train", {"method": "tabular", "options": TABULAR})["run"]
    until(lambda: state(client, name) == "done")
    assert main(["train", "tabular", *WORDS, "--name", "twin"]) == 0
    ours, theirs = (json.loads((here / f"runs/{run}/checkpoint.json").read_text()) for run in (name, "twin"))
    assert ours["state"] == theirs["state"]
    listed = {run["run"]: run for run in client.get("/api/runs")["runs"]}
    assert listed["twin"]["state"] == "done"  # one of the command line appears too
    assert client.get("/api/runs/twin")["command"] == ["apprenti", "train", "tabular", *WORDS, "--name", "twin"]


def test_pause_go_on_and_a_stream_that_is_cut_misses_nothing(client, here):
    name = client.post("/api/train", {"method": "tabular", "options": LONG, "name": "long"})["run"]
    first, last = rows_of(client, name, 3)
    assert client.post(f"/api/runs/{name}/remove", {})["error"].endswith("pause it first.")
    client.post(f"/api/runs/{name}/pause", {})
    until(lambda: state(client, name) == "paused")
    client.post(f"/api/runs/{name}/go-on", {})
    second, _ = rows_of(client, name, first[-1]["generation"] + 3, last)
    assert [row["generation"] for row in first + second] == list(range(1, second[-1]["generation"] + 1))
    assert "goes on already" in client.post(f"/api/runs/{name}/go-on", {})["error"]
    client.post(f"/api/runs/{name}/pause", {})
    until(lambda: state(client, name) == "paused")


def test_a_run_can_be_made_longer_and_removed(client, here):
    name = client.post("/api/train", {"method": "tabular", "options": TABULAR})["run"]
    until(lambda: state(client, name) == "done")
    refused = client.post(f"/api/runs/{name}/go-on", {"iterations": 4})
    assert refused["field"] == "iterations"
    client.post(f"/api/runs/{name}/go-on", {"iterations": 6})
    until(lambda: client.get(f"/api/runs/{name}")["generation"] == 6 and state(client, name) == "done")
    with events(client, f"/api/stream/runs?runs={name}") as read:
        read()
        assert client.post(f"/api/runs/{name}/remove", {}) == {}
        until(lambda: read()[1]["state"] == "gone")
    assert not (here / "runs" / name).exists()
    assert "no run called" in client.get(f"/api/runs/{name}")["error"]


def test_errors_of_a_form_are_the_learners_own_sentences(client):
    refused = client.post("/api/train", {"method": "ce", "options": {"size": "1x1"}})
    assert refused == {"error": "a board is 2 to 32 columns wide and 2 to 64 rows high, not 1x1.", "field": "size"}
    assert client.post("/api/train", {"method": "ce", "options": {"criteria": "/etc/passwd"}})["field"] == "criteria"
    assert client.post("/api/train", {"method": "ce", "name": "../x"})["field"] == "name"
    assert client.post("/api/train", {"method": "ce", "name": "dellacherie"})["field"] == "name"
    assert "did you mean" in client.post("/api/command", {"method": "sarsaa"})["error"]


@pytest.mark.parametrize("name", ["..", "%2e%2e%2fetc", "nobody", "jobs"])
def test_a_name_of_a_run_never_becomes_a_path(client, name):
    for path in (f"/api/runs/{name}", f"/api/runs/{name}/own"):
        assert client.ask("GET", path)[0] in (400, 404)
    assert client.ask("POST", f"/api/runs/{name}/remove", {})[0] in (400, 404)


def test_a_damaged_run_is_told_and_the_others_go_on(client, here):
    name = client.post("/api/train", {"method": "tabular", "options": TABULAR})["run"]
    until(lambda: state(client, name) == "done")
    (here / "runs/broken").mkdir()
    (here / "runs/broken/run.json").write_text("{")
    listed = {run["run"]: run for run in client.get("/api/runs")["runs"]}
    assert (listed["broken"]["state"], listed[name]["state"]) == ("damaged", "done")
    shutil.rmtree(here / "runs/broken")


def test_a_tampered_checkpoint_is_a_sentence_when_the_run_goes_on(client, here):
    name = client.post("/api/train", {"method": "tabular", "options": TABULAR})["run"]
    until(lambda: state(client, name) == "done")
    for path in (here / "runs" / name).glob("checkpoint*.json"):
        path.write_text(path.read_text().replace('"generation": ', '"generation": 1'))
    client.post(f"/api/runs/{name}/go-on", {"iterations": 9})
    until(lambda: state(client, name) == "failed")
    assert "no checkpoint of" in client.get(f"/api/runs/{name}")["sentence"]


def test_a_disk_that_takes_no_more_ends_a_run_with_a_sentence_and_it_goes_on_later(client, here):
    name = client.post("/api/train", {"method": "tabular", "options": LONG, "name": "full"})["run"]
    until(lambda: (here / "runs/full/checkpoint.json").exists())
    process = json.loads((Jobs().of("train", name).folder / "process.json").read_text())["pid"]
    resource.prlimit(process, resource.RLIMIT_FSIZE, (500, 500))  # its files take so many bytes
    until(lambda: state(client, name) == "failed")
    assert re.search("cannot write .*File too large", client.get(f"/api/runs/{name}")["sentence"])
    done = client.get(f"/api/runs/{name}")["generation"]
    client.post(f"/api/runs/{name}/go-on", {})
    until(lambda: client.get(f"/api/runs/{name}")["generation"] > done)
    client.post(f"/api/runs/{name}/pause", {})
    until(lambda: state(client, name) == "paused")


def test_the_agent_of_an_earlier_step_is_watched_and_measured(client, here):
    name = client.post("/api/train", {"method": "tabular", "options": {**TABULAR, "game": "tictactoe"}})["run"]
    until(lambda: state(client, name) == "done")
    assert client.get(f"/api/runs/{name}")["past"] == [1, 2, 3, 4]
    assert client.post("/api/new", {"game": "tictactoe", "players": [f"{name}@2", "mnk-random"]})["id"]
    assert measured(client, agents=[f"{name}@1", f"{name}@4"], games=4)["state"] == "done"
    for other in (f"{name}@9", f"{name}@../1", "nobody@1"):
        assert "not among" in client.post("/api/new", {"game": "tictactoe", "players": ["", other]})["error"]


def test_the_residual_of_a_solution_is_a_curve(client, here):
    asked = {"game": "gridworld", "gamma": 0.9, "residual": 1e-6, "name": "walker"}
    key = client.post("/api/measure/solve", asked)["id"]
    until(lambda: client.get(f"/api/measures/{key}")["state"] == "done")
    found = client.get(f"/api/measures/{key}")
    residuals = [row["residual"] for row in found["curve"]]
    assert residuals[-1] <= 1e-6 < residuals[0]
    assert (found["solved"]["agent"], found["solved"]["residual"]) == ("walker", residuals[-1])
    assert key in [each["id"] for each in client.get("/api/measures")["measures"]]
    for other, why in (({"game": "tictactoe"}, "a game for 2"), ({"gamma": 2}, "--gamma is from 0 to 1"),
                       ({"gamma": "much"}, "is a number"), ({"name": "../x"}, "a run is named")):  # fmt: skip
        assert why in client.post("/api/measure/solve", {**asked, **other})["error"]


def test_a_tournament_of_the_command_line_is_shown_while_it_goes_on(client, here):
    (here / "class").mkdir()
    for pupil, move in (("anna", "rng.choice(legal)"), ("ben", "legal[0]"), ("cleo", "99")):
        (here / f"class/{pupil}.py").write_text(f"def choose(observation, legal, rng):\n    return {move}\n")
    files = [f"class/{name}.py" for name in ("anna", "ben", "cleo")]
    words = ["tournament", *files, "--game", "tictactoe", "--games", "400", "--workers", "1", "--page"]
    process = subprocess.Popen([sys.executable, "-m", "apprenti", *words], stdout=subprocess.DEVNULL)
    until(lambda: any(each["name"] == "anna, ben, cleo" for each in client.get("/api/measures")["measures"]))
    key = client.get("/api/measures")["measures"][0]["id"]
    until(lambda: client.get(f"/api/measures/{key}")["results"])
    seen = client.get(f"/api/measures/{key}")
    assert (seen["state"], seen["command"]) == ("running", ["apprenti", *words[:-1]]), seen
    until(lambda: len(client.get(f"/api/measures/{key}")["results"]) > 1)
    (lost,) = client.get(f"/api/measures/{key}")["results"][1]["forfeits"]
    assert lost["agent"] == "cleo" and lost["games"] >= 1 and "cleo.py chose 99" in lost["why"]
    client.post(f"/api/jobs/{key}/stop", {})
    process.wait(60)
    assert client.get(f"/api/measures/{key}")["state"] == "stopped"


def measured(client, **asked):
    key = client.post("/api/measure", {"game": "tictactoe", "games": 20, "seed": 1, **asked})["id"]
    until(lambda: client.get(f"/api/measures/{key}")["state"] not in ("waiting", "running"))
    return client.get(f"/api/measures/{key}")


def test_a_mean_of_cut_games_is_that_of_what_was_played_also_if_nobody_died(client):
    measure = measured(client, game="tetris", agents=["random"], options={"size": "10x20", "max_pieces": 4}, games=3)
    (shown,) = measure["results"]
    assert (measure["state"], shown["deaths"], shown["games"]) == ("done", 0, 3)
    assert shown["mean"] == sum(shown["scores"]) / 3
    assert shown["estimated_mean"] is None and shown["estimated_ci95"][1] is None
    assert shown["five_numbers"][-1] == max(shown["scores"])


def test_the_command_of_a_measurement_leaves_out_what_was_unticked(client, capsys):
    measure = measured(client, game="tetris", agents=["random"], options={"preview": False}, games=1)
    assert "--no-preview" in measure["command"]
    main([*measure["command"][1:], "--json"])
    assert json.loads(capsys.readouterr().out)["description"] == measure["results"][0]["description"]


def test_the_rules_of_a_form_are_those_that_are_played_and_an_agents_own_are_told(client):
    asked = {"game": "tetris", "options": {}}
    usual = client.post("/api/rules", asked)
    assert (usual["on"], usual["changes"]) == ({"preview": True}, [])
    assert "next piece known" in usual["description"]
    without = client.post("/api/rules", {**asked, "options": {"preview": False}})
    assert (without["on"], without["changes"]) == ({"preview": False}, [])
    assert "next piece unknown" in without["description"]
    own = client.post("/api/rules", {**asked, "agent": "dellacherie"})
    assert own["on"] == {"preview": False}
    assert ["size", "10x22", "10x20"] in own["changes"] and ["preview", True, False] in own["changes"]
    kept = client.post("/api/rules", {**asked, "options": {"size": "6x12"}, "agent": "dellacherie"})
    assert "size" not in [name for name, _, _ in kept["changes"]]


def test_a_match_is_what_the_command_that_is_shown_prints(client, capsys):
    found = measured(client, agents=["mnk-perfect"], against="mnk-random")
    assert found["state"] == "done"
    assert found["command"][:3] == ["apprenti", "evaluate", "mnk-perfect"]
    main([*found["command"][1:], "--json"])
    printed = json.loads(capsys.readouterr().out)
    shown = found["results"][0]
    assert {name: shown[name] for name in ("won", "drawn", "lost")} == {n: printed[n] for n in ("won", "drawn", "lost")}


def test_a_tournament_has_ratings_and_every_game_as_csv(client):
    found = measured(client, agents=["mnk-perfect", "mnk-random", "mnk-one-ply"])
    assert {each["agent"] for each in found["ratings"]} == {"mnk-perfect", "mnk-random", "mnk-one-ply"}
    assert len(found["results"]) == 3
    strengths = tournament(["mnk-perfect", "mnk-random", "mnk-one-ply"], game="tictactoe", games=20, seed=1).ratings()
    for shown, rating in zip(found["ratings"], strengths, strict=True):
        assert (shown["ci95_low"], shown["ci95_high"]) == rating.interval
        assert shown["ci95_high"] - shown["elo"] == pytest.approx(1.96 * rating.error, rel=1e-4)
    status, headers, body = client.ask("GET", f"/api/measures/{found['id']}/csv")
    assert (status, headers["content-type"]) == (200, "text/csv; charset=utf-8")
    assert len(body.decode().splitlines()) == 1 + 3 * 20


def test_a_measurement_narrows_while_it_goes_on_and_keeps_what_it_knows_when_it_is_stopped(client):
    asked = {"game": "tictactoe", "agents": ["mcts:400"], "against": "mnk-random", "games": 100_000}
    key = client.post("/api/measure", asked)["id"]
    with events(client, f"/api/stream/measures/{key}") as read:
        seen = []
        while len(seen) < 2:
            _, event = read()
            if event["results"]:
                seen.append(event["results"][0]["games"])
    assert seen[1] > seen[0] > 0
    client.post(f"/api/jobs/{key}/stop", {})
    until(lambda: client.get(f"/api/measures/{key}")["state"] == "stopped")
    assert client.get(f"/api/measures/{key}")["results"][0]["games"] >= seen[1]


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"agents": []}, "needs agents"),
        ({"agents": ["mnk-perfect"] * 2}, "1 to 16 different agents"),
        ({"agents": ["/etc/passwd"]}, "opens no files|not among"),
        ({"agents": ["mnk-perfect"], "games": 10**7}, "games is from 1 to 100000"),
        ({"agents": ["mnk-perfect"], "precision": 0.1}, "for games for one"),
        ({"agents": ["mnk-perfect"], "rare": True}, "cannot be measured by --rare"),
        ({"agents": ["dellacherie"]}, "not among the agents of tictactoe"),
    ],
)
def test_what_cannot_be_measured_is_refused_before_it_begins(client, asked, sentence):
    refused = client.post("/api/measure", {"game": "tictactoe", "games": 10, **asked})
    assert re.search(sentence, refused["error"])


def test_the_zoo_and_an_agent_with_what_was_measured_here(client):
    agents = {agent["name"]: agent for agent in client.get("/api/zoo")["agents"]}
    assert agents["dellacherie"]["published"][0]["mean"] == 5_000_000
    measured(client, agents=["mnk-one-ply"], games=2)
    assert client.get("/api/agent/mnk-one-ply")["results"][0]["name"] == "mnk-one-ply"
    assert client.get("/api/agent/dellacherie")["config"]["weights"]["holes"] == -4
    assert "no agent called" in client.get("/api/agent/nobody")["error"]


def test_an_experiment_runs_short_beside_the_whole_one(client, here):
    name = "tictactoe-tournament"
    before = client.get(f"/api/experiments/{name}")
    assert (before["whole"], before["tables"]) == ({}, {"whole": [], "short": []})
    assert len(before["parts"]) == 3  # what it costs: each of three meets each
    client.post(f"/api/experiments/{name}/run", {"short": True})
    until(lambda: client.get(f"/api/experiments/{name}")["short"].get("complete"))
    found = client.get(f"/api/experiments/{name}")
    assert [table["headings"][0] for table in found["tables"]["short"]] == ["who", "player"]
    assert found["whole"] == {}
    assert not (here / "results" / name).exists()
    status, headers, _ = client.ask("GET", f"/api/experiments/{name}/picture?short=1")
    assert (status, headers["content-type"]) == (200, "image/png")


def test_a_thousand_runs_are_listed_page_by_page_and_quickly(tmp_path, monkeypatch):
    with served(tmp_path / "replays") as server:
        client = Client(server)
        one = tmp_path / "one"
        monkeypatch.chdir(tmp_path)
        assert main(["train", "tabular", *WORDS, "--name", "one"]) == 0
        shutil.move(tmp_path / "runs/one", one)
        for number in range(1000):
            shutil.copytree(one, tmp_path / f"runs/r{number:04}", copy_function=os.link)
        found = client.get("/api/runs")
        assert (found["count"], len(found["runs"])) == (1000, 50)
        client.get("/api/runs?first=950")
        began = time.perf_counter()
        found = client.get("/api/runs?first=950")
        assert len(found["runs"]) == 50
        assert client.get("/api/runs?find=r0007")["count"] == 1
        assert len(client.get("/api/agents/tictactoe")["agents"]) > 1000
        assert client.post("/api/new", {"game": "tictactoe", "players": ["", "r0007"]})["id"]
        assert time.perf_counter() - began < 5  # a bound against the square, not a measurement


def test_a_class_sees_what_its_file_says_and_pupils_have_their_own_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "class.toml").write_text(
        'title = "3B"\nlanguage = "fr"\npages = ["play", "runs"]\nlearners = ["tabular"]\n'
        'agents = ["mnk-perfect"]\ngames = ["tictactoe"]\npupils = ["anna", "ben"]\nat_once = 1\n'
    )
    school = read_school(tmp_path / "class.toml")
    server = Server(tmp_path / "replays", school=school)
    assert server.guard.keys.use(server.guard.keys.token)
    assert server.guard.keys.use(server.guard.keys.token)  # several browsers with the same address
    with running(server):
        client = Client(server)
        assert client.get("/api/class")["language"] == "fr"
        (game,) = client.get("/api/games")["games"]
        assert game["name"] == "tictactoe"
        assert game["opponent"] == "mnk-perfect"  # the usual one is not among those that the class sees
        assert client.post("/api/rules", {"game": "tictactoe"})["opponent"] == "mnk-perfect"
        assert [each["name"] for each in client.get("/api/methods")["methods"]] == ["tabular"]
        shown = [each["name"] for each in client.get("/api/agents/tictactoe")["agents"]]
        assert "mnk-perfect" in shown
        assert "sarsa-tictactoe" not in shown
        assert "say who you are" in client.post("/api/train", {"method": "tabular", "options": TABULAR})["error"]
        asked = {"method": "tabular", "options": TABULAR, "who": "anna"}
        assert client.post("/api/train", asked)["run"] == "anna.tabular-1"
        until(lambda: client.get("/api/runs?who=anna")["count"] == 1)
        assert client.get("/api/runs?who=ben")["count"] == 0
        assert client.get("/api/runs")["most"] == 1
        assert "no method called" in client.post("/api/train", {**asked, "method": "ce"})["error"]
        for hidden in ("/api/zoo", "/api/experiments/optima", "/api/wall?game=tictactoe", "/api/stream/measures/1"):
            status, _, body = client.ask("GET", hidden)
            assert (status, b"does not use the page" in body) == (403, True), hidden
        new = {"game": "tictactoe", "players": ["", "perfect"]}
        assert "say who you are" in client.post("/api/new", new)["error"]
        client.cookie += f"; apprenti-pupil-{client.port}=anna"
        assert client.post("/api/new", new)["id"]
        watched, hidden = {"players": ["perfect", "perfect"]}, {"players": ["", "random"]}
        for other, why in ((watched, "the page watch"), ({"players": []}, "the page watch"),
                           (hidden, "no agent called"), ({"game": "mnk"}, "no game called")):  # fmt: skip
            assert why in client.post("/api/new", {**new, **other})["error"]
        until(lambda: not client.get("/api/jobs")["jobs"])


def test_a_class_plays_no_agent_that_its_file_does_not_list(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    agents = ("luzhanqi-random", "mnk-random")
    school = School(agents=agents, games=("tictactoe", "luzhanqi"))
    server = Server(tmp_path / "replays", school=school)
    assert server.guard.keys.use(server.guard.keys.token)
    (tmp_path / "runs" / "learned").mkdir(parents=True)  # a name that is short for another agent
    best = {"method": "best-response", "options": {"initial_weights": ""}}
    with running(server):
        client = Client(server)
        for options in (
            {"against": "luzhanqi-learned"},
            {},
            {"against": "learned"},
            {"initial_weights": "luzhanqi-learned", "against": "luzhanqi-random"},
        ):
            asked = {**best, "options": {**best["options"], **options}}
            assert "no agent called" in client.post("/api/train", asked)["error"], options
        assert "no agent called" in client.get("/api/agent/mnk-perfect")["error"]
        assert client.get("/api/agent/mnk-random")["name"] == "mnk-random"
        ran = client.post("/api/experiments/tictactoe-tournament/run", {"short": True})
        assert "the agents of its class file only" in ran["error"]
        assert "no game called" in client.get("/api/wall?game=tetris&agent=random")["error"]
        assert not client.get("/api/jobs")["jobs"]


def test_every_option_of_a_learner_that_names_an_agent_is_known():
    for method in METHODS:
        config = config_class(method)()
        texts = {option.name: getattr(config, option.name) for option in fields(config)}
        agents = {name for name, text in texts.items() if text in [*zoo(), *ANY_GAME]} - {"rules", "criteria"}
        assert agents <= set(agents_named(config)), method


def test_the_opponent_of_a_measurement_is_what_was_asked_for_and_no_name_in_a_file(client, here):
    (here / "runs" / "liar").mkdir(parents=True)
    data = json.loads(zoo()["mnk-random"].read_text(encoding="utf-8"))
    (here / "runs" / "liar" / "agent.json").write_text(json.dumps({**data, "name": "mnk-perfect"}))
    (here / "runs" / "liar" / "run.json").write_text("{}")
    asked = {"game": "tictactoe", "agents": ["mnk-random"], "against": "liar", "games": 2}
    key = client.post("/api/measure", asked)["id"]
    assert Jobs().asked(Jobs().get(key))["options"]["against"] == "liar"
    shutil.rmtree(here / "runs" / "liar")


def test_one_broken_file_breaks_no_list(client, here):
    (here / "experiments").mkdir()
    (here / "runs" / "deep").mkdir(parents=True)
    for number, text in enumerate(("a = " + "[" * 5000, "a = " + "9" * 5000, "a = " + "[" * 900 + "]" * 900)):
        (here / "experiments" / f"broken-{number}.toml").write_text(text)
    (here / "experiments" / "gone.toml").symlink_to(here / "nowhere")
    (here / "experiments" / "long.toml").write_text(
        'title = "t"\nquestion = "q?"\nkind = "scores"\ngames = 2\nrow = [{game = "tetris", agent = "%s.json"}]\n'
        % ("x" * 300)
    )
    deep = '{"format": 1, "method": "sarsa", "config": {"a": %s}, "versions": {}}' % ("[" * 900 + "]" * 900)
    (here / "runs" / "deep" / "run.json").write_text(deep)
    listed = {each["name"]: each for each in client.get("/api/experiments")["experiments"]}
    assert "TOML" in listed["broken-0"]["question"] and "broken-1" in listed and "broken-2" in listed
    assert listed["tictactoe-tournament"]["title"] != "tictactoe-tournament"
    assert client.ask("GET", "/api/experiments/long")[0] == 200
    assert "deep" in [each["run"] for each in client.get("/api/runs")["runs"]]
    shutil.rmtree(here / "experiments"), shutil.rmtree(here / "runs" / "deep")


def test_games_with_other_names_than_the_first_are_csv_too():
    assert csv_lines([{"a": 1}, {"b": 2}]) == "a,b\n1,\n,2\n"


@contextmanager
def running(server):
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield
    finally:
        server.stop()
        thread.join(20)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("pages = ['nowhere']", "no page called 'nowhere'"),
        ("language = 'de'", "language is en or fr"),
        ("pupils = ['../x']", "a pupil is named"),
        ("colour = 'red'", "colour"),
        ("pages = ", "not TOML"),
    ],
)
def test_a_class_file_with_a_mistake_is_one_sentence(tmp_path, text, sentence):
    path = tmp_path / "class.toml"
    path.write_text(text)
    with pytest.raises(Exception, match=sentence):
        read_school(path)


def test_without_a_class_file_everything_is_open():
    assert not School().is_class
    assert School().pupil("anybody") == ""
    assert School().shows("dellacherie")
