"""Settings for all tests: fixed seeds, no timing."""

import contextlib
import os
import signal

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


@pytest.fixture
def plug_in():
    """Have a manifest until the end of the test: `plug_in(games={"toy": Entry(…)})`."""
    from apprenti.core.plugins import Plugin, registered

    with contextlib.ExitStack() as stack:
        yield lambda **parts: stack.enter_context(registered(Plugin(**parts)))
