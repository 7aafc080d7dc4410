"""A folder that one was given is data: none of its modules and settings is used, and nothing of it leads out."""

import ast
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import apprenti
from apprenti.arena.executors import Processes
from apprenti.core.children import command
from apprenti.core.errors import ApprentiError, BadFile, BadRules
from apprenti.core.plugins import GAMES
from apprenti.lab.exercises import Exercise, check_file, find_exercise
from apprenti.lab.experiments import known, read
from apprenti.lab.guarded import GuardedAgent, Limits
from apprenti.lab.jobs import Measure
from apprenti.lab.kinds.kind import Settings
from apprenti.lab.queue import Jobs
from apprenti.lab.reproduce import reproduce
from apprenti.store.files import read_bytes
from apprenti.store.runs import Run, fresh_run
from tests.contracts.test_programs import ask

SOURCES = Path(apprenti.__file__).parent
OTHERS = ("numpy", "numba", "llvmlite", "filelock", "matplotlib", "cloudpickle", "tyro", "rich", "starlette", "uvicorn",
          "safetensors", "yaml", "ray", "apprenti", "sitecustomize", "usercustomize")  # fmt: skip
EXPERIMENT = 'title = "t"\nquestion = "q"\nkind = "scores"\ngame = "tetris"\n[[row]]\nagent = "random"\n'


@pytest.fixture
def given(tmp_path, monkeypatch):
    """The folder one works in, with a module of every name; none of them may have been imported in the end."""
    folder, seen = tmp_path / "given", tmp_path / "seen"
    folder.mkdir()
    for name in {*sys.stdlib_module_names, *OTHERS}:
        (folder / f"{name}.py").write_text(f"open({str(seen)!r}, 'a').write(__name__ + ' ')\n")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("PYTHONPATH", str(SOURCES.parent))
    yield folder
    assert not seen.exists(), seen.read_text()


def test_the_modules_would_be_seen(given, tmp_path):
    """Python itself looks there first: else nothing here could fail."""
    subprocess.run([sys.executable, "-c", "import contextlib"], check=False, capture_output=True)
    assert "contextlib" in (tmp_path / "seen").read_text()
    (tmp_path / "seen").unlink()


def test_a_job_imports_nothing_of_the_folder(given):
    job = Jobs().add(Measure(game="tictactoe", agents=("random",), games=1))
    end = time.monotonic() + 120
    while job.state() in ("waiting", "running") and time.monotonic() < end:
        time.sleep(0.1)
    assert job.state() == "done", job.view()


def test_workers_import_nothing_of_the_folder_and_leave_no_trace_in_their_programs(given):
    before, path = dict(os.environ), list(sys.path)
    sys.path.insert(0, "")
    pool = Processes(1)
    try:
        assert pool.submit(os.environ.get, "PYTHONSAFEPATH").result() is None
    finally:
        pool.close()
        sys.path[:] = path
    assert dict(os.environ) == before


def test_a_guarded_file_imports_nothing_beside_it(given):
    (given / "player.py").write_text("import contextlib\ndef choose(observation, legal, rng):\n    return legal[0]\n")
    game = GAMES.load("tictactoe")
    agent = GuardedAgent("player.py", Limits(seconds=30))
    state = game.start(game.rules(), apprenti.Stream(1))
    assert agent.choose(state.observation(0), state.legal_moves(), apprenti.Stream(1)) in state.legal_moves()
    agent.close()
    (given / "answers.py").write_text("import contextlib\n")
    assert isinstance(find_exercise(1), Exercise)
    assert check_file(find_exercise(1), Path("answers.py"), Limits(seconds=30))


@pytest.mark.parametrize("words", [("apprenti", "--help"), ("apprenti.cli.main", "--help")])
def test_a_module_of_ours_imports_nothing_of_the_folder(given, words):
    sys.path.insert(0, "")
    try:
        ran = subprocess.run(command(*words), capture_output=True, text=True, check=True)
    finally:
        sys.path.remove("")
    assert ran.stdout or words[0] != "apprenti"


