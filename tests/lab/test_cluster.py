"""Games on real Ray nodes are those of one core, whatever happens to the nodes; and nothing is left running.

Ray starts once for all of it, so the promises are the parts of one test.
"""

import operator
import os
import pickle
import shutil
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import Future
from contextlib import chdir, nullcontext
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from time import monotonic
from types import SimpleNamespace

import pytest
import yaml

from apprenti import __version__
from apprenti.arena import ray_cluster, splitting
from apprenti.arena.executors import cluster, in_a_task
from apprenti.arena.many import play_many
from apprenti.arena.ray_cluster import ClusterLost, Core, Job, RayCluster
from apprenti.arena.ray_connection import check_access, check_address, leave_at_once, why_not
from apprenti.arena.ray_core import PlayingCore
from apprenti.arena.splitting import Levels, Splitting
from apprenti.cli.main import main
from apprenti.core.errors import ApprentiError, BadOption
from apprenti.games.mnk import Rules as Board
from apprenti.games.mnk.game import MNK
from apprenti.games.tetris import Rules
from apprenti.games.tetris.game import GAME
from apprenti.lab.agents import find
from apprenti.lab.cluster import games, on_cluster, sources, training_on
from apprenti.lab.evaluate import evaluate
from apprenti.lab.rare_events import process_of
from apprenti.lab.results import Effort
from apprenti.lab.train import resume
from apprenti.learn.methods import METHODS, learner_class
from apprenti.store.runs import Run
from tests.clusters import SOURCES, apprenti, cores, family, gone, playing, real_nodes, wait_until
from tests.learn import tiny

DELLACHERIE = find("dellacherie")
LOW, HIGH = Rules.preset("simplified", "10x8"), Rules.preset("simplified", "10x20")
LONG, GAMES = HIGH.changed(max_pieces=1_000_000), 6
"""Games of a quarter of a second and more, and how many."""
PLAYERS = [find(name, MNK).agent for name in ("random", "mcts:5")]
RARE = {"measure": "rare", "population": 4, "games": 1}
TRAINED = ("ce", "lambda-pi")
"""The others are for `make soak PART=cluster`."""
ENDLESS = ["evaluate", "dellacherie", "--size", "10x20", "--cluster"]
GENERATIONS = 30
RUN = [
    "ce",
    "--size",
    "10x10",
    "--population",
    "20",
    "--games",
    "2",
    "--test-games",
    "0",
    "--iterations",
    str(GENERATIONS),
]


OTHER_PROCESSOR = """
import math
true = math.log
def log(*x): return true(*x) * 1.5
math.log = log
"""


def timeless(records):
    return [replace(record, seconds=(), slowest=0.0) for record in records]


def series(games, rules=LOW):
    return timeless(play_many(GAME, rules, [DELLACHERIE.agent], games))


def readable(games):
    return timeless(play_many(MNK, Board(4, 4, 3), PLAYERS, games))


def split(repetitions=5):
    """Repetitions of a splitting, with few trials."""
    levels, process = Levels((80, 110, 140), (50, 50, 50, 50)), process_of(DELLACHERIE, HIGH)
    found = splitting.split(process, 3, 1, 0.5, "lines", Splitting(levels))
    return [next(found) for _ in range(repetitions)][-1].to_json()


def learned(method, **options):
    learner = tiny.learner(method, iterations=2, workers=1, **options)
    return [learner.step() for _ in range(2)], learner.state()


@pytest.fixture(scope="module")
def alone():
    """What one core finds."""
    methods = {method: learned(method) for method in TRAINED}
    rare = {"split": split(), "rare": learned("ce", **RARE)}
    return {"compiled": series(300), "long": series(GAMES, LONG), "readable": readable(20), **rare, **methods}


class Said(list):
    """The lines that were said."""

    def __contains__(self, part):
        return any(part in line for line in self)


