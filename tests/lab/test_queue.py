"""Jobs: processes that outlive the server, in a queue that is on disk."""

import errno
import json
import os
import signal
import time

import pytest

from apprenti.cli.main import main
from apprenti.core.errors import BadFile, BadOption, UnknownName
from apprenti.lab import queue
from apprenti.lab.jobs import Measure, Reproduce, Train
from apprenti.lab.queue import FOREIGN, Job, Jobs, started
from apprenti.store.files import write_json

QUICK = Measure(game="tictactoe", agents=("mnk-random",), against="mnk-random", games=4)


def long(run):
    """A run that nothing ends before the test does."""
    return Train(method="tabular", config={"iterations": 100_000, "episodes": 10, "test_games": 0}, run=run)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    for job in filter(Job.is_own, Jobs().all()):
        job.stop()
        until(lambda job=job: job.state() != "running")


def until(what, seconds=240):
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_job_comes_to_what_the_command_line_that_it_names_prints(here, capsys):
    job = Jobs().add(QUICK)
    until(lambda: job.state() == "done")
    main([*job.view()["command"][1:], "--json"])
    printed, found = json.loads(capsys.readouterr().out), job.result()
    assert [found[name] for name in ("won", "drawn", "lost")] == [printed[name] for name in ("won", "drawn", "lost")]


def test_the_job_of_an_experiment_comes_to_its_numbers(here):
    done = Reproduce(experiment="cluster-model", short=True).perform(here)
    assert done["experiment"] == "cluster-model"
    assert done["results"] == json.loads((here / "results" / "short" / "cluster-model" / "results.json").read_text())


def test_what_a_command_refuses_is_the_jobs_sentence(here):
    job = Jobs().add(Measure(game="tictactoe", agents=("dellacherie",)))
    until(lambda: job.state() == "failed")
    assert job.view()["sentence"] == "dellacherie plays tetris, not tictactoe: `apprenti agents` shows who does."


def test_jobs_wait_for_their_turn_and_another_server_finds_them(here):
    jobs = Jobs()
    first = jobs.add(long("a"))
    second = jobs.add(long("b"))
    assert (first.state(), second.state()) == ("running", "waiting")
    later = Jobs()  # as after kill -9 of the server
    assert [(job["name"], job["state"]) for job in later.active()] == [("a", "running"), ("b", "waiting")]
    later.choose(2)
    assert second.state() == "running"
    until(lambda: all((here / f"runs/{name}/checkpoint.json").exists() for name in "ab"))
    later.get(first.key).stop()
    until(lambda: first.state() == "stopped")
    assert second.state() == "running"
    assert (here / "runs/a/checkpoint.json").exists()


def test_a_job_that_waits_can_be_stopped_and_never_begins(here):
    jobs = Jobs()
    jobs.add(long("a"))
    second = jobs.add(long("b"))
    second.stop()
    jobs.choose(4)
    assert second.state() == "stopped"
    assert not (here / "runs/b").exists()


def test_a_job_that_is_killed_has_failed_with_a_sentence(here):
    job = Jobs().add(long("a"))
    until(lambda: (here / "runs/a/metrics.jsonl").exists())
    os.kill(job.process(), signal.SIGKILL)
    until(lambda: job.state() == "failed")
    assert "from outside" in job.view()["sentence"]
    (job.folder / "err.txt").write_text("compiling a player, once …\n")  # what it did then says nothing of its end
    assert "from outside" in job.view()["sentence"]


def test_on_a_full_disk_nothing_begins_and_what_waits_begins_when_there_is_room_again(here, monkeypatch):
    def full(path, data):
        raise BadFile(f"cannot write {path.name}: No space left on device.")

    def nearly_full(path, data):
        write_json(path, data) if path.name == "job.json" else full(path, data)

    def cannot_begin(job):
        raise OSError(errno.ENOSPC, "No space left on device")

    jobs = Jobs()
    with monkeypatch.context() as disk:
        disk.setattr("apprenti.lab.queue.write_json", full)
        with pytest.raises(BadFile, match="No space left"):  # the page says so
            jobs.add(QUICK)
    with monkeypatch.context() as disk:
        disk.setattr(Job, "begin", cannot_begin)
        disk.setattr("apprenti.lab.queue.write_json", nearly_full)
        job = jobs.add(QUICK)
        assert job.state() == "waiting"
    jobs.tick()
    until(lambda: job.state() == "done")