def test_matplotlib_does_not_read_the_settings_of_the_folder(given):
    (given / "matplotlibrc").write_text("text.usetex: True\nlines.linewidth: 77\n")
    code = "from apprenti.views.plots.style import pyplot; p = pyplot().rcParams; "
    code += "print(p['text.usetex'], p['lines.linewidth'])"
    ran = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "1.5"]


STARTERS = {
    "agents/keeper.py", "agents/process.py", "arena/executors.py", "core/children.py", "games/tetris/bench.py",
    "games/tetris/cli/demo.py", "lab/bench/machine.py", "lab/queue.py", "lab/reproduce.py", "web/bench.py",
}  # fmt: skip
"""Who starts processes. `reproduce` starts git; the keeper starts engines, which their user has typed."""


def test_every_python_that_we_start_keeps_the_folder_out():
    """Each list of words that begins with `sys.executable` goes on with `-P` or `-I`; who starts anything is known."""
    starters = set()
    for path in SOURCES.rglob("*.py"):
        named, safe = 0, 0
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Attribute) and ast.unparse(node) == "sys.executable":
                named += 1
            if isinstance(node, ast.List | ast.Tuple) and node.elts and ast.unparse(node.elts[0]) == "sys.executable":
                safe += ast.unparse(node.elts[1]) in ("'-P'", "'-I'")
            words = ast.unparse(node) if isinstance(node, ast.Attribute | ast.Name) else ""
            if words.startswith(("subprocess.", "os.posix_spawn", "os.exec", "os.fork", "os.system", "os.popen")):
                starters.add(path.relative_to(SOURCES).as_posix())
            if words in ("get_context", "sys.executable", "ProcessPoolExecutor"):
                starters.add(path.relative_to(SOURCES).as_posix())
        assert named == safe, path
    assert starters == STARTERS


def test_jobs_behind_a_link_are_not_begun_nor_ended(given, tmp_path, monkeypatch):
    monkeypatch.setattr(Jobs, "tick", lambda jobs: None)
    mine = Jobs(tmp_path / "mine" / "jobs")
    job = mine.add(Measure(game="tictactoe", agents=("random",), games=1))
    assert job.state() == "waiting"
    (given / "jobs").symlink_to(tmp_path / "mine" / "jobs")
    (given / "more").mkdir()
    (given / "more" / job.key).symlink_to(job.folder)
    for root in (Path("jobs"), Path("more"), given / "jobs"):
        foreign = Jobs(root)
        assert [each.state() for each in foreign.all()] == ["failed"]
        with pytest.raises(ApprentiError):
            foreign.all()[0].begin()
        with pytest.raises(ApprentiError):
            foreign.all()[0].stop()
    with pytest.raises(BadFile, match="is a link"):
        Jobs(Path("jobs")).add(Measure(game="tictactoe", agents=("random",), games=1))
    assert job.state() == "waiting"


@pytest.mark.parametrize("stem", ["..", ".hidden", "a b", "...x"])
def test_an_experiment_has_a_name_that_is_a_folder_name(given, stem):
    (given / "experiments").mkdir()
    (given / "experiments" / f"{stem}.toml").write_text(EXPERIMENT)
    assert stem not in known()
    with pytest.raises(BadFile, match="letters, digits"):
        read(f"experiments/{stem}.toml")


def outside_of(tmp_path):
    """A folder elsewhere, with something in it."""
    outside = tmp_path / "outside"
    outside.mkdir()
    for name in ("table.md", "3.json", ".env-mine.txt", ".a-abcdefgh.json", "metrics.jsonl"):
        (outside / name).write_text("mine")
    return outside


@pytest.mark.parametrize("link", ["runs", "runs/x", "runs/x/past", "runs/x/metrics.jsonl"])
def test_a_run_writes_and_removes_nothing_behind_a_link(given, tmp_path, link):
    outside = outside_of(tmp_path)
    (given / link).parent.mkdir(parents=True, exist_ok=True)
    (given / link).symlink_to(outside / "metrics.jsonl" if link.endswith("l") else outside)
    run = Run(Path("runs/x"))
    for work in (run.locked().__enter__, run.remove):
        with pytest.raises(BadFile, match="is a link"):
            work()
    if link == "runs":
        with pytest.raises(BadFile, match="is a link"):
            fresh_run("ga")
    assert {path.read_text() for path in outside.iterdir()} == {"mine"} and len(list(outside.iterdir())) == 5


