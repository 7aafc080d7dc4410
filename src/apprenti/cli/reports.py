"""`apprenti reproduce` and `exercise`: published experiments again, and the exercises of the course."""

import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import tyro

from apprenti.cli.language import say, worded
from apprenti.cli.options import Cluster, CommandLine, Text
from apprenti.cli.progress import progress
from apprenti.core.errors import ApprentiError, printable
from apprenti.core.french import spoken
from apprenti.lab.cluster import on_cluster
from apprenti.lab.exercises import LIMITS, Exercise, Words, check_file, exercises, find_exercise, keep
from apprenti.lab.exercises import progress as solved_here
from apprenti.lab.experiments import known, read
from apprenti.lab.guarded import Limits
from apprenti.lab.jobs import RESULTS, SHORT
from apprenti.lab.kinds.kind import Settings
from apprenti.lab.reproduce import reproduce


@dataclass(frozen=True)
class ReproduceOptions:
    """Run a published experiment again: its table, its picture and all its numbers."""

    experiment: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="EXPERIMENT", help_behavior_hint="")] = ""
    """A name (without one, all are listed), or a .toml file."""
    short: bool = False
    """A few games of the first rows only, to see that it works."""
    seed: int = 1
    """Root of all seeds."""
    workers: int = 0
    """Cores to use; 0 for all. The result does not depend on it."""
    cluster: Cluster = ""
    out: str = ""
    """Folder for the results, each experiment's inside it; usually results, and results/short for a short run."""
    trust: bool = False
    """Start programs that the file names as agents (a Python file, engine:…): they may do all that you may."""
    json: bool = False
    """Print the numbers as JSON and nothing else."""


def reproduce_words(options: ReproduceOptions) -> None:
    """Run it, or list what there is."""
    if not options.experiment:
        listed = titles()
        print(
            json.dumps(listed, ensure_ascii=False)
            if options.json
            else "\n".join(f"{n:<22} {worded(t)}" for n, t in listed.items())
        )
        return
    experiment = replace(read(options.experiment), trusted=options.trust)
    folder = Path(options.out or (SHORT if options.short else RESULTS)) / experiment.name
    settings = Settings(options.short, options.seed, options.workers)
    place = on_cluster(options.cluster, options.workers)
    with place, progress(f"reproduce {experiment.name}", quiet=options.json) as report:
        table = reproduce(experiment, settings, folder, report)
    if options.json:
        numbers = json.loads((folder / "results.json").read_text(encoding="utf-8"))
        print(json.dumps({"experiment": experiment.name, "results": numbers}, ensure_ascii=False))
    else:
        shown = "\n".join(map(printable, table.split("\n")))  # a file's words must not command the terminal
        say(f"{experiment.title}\n\n{shown}\ntable, picture and numbers: {folder}")


def titles() -> dict[str, str]:
    """The titles of all experiments by their names; one whose file is wrong is told, the others are listed."""
    listed = {}
    for name, path in known().items():
        try:
            listed[name] = read(str(path)).title
        except ApprentiError as error:
            say(f"apprenti: {error}", file=sys.stderr)
    return listed


SAFETY = Words(
    "Le fichier s'exécute à part, en temps et mémoire limités. C'est du code : n'exécutez que ce que vous avez lu.",
    "The file runs apart, with limits of time and memory. It is code: run only what you have read.",
)


@dataclass(frozen=True, kw_only=True)
class ExerciseOptions:
    """The exercises of the course: all of them, one in full, or a check of your file against hidden cases.

    The file runs in a process of its own with limits of time and memory. What is right is remembered in course.json.
    """

    number: Annotated[int, tyro.conf.Positional, tyro.conf.arg(metavar="[NUMBER]")] = 0
    """The exercise; without it all are listed."""
    check: Text = ""
    """A Python file with the functions that are asked for."""
    language: str = ""
    """fr or en; usually that of the terminal."""
    seconds: float = LIMITS.seconds
    """Time for each function."""
    memory: int = LIMITS.memory
    """Memory in megabytes."""


def exercise(options: ExerciseOptions) -> int:
    """List, show or check; 1 where something is wrong or missing."""
    options = replace(options, language=options.language or spoken())
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
        say(f"{mark} {verdict.name}: {verdict.words.of(options.language)}", flush=True)
        verdicts.append(verdict)
    keep(exercise, verdicts)
    right = sum(verdict.right for verdict in verdicts)
    say(Words(f"{right} sur {len(verdicts)}.", f"{right} of {len(verdicts)}.").of(options.language))
    return int(right < len(verdicts))


def listed(language: str) -> int:
    """All exercises, and how much of each is solved here."""
    done = solved_here()
    for exercise in exercises().values():
        right = len(done.get(str(exercise.number), []))
        say(f"{exercise.number:>3}  {right}/{len(exercise.parts)}  {exercise.title.of(language)}")
    say(f"\napprenti exercise 3 --language {language}\napprenti exercise 3 --check FILE.py --language {language}")
    return 0


def shown(exercise: Exercise, language: str) -> int:
    """What an exercise asks for."""
    done = solved_here().get(str(exercise.number), [])
    say(f"{exercise.number}. {exercise.title.of(language)}\n")
    for part in exercise.parts:
        say(f"{'✓' if part.name in done else '·'} def {part.signature}:\n      {part.asks.of(language)}")
    say(f"\n{SAFETY.of(language)}")
    return 0


REPRODUCE = CommandLine(ReproduceOptions, reproduce_words)
EXERCISE = CommandLine(ExerciseOptions, exercise)
