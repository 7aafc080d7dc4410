"""Results as tables, and in a few words."""

import math
from collections.abc import Iterable, Sequence

from apprenti.arena.statistics import Summary
from apprenti.cli.language import say, worded
from apprenti.lab.evaluate import Evaluation
from apprenti.lab.match import Match, Tournament
from apprenti.lab.rare_events import RareEvaluation
from apprenti.views.numbers import interval, number
from apprenti.views.view import view_of

WIDE = 500
"""A table is as wide as it needs to be: numbers that are cut say nothing."""
LONG = "what it is"
"""The column that may have several lines."""
WORDS = ("agent", "against", "name", LONG, "published", "measured here", "what", "unit")
"""Columns of words."""
INTERRUPTED = "interrupted: this is what was known by then."
ESTIMATED = "estimated whole game"


def short(value: float) -> str:
    """A number in four or five characters."""
    if abs(value) < 10_000 or not math.isfinite(value):
        return number(value)
    return f"{value / 1e6:.3g}M" if abs(value) >= 1e6 else f"{value / 1e3:.0f}k"


def percent(part: float) -> str:
    """A share in per cent."""
    return f"{100 * part:.1f} %"


Measured = Evaluation | RareEvaluation
"""What is known of an agent that plays alone."""


def result_in_words(result: Match | Measured) -> str:
    """What is known so far, in a few words."""
    low, high = result.interval
    if isinstance(result, Match):
        won, drawn, lost = result.counts
        return f"{result.games} games, {won} won, {drawn} drawn, {lost} lost ({percent(low)} … {percent(high)})"
    what = "repetitions" if isinstance(result, RareEvaluation) else "games"
    known = f"{result.games} {what}, {result.unit} {number(result.mean)} ({number(low)} … {number(high)})"
    summary = result.summary()
    return f"{known}, {ESTIMATED} {estimate(summary)}" if summary.is_cut else known


def estimate(summary: Summary) -> str:
    """What whole games are estimated to score, with its interval, as some were cut short."""
    return f"{number(summary.estimated_mean)} ({interval(summary.estimated_ci95, 4)})" if summary.is_cut else "-"


def print_table(headings: Sequence[str], rows: Iterable[Sequence[str]], title: str = "", width: int = WIDE) -> None:
    """A table whose words stand left and whose numbers stand right."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, title=worded(title) or None, title_justify="left")
    for heading in headings:
        table.add_column(worded(heading), justify="left" if heading in WORDS else "right", no_wrap=heading != LONG)
    for row in rows:
        table.add_row(*(Text(worded(cell)) for cell in row))  # [brackets] in a name are no markup
    Console(width=max(Console().width, width)).print(table)


def print_evaluations(evaluations: Sequence[Evaluation]) -> None:
    """The table of agents that play alone."""
    first = evaluations[0]
    pace = view_of(first.game).pace
    is_cut = any(evaluation.summary(first.unit).is_cut for evaluation in evaluations)
    headings = (
        "agent", "games", f"mean {first.unit}", "95 % interval", *([f"{ESTIMATED} (95 %)"] if is_cut else []),
        "deviation", "min · Q1 · median · Q3 · max", f"{pace}/s",
    )  # fmt: skip
    print_table(headings, [_evaluated(evaluation, first.unit, pace, is_cut) for evaluation in evaluations])
    say(f"rules: {first.game.describe(first.rules)}")
    engines = " and ".join(sorted({evaluation.engine for evaluation in evaluations}))
    note = first.game.note(first.rules)
    say(f"seed {first.effort.seed}, {engines} engine{f', {note}' if note else ''}")
    if any(evaluation.interrupted for evaluation in evaluations):
        say(INTERRUPTED)


def print_measured(results: Sequence[Measured]) -> None:
    """Tables of agents that play alone: of those that were played, and of those that were split."""
    played = [one for one in results if isinstance(one, Evaluation)]
    rare = [one for one in results if isinstance(one, RareEvaluation)]
    if played:
        print_evaluations(played)
    if rare:
        print_rare(rare)


def print_rare(results: Sequence[RareEvaluation]) -> None:
    """The table of agents measured by splitting, and how they were."""
    first = results[0]
    headings = (
        "agent",
        "repetitions",
        f"mean {first.unit}",
        "95 % interval",
        "levels",
        view_of(first.game).pace,
        "seconds",
    )
    print_table(headings, [_split(one) for one in results])
    say(f"rules: {first.game.describe(first.rules)}")
    say(f"seed {first.effort.seed}, multilevel splitting, {first.game.note(first.rules)}")
    if any(one.interrupted for one in results):
        say(INTERRUPTED)


def _split(result: RareEvaluation) -> list[str]:
    """One agent's line."""
    (low, high), splitting = result.interval, result.splitting
    return [
        result.name, str(result.games), number(result.mean, 3), f"{number(low, 3)} … {number(high, 3)}",
        str(len(splitting.levels.levels)), number(splitting.moves), f"{result.seconds:.1f}",
    ]  # fmt: skip


