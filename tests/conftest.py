"""Settings for all tests: fixed seeds, no timing."""

import contextlib
import signal

from hypothesis import HealthCheck, settings

# A shell that starts a job in the background has it ignore Ctrl-C, and its children too; the tests press Ctrl-C.
with contextlib.suppress(ValueError):  # not in the main thread
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "apprenti",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.load_profile("apprenti")
