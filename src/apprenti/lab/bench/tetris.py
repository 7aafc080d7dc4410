"""How fast this machine is: each figure the best of a few runs, because machines are noisy."""

import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from apprenti import __version__
from apprenti.arena.game import play_game
from apprenti.games.tetris.rules import Rules
from apprenti.lab.agents import Known, find

REPEATS = 5


@dataclass(frozen=True)
class Figure:
    """One measurement."""

    name: str
    value: float
    unit: str


def _speed(known: Known, rules: Rules, pieces: int, threads: int) -> tuple[float, float]:
    """Pieces and lines per second of the kernel, best of a few runs."""
    from apprenti.games.tetris.fast.players import play

    player = known.agent.compiled(rules)
    play(replace(rules, max_pieces=1), player, [(1, 1)])
    best = (0.0, 0.0)
    for run in range(REPEATS):
        seeds = [[(1000 * run + thread * 100 + i, 1) for i in range(50)] for thread in range(threads)]
        began = perf_counter()
        with ThreadPoolExecutor(threads) as pool:
            games = [g for part in pool.map(lambda s: _until(rules, player, s, pieces), seeds) for g in part]
        taken = perf_counter() - began
        speed = sum(g.pieces for g in games) / taken, sum(g.lines for g in games) / taken
        best = max(best, speed)
    return best


def _until(rules: Rules, player: Any, seeds: list[tuple[int, int]], pieces: int) -> list[Any]:
    """Play games until so many pieces have been placed."""
    from apprenti.games.tetris.fast.players import play

    tallies: list[Any] = []
    for seed in seeds:
        left = pieces - sum(tally.pieces for tally in tallies)
        if left <= 0:
            break
        tallies.append(play(replace(rules, max_pieces=left), player, [seed])[0].tally)
    return tallies