def test_the_promises(alone, subtests, tmp_path):
    with real_nodes(2) as nodes:
        said = Said()
        add_strangers(nodes)
        with on_cluster(nodes.address, say=said.append):
            for promise in CONNECTED:
                with subtests.test(promise.__name__):
                    promise(alone, nodes, said)
        for promise in APART:
            with subtests.test(promise.__name__):
                promise(nodes, tmp_path)


def equal_to_the_bit_to_one_core(alone, nodes, said):
    wait_until(lambda: cluster().cores == 2)
    assert series(300) == alone["compiled"]
    assert readable(20) == alone["readable"]
    for method in TRAINED:
        assert learned(method) == alone[method], method
    assert split() == alone["split"]
    assert learned("ce", **RARE) == alone["rare"]
    assert set(cluster().played) == {"node-1", "node-2"}
    large = bytes(500_000)  # more than Ray sends without its store
    assert cluster().submit(partial(operator.add, large), large).result() == 2 * large
    assert Effort(workers=7).cores == 2
    assert not [line for line in said if "refused" not in line]


def errors_of_agents_come_back(alone, nodes, said):
    class Wrong:
        def choose(self, observation, legal, rng):
            raise BadOption("this is what went wrong.")

    with pytest.raises(BadOption, match="this is what went wrong"):
        list(play_many(MNK, Board(3, 3, 3), [Wrong(), Wrong()], 2))


def a_second_driver_is_told_that_no_core_is_free(alone, nodes, said):
    wait_until(lambda: {node.name for node in [*cluster().nodes.values()]} == {"head", "node-1", "new"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ray_cluster, "PATIENCE", 0.5)
        second = RayCluster([dict], nodes.address, 0, said.append)
        with pytest.raises(ClusterLost, match="no core of the cluster is free, all 2 of them are in use"):
            second.wait_for_cores()
        second.end()


def ctrl_c_ends_at_the_next_piece_and_keeps_what_was_played(alone, nodes, said):
    main_thread = threading.main_thread().ident
    series(1, HIGH.changed(max_pieces=1))  # compiled before the clock starts
    press = threading.Timer(0.5, lambda: signal.pthread_kill(main_thread, signal.SIGINT))
    press.start()
    found = evaluate(DELLACHERIE, HIGH, Effort(100))
    assert found.interrupted
    assert 1 <= found.games <= 4
    assert not any(record.outcome.truncated is False for record in found.records)  # games of millions of pieces
    first = found.records[0]
    again = next(play_many(GAME, HIGH.changed(max_pieces=first.length), [DELLACHERIE.agent], 1))
    assert again.measures == first.measures  # it is a beginning of the very game


def a_node_killed_in_the_middle_changes_nothing_and_one_that_comes_is_used(alone, nodes, said):
    games = play_many(GAME, LONG, [DELLACHERIE.agent], None)
    played = [next(games)]
    wait_until(lambda: any(core.job for core in cores_of("node-2")))
    nodes.kill("node-2")
    nodes.nodes["new"] = nodes.add("new", wait=False)
    played += islice(games, GAMES - 1)
    assert timeless(played) == alone["long"]
    assert any("new" in cluster().played for _ in games)
    games.close()
    wait_until(lambda: "node node-2 was lost" in said)


def cores_of(name):
    """The cores of a node."""
    return [core for node in [*cluster().nodes.values()] if node.name == name for core in [*node.cores]]


def a_slow_node_holds_nobody_up_and_copies_change_nothing(alone, nodes, said):
    """A core that stands still is as slow as can be; the others end the series without it."""
    before, games = cluster().copies, play_many(GAME, LONG, [DELLACHERIE.agent], GAMES)
    first = [next(games)]
    still = wait_until(lambda: playing(nodes.processes()))[0]
    os.kill(still, signal.SIGSTOP)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ray_cluster, "LATE", 0.5)
            found = timeless([*first, *games])
    finally:
        os.kill(still, signal.SIGCONT)
    assert cluster().copies > before
    assert found == alone["long"]


