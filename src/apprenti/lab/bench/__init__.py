"""How fast this machine is: each figure the best of a few runs, because machines are noisy. One module a subject."""

from collections.abc import Iterator

from apprenti.lab.bench.machine import Figure


def bench(quick: bool = False) -> Iterator[Figure]:
    """All figures, one after the other."""
    from apprenti.lab.bench import envs, luzhanqi, machine, tetris

    for subject in (tetris, envs, luzhanqi, machine):
        yield from subject.figures(quick)
