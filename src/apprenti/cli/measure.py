"""`apprenti evaluate` and `compare`: many games, and how sure the result is."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import tyro

from apprenti.arena.statistics import QUARTILES
from apprenti.cli.language import say
from apprenti.cli.options import Cluster, CommandLine, Text, check_writable
from apprenti.cli.progress import Report, progress
from apprenti.cli.request import Request, read_agents
from apprenti.cli.tables import Measured, print_matches, print_measured, print_tournament, result_in_words
from apprenti.core.data import JsonObject
from apprenti.core.errors import BadOption, UnknownName
from apprenti.core.protocols import AnyRules
from apprenti.lab.agents import NamedAgent
from apprenti.lab.cluster import on_cluster
from apprenti.lab.evaluate import Evaluation, evaluate
from apprenti.lab.match import Match, match, tournament
from apprenti.lab.queue import Jobs
from apprenti.lab.rare_events import RareEvaluation, evaluate_rare
from apprenti.lab.results import Effort, OnGame, Result, compared, csv_of, each_until_interrupted
from apprenti.lab.so_far import SoFar
from apprenti.store.files import write_json, write_text
from apprenti.views.numbers import counted

Draw = Callable[[Path], None]
"""Draws a picture of a result into a file."""
Remark = Callable[[Sequence[Result]], None]
"""Says more below the tables."""


@dataclass(frozen=True, kw_only=True)
class MeasureOptions:
    """What commands that measure have in common."""

    game: Text = ""
    """The game (apprenti games), so that short names like random will do; default: the one the agent plays."""
    games: int = 100
    """How many games."""
    seed: int = 1
    """Game i depends on this and on i alone."""
    workers: int = 0
    """Cores to use; 0 for all. The result does not depend on it."""
    cluster: Cluster = ""
    json: bool = False
    """Print one JSON object and nothing else."""
    figure: Text = ""
    """Write a picture of the result to this file (png, svg, pdf)."""
    record: Text = ""
    """Store every game as a replay in this folder."""
    csv: Text = ""
    """Write a line for every game to this file: what was counted, how it ended (comma-separated values)."""
    so_far: Text = ""
    """While it goes on, write what is known so far to this file, about twice a second (JSON)."""
    page: bool = False
    """Show it on the page while it goes on, and afterwards: apprenti web in the same folder, under Measure."""
    every_game: bool = False
    """With --json: also a line for every game."""
    quartiles: str = "linear"
    """linear, or french: as French schools define them, a score that was made."""


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
    """Report the progress of results that have this number of games altogether."""

    def show(part: float, result: Match | Evaluation) -> None:
        names = f"{' – '.join(result.names)}: " if isinstance(result, Match) else ""
        report(part, f"{names}{result_in_words(result)}")

    return so_far.watcher(games, show)


def effort_of(options: Any) -> Effort:
    """How many games, and which."""
    return Effort(options.games, options.seed, options.workers, options.precision)


def evaluate_each(agents: Sequence[NamedAgent], rules: AnyRules, options: MeasureOptions) -> list[Evaluation]:
    """Measure agents of a game for one, on the same deals."""
    so_far, effort = so_far_of(options), effort_of(options)

    def measure(agent: NamedAgent) -> Evaluation:
        with progress(f"evaluate {agent.name}", options.json) as report:
            result = evaluate(agent, rules, effort, watcher(report, effort.games, so_far))
        so_far.tell(1.0, result, last=True)
        return result

    return each_until_interrupted(agents, measure)


def split_each(agents: Sequence[NamedAgent], rules: AnyRules, options: MeasureOptions) -> list[Measured]:
    """Measure agents whose games hardly ever end."""
    if options.record or options.csv or options.every_game:
        raise BadOption("--rare plays parts of games: there are no whole ones for --record, --csv or --every-game.")
    if options.figure and len(agents) == 1:
        raise BadOption("--rare plays parts of games: there is no histogram; apprenti compare --rare draws intervals.")
    so_far, effort = so_far_of(options), effort_of(options)

    def measure(agent: NamedAgent) -> Measured:
        def tell(result: RareEvaluation) -> None:
            report(result.part_done, result_in_words(result))
            so_far.tell(result.part_done, result)

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
    tell: Callable[[str], None] = (lambda words: None) if options.json else say
    played = [result for result in results if isinstance(result, Result)]
    for result in played:
        if isinstance(result, Evaluation):
            result.quartiles = options.quartiles

    def plain(games: bool) -> JsonObject:
        for result in played:
            result.tells_games = games
        return data()

    if options.page:
        write_json(Path(options.so_far).with_name("out.json"), plain(games=True), None)
    if options.json:
        print(json.dumps(plain(options.every_game), ensure_ascii=False))
    else:
        show()
    record = Path(options.record) if options.record else None
    paths = [path for result in played for path in result.write_replays(record)] if record else []
    if paths:
        tell(f"{counted(len(paths), 'replay')} in {options.record}; the first: apprenti replay {paths[0]}")
    if options.csv:
        write_text(Path(options.csv), csv_of(played))
        tell(f"every game: {options.csv}")
    if options.figure and draw:
        draw(Path(options.figure))
        tell(f"figure: {options.figure}")
    return 130 if any(result.interrupted for result in results) else 0


@dataclass(frozen=True, kw_only=True)
class EvaluateOptions(Rare, MeasureOptions):
    """Measure an agent over many games, with intervals; in a game for two, against another.

    The picture of a game for one is a histogram with its box plot.
    """

    agent: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="AGENT")]
    """A name from the zoo (apprenti agents), a run, a file, or a description like evaluation:0.5,0.5,0.6,0.2."""
    against: Text = ""
    """For games for two: the opponent; default: the best that answers at once."""


def evaluate_words(request: Request) -> int:
    """Measure an agent, and report."""
    options = request.options
    check_outputs(options)
    agents, rules = request.players(options.agent, options.against)
    options, game = shown_on_page(request), request.game
    if options.figure and game.players > 1:
        raise BadOption("--figure is for games for one: a tournament draws a picture of the strength.")
    with on_cluster(options.cluster, options.workers):
        if options.rare:
            return report_alone(split_each(agents[:1], rules, options), rules, options)
        if game.players == 1:
            return report_alone(evaluate_each(agents, rules, options), rules, options)
        return report_match(agents, rules, options)


def report_match(agents: list[NamedAgent], rules: AnyRules, options: MeasureOptions) -> int:
    """Measure an agent of a game for two, against another."""
    game, effort = agents[0].game, effort_of(options)
    with progress(" against ".join(agent.name for agent in agents), quiet=options.json) as report:
        result = match(game, rules, agents, effort, watcher(report, effort.games, so_far_of(options)))
    if not result.games:
        raise KeyboardInterrupt
    return conclude(options, result.to_json, lambda: print_matches([result], result.interrupted), [result])


def report_alone(
    results: Sequence[Measured], rules: AnyRules, options: MeasureOptions, remark: Remark = lambda _: None
) -> int:
    """What was measured of agents that play alone, as a table, as a picture or as plain data."""
    game, unit, one = results[0].game, results[0].unit, isinstance(options, EvaluateOptions)

    def draw(path: Path) -> None:
        from apprenti.views.plots import comparison, histogram

        if one and isinstance(result := results[0], Evaluation):
            histogram(result.scores(), result.summary(), f"{result.name}: {game.describe(rules)}", unit, path)
        else:
            comparison({each.name: each.summary(unit) for each in results}, unit, game.describe(rules), path)

    def show() -> None:
        print_measured(results)
        remark([each for each in results if isinstance(each, Result)])

    data = results[0].to_json if one else lambda: compared(results)
    return conclude(options, data, show, results, draw)


NAME_ONE = "name at least one agent to compare, like: apprenti compare random filtering tetrisbot."


@dataclass(frozen=True, kw_only=True)
class CompareOptions(Rare, MeasureOptions):
    """Measure several agents under the same rules and with the same pieces: one table, one picture.

    Agents of games for two play each other, everybody against everybody, as in `apprenti tournament`.
    """

    agents: Annotated[tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="AGENT…")]
    """Names from the zoo, runs, files, or descriptions; the rules are the first one's unless said otherwise."""
    games: int = 30
    """How many games each."""


