"""What an exercise is, and what is said of an answer: one function, hidden cases, one sentence.

This module, run with FILE, NUMBER, FIRST and MEMORY, is that process: it says a verdict a line, from part
FIRST on. One that says nothing for too long is ended, and the next part begins in a new one.
"""

import copy
import math
import runpy
import sys
import tomllib
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from apprenti.agents.process import OUT_OF_TIME, Foul
from apprenti.core.data import AnyFunction, JsonData, JsonMapping
from apprenti.core.errors import BadFile, UnknownName
from apprenti.core.plugins import load, plugins
from apprenti.core.seeds import Stream
from apprenti.lab.guarded import START, Limits, confined, heard, started
from apprenti.store.files import read_json, write_json

Language = Literal["fr", "en"]
LANGUAGES: tuple[Language, ...] = ("fr", "en")
SHOWN = 70
"""Characters of a value in a sentence."""


class Words(NamedTuple):
    """The same in both languages of the course."""

    fr: str
    en: str

    def of(self, language: str) -> str:
        """In one of them."""
        if language not in LANGUAGES:
            raise UnknownName("language of the course", language, LANGUAGES)
        return self.fr if language == "fr" else self.en


class Mistake(NamedTuple):
    """A typical wrong answer: who gives the same results as this is told so."""

    wrong: AnyFunction
    words: Words


@dataclass(frozen=True)
class Part:
    """One function that is asked for."""

    signature: str
    """As it is typed: `heights(grid)`."""
    asks: Words
    right: AnyFunction
    cases: Sequence[tuple[Any, ...]]
    """The arguments of each hidden case."""
    mistakes: tuple[Mistake, ...] = ()
    seen: Callable[[Any], Any] = lambda result: result
    """What of a result is compared."""
    judge: Callable[[AnyFunction], Words | None] | None = None
    """What else has to hold: what is wrong, or None."""

    @property
    def name(self) -> str:
        """The function's name."""
        return self.signature.partition("(")[0]


@dataclass(frozen=True)
class Exercise:
    """The exercise of a lesson."""

    number: int
    title: Words
    parts: tuple[Part, ...]


Texts = JsonMapping


def texts_of(package: str) -> Texts:
    """The texts of a game's exercises, by number and signature: `exercises.toml` beside its code."""
    return tomllib.loads(files(package).joinpath("exercises.toml").read_text(encoding="utf-8"))


def part(
    signature: str, right: AnyFunction, cases: Sequence[tuple[Any, ...]], *wrong: AnyFunction, **more: Any
) -> Callable[[Texts], Part]:
    """A function that is asked for: right answer, hidden cases, typical mistakes; its texts come with the lesson's."""

    def with_texts(lesson: Texts) -> Part:
        texts = lesson["parts"][signature]
        mistakes = zip(wrong, texts.get("mistakes", ()), strict=True)
        words = tuple(Mistake(function, Words(*both)) for function, both in mistakes)
        return Part(signature, Words(texts["fr"], texts["en"]), right, cases, words, **more)

    return with_texts


def exercise(texts: Texts, number: int, *parts: Callable[[Texts], Part]) -> Exercise:
    """The exercise of a lesson, with its texts."""
    lesson = texts[str(number)]
    return Exercise(number, Words(*lesson["title"]), tuple(with_texts(lesson) for with_texts in parts))


@dataclass(frozen=True)
class Verdict:
    """What is said of one function."""

    name: str
    right: bool
    words: Words
    missing: bool = False


class _Wrong(Exception):
    """The first thing that is wrong with an answer."""

    def __init__(self, fr: str, en: str) -> None:
        self.words = Words(fr, en)
        super().__init__(en)


def plain(value: Any) -> Any:
    """A result as plain data: a tuple is as good as a list, an array as good as both."""
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted((plain(item) for item in value), key=repr)
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return value


def same(one: Any, other: Any) -> bool:
    """Whether two results are the same; numbers up to rounding."""
    one, other = plain(one), plain(other)
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-9)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return bool(one == other)