def test_a_run_removes_only_what_it_had_half_written(tmp_path):
    run = Run(tmp_path / "x")
    for name in (".keep-me.txt", "notes/.a-abcdefgh.json", ".agent-abcdefg_.json", "past/.3-a1b2c3d4.json"):
        (run.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (run.folder / name).touch()
    with run.locked():
        left = {path.relative_to(run.folder).as_posix() for path in run.folder.rglob("*") if path.is_file()}
    assert left == {".keep-me.txt", "notes/.a-abcdefgh.json", ".lock"}


@pytest.mark.parametrize("link", ["results", "results/x", "results/x/parts"])
def test_an_experiment_writes_nothing_behind_a_link(given, tmp_path, link):
    outside = outside_of(tmp_path)
    (given / link).parent.mkdir(parents=True, exist_ok=True)
    (given / link).symlink_to(outside)
    with pytest.raises(BadFile, match="is a link"):
        reproduce(read("tictactoe-tournament"), Settings(True), Path("results/x"), lambda part, words: None)
    assert len(list(outside.iterdir())) == 5 and (outside / "table.md").read_text() == "mine"


def test_only_what_was_typed_names_a_file_of_shapes(given):
    (given / "shapes.txt").write_text("V\n#.\n##\n")
    game = GAMES.load("tetris")
    typed = game.typed({"pieces": "shapes.txt", "size": "6x6"})
    assert game.rules(**typed).pieces.name == "shapes"
    for data in ({"pieces": "shapes.txt"}, json.loads(json.dumps(typed)), {"pieces": "/etc/hostname.txt"}):
        with pytest.raises(BadRules, match="only what you type"):
            game.rules(**data)
    with pytest.raises(ApprentiError, match="no set of pieces"):
        game.rules(pieces=str(given / "shapes"))
    (given / "experiments").mkdir()
    (given / "experiments" / "x.toml").write_text(EXPERIMENT + 'pieces = "shapes.txt"\n')
    with pytest.raises(ApprentiError, match="only what you type"):
        reproduce(read("x"), Settings(True), Path("results/x"), lambda part, words: None)
    with pytest.raises(ApprentiError, match="only what you type"):
        Measure(game="tetris", agents=("random",), options={"pieces": "shapes.txt"}).perform(given)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_only_files_are_read(given):
    (given / "experiments").mkdir()
    (given / "experiments" / "y.toml").write_text(EXPERIMENT)
    for name in ("experiments/x.toml", "results/y/table.md", "shapes.txt"):
        (given / name).parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(given / name)
        with pytest.raises(BadFile, match="not a file"):
            read_bytes(Path(name))
    from apprenti.web.app import Page

    app = Page(given / "replays").app()
    status, body = ask(app, "GET", "/api/experiments")
    assert status == 200 and b"it is not a file" in body
    assert ask(app, "GET", "/api/experiments/x")[0] == 400
    assert ask(app, "GET", "/api/experiments/y")[0] == 200
    game = GAMES.load("tetris")
    with pytest.raises(BadFile, match="not a file"):
        game.rules(**game.typed({"pieces": "shapes.txt"}))


def test_the_page_shows_no_file_behind_a_link(given, tmp_path):
    (tmp_path / "secret").write_text("| secret | a |\n| --- | --- |\n| b | c |\n")
    for name in ("experiments/x.toml", "results/y/picture.png", "results/y/table.md"):
        (given / name).parent.mkdir(parents=True, exist_ok=True)
        (given / name).symlink_to(tmp_path / "secret")
    (given / "experiments" / "y.toml").write_text(EXPERIMENT)
    from apprenti.web.app import Page

    app = Page(given / "replays").app()
    for path in ("experiments/x", "experiments/y", "experiments/y/picture"):
        assert b"secret |" not in ask(app, "GET", f"/api/{path}")[1]
