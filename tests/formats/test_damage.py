"""A few dozen damaged files of every sort; `make soak PART=files` tries thousands."""

import pytest

from tests.damaged_files import EXAMPLES, USES, failures


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: each.name)
def test_a_damaged_file_is_read_or_refused_in_a_sentence(example, tmp_path):
    assert failures(example, 30, tmp_path) == []


def test_every_use_case_of_a_job_is_tried():
    from apprenti.lab.jobs import USE_CASES

    assert set(USES) == set(USE_CASES)
