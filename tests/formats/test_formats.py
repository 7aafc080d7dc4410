"""Files of every version there ever was can be read, for ever. Never change an example; add one with each format."""

import asyncio
import json
import shutil
from pathlib import Path

import pytest

from apprenti.agents.description import build
from apprenti.core.errors import BadFile
from apprenti.lab.exercises import progress
from apprenti.lab.experiments import read
from apprenti.lab.kinds.kind import KINDS, Settings
from apprenti.lab.train import resume
from apprenti.store import agentfile, replay, runs
from apprenti.store.agentfile import read_agent
from apprenti.store.replay import read_replay
from apprenti.store.runs import Run
from apprenti.web.school import read_school

HERE = Path(__file__).parent


@pytest.mark.parametrize("path", sorted(HERE.glob("replay-*.json")), ids=lambda path: path.stem)
def test_a_replay_is_read_and_played_again(path):
    *_, end = read_replay(path).states()
    assert end.outcome


@pytest.mark.parametrize("path", sorted(HERE.glob("run-*/agent.json")), ids=lambda path: path.parent.name)
def test_an_agent_is_read_with_its_arrays(path):
    file = read_agent(path)
    assert build(file.kind, file.config, file.arrays).describe()[0] == file.kind
    assert file.arrays


@pytest.mark.parametrize("folder", sorted(HERE.glob("run-*/")), ids=lambda folder: folder.name)
def test_a_run_is_read_and_gone_on_with(folder, tmp_path):
    run = Run(shutil.copytree(folder, tmp_path / folder.name))
    assert run.damage() == ""
    assert run.load().generation >= 1
    if "sarsa" in folder.name:  # it is done, and compiles little
        assert resume(run).load().generation == 2
        assert read_agent(run.agent_path).arrays


def test_a_game_of_the_page_is_gone_on_with(tmp_path):
    pytest.importorskip("starlette")
    from apprenti.web.games import Games

    shutil.copy(HERE / "page-2-tictactoe.json", tmp_path)
    games = Games(tmp_path)
    live = asyncio.run(games.get("page-2-tictactoe"))
    games.close()
    assert (live.session.moves, live.you, live.over) == (["4", "2"], 0, False)


def test_a_job_of_the_page_is_read():
    pytest.importorskip("starlette")
    from apprenti.lab.queue import Job

    job = Job(HERE / "job-1")
    assert (job.view()["state"], job.view()["name"], job.result()["games"]) == ("done", "random", 4)


def test_what_is_written_by_hand_is_read(tmp_path):
    experiment = read(str(HERE / "experiment-1.toml"))
    assert len(KINDS.load(experiment.kind)(experiment, Settings(), tmp_path).parts) == 2
    assert read_school(HERE / "class-1.toml").pupils == ("anna", "bruno")
    assert progress(HERE / "course-1.json") == {"3": ["heights", "holes"], "4": ["choose"]}


def numbers(files):
    """The formats of some files; one without a number is the first."""
    return {json.loads(path.read_text()).get("format", 1) for path in HERE.glob(files)}


def up_to(newest):
    return set(range(1, newest + 1))


def test_there_is_an_example_of_every_format_there_ever_was():
    assert numbers("replay-*.json") == up_to(replay.FORMAT)
    assert numbers("run-*/agent.json") == up_to(agentfile.FORMAT)
    assert numbers("run-*/run.json") == up_to(runs.FORMAT)
    assert numbers("run-*/checkpoint.json") == up_to(runs.CHECKPOINT_FORMAT)
    names = {"-".join(path.stem.split("-")[:2]) for path in HERE.glob("*-[0-9]*")}
    written = {"replay-1", "replay-2", "run-1", "run-2", "page-2", "course-1", "job-1"}
    assert names == written | {"experiment-1", "class-1"}


def test_the_page_of_formats_has_every_number():
    found, last = {}, ""
    for row in (HERE.parents[1] / "docs" / "formats.md").read_text().split("\n"):
        if row.startswith("|"):
            what, number = (cell.strip() for cell in row.split("|")[1:3])
            last = what.partition(" (")[0] or last
            found.setdefault(last, set()).add(number)
    newest = {"agent": agentfile.FORMAT, "replay": replay.FORMAT, "run": runs.FORMAT}
    newest |= {"checkpoint": runs.CHECKPOINT_FORMAT, "job of the page": jobs_format()}
    assert {what: found[what] for what in newest} == {what: set(map(str, up_to(n))) for what, n in newest.items()}


def jobs_format():
    pytest.importorskip("starlette")
    from apprenti.lab.queue import FORMAT

    return FORMAT


@pytest.mark.parametrize("read", [read_replay, read_agent, lambda path: Run(path.parent).load()])
def test_a_later_format_is_refused_with_what_can_be_done(read, tmp_path):
    name = "checkpoint.json" if read not in (read_replay, read_agent) else "one.json"
    (tmp_path / name).write_text('{"format": 99}')
    with pytest.raises(BadFile, match="pip install -U apprenti"):
        read(tmp_path / name)
