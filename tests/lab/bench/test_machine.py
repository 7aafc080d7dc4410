"""What was measured on is said, and a figure is the best of a few runs."""

import json
from time import sleep

import llvmlite.binding
import pytest
from numba import config

from apprenti.games.tetris import bench as tetris
from apprenti.lab.bench import machine
from apprenti.lab.bench.machine import Figure


@pytest.mark.parametrize(
    ("features", "bits"),
    [({"avx512f": True, "avx": True}, 512), ({"avx512f": False, "avx": True}, 256), ({"neon": True}, 128), ({}, 128)],
)
def test_the_width_of_the_registers_is_that_of_the_host(features, bits, monkeypatch):
    monkeypatch.setattr(llvmlite.binding, "get_host_cpu_features", lambda: features)
    assert machine.register_bits() == bits
    assert machine.machine()["registers"] == f"{bits}-bit"


def test_numba_can_be_told_of_other_registers(monkeypatch):
    monkeypatch.setattr(config, "CPU_FEATURES", "+sse2,+avx,+avx2,-avx512f")
    assert machine.register_bits() == 256


def test_a_figure_is_the_best_of_a_few_runs_and_the_first_does_not_count():
    waits = iter([0.0, 0.05, 0.001, 0.05])

    def work():
        sleep(next(waits))
        return 1

    assert 20 < machine.best(work, 3) <= 1000


def test_the_machine_stands_beside_its_figures():
    found = json.loads(machine.as_json([Figure("one", 2.0, "s")]))
    assert found["figures"] == [{"name": "one", "value": 2.0, "unit": "s"}]
    assert {"processor", "cores", "registers", "python", "numba", "numpy", "apprenti", "commit"} == set(
        found["machine"]
    )


def test_compiling_is_timed_in_a_process_of_its_own(monkeypatch):
    def ran(words, env, **_):
        assert words[-1] in ("dellacherie", "bcts", "expectimax:bcts") and "NUMBA_CACHE_DIR" in env
        compile(words[2], "code", "exec")
        return type("Ran", (), {"stdout": "0.5\n"})

    monkeypatch.setattr(tetris.subprocess, "run", ran)
    assert [figure.value for figure in tetris.compile_times()] == [0.5] * 6
