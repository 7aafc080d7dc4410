"""Files of every version there ever was can be read, for ever. Never change an example; add one with each format."""

import shutil
from pathlib import Path

import pytest

from apprenti.agents.build import build
from apprenti.lab.train import resume
from apprenti.store.agentfile import read_agent
from apprenti.store.replay import read_replay
from apprenti.store.runs import Run

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


def test_there_is_an_example_of_every_format_there_ever_was():
    names = {"-".join(path.stem.split("-")[:2]) for path in HERE.glob("r*-*")}
    assert names == {"replay-1", "replay-2", "run-1", "run-2"}