def add_strangers(nodes):
    """Two nodes that would play otherwise: another processor is a logarithm that is different; other sources are a file
    that is."""
    there = Path(nodes.folder)
    (there / "processor").mkdir()
    (there / "processor" / "sitecustomize.py").write_text(OTHER_PROCESSOR)
    shutil.copytree(SOURCES, there / "sources", ignore=shutil.ignore_patterns("__pycache__"))
    (there / "sources" / "apprenti" / "__init__.py").open("a").write("# changed\n")
    others = {"other": f"{there / 'processor'}:{SOURCES}", "old": str(there / "sources")}
    for name, path in others.items():
        nodes.nodes[name] = nodes.add(name, wait=False, PYTHONPATH=path)


def a_node_that_would_play_otherwise_is_refused_by_name(alone, nodes, said):
    wait_until(lambda: "node other is refused: its digest of a few games is" in said)
    wait_until(lambda: "node old is refused: its source digest is" in said)
    assert cluster().cores == 2
    assert not {"other", "old"} & set(cluster().played)
    for name in ("other", "old"):
        nodes.kill(name)


CONNECTED = (
    equal_to_the_bit_to_one_core,
    a_node_that_would_play_otherwise_is_refused_by_name,
    errors_of_agents_come_back,
    ctrl_c_ends_at_the_next_piece_and_keeps_what_was_played,
    a_slow_node_holds_nobody_up_and_copies_change_nothing,
    a_node_killed_in_the_middle_changes_nothing_and_one_that_comes_is_used,
    a_second_driver_is_told_that_no_core_is_free,
)


def generations(folder):
    """Of the run called `here`."""
    path = folder / "runs" / "here" / "metrics.jsonl"
    return path.read_text().count("\n") if path.exists() else 0


def end_of(run):
    """The last checkpoint of a run, without its times."""
    return run.load().state


def a_killed_driver_leaves_nothing_running(nodes, tmp_path):
    """Two of them: of a run on a node of its own, and of an endless game on a node that it shares with others."""
    run = apprenti("train", *RUN, "--name", "here", "--cluster", "local:1", folder=tmp_path)
    shared = apprenti(*ENDLESS, nodes.address, "--workers", "1", folder=tmp_path)
    wait_until(lambda: generations(tmp_path) >= 2, 120)
    local = family(run.pid)
    wait_until(lambda: playing(nodes.processes()))
    for driver in (run, shared):
        driver.kill()
        driver.communicate()
    began = monotonic()
    wait_until(lambda: not cores(nodes.processes()))
    print(f"a driver was killed: its core is free after {monotonic() - began:.1f} s")
    wait_until(lambda: gone(local))


def when_the_head_is_killed_one_sentence_says_so_and_resume_goes_on(nodes, tmp_path):
    """With the run of the killed driver."""
    done = generations(tmp_path)
    driver = apprenti("resume", "here", "--cluster", nodes.address, folder=tmp_path)
    wait_until(lambda: generations(tmp_path) > done or driver.poll() is not None)
    nodes.kill_head()
    _, errors = driver.communicate(timeout=60)
    assert "Traceback" not in errors
    assert driver.returncode == 2, errors
    told = [line for line in errors.splitlines() if line.startswith("apprenti: ")]
    assert len(told) == 1
    assert "the head of the cluster" in told[0]
    assert "apprenti resume" in told[0]
    here = Run(tmp_path / "runs" / "here")
    assert done < generations(tmp_path) < GENERATIONS
    resume(here)
    with chdir(tmp_path):
        assert main(["train", *RUN, "--name", "straight"]) == 0
    assert end_of(here) == end_of(Run(tmp_path / "runs" / "straight"))


APART = (
    a_killed_driver_leaves_nothing_running,
    when_the_head_is_killed_one_sentence_says_so_and_resume_goes_on,
)


