"""A campaign: cases until its time is over, and one line that says how many there were and how many failed."""

import os
from collections.abc import Iterable
from itertools import islice
from time import monotonic

MINUTES = float(os.environ.get("SOAK_MINUTES", "5"))


def campaign(what: str, cases: Iterable[str], most: int | None = None, minutes: float = MINUTES) -> None:
    """Look at cases, each of them a sentence about what went wrong, or nothing; fail if anything did."""
    end, count, failures = monotonic() + 60 * minutes, 0, []
    for wrong in islice(cases, most):
        count += 1
        failures += [wrong] if wrong else []
        if monotonic() > end:
            break
    print(f"\n{what}: {count} cases, {len(failures)} failures", flush=True)
    assert not failures, "\n".join(failures[:20])
