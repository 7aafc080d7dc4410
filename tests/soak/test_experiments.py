"""Every published experiment in its short form. `make soak PART=experiments`."""

import pytest

from tests.lab.test_reproduce import PUBLISHED, check_short_version


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_short_version_of_every_experiment(name, tmp_path):
    check_short_version(name, tmp_path)
