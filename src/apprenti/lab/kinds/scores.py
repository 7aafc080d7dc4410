"""Agents, each under its rules, beside what was published; and intervals by splitting against played games."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from apprenti.arena.splitting import Levels, Splitting, choose_levels, split
from apprenti.arena.statistics import Summary, from_json
from apprenti.core.data import JsonData
from apprenti.core.errors import BadFile, BadOption
from apprenti.core.plugins import GAMES
from apprenti.core.protocols import AnyRules
from apprenti.lab.agents import Find, NamedAgent
from apprenti.lab.evaluate import Evaluation, evaluate
from apprenti.lab.kinds.fields import REST, blaming, check_parts, rules_of
from apprenti.lab.kinds.kind import Finding, Kind, Part, Settings, grouped, markdown
from apprenti.lab.rare_events import RareEvaluation, RepetitionFile, evaluate_rare, process_of
from apprenti.lab.results import Effort
from apprenti.views.numbers import interval, number
from apprenti.views.plots import comparison


@dataclass(frozen=True, kw_only=True)
class Amount:
    """How much an agent plays that plays alone."""

    games: int = 100
    seconds: float = 0.0
    """Stop after this time; 0 for no limit."""
    rare: bool = False
    """Games hardly ever end: by splitting, until `precision`."""
    precision: float = 0.0
    """Until half of the interval is this part of the mean."""

    def effort(self, settings: Settings) -> Effort:
        """The same as everybody else measures it; of a short run less."""
        games, seconds, precision = self.games, self.seconds, self.precision
        if settings.short:
            games, seconds, precision = min(games, 8), 2.0, 0.3 if self.rare else 0.0
        return Effort(games, settings.seed, settings.workers, precision, seconds)


@dataclass(frozen=True, kw_only=True)
class Row(Amount):
    """An agent, how much it plays, and under which rules."""

    agent: str
    unit: str = ""
    """What is counted, if not what the rules count."""
    published: str = "-"
    rules: JsonData = field(default_factory=dict, metadata=REST)
    """Options of the game's rules; what is left open is the agent's own."""


@dataclass(frozen=True, kw_only=True)
class File:
    """A `[[row]]` for each agent."""

    row: tuple[Row, ...]
    game: str = ""
    """For agents that play every game."""


def play_alone(agent: NamedAgent, rules: AnyRules, effort: Effort, stored: RepetitionFile | None = None) -> Finding:
    """An agent's games as plain data, with what the rules count; by splitting if repetitions are to be stored."""
    measured: Evaluation | RareEvaluation
    if stored:
        measured = evaluate_rare(agent, rules, effort, stored=stored)
    else:
        measured = evaluate(agent, rules, effort)
    if measured.interrupted and not measured.games:
        raise KeyboardInterrupt
    return {**measured.to_json(), "unit": measured.unit, "moves": measured.moves}


def uninterrupted(agent: NamedAgent, rules: AnyRules, effort: Effort) -> Evaluation:
    """All the games, or none."""
    evaluation = evaluate(agent, rules, effort)
    if evaluation.interrupted:
        raise KeyboardInterrupt
    return evaluation


def agent_alone(
    find: Find,
    name: str,
    game: str,
    options: JsonData,
    where: str,
    rare: bool = False,
    beside: Sequence[type[Any]] = (Row, File),
) -> tuple[NamedAgent, AnyRules]:
    """An agent of a game for one and the rules it is to play; refused here if it cannot.

    `beside` are the dataclasses whose fields stand beside the options of the rules.
    """
    with blaming(where):
        agent = find(name, GAMES.load(game) if game else None)
    if agent.game.players != 1:
        raise BadFile(f"{where}: {name} plays a game for {agent.game.players}, which is an experiment of kind match.")
    rules = rules_of(agent.game, agent.rules, options, where, beside)
    with blaming(where):
        agent.check(agent.game, rules)
        if rare:
            process_of(agent, rules)
    return agent, rules


def short_rules(finding: Finding) -> str:
    """The rules in few words: their name and the size of the board, where they have these."""
    words = [str(finding["rules"][name]) for name in ("name", "size") if finding["rules"].get(name)]
    return " ".join(words) or str(finding["description"])


