"""How fast Tetris is: the kernel, compiling it, the readable engine, learning, and the Gymnasium environments."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

from apprenti.arena.game import play_game
from apprenti.core.data import JsonData
from apprenti.core.protocols import Compiles, GameSeeds
from apprenti.core.seeds import Stream, below
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import Tally
from apprenti.lab.agents import NamedAgent, find
from apprenti.lab.bench.machine import REPEATS, Figure, best

VECTOR_SIZES = (256, 4096)


def _speed(known: NamedAgent, rules: Rules, pieces: int, threads: int = 1) -> tuple[float, float]:
    """Pieces and lines per second of the kernel, best of a few runs."""
    from apprenti.games.tetris.fast.players import play

    assert isinstance(known.agent, Compiles)
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


def _until(rules: Rules, player: Any, seeds: list[tuple[int, int]], pieces: int) -> list[Tally]:
    """Play games until this number of pieces have been placed."""
    from apprenti.games.tetris.fast.players import play

    tallies: list[Tally] = []
    for seed in seeds:
        left = pieces - sum(tally.pieces for tally in tallies)
        if left <= 0:
            break
        tallies.append(play(replace(rules, max_pieces=left), player, [seed])[0].tally)
    return tallies


def _kernel(quick: bool) -> Iterator[Figure]:
    """The compiled engine."""
    scale = 20 if quick else 1
    for size in ("10x20", "10x10"):
        for name in ("dellacherie", "bcts", "thesis-27", "dt-20"):
            rules, known = Rules.preset("simplified", size), find(name)
            one = _speed(known, rules, 1_000_000 // scale)
            two = _speed(known, rules, 1_000_000 // scale, 2)
            yield Figure(f"{name} {size}, one core", one[1], "lines/s")
            yield Figure(f"{name} {size}, one core", one[0], "pieces/s")
            yield Figure(f"{name} {size}, two threads", two[1], "lines/s")
            yield Figure(f"{name} {size}, two threads against one", two[0] / one[0], "times")
    plain, preview = Rules.preset("simplified"), Rules.preset("simplified", preview=True)
    for what, name, rules, pieces in (
        ("dellacherie, next piece known", "preview:dellacherie", preview, 50_000),
        ("fahey, next piece known", "fahey", preview, 50_000),
        ("bcts, expectimax", "expectimax:bcts", plain, 10_000),
        ("dellacherie, strict rules", "dellacherie", Rules.preset("strict"), 500_000),
        ("tetrisbot, its own rules", "tetrisbot", find("tetrisbot").rules, 500_000),
    ):
        yield Figure(what, _speed(find(name), rules, pieces // scale)[0], "pieces/s")


def _rare(quick: bool) -> Iterator[Figure]:
    """Splitting against playing: what ± 5 % of a player costs whose games last fifty million lines."""
    from apprenti.arena.splitting import Levels, repeat, split
    from apprenti.lab.rare_events import process_of

    known = find("dt-20")
    rules = known.game.rules(known.rules, size="10x20")
    process, precision = process_of(known, rules), 0.5 if quick else 0.1
    repeat(process, Levels((process.first_level,), (2, 2)), 1)  # compiles
    began = process_time()
    *_, estimate = split(process, 1, 1, precision, "lines")
    seconds = (process_time() - began) * (estimate.half_width("lines") / 0.05) ** 2  # the width goes with the root
    lines = _speed(known, rules, 1_000_000 // (20 if quick else 1))[1]
    yield Figure("dt-20 10x20 within ± 5 % by splitting", seconds, "core seconds")
    ratio = 1600 * estimate.mean("lines") / lines / seconds
    yield Figure("the same by playing 1600 games, against splitting", ratio, "times")


def _generations(learner: Any) -> tuple[float, float]:
    """All generations of a learner: how many a second, and how many cores they keep busy."""
    learner.warm_up()
    began, busy = perf_counter(), process_time()
    while not learner.done:
        learner.step()
    taken = perf_counter() - began
    return learner.steps[0] / taken, (process_time() - busy) / taken


def _learning(quick: bool) -> Iterator[Figure]:
    """The report's genetic algorithm: generations a second, cores it keeps busy, and what its checkpoints cost."""
    from apprenti.games.tetris.learn.cma_es import CmaEs, CmaEsConfig
    from apprenti.games.tetris.learn.genetic_algorithm import GeneticAlgorithm, GeneticConfig
    from apprenti.lab.train import train

    options: JsonData = {
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


def _readable(quick: bool) -> Iterator[Figure]:
    """The readable engine, for comparison."""
    for name in ("dellacherie", "tetrisbot"):
        known = find(name)
        rules = replace(known.rules, max_pieces=20 if quick else 150)
        began = perf_counter()
        record = play_game(known.game, rules, [known.agent], GameSeeds(1, (0,), (1,)))
        yield Figure(f"{name}, readable engine", record.length / (perf_counter() - began), "pieces/s")


COMPILE = """
import sys
from time import perf_counter
import apprenti.games.tetris.fast.players
from apprenti.lab.agents import find
known = find(sys.argv[1])
began = perf_counter()
known.game.fast(known.game.rules(rules="simplified"), [known.agent]).warm_up()
print(perf_counter() - began)
"""


def compile_times() -> Iterator[Figure]:
    """The first time, and when it was compiled before."""
    for name in ("dellacherie", "bcts", "expectimax:bcts"):
        with tempfile.TemporaryDirectory() as fresh:
            words, environment = [sys.executable, "-P", "-c", COMPILE, name], {**os.environ, "NUMBA_CACHE_DIR": fresh}
            for what in (f"compile {name}, the first time", f"load {name}, compiled before"):
                ran = subprocess.run(words, check=True, capture_output=True, text=True, env=environment)
                yield Figure(what, float(ran.stdout), "s")


def environments(quick: bool) -> Iterator[Figure]:
    """Steps a second of the Gymnasium environments with random legal actions; nothing if Gymnasium is not installed."""
    if find_spec("gymnasium") is None:
        return
    import gymnasium

    import apprenti.envs  # noqa: F401

    scale = 20 if quick else 1
    for name, what in (("apprenti/Tetris-v0", "placement"), ("apprenti/TetrisKeys-v0", "key")):
        yield Figure(f"{name}, one game", _env_speed(gymnasium.make(name), 50_000 // scale), f"{what} steps/s")
        for games in VECTOR_SIZES:
            for how, copy in (("", True), (", written into the same arrays", False)):
                speed = _vector_speed(name, games, 2_000_000 // scale, copy)
                yield Figure(f"{name}, {games} games{how}", speed, f"{what} steps/s")
    readable = gymnasium.make("apprenti/Tetris-v0", engine="readable")
    yield Figure("apprenti/Tetris-v0, readable engine", _env_speed(readable, 1000 // scale), "placement steps/s")
    yield from _tetris_gymnasium(scale)


def _tetris_gymnasium(scale: int) -> Iterator[Figure]:
    """The same of Tetris-Gymnasium, whose placement steps always come with the board after every action."""
    if find_spec("tetris_gymnasium") is None or find_spec("cv2") is None:
        return
    from importlib.metadata import PackageNotFoundError, version

    from tetris_gymnasium.envs import Tetris
    from tetris_gymnasium.wrappers.grouped import GroupedActionsObservations

    try:
        name = f"Tetris-Gymnasium {version('tetris-gymnasium')}"
    except PackageNotFoundError:
        name = "Tetris-Gymnasium"
    yield Figure(name, _env_speed(Tetris(), 5000 // scale), "key steps/s")
    yield Figure(name, _env_speed(GroupedActionsObservations(Tetris()), 200 // scale), "placement steps/s")


def _env_speed(env: Any, steps: int) -> float:
    """Steps a second of one environment with random legal actions, drawing them included."""
    rng, info = Stream(1), env.reset(seed=1)[1]

    def work() -> int:
        nonlocal info
        for _ in range(steps):
            if "action_mask" in info:
                legal = np.flatnonzero(info["action_mask"])
                action = int(legal[below(rng, len(legal))])
            else:
                action = below(rng, env.action_space.n)
            _, _, terminated, truncated, info = env.step(action)
            if terminated or truncated:
                info = env.reset()[1]
        return steps

    return best(work)


def _vector_speed(name: str, games: int, steps: int, copy: bool) -> float:
    """Steps a second of the vector environment, all games counted."""
    import gymnasium

    envs = gymnasium.make_vec(name, num_envs=games, vectorization_mode="vector_entry_point", copy=copy)
    envs.reset(seed=1)
    draw, rng = envs.unwrapped.batch.random_actions, Stream(1)

    def work() -> int:
        rounds = max(30, steps // games)  # of the first time games end here and there in the end, and not all at once
        for _ in range(rounds):
            envs.step(draw(rng))
        return rounds * games

    return best(work)


def figures(quick: bool) -> Iterator[Figure]:
    """All of it; a quick look does not compile."""
    yield from _kernel(quick)
    yield from _rare(quick)
    yield from _learning(quick)
    yield from _readable(quick)
    if not quick:
        yield from compile_times()
    yield from environments(quick)