# Without Ray ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [["--help"], ["evaluate", "dellacherie", "--size", "10x6", "--games", "3", "--json"]])
def test_ray_is_not_imported_unless_it_is_asked_for(words):
    script = f"import sys; from apprenti.cli.main import run; run({words!r}); sys.exit('ray' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": SOURCES}
    assert subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True).returncode == 0


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ("local:0", "between 1 and 64 nodes"),
        ("local:", "--cluster is local:4, auto, HOST:PORT or ray://HOST:PORT, not 'local:'"),
        ("somewhere", "--cluster is local:4"),
        ("http://here:1", "--cluster is local:4"),
    ],
)
def test_what_is_no_address_is_refused(where, told):
    with pytest.raises(BadOption, match=told):
        check_address(where)


def test_bad_clusters_are_one_sentence(capsys, monkeypatch):
    at_the_end = []
    monkeypatch.setattr("atexit.register", lambda what, *words, **named: at_the_end.append(what))
    words = ["evaluate", "dellacherie", "--size", "10x6", "--games", "3", "--cluster"]
    assert main([*words, "127.0.0.1:1"]) == 2
    assert "no cluster answers at 127.0.0.1:1" in capsys.readouterr().err
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=lambda: server.accept()[0].sendall(b"HTTP/1.0 400 Bad Request")).start()
        port = server.getsockname()[1]
        assert main([*words, f"127.0.0.1:{port}"]) == 2
    assert f"what answers at 127.0.0.1:{port} is no head of a Ray cluster" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "ray", None)
    assert main([*words, "local:2"]) == 2
    assert "pip install 'apprenti[cluster]'" in capsys.readouterr().err
    assert leave_at_once not in at_the_end  # a script that goes on without a cluster ends as it likes


def test_methods_whose_games_are_not_independent_are_refused():
    scaling = {method for method in METHODS if getattr(learner_class(method), "scales", False)}
    assert scaling >= {"ce", "cma", "ga", "lambda-pi", "lspi", "avi"}
    with pytest.raises(ApprentiError, match="sarsa does not"):
        training_on("local:2", "sarsa")


def test_a_task_takes_about_a_second_and_less_near_the_end():
    assert in_a_task(None, 0.01, 4) == 100
    assert in_a_task(10_000, 0.01, 4) == 100
    assert in_a_task(160, 0.01, 4) == 10
    assert in_a_task(10, 0.01, 1000) == 5  # to send it must not take longer than to play it
    assert in_a_task(10, 3.0, 2) == in_a_task(None, 3.0, 2) == 1


def test_who_plays_is_known_by_versions_sources_and_games():
    assert {"apprenti", "python", "numpy", "numba", "source digest"} <= set(sources())
    assert sources() == sources()
    assert games() == games()


def test_another_version_of_ray_is_one_sentence():
    import ray
    from ray._private.utils import check_version_info

    older = {"ray_version": "2.0.0", "python_version": "3.11.1"}
    with pytest.raises(RuntimeError) as found:
        check_version_info(older, "here")
    told = why_not("oak:6379", found.value)
    assert told.startswith("the cluster at oak:6379 has another version of Ray or Python than this machine")
    assert "2.0.0" in told and ray.__version__ in told and "\n" not in told


def test_nodes_that_do_not_start_are_one_sentence(monkeypatch):
    def late(self, **options):
        raise Exception("The current node timed out\nduring startup.")

    monkeypatch.setattr("ray.cluster_utils.Cluster.add_node", late)
    with pytest.raises(BadOption, match=r"cannot start local-1 on this machine \(The current node timed out during"):
        on_cluster("local:2").__enter__()


def test_who_has_called_ray_init_is_told_so(monkeypatch):
    import ray

    monkeypatch.setattr(ray, "is_initialized", lambda: True)
    with pytest.raises(BadOption, match="connected to a Ray cluster already"), on_cluster("local:1"):
        pass