def compare_words(request: Request) -> int:
    """Measure agents, and report."""
    options = request.options
    check_outputs(options)
    if not options.agents:
        raise BadOption(NAME_ONE)
    agents = [request.agent(name) for name in options.agents]
    rules, options = checked(agents, request)
    with on_cluster(options.cluster, options.workers):
        if options.rare:
            return report_alone(split_each(agents, rules, options), rules, options)
        if request.game.players == 1:
            return report_alone(evaluate_each(agents, rules, options), rules, options)
        return report_tournament(agents, rules, options)


def checked(agents: Sequence[NamedAgent], request: Request) -> tuple[AnyRules, Any]:
    """The rules, which are the first agent's and have to suit all of them, and the options."""
    rules = request.rules(agents[0].rules)
    for agent in agents:
        agent.check(request.game, rules)
    return rules, shown_on_page(request)


def report_tournament(
    agents: list[NamedAgent], rules: AnyRules, options: MeasureOptions, remark: Remark = lambda _: None
) -> int:
    """Agents that meet each other."""
    game, effort, pairs = agents[0].game, effort_of(options), len(agents) * (len(agents) - 1) // 2
    with progress("tournament", quiet=options.json) as report:
        result = tournament(game, rules, agents, effort, watcher(report, pairs * effort.games, so_far_of(options)))
    if not result.matches:
        raise KeyboardInterrupt
    matches = list(result.matches.values())

    def draw(path: Path) -> None:
        from apprenti.views.plots import ladder

        ladder(dict(zip(result.names, result.ratings(), strict=True)), game.describe(rules), path)

    def show() -> None:
        print_tournament(result)
        remark(matches)

    return conclude(options, result.to_json, show, matches, draw)


EVALUATE = CommandLine(EvaluateOptions, evaluate_words, read_agents)
COMPARE = CommandLine(CompareOptions, compare_words, partial(read_agents, several=NAME_ONE))
