"""Run folders: what is kept survives crashes, full disks and meddling, and nobody writes where another does."""

import errno
import json
import os
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from apprenti.core.errors import BadFile, UnknownName
from apprenti.lab.train import resume, train
from apprenti.store import runs
from apprenti.store.runs import (
    Checkpoint,
    Run,
    RunInUse,
    all_runs,
    check_name,
    checkpoint_digest,
    find_run,
    fresh_run,
)
from tests.dying import dying_at
from tests.learn.tiny import config

CONFIG = {"seed": 1, "population": 10}
VERSIONS = {"apprenti": "0"}


def checkpoint(generation):
    """A checkpoint with a bit of everything."""
    state = {"mean": [0.1 * generation, -1e-300, 1 / 3], "rng": {"state": 2**127 + generation}, "told": [[1.0], []]}
    return Checkpoint(generation, state, 1.5 * generation, CONFIG)


def metrics(generation):
    return {"generation": generation, "best": 10.0 * generation, "seconds": 1.5 * generation}


@pytest.fixture
def run(tmp_path):
    """A run with three generations."""
    made = Run(tmp_path / "runs" / "one")
    made.begin("ce", CONFIG, VERSIONS)
    for generation in (1, 2, 3):
        made.save(checkpoint(generation), metrics(generation))
    return made


def newest(run):
    return run.folder / "checkpoint.json"


def before(run):
    return run.folder / "checkpoint-before.json"


# What is kept ---------------------------------------------------------------------------------------------------------


def test_a_run_gives_back_what_was_kept_to_the_bit(run):
    assert run.load() == checkpoint(3)
    assert run.about()["config"] == CONFIG
    assert run.metrics() == [metrics(1), metrics(2), metrics(3)]
    assert sorted(path.name for path in run.folder.iterdir()) == [
        "checkpoint-before.json", "checkpoint.json", "metrics.jsonl", "run.json",
    ]  # fmt: skip


def test_a_new_run_has_nothing_to_go_on_from(tmp_path):
    made = Run(tmp_path)
    made.begin("ce", CONFIG, VERSIONS)
    assert made.load() is None
    assert made.metrics() == []


