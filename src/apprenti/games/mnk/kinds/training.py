"""SARSA with tables: how far one goes on boards of several sizes, and how many games until no opponent can win."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

from apprenti.core.data import JsonData
from apprenti.games.mnk.fast.exact import solver_for
from apprenti.games.mnk.state import State
from apprenti.lab.agents import find
from apprenti.lab.kinds.kind import Finding, grouped
from apprenti.lab.kinds.runs import RunPlan, RunRow, RunsFile, TrainingKind, learner_of
from apprenti.lab.match import match
from apprenti.lab.results import Effort
from apprenti.learn.methods import learner_class
from apprenti.store.runs import Run
from apprenti.views.numbers import apart
from apprenti.views.plots import strengths
from apprenti.views.plots.style import ACCENT, INK, SOFT, entitle, pyplot, save

VALUES = {1: "X wins", 0: "draw", -1: "O wins"}


@dataclass(frozen=True, kw_only=True)
class BoardsFile(RunsFile):
    """A `[[run]]` for each board and number of games to learn from."""

    method: str = "sarsa"
    tests: int
    """Games against the perfect player on either side."""


def share(counts: list[int]) -> float:
    """Points of all there were, of games won, drawn and lost; a draw is a half."""
    won, drawn, lost = counts
    return (won + drawn / 2) / (won + drawn + lost)


class Boards(TrainingKind[BoardsFile]):
    """A line for each run."""

    File = BoardsFile
    headings = (
        "board", "perfect play", "games", "time", "entries", "both tables", "points against random",
        "as X against perfect (won / drawn / lost)", "as O against perfect",
    )  # fmt: skip

    def test(self, row: RunRow) -> int:
        return 4 if self.settings.short else self.plan.tests

    def measure(self, row: RunRow, run: Run) -> Finding:
        learner, agent, last = learner_of(run), find(str(run.agent_path)), run.metrics()[-1]
        agents, effort = (agent, find("mnk-perfect", agent.game)), Effort(2 * self.test(row), self.settings.seed, 1)
        played = match(agent.game, agent.rules, agents, effort)
        if played.interrupted:
            raise KeyboardInterrupt
        return {
            "name": row.name,
            "size": agent.rules.size,
            "value": VALUES[solver_for(agent.rules).value(State.start(agent.rules))],
            "games": last["games"],
            "seconds": last["seconds"],
            "entries": last["entries"],
            "megabytes": (learner.keys.nbytes + learner.values.nbytes) / 1e6,
            "random": learner.tested()["against_random"],
            "as_x": list(played.counts_as(0)),
            "as_o": list(played.counts_as(1)),
        }

    def cells(self, finding: Finding) -> list[str]:
        games, entries = (apart(finding[name]) for name in ("games", "entries"))
        return [
            finding["size"], finding["value"], games, f"{finding['seconds']:.1f} s", entries,
            f"{finding['megabytes']:.1f} MB", f"{finding['random']:.1%}",
            *(" / ".join(map(str, finding[side])) for side in ("as_x", "as_o")),
        ]  # fmt: skip

    def draw(self, path: Path) -> None:
        bars = {
            one["name"]: {
                "random": one["random"], "perfect, as X": share(one["as_x"]), "perfect, as O": share(one["as_o"])
            }
            for one in self.findings
        }  # fmt: skip
        strengths(bars, self.experiment.title, path)


@dataclass(frozen=True, kw_only=True)
class Row(RunRow):
    """What is changed, and to what."""

    group: str

    @property
    def label(self) -> str:
        return f"{self.group}: {self.name}"


@dataclass(frozen=True, kw_only=True)
class UnbeatableFile(RunsFile):
    """A `[[run]]` for each configuration: its `group` is what is changed, its `name` to what."""

    run: tuple[Row, ...]
    method: str = "sarsa"
    seeds: int


def way_of(metrics: list[JsonData]) -> Finding:
    """How one seed went: when the player could not lose for the first time, since when, and what it is in the end.

    `reached` and `stays` are games, None for never; `can_lose` is how often the worst opponent beats it in the end,
    `optimal` the share of the positions in which its choice is, `against_perfect` its points, at most a half.
    """
    reached = stays = None
    for row in metrics:
        safe = row["can_lose"] == 0
        reached = reached or (row["games"] if safe else None)
        stays = (stays or row["games"]) if safe else None
    last = {name: metrics[-1][name] for name in ("can_lose", "optimal", "against_perfect")}
    return {"reached": reached, "stays": stays, **last}


def games_of(ways: list[Finding], which: str) -> list[int]:
    """The games of the seeds that came there: `reached` or `stays`."""
    return [way[which] for way in ways if way[which] is not None]


def middle(ways: list[Finding], which: str) -> str:
    """The median number of games; a dash if fewer than half of the seeds came there."""
    games = median(way[which] or float("inf") for way in ways)
    return "-" if games == float("inf") else apart(games)


class Unbeatable(TrainingKind[UnbeatableFile]):
    """A line for each configuration."""

    File = UnbeatableFile
    headings = (
        "changed", "to", "unbeatable at some time", "median games", "unbeatable in the end", "median games since",
        "optimal in the end", "lost to the worst opponent", "points against perfect",
    )  # fmt: skip
    pictures = ("png", "svg")

    few = 3

    def repeats(self, row: Row) -> int:
        return 2 if self.settings.short else self.plan.seeds

    def learn(self, row: Row, plan: RunPlan) -> Finding:
        learner, metrics = learner_class(plan.method)(plan.config), []
        while not learner.done:
            metrics.append(learner.step())
        names = {"group": row.group, "name": row.name, "label": row.label, "seed": plan.config.seed}
        return {**names, **way_of(metrics)}

    def numbers(self) -> list[Finding]:
        return [
            {"group": ways[0]["group"], "name": ways[0]["name"], "ways": ways}
            for ways in grouped(self.findings, "label")
        ]

    def cells(self, finding: Finding) -> list[str]:
        ways, total = finding["ways"], len(finding["ways"])
        reached, stays = (len(games_of(ways, which)) for which in ("reached", "stays"))
        optimal, lost, points = (
            np.mean([way[name] for way in ways]) for name in ("optimal", "can_lose", "against_perfect")
        )
        return [
            finding["group"], finding["name"], f"{reached} of {total}", middle(ways, "reached"),
            f"**{stays}** of {total}", middle(ways, "stays"), f"{optimal:.1%}", f"{lost:.0%}", f"{points:.1%}",
        ]  # fmt: skip

    def draw(self, path: Path) -> None:
        groups = grouped(self.findings, "label")
        drawn = [(ways[0]["label"], games_of(ways, "reached"), games_of(ways, "stays")) for ways in groups]
        games_needed(drawn, len(groups[0]), self.experiment.title, path)


def games_needed(rows: Sequence[tuple[str, Sequence[int], Sequence[int]]], seeds: int, title: str, path: Path) -> None:
    """Games that each configuration needed: a ring where its seeds came there first, a dot where they stayed.

    A row is a name, the games of the seeds that came there at some time, and of those that stayed. Ring and dot are
    medians, a line goes from the fastest to the slowest seed that stayed.
    """
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(8, 1.4 + 0.24 * len(rows)))
    for number, (_, came, stayed) in enumerate(reversed(rows)):
        colour = SOFT if len(stayed) == seeds else ACCENT
        if came:
            axes.plot(np.median(came), number, "o", color=INK, markerfacecolor="none", markersize=5)
        if stayed:
            axes.plot([min(stayed), max(stayed)], [number, number], color=colour, linewidth=3, alpha=0.5)
            axes.plot(np.median(stayed), number, "o", color=colour, markersize=5)
        axes.annotate(
            f"{len(stayed)} of {seeds}", (1.01, number), xycoords=("axes fraction", "data"), fontsize=7,
            va="center", color=colour,
        )  # fmt: skip
    axes.set_yticks(range(len(rows)), [name for name, _, _ in reversed(rows)], fontsize=7)
    axes.set_ylim(-0.7, len(rows) - 0.3)
    axes.set_xscale("log")
    ticks = [n * 10**power for power in range(2, 7) for n in (1, 2, 5)]
    axes.set_xlim(500, 600_000)
    axes.set_xticks(ticks, list(map(apart, ticks)), fontsize=7, rotation=30)
    axes.set_xlim(500, 600_000)
    axes.minorticks_off()
    axes.grid(axis="x", alpha=0.3)
    axes.set_xlabel("games until no opponent could win: for the first time (ring), until the end (dot)", fontsize=8)
    entitle(axes, title)
    save(figure, path)
