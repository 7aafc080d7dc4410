"""How fast this machine is: each figure the best of a few runs, because machines are noisy. Games add their own."""

from collections.abc import Iterator

from apprenti.core.plugins import load, plugins
from apprenti.lab.bench.machine import Figure


def bench(quick: bool = False, cluster: str = "") -> Iterator[Figure]:
    """All figures, one after the other; those of a cluster instead, if one is named."""
    from apprenti.lab.bench import machine

    if cluster:
        from apprenti.lab.bench.cluster import figures

        yield from figures(quick, cluster)
        return
    for where in (where for each in plugins() for where in each.bench):
        yield from load(where)(quick)
    yield from machine.figures(quick)