def _text(value: Any) -> str:
    """A value as a pupil writes it; a function is its name."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_text, value))}]"
    if isinstance(value, float):
        return f"{value:.6g}"
    return getattr(value, "__name__", "").lstrip("_") or repr(plain(value))


def short(value: Any) -> str:
    """A value for a sentence."""
    text = _text(value)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def _shown(part: Part, case: tuple[Any, ...]) -> str:
    """A call as text, for a sentence."""
    return f"{part.name}({', '.join(map(short, case))})"


def _result(part: Part, function: AnyFunction, case: tuple[Any, ...]) -> Any:
    """What an answer gives in one case; _Wrong where that is no result at all."""
    given = copy.deepcopy(case)
    shown = _shown(part, case)
    try:
        result = function(*given)
    except Exception as error:
        file = getattr(getattr(function, "__code__", None), "co_filename", "")
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
        where = Words(f" (ligne {lines[-1]})", f" (line {lines[-1]})") if lines else Words("", "")
        what = f"{type(error).__name__}: {error}"
        raise _Wrong(
            f"{shown} s'arrête sur une erreur{where.fr} : {what}.", f"{shown} stops with an error{where.en}: {what}."
        ) from error
    if result is None:
        raise _Wrong(
            f"{shown} ne renvoie rien (None) : il manque sans doute un return.",
            f"{shown} returns nothing (None): a return is probably missing.",
        )
    if not all(same(now, then) for now, then in zip(given, case, strict=True) if not isinstance(then, Stream)):
        raise _Wrong(
            f"{shown} modifie ses arguments : travaillez sur une copie.",
            f"{shown} changes its arguments: work on a copy.",
        )
    try:
        return part.seen(result)
    except Exception:
        return result


def _compare(part: Part, function: AnyFunction) -> None:
    """All hidden cases; _Wrong with a typical mistake if it is one, else with the first case that fails."""
    results = [_result(part, function, case) for case in part.cases]
    wanted = [part.seen(part.right(*copy.deepcopy(case))) for case in part.cases]
    failed = [number for number, result in enumerate(results) if not same(result, wanted[number])]
    if not failed:
        return
    for mistake in part.mistakes:
        typical = [_quietly(part, mistake.wrong, case) for case in part.cases]
        if all(map(same, results, typical)):
            raise _Wrong(*mistake.words)
    shown, first = _shown(part, part.cases[failed[0]]), failed[0]
    raise _Wrong(
        f"{shown} renvoie {short(results[first])} ; il fallait {short(wanted[first])}.",
        f"{shown} returns {short(results[first])}; it should be {short(wanted[first])}.",
    )


def _quietly(part: Part, wrong: AnyFunction, case: tuple[Any, ...]) -> Any:
    try:
        return part.seen(wrong(*copy.deepcopy(case)))
    except Exception as error:
        return error


def _nothing() -> None: ...


def is_empty(function: AnyFunction | None) -> bool:
    """Whether nothing has been written yet: no function, or one that only says `...` or `pass`."""
    code, empty = getattr(function, "__code__", None), _nothing.__code__
    return function is None or (code is not None and (code.co_code, code.co_consts) == (empty.co_code, empty.co_consts))


def check(part: Part, function: AnyFunction | None) -> Verdict:
    """What is right or wrong with an answer, in a sentence."""
    if function is None or is_empty(function):
        words = Words(f"pas encore écrite : def {part.signature}: …", f"not written yet: def {part.signature}: …")
        return Verdict(part.name, False, words, missing=True)
    try:
        _compare(part, function)
        wrong = part.judge(function) if part.judge else None
    except _Wrong as error:
        wrong = error.words
    if wrong:
        return Verdict(part.name, False, wrong)
    count = len(part.cases)
    return Verdict(
        part.name,
        True,
        Words(f"juste ({count} cas)." if count else "juste.", f"right ({count} cases)." if count else "right."),
    )


def check_all(exercise: Exercise, names: JsonMapping) -> Iterable[Verdict]:
    """A verdict for every function of an exercise."""
    return [check(part, names.get(part.name)) for part in exercise.parts]


def spread(values: Sequence[float]) -> float:
    """How far neighbours are apart, all together."""
    return sum(abs(a - b) for a, b in pairwise(values))


@cache
def exercises() -> dict[int, Exercise]:
    """The exercises of all games, in the order of the lessons."""
    every: list[Exercise] = [each for plugin in plugins() for where in plugin.exercises for each in load(where)]
    return {each.number: each for each in sorted(every, key=lambda each: each.number)}


def find_exercise(number: int) -> Exercise:
    """An exercise by its number."""
    if number not in exercises():
        raise UnknownName("exercise", str(number), map(str, exercises()))
    return exercises()[number]


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
    process = started("apprenti.lab.exercises", *words)
    try:
        heard(process, START)
        for part in exercise.parts[first:]:
            try:
                message: Any = heard(process, limits.seconds)
            except Foul as foul:
                yield Verdict(part.name, False, _ended(foul.reason == OUT_OF_TIME, limits))
                return
            yield Verdict(
                str(message["name"]), bool(message["right"]), Words(*message["words"]), bool(message["missing"])
            )
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
    names: JsonData = {}
    broken: Words | None = None
    try:
        names = runpy.run_path(path, run_name=Path(path).stem)
    except BaseException as error:  # exit() as well
        broken = _broken(Path(path).name, error)
    for part in parts:
        verdict = Verdict(part.name, False, broken) if broken else check(part, names.get(part.name))
        answer({"name": verdict.name, "right": verdict.right, "words": list(verdict.words), "missing": verdict.missing})


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
        data = read_json(path, "what is right of the exercises")
    except BadFile:
        return {}
    return {str(k): [str(n) for n in v] for k, v in data.items() if isinstance(v, list)}


def keep(exercise: Exercise, verdicts: list[Verdict], path: Path = PROGRESS) -> None:
    """Remember what is right; what was right stays so."""
    done, number = progress(path), str(exercise.number)
    right = {*done.get(number, []), *(verdict.name for verdict in verdicts if verdict.right)}
    if right:
        write_json(path, {**done, number: sorted(right)})


if __name__ == "__main__":
    main(*sys.argv[1:])
