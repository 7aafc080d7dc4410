"""What was measured on, how it is measured, and how long a user waits for a command."""

import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter

from apprenti import __version__
from apprenti.core.data import JsonObject

REPEATS = 5


@dataclass(frozen=True)
class Figure:
    """One measurement."""

    name: str
    value: float
    unit: str


def best(work: Callable[[], float], repeats: int = 0) -> float:
    """Things done a second, best of a few runs; the first one compiles and does not count."""
    work()
    speeds = []
    for _ in range(repeats or REPEATS):
        began = perf_counter()
        speeds.append(work() / (perf_counter() - began))
    return max(speeds)


def waited(words: list[str], repeats: int) -> float:
    """Seconds that Python takes for some words, the best of a few times."""
    times = []
    for _ in range(repeats):
        began = perf_counter()
        subprocess.run([sys.executable, "-P", *words], check=True, capture_output=True)
        times.append(perf_counter() - began)
    return min(times)


def figures(quick: bool) -> Iterator[Figure]:
    """What a user waits for."""
    repeats = 1 if quick else REPEATS
    yield Figure("import apprenti", waited(["-c", "import apprenti"], repeats), "s")
    yield Figure("apprenti --help", waited(["-m", "apprenti", "--help"], repeats), "s")
    yield Figure("apprenti evaluate --help", waited(["-m", "apprenti", "evaluate", "--help"], repeats), "s")


def machine() -> JsonObject:
    """What was measured on."""
    import numba
    import numpy

    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "registers": f"{register_bits()}-bit",
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": numpy.__version__,
        "apprenti": __version__,
        "commit": commit(),
    }


def processor() -> str:
    """Its name."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def register_bits() -> int:
    """The width of the widest registers that numba compiles for: how many numbers are worked on at once."""
    from llvmlite.binding import get_host_cpu_features
    from numba import config

    features = (config.CPU_FEATURES or "").split(",")  # an environment variable of numba's
    has = {name[1:]: name[0] == "+" for name in features} if any(features) else get_host_cpu_features()
    return 512 if has.get("avx512f") else 256 if has.get("avx") else 128


def commit() -> str | None:
    """The commit of the sources, when they are in a checkout and git is there."""
    words = ["git", "rev-parse", "--short", "HEAD"]
    try:
        git = subprocess.run(words, cwd=Path(__file__).parent, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return git.stdout.strip()


def as_json(figures: list[Figure]) -> str:
    """All figures and the machine as one JSON object."""
    return json.dumps({"machine": machine(), "figures": [asdict(figure) for figure in figures]}, ensure_ascii=False)