def test_a_run_is_never_begun_twice(run):
    with pytest.raises(BadFile, match=r"a run in .* already: resume it"):
        run.begin("ce", CONFIG, VERSIONS)


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", "no JSON", '{"format": 99, "method": "ce", "config": {}, "versions": {}}',
     '{"format": 1, "method": "ce", "config": 3, "versions": {}}', '{"format": 1, "method": "ce", "config": {}}',
     '{"format": 1, "config": {}, "versions": {}}', "\udcff"],
)  # fmt: skip
def test_a_folder_that_is_no_run_is_named_in_one_sentence(run, text):
    (run.folder / "run.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(BadFile, match=r"one.*\.$"):
        run.about()


# Broken checkpoints ---------------------------------------------------------------------------------------------------

SPOILS = {
    "empty": lambda data: b"",
    "cut": lambda data: data[: len(data) // 2],
    "without its last brace": lambda data: data.rstrip()[:-1],
    "altered": lambda data: data.replace(b"1e-300", b"2e-300"),
    "another generation": lambda data: data.replace(b'"generation": 3', b'"generation": 2'),
    "other options": lambda data: data.replace(b'"population": 10', b'"population": 11'),
    "no digest": lambda data: data[: data.index(b', "digest"')] + b"}",
    "zeros": lambda data: bytes(len(data)),
    "binary": lambda data: b"\xff\xfe" + data,
    "a list": lambda data: b"[1, 2]",
    "a stranger's": lambda data: b'{"digest": "44136fa355b3678a1146ad16f7e8649e"}',
    "deep": lambda data: b"[" * 100_000,
}
spoils = pytest.mark.parametrize("spoil", SPOILS.values(), ids=list(SPOILS))


@spoils
def test_a_broken_newest_checkpoint_is_noticed_and_the_one_before_is_used(run, spoil):
    data = newest(run).read_bytes()
    assert spoil(data) != data
    newest(run).write_bytes(spoil(data))
    found = run.load()
    assert (found.generation, found.state) == (2, checkpoint(2).state)
    assert "checkpoint.json" in found.warning
    assert found.warning.endswith("Going on from the generation before.")


@spoils
def test_two_broken_checkpoints_are_one_sentence(run, spoil):
    for path in (newest(run), before(run)):
        path.write_bytes(spoil(path.read_bytes()) if spoil(path.read_bytes()) != path.read_bytes() else b"")
    with pytest.raises(BadFile, match=r"no checkpoint of .*one can be read: .*\.$"):
        run.load()


def test_a_broken_only_checkpoint_is_one_sentence(run):
    before(run).unlink()
    newest(run).write_text("")
    with pytest.raises(BadFile, match="no checkpoint of"):
        run.load()


def test_a_missing_newest_checkpoint_leaves_the_one_before(run):
    newest(run).unlink()
    assert run.load() == checkpoint(2)


def with_arrays(generation):
    return Checkpoint(generation, {"arrays": {"w": np.full(3, generation)}}, 1.0, CONFIG)


def test_whoever_reads_while_two_generations_are_kept_finds_the_newest_and_changes_nothing(run, monkeypatch):
    run.save(with_arrays(4), metrics(4))

    def read_late(path, digest):  # the arrays of generation 4 are no longer there
        monkeypatch.undo()
        for generation in (5, 6):
            run.save(with_arrays(generation), metrics(generation))
        return runs.read_arrays(path, digest)

    monkeypatch.setattr(runs, "read_arrays", read_late)
    found = run.load()
    assert (found.generation, found.warning) == (6, "")
    assert json.loads(newest(run).read_text())["generation"] == 6 and before(run).exists()


def test_whoever_only_looks_at_a_broken_run_changes_nothing(run):
    newest(run).write_bytes(b"")
    kept = {path.name: path.read_bytes() for path in run.folder.iterdir()}
    assert run.load().generation == 2
    assert {path.name: path.read_bytes() for path in run.folder.iterdir()} == kept


# Metrics --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "last", ['{"generation": 4, "be', '{"generation": 4}', "[4]", "4", "null", "\x00" * 50, "[" * 99_999]
)
def test_a_line_of_metrics_that_was_cut_is_left_out(run, last):
    with (run.folder / "metrics.jsonl").open("a") as file:
        file.write(last)
    assert run.metrics() == [metrics(1), metrics(2), metrics(3)]
    run.trim_metrics(3)
    run.save(checkpoint(4), metrics(4))
    assert run.metrics()[-2:] == [metrics(3), metrics(4)]


def test_bytes_that_are_no_text_are_left_out(run):
    with (run.folder / "metrics.jsonl").open("ab") as file:
        file.write(b"\xff\xfe\n")
    assert len(run.metrics()) == 3


def test_metrics_after_a_checkpoint_are_forgotten_and_doubles_are_written_once(run):
    for generation in (2, 3, 4, 5):
        with (run.folder / "metrics.jsonl").open("a") as file:
            file.write(json.dumps(metrics(generation)) + "\n")
    run.trim_metrics(3)
    assert run.metrics() == [metrics(1), metrics(2), metrics(3)]


def test_agents_of_the_past_are_a_few_and_spread_over_the_whole_run(run):
    run.past_path(1).parent.mkdir()
    for generation in range(1, 301):
        if run.keeps_past(generation):
            run.past_path(generation).write_text("{}")
            (run.folder / "past" / f"{generation}-00.safetensors").write_text("")
            run.thin_past(generation)
        stored = run.past()
        assert min(generation, 9) <= len(stored) <= 16
        assert len({after - before for before, after in pairwise([0, *stored])}) == 1
    assert {path.name.partition("-")[0].partition(".")[0] for path in run.folder.glob("past/*")} == set(
        map(str, stored)
    )
    assert generation - stored[-1] < stored[0] == 32


# Crashes and full disks -----------------------------------------------------------------------------------------------


class Crash(BaseException):
    """The process is no more."""


TOUCHES = [(tempfile, "mkstemp"), (Path, "write_text"), (os, "fsync"), (Path, "replace"), (os, "link")]
"""What a run does to the disk, besides adding lines of metrics."""


def failing(monkeypatch, error, after):
    """Let the disk fail after so many touches; return how many there have been so far."""
    touched = []
    for place, name in TOUCHES:
        real = getattr(place, name)

        def touch(*arguments, real=real, **options):
            touched.append(real)
            if len(touched) > after:
                raise error
            return real(*arguments, **options)

        monkeypatch.setattr(place, name, touch)
    return touched


def touches_of(run):
    """How often the disk is touched to keep a generation."""
    with pytest.MonkeyPatch.context() as patch:
        touched = failing(patch, Crash(), after=10**6)
        run.save(checkpoint(4), metrics(4))
        return len(touched)


FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("error", [Crash(), FULL], ids=["crash", "full"])
@pytest.mark.parametrize("broken", [False, True], ids=["after a whole checkpoint", "after a broken one"])
def test_whenever_the_disk_fails_a_whole_checkpoint_is_left(run, error, broken):
    last = 2 if broken else 3
    kept = {path.name: path.read_bytes() for path in run.folder.iterdir()}
    times = touches_of(run)
    assert times >= 4
    for after in range(times):
        for name, data in kept.items():
            (run.folder / name).unlink(missing_ok=True)  # or a link to another would be written through
            (run.folder / name).write_bytes(data)
        if broken:
            newest(run).write_bytes(b"")
        assert run.take_up().generation == last
        with pytest.MonkeyPatch.context() as patch, pytest.raises((Crash, BadFile)):
            failing(patch, error, after)
            run.save(checkpoint(last + 1), metrics(last + 1))
            raise Crash
        assert run.load().state in (checkpoint(last).state, checkpoint(last + 1).state)


def test_a_disk_too_full_for_metrics_is_one_sentence_and_the_run_goes_on_later(run, monkeypatch):
    class Full:
        def __enter__(self):
            raise FULL

        def __exit__(self, *_):
            pass

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", lambda *_, **__: Full())
        with pytest.raises(BadFile, match="No space left on device; free some space and resume"):
            run.save(checkpoint(4), metrics(4))
    assert run.load() == checkpoint(3)
    run.save(checkpoint(4), metrics(4))
    assert run.load() == checkpoint(4)


def outcome(run):
    """All that a run has come to, but for the time it took."""
    state = json.loads(newest(run).read_text())["state"]
    return run.agent_path.read_text(), state, [{**row, "seconds": 0} for row in run.metrics()]


@pytest.mark.parametrize("error", [Crash(), FULL], ids=["crash", "full"])
def test_a_run_whose_disk_fails_at_any_moment_is_resumed_to_the_same_end(tmp_path, monkeypatch, error):
    monkeypatch.setattr("apprenti.lab.train.draw_curve", lambda run: None)
    options = config("ce", iterations=3, test_games=0)
    with monkeypatch.context() as patch:
        touched = failing(patch, error, after=10**6)
        whole = outcome(train("ce", options, "one", tmp_path / "whole"))
    first = 4  # before that there is no run
    for after in range(first, len(touched)):
        run = Run(tmp_path / str(after) / "one")
        with monkeypatch.context() as patch, pytest.raises((Crash, BadFile)):
            failing(patch, error, after)
            train("ce", options, "one", run.folder.parent)
        assert outcome(resume(run)) == whole


# Locks ----------------------------------------------------------------------------------------------------------------


def test_a_folder_in_use_is_refused_and_free_again_afterwards(run):
    with run.locked(), pytest.raises(RunInUse, match="in use by another process"), Run(run.folder).locked():
        pass
    with run.locked():
        pass


def test_a_lock_is_given_back_after_an_error(run):
    with pytest.raises(Crash), run.locked():
        raise Crash
    with run.locked():
        pass


HOLD = """
import sys
from pathlib import Path
from apprenti.store.runs import Run
with Run(Path(sys.argv[1])).locked():
    print("locked", flush=True)
    sys.stdin.read()
"""


def test_a_lock_of_another_process_holds_until_it_is_killed(run):
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(run.folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout.readline() == "locked\n"
        with pytest.raises(RunInUse), run.locked():
            pass
        other.kill()
    with run.locked():
        pass


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    for refused in (
        lambda: Run(tmp_path / "file" / "one").locked().__enter__(),
        lambda: fresh_run("ce", tmp_path / "file"),
    ):
        with pytest.raises(BadFile, match=r"Not a directory\.$"):
            refused()


# Names ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["", ".", "..", ".hidden", "a/b", "../up", "/root", "a b", "-option", "a\n", "a" * 81, "a\x00"]
)
def test_names_that_are_no_folder_names_are_refused(name):
    with pytest.raises(BadFile, match="a run is named with letters"):
        check_name(name)


@pytest.mark.parametrize("name", ["a", "ce-1", "2026-10x20_first.try", "été", "a" * 80])
def test_plain_names_are_welcome(name):
    assert check_name(name) == name


def test_fresh_names_count_up_and_are_taken_at_once(tmp_path):
    assert [fresh_run("ce", tmp_path).name for _ in range(3)] == ["ce-1", "ce-2", "ce-3"]
    assert fresh_run("ga", tmp_path).name == "ga-1"


def test_runs_are_found_by_name_and_by_folder(run, tmp_path):
    root = tmp_path / "runs"
    (root / "no run").mkdir()
    assert all_runs(root) == [run]
    assert find_run("one", root) == run
    assert find_run(str(run.folder), tmp_path / "elsewhere") == run
    with pytest.raises(UnknownName, match="no run called 'on': did you mean one"):
        find_run("on", root)
    with pytest.raises(UnknownName, match="apprenti train ce makes one"):
        find_run("on", tmp_path / "elsewhere")


# Damage ---------------------------------------------------------------------------------------------------------------


def test_the_checkpoint_before_is_a_copy_of_its_own_at_every_moment(run):
    with newest(run).open("r+b") as file:
        file.write(b"spoilt")
    assert b"spoilt" not in before(run).read_bytes()
    for place in range(1, 60):
        with dying_at(place):
            run.save(checkpoint(4), metrics(4))
        assert not newest(run).exists() or not before(run).exists() or not newest(run).samefile(before(run)), place


def test_a_run_that_dies_at_any_file_operation_has_a_checkpoint(run):
    for place in range(1, 60):
        with dying_at(place):
            run.save(checkpoint(4), metrics(4))
        assert run.load() in (checkpoint(3), checkpoint(4)), place


@pytest.mark.parametrize(
    "line",
    [
        '"x"',
        '{"generation": 1, "seconds": 1.0, "\\u001b[2J": 1}',
        '{"generation": 1, "seconds": 1.0, "best": "many"}',
        "[]",
        '{"generation": "1"}',
    ],
)
def test_lines_that_are_no_metrics_are_left_out_and_said(run, line):
    path = run.folder / "metrics.jsonl"
    path.write_text(f"{line}\n" + path.read_text())
    assert run.metrics() == [metrics(1), metrics(2), metrics(3)]
    assert "has 1 lines that are no metrics" in run.damage()


def test_a_run_whose_last_line_was_cut_by_a_crash_is_not_damaged(run):
    with (run.folder / "metrics.jsonl").open("a") as file:
        file.write('{"generation": 4, "sec')
    assert run.damage() == ""


@pytest.mark.parametrize("change", [{"config": {"criteria": {"a": 1}}}, {"versions": {"numpy": 2}}, {"format": 7}])
def test_a_description_of_another_shape_is_damage(run, change):
    path = run.folder / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    assert run.damage().endswith(".")
    with pytest.raises(BadFile):
        run.about()


def test_arrays_are_named_by_digests_and_not_by_paths(run):
    found = checkpoint(4)
    data = {"format": 2, "generation": 4, "seconds": 1.0, "config": CONFIG, "state": {"arrays": "../../agent"}}
    newest(run).write_text(json.dumps({**data, "digest": checkpoint_digest(data)}))
    before(run).unlink()
    with pytest.raises(BadFile, match="named by no digest"):
        run.load()
    assert found.generation == 4


def test_a_pipe_in_the_place_of_a_file_is_refused_and_not_waited_for(run):
    newest(run).unlink()
    before(run).unlink()
    os.mkfifo(newest(run))
    with pytest.raises(BadFile, match="not a file"):
        run.load()
