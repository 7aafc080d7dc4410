"""Damaged files and states, thousands of them: each is refused in one sentence, or read. `make soak PART=files`."""

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from apprenti.core.errors import ApprentiError
from apprenti.lab.agents import from_file
from apprenti.learn.methods import METHODS
from apprenti.store.agentfile import read_agent
from apprenti.store.replay import read_replay
from apprenti.store.runs import Run
from tests.contracts.test_learners import damaged_ends
from tests.mutations import byte_damage, data_damage

CASES = int(os.environ.get("SOAK_CASES", "2000"))
FORMATS = Path(__file__).parents[1] / "formats"


def reported(what, cases, failures):
    """Say how many cases there were and how many failed; fail if any did."""
    print(f"\n{what}: {cases} cases, {len(failures)} failures")
    assert failures == []


def ends(read, path):
    """What reading a file ends in, if it is neither success nor a sentence of ours."""
    try:
        read(path)
    except ApprentiError as error:
        return "" if "\n" not in str(error) else f"two lines: {error}"
    except Exception as error:
        return repr(error)
    return ""


def read_run(path):
    """All that is read of a run."""
    run = Run(path.parent)
    run.damage(), run.metrics(), run.load()


READERS = [
    ("replay-1-tetris.json", "", lambda path: list(read_replay(path).states())),
    ("replay-1-tictactoe.json", "", lambda path: list(read_replay(path).states())),
    ("replay-2-tetris.json", "", lambda path: list(read_replay(path).states())),
    *((f"run-{n}-sarsa", "agent.json", lambda path: (read_agent(path), from_file(path))) for n in (1, 2)),
    *((f"run-{n}-sarsa", file, read_run) for n in (1, 2) for file in ("run.json", "checkpoint.json", "metrics.jsonl")),
]


@pytest.mark.parametrize(("name", "file", "read"), READERS, ids=lambda value: value if isinstance(value, str) else "")
def test_damaged_files(name, file, read, tmp_path):
    folder = tmp_path / "one"
    source = FORMATS / name
    shutil.copytree(source, folder) if source.is_dir() else (folder.mkdir(), shutil.copy(source, folder))
    path = folder / (file or name)
    blob, rng, failures = path.read_bytes(), np.random.default_rng(1), []
    for case in range(CASES):
        if case % 2 or path.suffix == ".jsonl":
            spoilt = byte_damage(blob, rng)
        else:
            spoilt = json.dumps(data_damage(json.loads(blob), rng)).encode()
        path.write_bytes(spoilt)
        if said := ends(read, path):
            failures.append((case, said, spoilt[:200]))
    reported(f"{name} {file}", CASES, failures)


@pytest.mark.parametrize("method", METHODS)
def test_damaged_states(method):
    cases = max(10, CASES // 10)
    reported(f"states of {method}", cases, damaged_ends(method, cases, seed=7))
