"""Every published experiment in its short form. `make soak PART=experiments`."""

import json

import pytest

from apprenti.lab.experiments import read
from apprenti.lab.kinds.kind import KINDS
from tests.lab.test_reproduce import PUBLISHED, run_short


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_short_version_writes_table_picture_and_numbers(name, tmp_path):
    table = run_short(name, tmp_path)
    assert table.startswith("|") and table.count("\n") >= 3
    assert "a short run" in (tmp_path / "table.md").read_text()
    for ending in KINDS.load(read(name).kind).pictures:
        assert (tmp_path / f"picture.{ending}").stat().st_size > 1000
    assert json.loads((tmp_path / "results.json").read_text())