def played_of(finding: Finding) -> Summary:
    """Mean of what was played, interval and the rest, of what is counted."""
    return from_json(finding["statistics"][finding["unit"]])


def summary_of(finding: Finding) -> Summary:
    """The same with the mean of whole games."""
    return played_of(finding).whole


def how_often(finding: Finding, summary: Summary) -> str:
    """The games behind a score, and how many the rules ended; or the repetitions of a splitting."""
    return f"split, {summary.games}" if "repetitions" in finding else f"{summary.games} ({summary.deaths})"


def saying_what_is_estimated(headings: Sequence[str], summaries: Sequence[Summary], column: str) -> list[str]:
    """Headings of a table of whole games: the column says so if some were cut short, and their mean is estimated."""
    is_cut = any(summary.is_cut for summary in summaries)
    return [f"{name} (estimated whole games)" if is_cut and name == column else name for name in headings]


class Scores(Kind[File]):
    """A line for each agent."""

    File = File
    headings = (
        "agent", "rules", "games (deaths)", "published", "measured", "95 % interval", "time", "core time a move",
    )  # fmt: skip

    def divide(self) -> list[Part]:
        rows = self.settings.first(self.plan.row)
        return [self._part(row, f"row {number} of {self.where}") for number, row in enumerate(rows, 1)]

    def agent_of(self, row: Any, where: str) -> tuple[NamedAgent, AnyRules]:
        """Who plays in a row, and by which rules."""
        return agent_alone(self.find, row.agent, self.plan.game, row.rules, where, row.rare, (type(row), self.File))

    def _part(self, row: Row, where: str) -> Part:
        agent, rules = self.agent_of(row, where)
        with blaming(where):
            effort = row.effort(self.settings)
        key = {"game": self.plan.game, **asdict(row)}
        stored = self.stored(row.agent, key) if row.rare else None

        def work() -> Finding:
            finding = play_alone(agent, rules, effort, stored)
            return {**finding, "unit": row.unit or finding["unit"], "published": row.published}

        return Part(row.agent, key, work)

    def table(self) -> str:
        headings = saying_what_is_estimated(self.headings, list(map(summary_of, self.findings)), "measured")
        return markdown(headings, [self.cells(one) for one in self.findings])

    def cells(self, finding: Finding) -> list[str]:
        summary, seconds = summary_of(finding), finding["seconds"]
        return [
            finding["agent"], short_rules(finding), how_often(finding, summary), finding["published"],
            f"**{number(summary.mean, 3)}** {finding['unit']}",
            interval(summary.ci95), f"{seconds:,.0f} s",
            f"{seconds * finding['workers'] / max(1, finding['moves']) * 1e6:.2f} µs",
        ]  # fmt: skip

    def draw(self, path: Path) -> None:
        summaries = {f"{one['agent']} {short_rules(one)}": played_of(one) for one in self.findings}
        comparison(summaries, self.findings[0]["unit"], self.experiment.title, path)

    @classmethod
    def score(cls, finding: Finding) -> Finding | None:
        summary = summary_of(finding)
        if not summary.deaths:
            return None
        interval = [round(bound, 1) for bound in summary.ci95]
        names = ("unit", "repetitions", "seed") if "repetitions" in finding else ("unit", "games", "deaths", "seed")
        same: JsonData = {name: finding[name] for name in names}
        return {"mean": round(summary.mean, 1), "ci95": interval, **same}


BLOCK = 20
"""Intervals in a part."""


@dataclass(frozen=True, kw_only=True)
class CoverageFile:
    """Every agent on boards of every size."""

    agents: tuple[str, ...]
    sizes: tuple[str, ...]
    intervals: int
    """Of each agent on each board, each with a seed of its own."""
    precision: float
    """Of an interval: half of it as a part of the mean."""
    trials: float = 1.0
    """Trials of a level, as a part of the usual number."""
    games: int = 10_000
    """That are played to know the mean."""
    seconds: float = 0.0
    """Stop playing after this time; 0 for no limit."""

    def __post_init__(self) -> None:
        for name in ("precision", "trials"):
            if not 0 < getattr(self, name) <= 1:
                raise BadOption(f"{name} is above 0 and at most 1, not {getattr(self, name):g}.")
        if self.intervals < 1:
            raise BadOption(f"intervals is at least 1, not {self.intervals}.")


