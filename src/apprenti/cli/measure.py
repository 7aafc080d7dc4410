"""What commands that measure have in common: the work with its progress, and what becomes of a result."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from apprenti.arena.statistics import QUARTILES
from apprenti.cli.options import MeasureOptions
from apprenti.cli.progress import Report, progress
from apprenti.cli.replays import check_writable
from apprenti.cli.request import Request
from apprenti.cli.tables import Measured, said
from apprenti.core.data import JsonObject
from apprenti.core.errors import BadOption, UnknownName
from apprenti.core.protocols import AnyRules
from apprenti.lab.agents import NamedAgent
from apprenti.lab.evaluate import Evaluation, evaluate
from apprenti.lab.match import Match
from apprenti.lab.queue import Jobs
from apprenti.lab.rare_events import RareEvaluation, evaluate_rare
from apprenti.lab.results import Effort, OnGame, Result, csv_of, each_until_interrupted
from apprenti.lab.so_far import SoFar
from apprenti.store.files import write_json, write_text
from apprenti.views.numbers import counted

__all__ = ["Measured", "Rare", "check_outputs", "conclude", "evaluate_each", "shown_on_page", "so_far_of",
           "split_each", "watcher"]  # fmt: skip

Draw = Callable[[Path], None]
"""Draws a picture of a result into a file."""
MeasuredT = TypeVar("MeasuredT", Evaluation, Measured)


@dataclass(frozen=True, kw_only=True)
class Rare:
    """How precisely agents that play alone are measured, and how."""

    precision: float = 0.0
    """For games for one: until the half-width of the interval is this part of the mean; at most 100 000 games."""
    rare: bool = False
    """For players of Tetris whose games hardly ever end: by splitting, until --precision (0.05 if nothing is said)."""


def check_outputs(options: MeasureOptions) -> None:
    """Refuse what cannot be written now, and not after an hour."""
    from apprenti.views.plots import check_path

    if options.quartiles not in QUARTILES:
        raise UnknownName("definition of quartiles", options.quartiles, QUARTILES)
    if options.every_game and not options.json:
        raise BadOption("--every-game is for --json: for a file there is --csv FILE.")
    figure = check_path(Path(options.figure)) if options.figure else None
    if options.record:
        check_writable(Path(options.record))
    for file in (figure, *(Path(name) for name in (options.csv, options.so_far) if name)):
        if file:
            check_writable(file.parent)


def shown_on_page(request: Request) -> Any:
    """The options; with --page the command has the folder of a job, as if the page had begun it."""
    options: Any = request.options
    if not options.page:
        return options
    if options.so_far:
        raise BadOption("--page has a file of its own for what is known so far: leave --so-far out.")
    names = options.agents if hasattr(options, "agents") else (options.agent,)
    job = Jobs().own("measure", ", ".join(Path(name).stem for name in names), request.words)
    return replace(options, so_far=str(job.folder / "so-far.json"))


def so_far_of(options: MeasureOptions) -> SoFar:
    """Where what is known is written while a command measures."""
    return SoFar(Path(options.so_far) if options.so_far else None)


def watcher(report: Report, games: int, so_far: SoFar) -> OnGame:
    """Tell the progress of results that have so many games altogether."""

    def show(part: float, found: Match | Evaluation) -> None:
        names = f"{' – '.join(found.names)}: " if isinstance(found, Match) else ""
        report(part, f"{names}{said(found)}")

    return so_far.watcher(games, show)


def evaluate_each(
    agents: Sequence[NamedAgent], rules: AnyRules, effort: Effort, options: MeasureOptions
) -> list[Evaluation]:
    """Measure agents of a game for one, on the same deals."""
    so_far = so_far_of(options)

    def measure(agent: NamedAgent) -> Evaluation:
        with progress(f"evaluate {agent.name}", options.json) as report:
            found = evaluate(agent, rules, effort, watcher(report, effort.games, so_far))
        so_far.tell(1.0, found, last=True)
        return found

    return each_until_interrupted(agents, measure)


def split_each(
    agents: Sequence[NamedAgent], rules: AnyRules, effort: Effort, options: MeasureOptions
) -> list[Measured]:
    """Measure agents whose games hardly ever end."""
    if options.record or options.csv or options.every_game:
        raise BadOption("--rare plays parts of games: there are no whole ones for --record, --csv or --every-game.")
    if options.figure and len(agents) == 1:
        raise BadOption("--rare plays parts of games: there is no histogram; apprenti compare --rare draws intervals.")

    so_far = so_far_of(options)

    def measure(agent: NamedAgent) -> Measured:
        def tell(found: RareEvaluation) -> None:
            report(found.part_done, said(found))
            so_far.tell(found.part_done, found)

        with progress(f"split {agent.name}", options.json) as report:
            return evaluate_rare(agent, rules, effort, tell, watcher(report, effort.games, so_far))

    return each_until_interrupted(agents, measure)


def conclude(
    options: MeasureOptions,
    data: Callable[[], JsonObject],
    show: Callable[[], None],
    results: Sequence[Match | Measured],
    draw: Draw | None = None,
) -> int:
    """Print a result, write its replays and its picture, and say where they are; return the exit code."""
    say = (lambda words: None) if options.json else print
    played = [result for result in results if isinstance(result, Result)]
    for result in played:
        if isinstance(result, Evaluation):
            result.quartiles = options.quartiles

    def told(games: bool) -> JsonObject:
        for result in played:
            result.tells_games = games
        return data()

    if options.page:
        write_json(Path(options.so_far).with_name("out.json"), told(games=True), None)
    if options.json:
        print(json.dumps(told(options.every_game), ensure_ascii=False))
    else:
        show()
    record = Path(options.record) if options.record else None
    paths = [path for result in played for path in result.write_replays(record)] if record else []
    if paths:
        say(f"{counted(len(paths), 'replay')} in {options.record}; the first: apprenti replay {paths[0]}")
    if options.csv:
        write_text(Path(options.csv), csv_of(played))
        say(f"every game: {options.csv}")
    if options.figure and draw:
        draw(Path(options.figure))
        say(f"figure: {options.figure}")
    return 130 if any(result.interrupted for result in results) else 0