def _evaluated(evaluation: Evaluation, unit: str, pace: str, is_cut: bool) -> list[str]:
    """One agent's line, with an estimate if games of anybody were cut."""
    summary: Summary = evaluation.summary(unit)
    low, high = summary.ci95
    cut = summary.games - summary.deaths
    counted = (
        evaluation.scores(pace) if pace in evaluation.records[0].measures else [r.length for r in evaluation.records]
    )
    return [
        evaluation.name,
        f"{summary.games}" + (f" ({cut} cut)" if cut else ""),
        number(summary.mean),
        f"{number(low)} … {number(high)}",
        *([estimate(summary)] if is_cut else []),
        number(summary.deviation),
        " · ".join(short(value) for value in summary.five),
        number(sum(counted) / max(evaluation.seconds, 1e-9)),
    ]


def print_matches(matches: Sequence[Match], interrupted: bool) -> None:
    """A line for each match, and how the games ended."""
    headings = (
        "agent",
        "against",
        "games",
        "won",
        "drawn",
        "lost",
        "points",
        "95 % interval",
        "first",
        "second",
        "s/game",
    )
    print_table(headings, [_match(result) for result in matches])
    first = matches[0]
    say(f"rules: {first.game.describe(first.rules)}")
    once = ", the last once" if matches[-1].games % 2 else ""
    how = f"every opening is played twice, with the sides exchanged{once}; a draw is half a point"
    say(f"seed {first.effort.seed}; {how}")
    for result in matches:
        ends = ", ".join(f"{result.game.reason(code).words} {times}" for code, times in result.reasons.items())
        say(f"{' – '.join(result.names)}: {ends}" if len(matches) > 1 else f"ends: {ends}")
    if interrupted:
        say(INTERRUPTED)


def _match(result: Match) -> list[str]:
    """One match's line."""
    low, high = result.interval
    return [
        *result.names,
        str(result.games),
        *map(str, result.counts),
        percent(result.share),
        f"{percent(low)} … {percent(high)}",
        *("–".join(map(str, result.counts_as(side))) for side in (0, 1)),
        " + ".join(f"{result.seconds_of(agent):.2g}" for agent in (0, 1)),
    ]


def print_tournament(result: Tournament) -> None:
    """The ranking, then every match."""
    ratings = result.ratings()
    rows = []
    for i in sorted(range(len(result.names)), key=lambda i: -ratings[i].elo):
        points = games = 0.0
        for (first, second), played in result.matches.items():
            if i in (first, second):
                games += played.games
                points += played.points if i == first else played.games - played.points
        elo, error = f"{ratings[i].elo:.0f}", f"{ratings[i].half:.0f}"
        rows.append([result.names[i], elo, error, percent(points / max(1.0, games)), f"{games:.0f}"])
    print_table(("agent", "Elo", "±", "points", "games"), rows)
    say(f"{result.names[0]} has Elo 0; ± is the 95 % interval.")
    print_matches(list(result.matches.values()), result.interrupted)
