"""Every file that somebody may write or pass on, damaged: each is read, or refused in one sentence that has an end."""

import asyncio
import contextlib
import json
import shutil
import tomllib
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np

from apprenti.core.errors import ApprentiError
from apprenti.core.protocols import CHANCE, Arranges
from apprenti.core.seeds import Stream
from apprenti.lab import experiments
from apprenti.lab.agents import from_file, zoo
from apprenti.lab.exercises import progress
from apprenti.lab.jobs import USE_CASES, from_json
from apprenti.lab.kinds.kind import KINDS, Settings
from apprenti.lab.people import rated_games
from apprenti.lab.queue import Job, Jobs
from apprenti.lab.reproduce import reproduce
from apprenti.store.agentfile import arrays_path, digest_of, packed, read_agent, read_arrays
from apprenti.store.files import read_json
from apprenti.store.replay import read_replay
from apprenti.store.runs import Run
from apprenti.web.app import Page
from tests.mutations import byte_damage, data_damage, text_damage

FORMATS = Path(__file__).parent / "formats"
LONGEST = 1001
"""Characters of a sentence, with the mark that something was left out."""
MOVES = 52
"""Of an agent of Luzhanqi the first fifty set up the armies."""
NETWORKS = ("luzhanqi-learned", "luzhanqi-actor", "dqn-board", "dqn-criteria", "mnk-learned-6x7x4", "sarsa-tictactoe")
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
    spoil: Callable[[Path, bytes, np.random.Generator], bytes] | None = None
    """What is done to it; if nothing is said, one thing is wrong in its data or in its bytes."""


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


MATCH = """title = "t"
question = "q?"
kind = "match"
game = "tictactoe"
games = 2
agents = ["mnk-random", "mnk-perfect"]
"""


def _reproduced(folder: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the picture: names of agents may be any text
        try:
            reproduce(experiments.read(str(folder / "mine.toml")), Settings(), folder / "out", lambda part, words: None)
        finally:
            plt.close("all")


def _part(folder: Path) -> Path:
    (folder / "mine.toml").write_text(MATCH)
    _reproduced(folder)
    return next((folder / "out" / "parts").iterdir())


def _network(name: str) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        for source in (path := zoo()[name]).parent.glob(f"{name}[.-]*"):
            shutil.copy(source, folder / source.name)
        return folder / path.name

    return make


def _other_arrays(path: Path, blob: bytes, rng: np.random.Generator) -> bytes:
    """The small file of an agent that is wrong, or whose arrays are not what they should be and have a good digest."""
    data = json.loads(blob)
    if rng.integers(2):
        return json.dumps(data_damage(data, rng)).encode()
    arrays = data_damage(read_arrays(arrays_path(path, data), data["arrays"]), rng)
    packing = packed({name: array for name, array in arrays.items() if isinstance(array, np.ndarray)})
    data |= {"format": 2, "arrays": digest_of(packing)}
    arrays_path(path, data).write_bytes(packing)
    return json.dumps(data).encode()


def _play(path: Path) -> None:
    """The agent of a file sets up and plays a little; numbers that are too large are its own fault."""
    known, chance = from_file(path), Stream(1)
    known.check(known.game, known.rules)
    if isinstance(known.agent, Arranges):
        known.agent.arrange(known.rules, chance)
    state = known.game.start(known.rules, chance)
    with np.errstate(all="ignore"):
        for _ in range(MOVES):
            while state.turn == CHANCE:
                state = state.deal(chance)
            if state.outcome:
                return
            move = known.agent.choose(state.observation(state.turn), state.legal_moves(), chance)
            state = state.play(move)


def _among_good_ones(source: str, place: str, good: str, bad: str) -> Callable[[Path], Path]:
    """A file or folder of ours twice; what is damaged is the second, or a file in it."""

    def make(folder: Path) -> Path:
        for name in (good, bad.partition("/")[0]):
            whole = FORMATS / source
            (folder / place).mkdir(exist_ok=True)
            (shutil.copytree if whole.is_dir() else shutil.copy)(whole, folder / place / name)
        return folder / place / bad

    return make


LISTS = (
    "/api/experiments",
    "/api/runs",
    "/api/jobs",
    "/api/measures",
    "/api/played",
    "/api/agents/tictactoe",
    "/api/zoo",
)


def _asked(page: Page, path: str) -> tuple[int, str]:
    """What the page answers: its status and its body."""
    answers: list[dict[str, Any]] = []
    scope = {
        "type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": b"", "headers": [],
        "scheme": "http", "server": ("x", 1), "client": ("x", 1), "root_path": "", "http_version": "1.1",
    }  # fmt: skip

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        answers.append(message)

    asyncio.run(page.app()(scope, receive, send))
    return answers[0]["status"], b"".join(each.get("body", b"") for each in answers).decode()


def _lists(*good: str) -> Callable[[Path], None]:
    """All lists of the page, which has what is good among what is damaged."""

    def read(path: Path) -> None:
        with contextlib.chdir(path.parents[2] if path.parents[1].name in ("runs", "jobs") else path.parents[1]):
            page = Page(Path("replays"))
            answers = {address: _asked(page, address) for address in LISTS}
            page.games.close()
            assert {status for status, _ in answers.values()} == {200}, answers
            assert all(any(name in body for _, body in answers.values()) for name in good), answers

    return read


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
    Example("part of results", _part, lambda path: _reproduced(path.parents[2])),
    *(Example(f"network {name}", _network(name), _play, _other_arrays) for name in NETWORKS),
    Example("experiment in a list", _among_good_ones("experiment-1.toml", "experiments", "good.toml", "bad.toml"),
            _lists('"good"', '"bad"')),
    *(Example(f"{file} in a list", _among_good_ones("run-2-sarsa", "runs", "good", f"bad/{file}"), _lists('"good"'))
      for file in ("run.json", "agent.json", "metrics.jsonl")),
    *(Example(f"job {file} in a list", _among_good_ones("job-1", "jobs", "1", f"2/{file}"), _lists())
      for file in ("job.json", "out.json")),
    Example("replay in a list", _among_good_ones("page-2-tictactoe.json", "replays", "good.json", "bad.json"),
            _lists('"good"')),
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
    how = rng.integers(5)
    if how > 2 or path.suffix not in (".json", ".toml"):
        return byte_damage(blob, rng)
    read, written = (json.loads, json.dumps) if path.suffix == ".json" else (tomllib.loads, _table)
    data = read(blob.decode())
    return (text_damage(data, written, rng) if how == 2 else written(data_damage(data, rng))).encode()


def _table(data: dict[str, object]) -> str:
    """A table as TOML."""
    return "".join(f"{json.dumps(key)} = {_toml(part)}\n" for key, part in data.items())


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
        spoilt = (example.spoil or _spoilt)(path, blob, rng)
        path.write_bytes(spoilt)
        if end := _wrong_end(example.read, path):
            wrong.append((case, end, spoilt[:300]))
    return wrong
