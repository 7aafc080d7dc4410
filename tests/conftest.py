"""Settings for all tests: fixed seeds, no timing."""

import contextlib
import gc
import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A shell that starts a job in the background has it ignore Ctrl-C, and its children too; the tests press Ctrl-C.
with contextlib.suppress(ValueError):  # not in the main thread
    signal.signal(signal.SIGINT, signal.default_int_handler)

os.environ["APPRENTI_LANG"] = "en"  # whatever the machine speaks

pytest_plugins = ["tests.cli.terminals", "tests.web.client"]  # the slices play at terminals and on the page, too

settings.register_profile(
    "apprenti",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.load_profile("apprenti")


# Thousands of tests and modules stay until the end: to look for garbage among them takes a fifth of the time.
gc.disable()


def pytest_collection_finish():
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    gc.enable()


# Tiers ----------------------------------------------------------------------------------------------------------------

TESTS = Path(__file__).parent
QUICK = (
    "agents/test_build.py", "agents/test_random.py", "arena/test_best_response.py", "arena/test_game.py",
    "arena/test_ratings.py", "arena/test_statistics.py", "contracts/test_games.py", "core/test_errors.py",
    "core/test_m*.py", "core/test_options.py", "core/test_plugins.py", "core/test_shapes.py", "core/test_threads.py",
    "formats/test_formats.py", "games/*/test_*.py", "games/mnk/views/test_*.py", "golden/test_every_game.py",
    "lab/test_agents.py", "lab/test_results.py", "learn/test_glossary.py", "store/test_a*.py", "store/test_files.py",
    "store/test_replay.py", "test_house.py", "views/test_numbers.py", "views/test_view.py",
)  # fmt: skip
"""Where `pytest -m quick` looks: rules, notation, formats, statistics, and the contracts of games."""
COMPILING = (
    "games/luzhanqi/test_beliefs.py", "games/*/test_bench.py", "games/*/test_kernel.py", "games/tetris/test_walls.py",
)  # fmt: skip
"""But not these, …"""
COMPILED = ("test_the_compiled_game_is", "test_a_run_is_read_and_gone_on_with")
"""… and not these tests: they compile, or start a process."""


def is_quick(path: Path) -> bool:
    """Whether a file is one of those."""
    name = path.relative_to(TESTS)
    return any(name.match(each) for each in QUICK) and not any(name.match(each) for each in COMPILING)


def pytest_ignore_collect(collection_path, config):
    """Of the other files nothing is imported where only the quick tests are asked for."""
    only = config.option.markexpr == "quick" and collection_path.is_file()
    return True if only and not is_quick(collection_path) else None


def pytest_collection_modifyitems(items):
    for item in items:
        if is_quick(item.path) and not item.name.startswith(COMPILED):
            item.add_marker(pytest.mark.quick)


@pytest.fixture(autouse=True)
def own_secret():
    """Forget the secret of jobs after each test: one with a folder of its own for it would leave it to the next."""
    yield
    if queue := sys.modules.get("apprenti.lab.queue"):
        queue.secret.cache_clear()


@pytest.fixture
def plug_in():
    """Have a manifest until the end of the test: `plug_in(games={"toy": Entry(…)})`."""
    from apprenti.core.plugins import Plugin, registered

    with contextlib.ExitStack() as stack:
        yield lambda **parts: stack.enter_context(registered(Plugin(**parts)))
