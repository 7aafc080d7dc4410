"""Check a pupil's file in a process of its own, and keep what is solved.

This module, run with FILE, NUMBER, FIRST and MEMORY, is that process: it says a verdict a line, from part
FIRST on. One that says nothing for too long is ended, and the next part begins in a new one.
"""

import json
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from apprenti.agents.process import OUT_OF_TIME, Foul
from apprenti.core.errors import BadFile
from apprenti.lab.exercises.catalogue import find_exercise
from apprenti.lab.exercises.exercise import Exercise, Verdict, Words, check
from apprenti.lab.limited import START, Limits, confined, heard, started
from apprenti.store.files import write_json

PROGRESS = Path("course.json")
"""What has been solved here."""
LIMITS = Limits(seconds=10.0)


def check_file(path: Path, exercise: Exercise, limits: Limits = LIMITS) -> Iterator[Verdict]:
    """The verdict on each function of a file."""
    if not path.is_file():
        raise BadFile(f"there is no file {path}.")
    first = 0
    while first < len(exercise.parts):
        for verdict in _one_process(path, exercise, first, limits):
            yield verdict
            first += 1


def _one_process(path: Path, exercise: Exercise, first: int, limits: Limits) -> Iterator[Verdict]:
    """Verdicts from a part on, until the process is through or has to be ended."""
    words = [str(path), str(exercise.number), str(first), str(limits.memory)]
    process = started("apprenti.lab.exercises.run", *words)
    try:
        heard(process, START)
        for part in exercise.parts[first:]:
            try:
                said: Any = heard(process, limits.seconds)
            except Foul as foul:
                yield Verdict(part.name, False, _ended(foul.reason == OUT_OF_TIME, limits))
                return
            yield Verdict(str(said["name"]), bool(said["right"]), Words(*said["words"]), bool(said["missing"]))
    except Foul:
        raise BadFile(f"{path} cannot be checked: Python did not start within {limits.memory} megabytes.") from None
    finally:
        process.close()


def _ended(late: bool, limits: Limits) -> Words:
    if late:
        return Words(
            f"rien après {limits.seconds:g} s : une boucle sans fin ? Vérifiez ce qui doit la faire s'arrêter.",
            f"nothing after {limits.seconds:g} s: an endless loop? Look at what should make it stop.",
        )
    return Words(
        f"le programme a été arrêté : plus de {limits.memory} Mo de mémoire, ou il s'est terminé lui-même.",
        f"the program was ended: more than {limits.memory} MB of memory, or it ended itself.",
    )


def main(path: str, number: str, first: str, memory: str) -> None:
    """The process: run the file, then judge its functions."""
    parts = find_exercise(int(number)).parts[int(first) :]
    answer = confined(int(memory))
    answer({"ready": True})
    names: dict[str, Any] = {}
    broken: Words | None = None
    try:
        names = runpy.run_path(path, run_name=Path(path).stem)
    except BaseException as error:  # exit() as well
        broken = _broken(Path(path).name, error)
    for part in parts:
        found = Verdict(part.name, False, broken) if broken else check(part, names.get(part.name))
        answer({"name": found.name, "right": found.right, "words": list(found.words), "missing": found.missing})


def _broken(name: str, error: BaseException) -> Words:
    """Why a file does not even run."""
    line = f", line {error.lineno}" if isinstance(error, SyntaxError) else ""
    what = f"{error.msg}" if isinstance(error, SyntaxError) else f"{type(error).__name__}: {error}"
    return Words(
        f"{name}{line.replace('line', 'ligne')} ne s'exécute pas : {what}.", f"{name}{line} does not run: {what}."
    )


def progress(path: Path = PROGRESS) -> dict[str, list[str]]:
    """The functions that have been right, by the number of the exercise."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return (
        {str(k): [str(n) for n in v] for k, v in data.items() if isinstance(v, list)} if isinstance(data, dict) else {}
    )


def keep(exercise: Exercise, verdicts: list[Verdict], path: Path = PROGRESS) -> None:
    """Remember what is right; what was right stays so."""
    done, number = progress(path), str(exercise.number)
    right = {*done.get(number, []), *(verdict.name for verdict in verdicts if verdict.right)}
    if right:
        write_json(path, {**done, number: sorted(right)})


if __name__ == "__main__":
    main(*sys.argv[1:])
