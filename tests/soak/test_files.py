"""Damaged files and states, thousands of them: each is refused in one sentence, or read. `make soak PART=files`."""

import os

import pytest

from apprenti.learn.methods import METHODS
from tests.contracts.test_learners import damaged_ends
from tests.damaged_files import EXAMPLES, failures

CASES = int(os.environ.get("SOAK_CASES", "2000"))


def reported(what, cases, failures):
    """Say how many cases there were and how many failed; fail if any did."""
    print(f"\n{what}: {cases} cases, {len(failures)} failures")
    assert failures == []


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: each.name)
def test_damaged_files(example, tmp_path):
    reported(example.name, CASES, failures(example, CASES, tmp_path))


@pytest.mark.parametrize("method", METHODS)
def test_damaged_states(method):
    cases = max(10, CASES // 10)
    reported(f"states of {method}", cases, damaged_ends(method, cases, seed=7))
