"""How fast this machine is: each figure the best of a few runs, because machines are noisy. One module a subject."""

from collections.abc import Iterator

from apprenti.lab.bench.machine import Figure


def bench(quick: bool = False, cluster: str = "") -> Iterator[Figure]:
    """All figures, one after the other; those of a cluster instead, if one is named."""
    from apprenti.lab.bench import envs, luzhanqi, machine, tetris

    if cluster:
        from apprenti.lab.bench.cluster import figures

        yield from figures(quick, cluster)
        return
    for subject in (tetris, envs, luzhanqi, machine):
        yield from subject.figures(quick)