def kernel_figures(quick: bool) -> Iterator[Figure]:
    """The compiled engine."""
    scale = 20 if quick else 1
    for size in ("10x20", "10x10"):
        for name in ("dellacherie", "bcts", "thesis-27", "dt-20"):
            rules, known = Rules.preset("simplified", size), find(name)
            one = _speed(known, rules, 1_000_000 // scale, 1)
            two = _speed(known, rules, 1_000_000 // scale, 2)
            yield Figure(f"{name} {size}, one core", one[1], "lines/s")
            yield Figure(f"{name} {size}, one core", one[0], "pieces/s")
            yield Figure(f"{name} {size}, two threads", two[1], "lines/s")
            yield Figure(f"{name} {size}, two threads against one", two[0] / one[0], "times")
    preview = Rules.preset("simplified", preview=True)
    yield Figure(
        "dellacherie, next piece known", _speed(find("preview:dellacherie"), preview, 50_000 // scale, 1)[0], "pieces/s"
    )
    yield Figure("fahey, next piece known", _speed(find("fahey"), preview, 50_000 // scale, 1)[0], "pieces/s")
    plain = Rules.preset("simplified")
    yield Figure("bcts, expectimax", _speed(find("expectimax:bcts"), plain, 10_000 // scale, 1)[0], "pieces/s")
    strict = Rules.preset("strict")
    yield Figure("dellacherie, strict rules", _speed(find("dellacherie"), strict, 500_000 // scale, 1)[0], "pieces/s")
    bot = find("tetrisbot")
    yield Figure("tetrisbot, its own rules", _speed(bot, bot.rules, 500_000 // scale, 1)[0], "pieces/s")


def _generations(learner: Any) -> tuple[float, float]:
    """All generations of a learner: how many a second, and how many cores they keep busy."""
    learner.warm_up()
    began, busy = perf_counter(), process_time()
    while not learner.done:
        learner.step()
    taken = perf_counter() - began
    return learner.steps[0] / taken, (process_time() - busy) / taken


def learning_figures(quick: bool) -> Iterator[Figure]:
    """The report's genetic algorithm: generations a second, cores it keeps busy, and what its checkpoints cost."""
    from apprenti.lab.train import train
    from apprenti.learn.tetris.cma_es import CmaEs, CmaEsConfig
    from apprenti.learn.tetris.genetic_algorithm import GeneticAlgorithm, GeneticConfig

    options: dict[str, Any] = {
        "vector_encoding": "bin",
        "old_generation_policy": "elitism",
        "iterations": 4 if quick else 20,
    }
    speed, cores = _generations(GeneticAlgorithm(GeneticConfig(**options)))
    yield Figure("genetic algorithm, the report's setting", speed, "generations/s")
    yield Figure("genetic algorithm, cores busy", cores, "cores")
    whole = CmaEsConfig(
        criteria="rv", population=20, games=2 if quick else 10, iterations=4 if quick else 20, test_games=0
    )
    yield Figure("CMA-ES, whole games on 10x10, cores busy", _generations(CmaEs(whole))[1], "cores")
    long = GeneticConfig(**options, max_pieces=0, size="10x14")
    with tempfile.TemporaryDirectory() as folder:
        run = train("ga", long, "bench", Path(folder))
        kept = run.metrics()[-1]["seconds"]
        checkpoint = run.load()
        assert checkpoint is not None
        began = perf_counter()
        for _ in range(20):
            run.save(checkpoint, {"generation": 0})
        each = (perf_counter() - began) / 20
    part = each * long.iterations / kept
    yield Figure("checkpoints, part of the time of a run with whole games on 10x14", 100 * part, "%")


def self_play_figures(quick: bool) -> Iterator[Figure]:
    """Luzhanqi by itself with PPO's network of the usual size, on one core; nothing if torch is not installed."""
    if find_spec("torch") is None:
        return
    from apprenti.learn.deep.luzhanqi.ppo import Ppo
    from apprenti.learn.deep.luzhanqi.ppo_config import PpoConfig

    learner = Ppo(PpoConfig(past_share=0.0, parallel_games=64, moves=8 if quick else 48))
    learner.warm_up()
    best = max(learner.self_play_speed() for _ in range(2 if quick else REPEATS))
    yield Figure("luzhanqi, self-play with the network, 64 games, one core", best, "moves/s")


def readable_figures(quick: bool) -> Iterator[Figure]:
    """The readable engine, for comparison."""
    for name in ("dellacherie", "tetrisbot"):
        known = find(name)
        rules = replace(known.rules, max_pieces=20 if quick else 150)
        began = perf_counter()
        played = play_game(known.agent, rules, (1, 1))
        yield Figure(f"{name}, readable engine", played.tally.pieces / (perf_counter() - began), "pieces/s")


def _timed(arguments: list[str]) -> float:
    began = perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
    return perf_counter() - began


def startup_figures(quick: bool) -> Iterator[Figure]:
    """What a user waits for."""
    repeats = 1 if quick else REPEATS
    yield Figure(
        "import apprenti.games.tetris", min(_timed(["-c", "import apprenti.games.tetris"]) for _ in range(repeats)), "s"
    )
    yield Figure("apprenti --help", min(_timed(["-m", "apprenti", "--help"]) for _ in range(repeats)), "s")
    help_of = ["-m", "apprenti", "evaluate", "--help"]
    yield Figure("apprenti evaluate --help", min(_timed(help_of) for _ in range(repeats)), "s")
    if not quick:
        code = (
            "from time import perf_counter as t\n"
            "from apprenti.lab.agents import find\nfrom apprenti.lab.evaluate import warm_up\n"
            "from apprenti.games.tetris.rules import Rules\nimport apprenti.games.tetris.fast.players, sys\n"
            "b = t(); warm_up(find(sys.argv[1]), Rules.preset('simplified')); print(t() - b)"
        )
        for name in ("dellacherie", "bcts", "expectimax:bcts"):
            with tempfile.TemporaryDirectory() as fresh:
                environment = {**os.environ, "NUMBA_CACHE_DIR": fresh}
                first, again = (
                    float(
                        subprocess.run(
                            [sys.executable, "-c", code, name],
                            check=True,
                            capture_output=True,
                            text=True,
                            env=environment,
                        ).stdout
                    )
                    for _ in range(2)
                )
            yield Figure(f"compile {name}, the first time", first, "s")
            yield Figure(f"load {name}, compiled before", again, "s")


def machine() -> dict[str, Any]:
    """What was measured on."""
    import numba
    import numpy

    model = platform.processor()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [
            line.partition(":")[2].strip() for line in cpuinfo.read_text().splitlines() if line.startswith("model name")
        ]
        model = names[0] if names else model
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": numpy.__version__,
        "apprenti": __version__,
        "commit": commit(),
    }


def commit() -> str | None:
    """The commit of the sources, when they are in a checkout and git is there."""
    words = ["git", "rev-parse", "--short", "HEAD"]
    try:
        return subprocess.run(
            words, cwd=Path(__file__).parent, capture_output=True, text=True, check=True
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def bench(quick: bool = False) -> Iterator[Figure]:
    """All figures, one after the other."""
    from apprenti.lab.bench.envs import environment_figures
    from apprenti.lab.bench.luzhanqi import luzhanqi_figures

    yield from kernel_figures(quick)
    yield from environment_figures(quick)
    yield from learning_figures(quick)
    yield from (Figure(*figure) for figure in luzhanqi_figures(quick))
    yield from self_play_figures(quick)
    yield from readable_figures(quick)
    yield from startup_figures(quick)


def as_json(figures: list[Figure]) -> str:
    """All figures and the machine as one JSON object."""
    rows = [{"name": f.name, "value": f.value, "unit": f.unit} for f in figures]
    return json.dumps({"machine": machine(), "figures": rows}, ensure_ascii=False)