def test_a_job_of_this_process_is_shown_and_never_begun_by_the_queue(here):
    job = Jobs().own("measure", "a", ["tournament", "a.py", "b.py"])
    Jobs().tick()
    assert [(each["id"], each["state"]) for each in Jobs().active()] == [(job.key, "running")]
    assert job.view()["command"] == ["apprenti", "tournament", "a.py", "b.py"]
    assert json.loads((job.folder / "process.json").read_text())["pid"] == os.getpid()
    (job.folder / "process.json").write_text('{"pid": 0, "started": ""}')  # or this process would be stopped below


def test_another_process_of_the_same_number_is_not_taken_for_the_job(here):
    job = Jobs().add(QUICK)
    until(lambda: job.state() == "done")
    (job.folder / "process.json").write_text(f'{{"pid": {os.getpid()}, "started": "1"}}')
    assert job.state() == "done"


@pytest.mark.parametrize("words", [["web"], ["evaluate", "evil.py"], ["evaluate", "engine:rm"], [], "train", [1]])
def test_a_job_of_words_is_shown_and_never_begun(here, words):
    (here / "jobs/0").mkdir(parents=True)
    (here / "jobs/0/job.json").write_text(json.dumps({"format": 1, "kind": "train", "name": "x", "words": words}))
    Jobs().tick()
    assert Job(here / "jobs/0").state() == "failed"
    assert sorted(path.name for path in (here / "jobs/0").iterdir()) == ["job.json"]


def test_a_folder_of_jobs_that_somebody_passed_on_is_shown_and_nothing_in_it_is_begun_or_stopped(here):
    jobs = Jobs()
    jobs.add(long("a"))
    waiting = jobs.add(QUICK)
    waits = (waiting.folder / "job.json").read_text()
    moved = here / "jobs/0"  # the same content at another place: the seal is that of the place, too
    moved.mkdir()
    (moved / "job.json").write_text(waits)
    changed = here / "jobs/1"
    changed.mkdir()
    (changed / "job.json").write_text(waits.replace('"games": 4', '"games": 5'))
    (changed / "process.json").write_text(
        json.dumps({"pid": os.getpid(), "started": started(os.getpid()), "seal": "x"})
    )
    jobs.choose(4)
    for job in (Job(moved), Job(changed)):
        assert (job.state(), job.view()["sentence"], job.view()["name"]) == ("failed", FOREIGN, "mnk-random")
        with pytest.raises(BadOption, match="not put here by you"):
            job.stop()
    until(lambda: waiting.state() == "done")


def test_a_server_without_a_place_for_a_secret_begins_its_own_jobs_only(here, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", "nowhere")
    queue.secret.cache_clear()
    job = Jobs().add(QUICK)
    until(lambda: job.state() == "done")
    other = Job(here / "jobs/9")
    write_json(other.folder / "job.json", json.loads((job.folder / "job.json").read_text()))
    queue.secret.cache_clear()  # as in another process
    assert other.state() == "failed"
    queue.secret.cache_clear()


@pytest.mark.parametrize("number", [0, 17, "2", True, None])
def test_the_number_at_once_is_bounded(here, number):
    with pytest.raises(BadOption, match="1 to 16 jobs"):
        Jobs().choose(number)


def test_an_id_never_becomes_a_path(here):
    (here / "jobs/x").mkdir(parents=True)
    for key in ("../x", "/etc", "x"):
        with pytest.raises(UnknownName):
            Jobs().get(key)


def test_a_damaged_job_does_not_hold_up_the_others(here):
    (here / "jobs/0").mkdir(parents=True)
    (here / "jobs/0/job.json").write_text("{")
    job = Jobs().add(QUICK)
    until(lambda: job.state() == "done")
    assert Job(here / "jobs/0").state() == "failed"
