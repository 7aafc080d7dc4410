"""After every test, whatever an engine started has ended."""

import pytest

from apprenti.agents import process
from tests.games.luzhanqi.agents.engine.engines import assert_all_ended, engine_in


@pytest.fixture
def engine(tmp_path):
    return engine_in(tmp_path)


@pytest.fixture(autouse=True)
def nothing_left_running(tmp_path, monkeypatch):
    monkeypatch.setattr(process, "GRACE", 0.2)
    yield
    assert_all_ended(tmp_path)