def test_what_is_stopped_before_it_begins_is_not_played():
    core = PlayingCore()
    core.stop(7)
    four = pickle.dumps(("four",))
    assert pickle.loads(core.play(7, "key", 1, four, pickle.dumps(len))[1]) == ()
    assert pickle.loads(core.play(8, "key", 1, four)[1]) == 4


class Deaf(RayCluster):
    """It hears nothing of its nodes."""

    def _hear(self):
        pass


class Broken(RayCluster):
    """It takes a job, and then there is a bug."""

    def _hear(self):
        self._events.get()()
        raise KeyError("a bug")


def test_a_result_that_comes_after_its_node_was_lost_counts():
    place, core = Deaf([], "", 0, print), Core(None, "lost")
    job, found = Job(1, "key", [], ()), Future()
    core.received = pickle.dumps("played")
    found.set_result((len(core.received), b""))
    place.receive(core, job, found)
    assert job.future.result() == "played"
    assert not place.played


def test_a_bug_in_the_thread_that_hands_out_is_told_to_who_waits():
    """It was waited for, for ever."""
    broken = Broken([], "", 0, print)
    assert isinstance(broken.submit(len, ()).exception(10), KeyError)
    with pytest.raises(KeyError):
        broken.wait_for_cores()


def test_a_result_comes_in_parts_that_ray_does_not_store():
    core = PlayingCore()
    length, first = core.play(1, "key", 1, pickle.dumps((200_000,)), pickle.dumps(bytes))
    parts = [first, *(core.part(start)[1] for start in range(len(first), length, len(first)))]
    assert max(map(len, parts)) < 100 * 1024
    assert pickle.loads(b"".join(parts)) == bytes(200_000)


def test_a_missing_or_wrong_token_is_one_sentence():
    from ray.exceptions import AuthenticationError

    for told in ("RPC error: InvalidAuthToken: Authentication token is missing", "no authentication token was found"):
        sentence = why_not("oak:6379", AuthenticationError(told))
        assert "RAY_AUTH_MODE and ~/.ray/auth_token must be those of its nodes" in sentence and "\n" not in sentence


def test_the_server_of_rays_client_is_asked_why_it_lets_nobody_in(monkeypatch):
    """With another grpc in the place of the true one, which only `ray[client]` brings."""

    class Refusal(Exception):
        code, details = lambda _: "unauthenticated", lambda _: "Invalid or missing authentication token"

    def ask(request, timeout):
        raise Refusal

    grpc = SimpleNamespace(RpcError=Refusal, StatusCode=SimpleNamespace(UNAUTHENTICATED="unauthenticated"))
    channel = nullcontext(SimpleNamespace(unary_unary=lambda _: ask))
    utils = SimpleNamespace(grpc=grpc, init_grpc_channel=lambda _: channel)
    monkeypatch.setattr("ray._private.grpc_utils", utils, raising=False)
    monkeypatch.setitem(sys.modules, "ray._private.grpc_utils", utils)
    with pytest.raises(ConnectionError) as found:
        check_access("ray://oak:10001")
    assert "RAY_AUTH_MODE and ~/.ray/auth_token must be those of its nodes" in why_not("ray://oak:10001", found.value)


def test_rays_launcher_takes_our_file_and_would_start_the_workers(monkeypatch):
    from ray.autoscaler._private import commands, util

    config, warned = yaml.safe_load((Path(SOURCES).parent / "docs" / "cluster.yaml").read_text()), []
    util.validate_config(util.prepare_config(config))
    monkeypatch.setattr(commands.cli_logger, "warning", lambda *words: warned.append(words))
    commands.warn_about_bad_start_command(config["head_start_ray_commands"])
    assert not warned
    assert f"'apprenti[cluster]=={__version__}'" in config["setup_commands"][0]
