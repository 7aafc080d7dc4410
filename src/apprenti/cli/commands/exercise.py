"""`apprenti exercise 4 --check my_agent.py`: what is right in a file of answers, and what is not."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from apprenti.cli.options import Text
from apprenti.lab.exercises import LIMITS, Exercise, Words, check_file, exercises, find_exercise, keep, progress
from apprenti.lab.guarded import Limits

SAFETY = Words(
    "Le fichier s'exécute à part, en temps et mémoire limités. C'est du code : n'exécutez que ce que vous avez lu.",
    "The file runs apart, with limits of time and memory. It is code: run only what you have read.",
)


@dataclass(frozen=True, kw_only=True)
class Options:
    """The exercises of the course: all of them, one in full, or a check of your file against hidden cases.

    The file runs in a process of its own with limits of time and memory. What is right is remembered in course.json.
    """

    number: Annotated[int, tyro.conf.Positional, tyro.conf.arg(metavar="[NUMBER]")] = 0
    """The exercise; without it all are listed."""
    check: Text = ""
    """A Python file with the functions that are asked for."""
    language: str = "en"
    """fr or en."""
    seconds: float = LIMITS.seconds
    """Time for each function."""
    memory: int = LIMITS.memory
    """Memory in megabytes."""


def run(options: Options) -> int:
    """List, show or check; 1 where something is wrong or missing."""
    Words("", "").of(options.language)  # refuses another language
    if not options.number:
        return listed(options.language)
    exercise = find_exercise(options.number)
    if not options.check:
        return shown(exercise, options.language)
    limits = Limits(options.seconds, memory=options.memory)
    verdicts = []
    for verdict in check_file(Path(options.check), exercise, limits):
        mark = "✓" if verdict.right else "–" if verdict.missing else "✗"
        print(f"{mark} {verdict.name}: {verdict.words.of(options.language)}", flush=True)
        verdicts.append(verdict)
    keep(exercise, verdicts)
    right = sum(verdict.right for verdict in verdicts)
    print(Words(f"{right} sur {len(verdicts)}.", f"{right} of {len(verdicts)}.").of(options.language))
    return int(right < len(verdicts))


def listed(language: str) -> int:
    """All exercises, and how much of each is solved here."""
    done = progress()
    for exercise in exercises().values():
        right = len(done.get(str(exercise.number), []))
        print(f"{exercise.number:>3}  {right}/{len(exercise.parts)}  {exercise.title.of(language)}")
    print(f"\napprenti exercise 3 --language {language}\napprenti exercise 3 --check FILE.py --language {language}")
    return 0


def shown(exercise: Exercise, language: str) -> int:
    """What an exercise asks for."""
    done = progress().get(str(exercise.number), [])
    print(f"{exercise.number}. {exercise.title.of(language)}\n")
    for part in exercise.parts:
        print(f"{'✓' if part.name in done else '·'} def {part.signature}:\n      {part.asks.of(language)}")
    print(f"\n{SAFETY.of(language)}")
    return 0