class Coverage(Kind[CoverageFile]):
    """How many intervals of the splitting have the mean in them that playing gives: a line for each agent and board."""

    File = CoverageFile
    headings = (
        "agent", "board", "played: mean lines", "95 % interval", "intervals by splitting", "with that mean in them",
        "half-width", "mean of their means",
    )  # fmt: skip

    def divide(self) -> list[Part]:
        agents, sizes = self.settings.first(self.plan.agents, 1), self.settings.first(self.plan.sizes, 1)
        return [part for name in agents for size in sizes for part in self._parts(name, size)]

    def _parts(self, name: str, size: str) -> list[Part]:
        agent, rules = agent_alone(self.find, name, "", {"size": size}, self.where, True)
        plan, settings, of = self.plan, self.settings, {"agent": name, "size": size}
        games, seconds = (20, 2.0) if settings.short else (plan.games, plan.seconds)
        with blaming(self.where):
            effort = Effort(games, settings.seed, settings.workers, seconds=seconds)
        key = {**of, "games": plan.games, "seconds": plan.seconds}
        played = Part(f"{name} on {size}", key, lambda: {"of": f"{name} {size}", **play_alone(agent, rules, effort)})
        key = {**of, "precision": plan.precision, "trials": plan.trials}
        whole = 2 if settings.short else plan.intervals
        check_parts(whole // BLOCK, self.where)
        return [
            played,
            *(
                Part(
                    f"{name} on {size}, intervals from {first}",
                    {**key, "first": first, "number": min(BLOCK, whole - first), "levels": "of the block"},
                    partial(self._intervals, agent, rules, range(first, min(first + BLOCK, whole))),
                )
                for first in range(0, whole, BLOCK)
            ),
        ]

    def _intervals(self, agent: NamedAgent, rules: AnyRules, which: range) -> Finding:
        """Intervals, each with repetitions and a seed of its own; a block has its own levels, whose pilot is as dear
        as several intervals."""
        first = 1000 * self.settings.seed
        levels = choose_levels(process_of(agent, rules), first + which.start).scaled(self.plan.trials)
        intervals = [self._interval(agent, rules, levels, first + place) for place in which]
        return {"of": f"{agent.name} {rules.width}x{rules.height}", "intervals": intervals}

    def _interval(self, agent: NamedAgent, rules: AnyRules, levels: Levels, seed: int) -> list[float]:
        process, cores = process_of(agent, rules), Effort(workers=self.settings.workers).cores
        *_, known = split(process, seed, cores, self.plan.precision, "lines", Splitting(levels))
        return [known.mean("lines"), *known.interval("lines")]

    def numbers(self) -> list[Finding]:
        findings = []
        for played, *blocks in grouped(self.findings, "of"):
            intervals = [one for block in blocks for one in block["intervals"]]
            findings.append({**played, "intervals": intervals, "hits": _hits(played, intervals)})
        return findings

    def cells(self, finding: Finding) -> list[str]:
        summary, intervals, hits = (
            from_json(finding["statistics"]["lines"]).whole,
            np.array(finding["intervals"]),
            finding["hits"],
        )
        played = [finding["agent"], finding["rules"]["size"], number(summary.mean, 3), interval(summary.ci95)]
        if not len(intervals):
            return [*played, "0", "-", "-", "-"]
        means, lows, highs = intervals.T
        half = np.mean((highs - lows) / (2 * means))
        ratio = 1 / np.mean(1 / means) / summary.mean
        return [
            *played,
            str(len(intervals)),
            f"{hits} ({hits / len(intervals):.0%})",
            f"± {half:.0%}",
            f"{ratio:.3f} of the played",
        ]

    def draw(self, path: Path) -> None:
        summaries = {one["of"]: from_json(one["statistics"]["lines"]) for one in self.numbers()}
        comparison(summaries, "lines", self.experiment.title, path)


def _hits(played: Finding, intervals: list[list[float]]) -> int:
    mean = from_json(played["statistics"]["lines"]).whole.mean
    return sum(low <= mean <= high for _, low, high in intervals)
