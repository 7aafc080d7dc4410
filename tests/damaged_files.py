"""Every file that somebody may write or pass on, damaged: each is read, or refused in one sentence that has an end."""

import json
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from apprenti.core.errors import ApprentiError
from apprenti.lab import experiments
from apprenti.lab.agents import from_file
from apprenti.lab.exercises import progress
from apprenti.lab.jobs import USE_CASES, from_json
from apprenti.lab.kinds.kind import KINDS, Settings
from apprenti.lab.people import rated_games
from apprenti.lab.queue import Job, Jobs
from apprenti.store.agentfile import read_agent
from apprenti.store.files import read_json
from apprenti.store.replay import read_replay
from apprenti.store.runs import Run
from tests.mutations import byte_damage, data_damage

FORMATS = Path(__file__).parent / "formats"
LONGEST = 1001
"""Characters of a sentence, with the mark that something was left out."""
USES = {
    "train": {"method": "sarsa", "config": {"size": "3x3x3", "seed": 2, "alpha": 0.1}, "run": "first"},
    "resume": {"run": "first", "iterations": 3},
    "measure": {
        "game": "tetris", "agents": ["dellacherie", "random"], "against": "", "options": {"size": "10x6"}, "games": 4,
        "seed": 3, "precision": 0.1, "rare": False,
    },
    "solve": {"game": "tictactoe", "options": {}, "gamma": 0.9, "residual": 1e-6, "agent": "best"},
    "reproduce": {"experiment": "chapter-2", "short": True},
}  # fmt: skip


class Example(NamedTuple):
    """A file as it should be, in the folder that it belongs to, and all that reads it."""

    name: str
    make: Callable[[Path], Path]
    """Writes it with what it needs into a folder; returns its path."""
    read: Callable[[Path], object]


def _copied(source: str, file: str = "") -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        path = FORMATS / source
        if path.is_dir():
            return shutil.copytree(path, folder / source) / file
        return Path(shutil.copy(path, folder / source))

    return make


def _use_case(name: str) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        data = {"format": 2, "kind": name, "name": name, "who": "", "made": 1.0, "command": ["apprenti", name]}
        path = folder / "1" / "job.json"
        path.parent.mkdir()
        path.write_text(json.dumps({**data, "use": name, "options": USES[name], "seal": "0"}))
        return path

    return make


def _experiment(name: str) -> Callable[[Path], Path]:
    return lambda folder: Path(shutil.copy(experiments.known()[name], folder / f"{name}.toml"))


def _of_a_person(folder: Path) -> Path:
    place = folder / "people" / "anna"
    place.mkdir(parents=True)
    data = json.loads((FORMATS / "replay-1-tictactoe.json").read_text())
    path = place / "1.json"
    path.write_text(json.dumps({**data, "players": ["anna", "random"]}))
    return path


def _results(folder: Path) -> Path:
    for name in ("settings", "progress"):
        (folder / f"{name}.json").write_text('{"short": true, "seed": 1, "done": 2, "of": 3}')
    path = folder / "table.md"
    path.write_text("| a | b |\n|---|---|\n| **1** | 2 |\n\n| c |\n|---|\n| 3 |\n")
    return path


def _read_run(path: Path) -> None:
    run = Run(path.parent)
    run.damage(), run.metrics(), run.load()


def _read_job(path: Path) -> None:
    jobs = Jobs(path.parents[1])
    for job in jobs.all():
        job.state(), job.result(), job.so_far(), job.sentence(), jobs.asked(job), jobs.active()
    jobs.latest("measure"), jobs.of("train", "first")
    Job(path.parent).view()


def _read_use_case(path: Path) -> None:
    from_json(read_json(path, "a job"), "a job").command()
    _read_job(path)


def _read_experiment(path: Path) -> None:
    experiment = experiments.read(str(path))
    KINDS.load(experiment.kind)(experiment, Settings(), path.parent)


def _read_class(path: Path) -> None:
    from apprenti.web.school import read_school

    read_school(path)


def _read_results(path: Path) -> None:
    from apprenti.web.laboratory import done_in, tables_in

    done_in(path.parent), tables_in(path.parent)


def _one_of_each_kind() -> list[str]:
    """The first experiment of every kind."""
    first: dict[str, str] = {}
    for name, path in experiments.known().items():
        first.setdefault(experiments.read(str(path)).kind, name)
    return sorted(first.values())


EXAMPLES = [
    *(
        Example(f"replay {name}", _copied(f"replay-{name}.json"), lambda path: list(read_replay(path).states()))
        for name in ("1-tetris", "1-tictactoe", "2-tetris")
    ),
    *(
        Example(f"agent {n}", _copied(f"run-{n}-sarsa", "agent.json"), lambda path: (read_agent(path), from_file(path)))
        for n in (1, 2)
    ),
    *(
        Example(f"run {n} {file}", _copied(f"run-{n}-sarsa", file), _read_run)
        for n in (1, 2)
        for file in ("run.json", "checkpoint.json", "metrics.jsonl")
    ),
    *(
        Example(f"job {file}", _copied("job-1", file), _read_job)
        for file in ("job.json", "process.json", "out.json", "err.txt")
    ),
    *(Example(f"job that does {name}", _use_case(name), _read_use_case) for name in USE_CASES),
    *(Example(f"experiment {name}", _experiment(name), _read_experiment) for name in _one_of_each_kind()),
    Example("class", _copied("class-1.toml"), _read_class),
    Example("course", _copied("course-1.json"), progress),
    Example("rated game", _of_a_person, lambda path: rated_games(path.parents[1])),
    *(Example(f"results {file}", lambda folder, file=file: _results(folder).with_name(file), _read_results)
      for file in ("table.md", "settings.json", "progress.json")),
]  # fmt: skip


def _toml(value: object) -> str:
    """A value as TOML; what TOML has no word for becomes text."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, bool | str) or value is None:
        return json.dumps(value or "" if value is None else value, ensure_ascii=True)
    return repr(value)


def _spoilt(path: Path, blob: bytes, rng: np.random.Generator) -> bytes:
    """The file with one thing wrong: in its data, or in its bytes."""
    if rng.integers(2) and path.suffix in (".json", ".toml"):
        if path.suffix == ".json":
            return json.dumps(data_damage(json.loads(blob), rng)).encode()
        data = data_damage(tomllib.loads(blob.decode()), rng)
        return "".join(f"{json.dumps(key)} = {_toml(part)}\n" for key, part in data.items()).encode()
    return byte_damage(blob, rng)


def _wrong_end(read: Callable[[Path], object], path: Path) -> str:
    """What reading a file ends in, if it is neither success nor a sentence of ours."""
    try:
        read(path)
    except ApprentiError as error:
        sentence = str(error)
        fine = "\n" not in sentence and sentence.isprintable() and len(sentence) <= LONGEST
        return "" if fine else f"no sentence: {sentence!r:.300}"
    except Exception as error:
        return repr(error)
    return ""


def failures(example: Example, cases: int, folder: Path) -> list[tuple[int, str, bytes]]:
    """The cases in which a damaged file broke something: the number, what it ended in, the file's beginning."""
    path = example.make(folder)
    blob, rng, wrong = path.read_bytes(), np.random.default_rng(1), []
    for case in range(cases):
        spoilt = _spoilt(path, blob, rng)
        path.write_bytes(spoilt)
        if end := _wrong_end(example.read, path):
            wrong.append((case, end, spoilt[:300]))
    return wrong
