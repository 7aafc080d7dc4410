"""`evaluate A --against B`, `compare` and `tournament` for games for two."""

import json
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Any

from apprenti.cli.keeper import check_writable
from apprenti.cli.progress import Report, progress
from apprenti.cli.session import counted
from apprenti.core.protocols import GameForTwo
from apprenti.lab.agents import KnownForTwo
from apprenti.lab.duels import Match, Tournament, Watcher, match, tournament
from apprenti.lab.evaluate import Effort


def percent(part: float) -> str:
    """A share in per cent."""
    return f"{100 * part:.1f} %"


def said(found: Match) -> str:
    """A match in a few words."""
    won, drawn, lost = found.results
    low, high = found.ci95
    return f"{len(found.duels)} games, {won} won, {drawn} drawn, {lost} lost ({percent(low)} … {percent(high)})"


def watcher(report: Report, games: int) -> Watcher:
    """Tell the progress of matches that have so many games altogether."""
    last, played = 0.0, 0

    def watch(found: Match) -> None:
        nonlocal last, played
        played += 1
        if monotonic() - last >= 0.2:  # a quick match has thousands of games a second
            last = monotonic()
            report(played / games, f"{' – '.join(found.names)}: {said(found)}")

    return watch


def evaluate_against(
    game: GameForTwo, rules: Any, players: Sequence[KnownForTwo], effort: Effort, as_json: bool, record: str
) -> int:
    """Measure one agent against another."""
    if record:
        check_writable(Path(record))
    with progress(f"{players[0].name} against {players[1].name}", quiet=as_json) as report:
        found = match(game, rules, players, effort, watcher(report, effort.games))
    if not found.duels:
        raise KeyboardInterrupt
    paths = found.record(Path(record)) if record else []
    if as_json:
        print(json.dumps(found.to_json(), ensure_ascii=False))
    else:
        print_matches([found], found.interrupted)
        print_kept(paths, record)
    return 130 if found.interrupted else 0


def print_kept(paths: Sequence[Path], folder: str) -> None:
    """Say what has been kept and how to see it."""
    if paths:
        print(f"{counted(len(paths), 'replay')} in {folder}; the first: apprenti replay {paths[0]}")


def compare_for_two(
    game: GameForTwo,
    rules: Any,
    players: Sequence[KnownForTwo],
    effort: Effort,
    as_json: bool,
    figure: Path | None = None,
    record: str = "",
) -> int:
    """Everybody against everybody: one table, one picture."""
    if record:
        check_writable(Path(record))
    with progress("tournament", quiet=as_json) as report:
        pairs = len(players) * (len(players) - 1) // 2
        found = tournament(game, rules, players, effort, watcher(report, pairs * effort.games))
    if not found.matches:
        raise KeyboardInterrupt
    paths = [path for played in found.matches.values() for path in played.record(Path(record))] if record else []
    if as_json:
        print(json.dumps(found.to_json(), ensure_ascii=False))
    else:
        print_tournament(found)
        print_kept(paths, record)
    if figure:
        from apprenti.views.plots import ladder

        ladder(dict(zip(found.names, found.ratings(), strict=True)), game.describe(rules), figure)
        if not as_json:
            print(f"figure: {figure}")
    return 130 if found.interrupted else 0


def print_matches(matches: Sequence[Match], interrupted: bool) -> None:
    """A line for each match, and how the games ended."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD)
    headings = ("agent", "against", "games", "won", "drawn", "lost", "points", "95 % interval", "first", "second")
    for heading in (*headings, "s/game"):
        table.add_column(heading, justify="left" if heading in ("agent", "against") else "right", no_wrap=True)
    for found in matches:
        low, high = found.ci95
        table.add_row(
            Text(found.names[0]),
            Text(found.names[1]),
            str(len(found.duels)),
            *map(str, found.results),
            percent(found.share),
            f"{percent(low)} … {percent(high)}",
            *("–".join(map(str, found.as_first(first))) for first in (0, 1)),
            " + ".join(f"{sum(d.time_of(p) for d in found.duels) / len(found.duels):.2g}" for p in (0, 1)),
        )
    Console(width=max(Console().width, 130)).print(table)
    first = matches[0]
    print(f"rules: {first.game.describe(first.rules)}")
    once = ", the last once" if len(matches[-1].duels) % 2 else ""
    how = f"every opening is played twice, with the sides exchanged{once}; a draw is half a point"
    print(f"seed {first.effort.seed}; {how}")
    for found in matches:
        reasons = ", ".join(f"{reason} {number}" for reason, number in found.reasons.items())
        print(f"{' – '.join(found.names)}: {reasons}" if len(matches) > 1 else f"ends: {reasons}")
    if interrupted:
        print("interrupted: this is what was known by then.")


def print_tournament(found: Tournament) -> None:
    """The ranking, then every match."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("agent", "Elo", "±", "points", "games"):
        table.add_column(heading, justify="left" if heading == "agent" else "right", no_wrap=True)
    ratings = found.ratings()
    for i in sorted(range(len(found.names)), key=lambda i: -ratings[i].elo):
        points = games = 0.0
        for (first, second), played in found.matches.items():
            if i in (first, second):
                games += len(played.duels)
                points += played.points if i == first else len(played.duels) - played.points
        table.add_row(
            Text(found.names[i]),
            f"{ratings[i].elo:.0f}",
            f"{1.96 * ratings[i].error:.0f}",
            percent(points / max(1.0, games)),
            f"{games:.0f}",
        )
    Console().print(table)
    print(f"{found.names[0]} has Elo 0; ± is the 95 % interval.")
    print_matches(list(found.matches.values()), found.interrupted)
