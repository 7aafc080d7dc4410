"""The campaigns of `make soak` in little: a few cases of each, the same every time."""

from apprenti.agents import process
from tests.soak import test_crowd, test_deaths, test_engines, test_leaks, test_options, test_pupils, test_requests
from tests.soak.campaign import campaign
from tests.web.client import Client, served

SHORT = 0.5
"""Minutes, however slow the machine is."""


def test_absurd_options(tmp_path):
    test_options.look(tmp_path, 2, 60, SHORT)


def test_hostile_engines(tmp_path, monkeypatch):
    monkeypatch.setattr(process, "GRACE", 0.2)
    campaign("hostile engines", test_engines.cases(2, tmp_path), 6, SHORT)


def test_hostile_pupils(tmp_path):
    campaign("hostile pupils", test_pupils.cases(2, tmp_path), 3, SHORT)


def test_nothing_leaks():
    test_leaks.leaks(test_leaks.compiled, 2, 5000, SHORT)
    for look in test_leaks.LOOKS:
        test_leaks.leaks(look, 2, 12, SHORT)


def test_strange_requests(tmp_path):
    with served(tmp_path) as server:
        campaign("strange requests", test_requests.cases(2, Client(server)), 80, SHORT)


def test_deaths_and_full_disks_of_runs(tmp_path):
    campaign("ends of runs", test_deaths.ends_of_runs("sarsa", tmp_path, 20), None, SHORT)


def test_deaths_and_full_disks_of_the_page(tmp_path):
    campaign("ends of games", test_deaths.ends_of_games(tmp_path, ["tictactoe", "tetris"]), None, SHORT)


def test_a_small_crowd(tmp_path):
    campaign("a crowd", test_crowd.cases(tmp_path, 3), 3, SHORT)
