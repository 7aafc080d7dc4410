"""The results of the Tetris Bot report: every histogram, every evolution, every table, ours beside theirs."""

import math
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from html import escape
from pathlib import Path
from textwrap import fill
from typing import Any

from apprenti.arena.statistics import Summary, from_json
from apprenti.core.data import JsonData
from apprenti.games.tetris.game import GAME
from apprenti.games.tetris.rules import Rules
from apprenti.lab.agents import NamedAgent, find
from apprenti.lab.kinds.fields import blaming, rules_of
from apprenti.lab.kinds.kind import Finding, Part, markdown
from apprenti.lab.kinds.runs import RunRow, RunsFile, TrainingKind
from apprenti.lab.kinds.scores import agent_alone, uninterrupted
from apprenti.lab.results import Effort
from apprenti.lab.runs import weights_of
from apprenti.store.files import write_text
from apprenti.store.runs import Run
from apprenti.views.numbers import number
from apprenti.views.plots import histogram
from apprenti.views.plots.style import boxed, entitle, legend, of_curve, plain, pyplot, save, whole

UNIT = "points"


STYLE = """
body { font: 16px/1.5 sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #111; background: #fff; }
table { border-collapse: collapse; font-size: 0.85rem; margin: 1rem 0; }
th, td { border-bottom: 1px solid #bbb; padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
img { max-width: 100%; display: block; margin: 1rem 0; }
"""


@dataclass(frozen=True)
class Section:
    """A heading, and what stands below it."""

    title: str
    words: Sequence[str] = ()
    """Paragraphs."""
    table: Sequence[Sequence[str]] = ()
    """Rows of cells, the headings first."""
    pictures: Sequence[Path] = ()
    """Files (png)."""


def page(title: str, sections: Sequence[Section]) -> str:
    """The page."""
    body = "\n".join(_section(section) for section in sections)
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
    return f"<!doctype html>\n<html><head>{head}</head><body>\n<h1>{escape(title)}</h1>\n{body}\n</body></html>\n"


def _section(section: Section) -> str:
    parts = [f"<h2>{escape(section.title)}</h2>", *(f"<p>{escape(words)}</p>" for words in section.words)]
    if section.table:
        head, *rows = (
            "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row)
            for tag, row in (("th" if number == 0 else "td", row) for number, row in enumerate(section.table))
        )
        parts.append(f"<table><tr>{head}</tr>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>")
    parts += [_picture(path, section.title) for path in section.pictures]
    return "\n".join(parts)


def _picture(path: Path, words: str) -> str:
    data = b64encode(path.read_bytes()).decode()
    return f'<img alt="{escape(words)}" src="data:image/png;base64,{data}">'


@dataclass(frozen=True, kw_only=True)
class Player:
    """An agent of the report, and what is printed of its games; a deviation of 0 is one that is not given."""

    title: str
    agent: str
    mean: float
    deviation: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Optimisation(RunRow):
    """A run of the genetic algorithm with the parameters of the report, and the coefficients printed there."""

    coefficients: tuple[float, ...] = ()


@dataclass(frozen=True, kw_only=True)
class File(RunsFile):
    """A `[[player]]` for each histogram, a `[[run]]` for each evolution."""

    player: tuple[Player, ...]
    run: tuple[Optimisation, ...]
    games: int
    """Of every agent, theirs and ours."""
    short_rules: JsonData = field(default_factory=dict)
    """What differs in the rules of a short run, so that its games end soon."""


def summary_of(finding: Finding) -> Summary:
    """Mean, deviation and the rest."""
    return from_json(finding["statistics"][UNIT])


def standard_errors(ours: Summary, row: Player, games: int) -> float:
    """How far our mean is from the report's, in standard errors of the difference.

    A deviation that is not given is taken to be the mean: scores at Tetris are close to exponential.
    """
    theirs = (row.deviation or row.mean) / math.sqrt(games)
    return (ours.mean - row.mean) / math.hypot(ours.deviation / math.sqrt(ours.games), theirs)


class Report(TrainingKind[File]):
    """Two tables: agents of the report, and what the genetic algorithm finds here."""

    File = File
    few = 100  # a short run has all rows: every figure is made

    @property
    def games(self) -> int:
        """Games of each agent."""
        return min(self.plan.games, 8) if self.settings.short else self.plan.games

    def divide(self) -> list[Part]:
        rules_of(GAME, None, self.plan.short_rules, f"short_rules of {self.where}")
        rows = enumerate(self.plan.player, 1)
        return [*(self._part(row, f"player {index} of {self.where}") for index, row in rows), *super().divide()]

    def _part(self, row: Player, where: str) -> Part:
        options = self.plan.short_rules if self.settings.short else {}
        agent, rules = agent_alone(self.find, row.agent, "tetris", options, where)
        with blaming(where):
            effort = Effort(self.games, self.settings.seed, self.settings.workers)
        key = {**asdict(row), "games": self.games, "rules": options}
        return Part(row.title, key, partial(self._played, agent, rules, effort, row.title))

    def _played(self, agent: NamedAgent, rules: Rules, effort: Effort, title: str) -> Finding:
        """The games of an agent, each of them."""
        evaluation = uninterrupted(agent, rules, effort)
        return {"title": title, **evaluation.to_json(), "scores": evaluation.scores(UNIT)}

    def test(self, row: Optimisation) -> Finding:
        return {"games": self.games, "rules": self.plan.short_rules if self.settings.short else {}}

    def measure(self, row: Optimisation, run: Run) -> Finding:
        metrics, agent = run.metrics(), find(str(run.agent_path))
        rules = agent.game.rules(agent.rules, max_pieces=0, **self.test(row)["rules"])
        effort = Effort(self.games, 1000 + self.settings.seed, self.settings.workers)
        unit = "lines" if run.about()["config"]["evaluation_criteria"] == "lines" else UNIT
        return {
            "name": row.name,
            "learning_seconds": metrics[-1]["seconds"],
            "curve": [{**one, "generation": one["generation"] - 1} for one in metrics],
            "curve_unit": unit,
            "parameters": parameters_of(run.about()["config"]),
            "coefficients": [abs(weight) for weight in weights_of(run).values()],
            **self._played(agent, rules, effort, f"Found here: {row.name}"),
        }

    @property
    def players(self) -> list[tuple[Player, Finding]]:
        """The agents of the report and what was found of them so far."""
        return list(zip(self.plan.player, self.findings, strict=False))

    @property
    def runs(self) -> list[tuple[Optimisation, Finding]]:
        """The runs and what was found of them so far."""
        return list(zip(self.plan.run, self.findings[len(self.plan.player) :], strict=False))

    def player_rows(self) -> list[list[str]]:
        """The table of the report's agents."""
        head = [
            "agent", "report: mean ± deviation", "here: mean ± deviation", "here / report", "standard errors apart",
            "here: min · Q1 · median · Q3 · max",
        ]  # fmt: skip
        return [head, *(self._player_row(row, finding) for row, finding in self.players)]

    def _player_row(self, row: Player, finding: Finding) -> list[str]:
        ours = summary_of(finding)
        return [
            row.title, f"{number(row.mean)} ± {number(row.deviation) if row.deviation else 'not given'}",
            f"{number(ours.mean)} ± {number(ours.deviation)}", f"{ours.mean / row.mean:.2f}",
            f"{standard_errors(ours, row, self.plan.games):+.1f}", " · ".join(map(number, ours.five)),
        ]  # fmt: skip

    def run_rows(self) -> list[list[str]]:
        """The table of the optimisations."""
        head = [
            "optimisation", "report: time", "here: time", "report: coefficients", "here: coefficients",
            "here: points ± deviation over whole games",
        ]  # fmt: skip
        return [head, *(self._run_row(row, finding) for row, finding in self.runs)]

    def _run_row(self, row: Optimisation, finding: Finding) -> list[str]:
        ours = summary_of(finding)
        return [
            row.name, row.there, f"{finding['learning_seconds']:.1f} s", coefficients(row.coefficients),
            coefficients(finding["coefficients"]), f"{number(ours.mean)} ± {number(ours.deviation)}",
        ]  # fmt: skip

    def table(self) -> str:
        tables = (self.player_rows(), self.run_rows())
        return "\n".join(markdown(rows[0], rows[1:]) for rows in tables if len(rows) > 1)

    def draw(self, path: Path) -> None:
        theirs = {row.title: (row.mean, row.deviation or row.mean) for row, _ in self.players}
        ours = {row.title: (summary_of(finding).mean, summary_of(finding).deviation) for row, finding in self.players}
        besides(theirs, ours, (self.plan.games, self.games), f"{UNIT} a game", self.experiment.title, path)
        sections = [self._agents(path), *map(self._player, self.players), *map(self._run, self.runs)]
        write_text(self.folder / "report.html", page(self.experiment.title, sections))

    def _agents(self, picture: Path) -> Section:
        words = [self.experiment.question, f"{self.games} games of each agent; {self.findings[0]['description']}."]
        if self.settings.short:
            words.append("A short run, to see that it works: no result.")
        return Section("Ours beside the report's", words, self.player_rows(), [picture])

    def _player(self, pair: tuple[Player, Finding]) -> Section:
        row, finding = pair
        words = [f"Report: mean {number(row.mean)}" + (f", deviation {number(row.deviation)}." * bool(row.deviation))]
        return Section(row.title, words, pictures=[self._histogram(finding)])

    def _run(self, pair: tuple[Optimisation, Finding]) -> Section:
        row, finding = pair
        curve = self._figure("evolution", row.name)
        for file in curve:
            evolution(finding["curve"], finding["parameters"], finding["curve_unit"], f"{row.name}: evolution", file)
        words = [
            f"Report: {coefficients(row.coefficients)}, {row.there}.",
            f"Here: {coefficients(finding['coefficients'])}, {finding['learning_seconds']:.1f} s.",
        ]
        return Section(finding["title"], words, pictures=[curve[0], self._histogram(finding)])

    def _histogram(self, finding: Finding) -> Path:
        files = self._figure("histogram", finding["title"])
        for file in files:
            histogram(finding["scores"], summary_of(finding), finding["title"], UNIT, file)
        return files[0]

    def _figure(self, what: str, name: str) -> list[Path]:
        """The files of a figure; of a short run there is one, to be quick."""
        stem = re.sub(r"\W+", "-", f"{what} {name}".lower()).strip("-")
        return [self.folder / f"{stem}.{ending}" for ending in self.settings.first(("png", "svg"), 1)]


def parameters_of(config: JsonData) -> JsonData:
    """The options of a run that the report prints, as far as they play a part."""
    names = ["population", "games", "max_pieces", "vector_encoding", "parents_selection_method"]
    names += ["old_generation_policy", "evaluation_criteria", "proba_mutation"]
    names += ["mutation_rate"] if config["vector_encoding"] == "float" else ["nb_bits"]
    names += ["percentage_for_tournament"] if config["parents_selection_method"] == "tournament" else []
    more = {"best": ["percentage_new_offspring"], "elitism": ["elitism_percentage"], "none": []}
    return {name: config[name] for name in [*names, *more[config["old_generation_policy"]]]}


def coefficients(numbers: Any) -> str:
    """Coefficients as the report prints them."""
    return "[" + ", ".join(f"{number:.4f}".rstrip("0") for number in numbers) + "]" if numbers else "not given"


def evolution(
    rows: Sequence[Mapping[str, float]], parameters: Mapping[str, object], unit: str, title: str, path: Path
) -> None:
    """The report's figure: maximum and average of every generation, and the parameters in a box."""
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(7, 4.5))
    for index, (name, label) in enumerate((("best", "maximum"), ("mean", "average"))):
        points = [(row["generation"], row[name]) for row in rows]
        axes.plot(*zip(*points, strict=True), label=label, **of_curve(index, len(points)))
    axes.set_ylim(bottom=0)
    plain(axes.yaxis)
    whole(axes.xaxis)
    axes.set_xlabel("generation")
    axes.set_ylabel(f"{unit} a game")
    entitle(axes, title)
    legend(axes)
    boxed(axes, [f"{name}: {value}" for name, value in parameters.items()])
    save(figure, path)


Means = Mapping[str, tuple[float, float]]
"""A mean and a standard deviation by name."""


def besides(theirs: Means, ours: Means, games: tuple[int, int], unit: str, title: str, path: Path) -> None:
    """Published means beside measured ones, each with two standard errors of its games."""
    plt = pyplot()
    names = list(theirs)[::-1]
    figure, axes = plt.subplots(figsize=(8, 1.4 + 0.45 * len(names)))
    for index, (label, means, count) in enumerate((("published", theirs, games[0]), ("measured here", ours, games[1]))):
        places = [row + 0.14 - 0.28 * index for row in range(len(names))]
        errors = [2 * means[name][1] / count**0.5 for name in names]
        style = {**of_curve(index), "linestyle": "none", "capsize": 3, "markersize": 6}
        axes.errorbar([means[name][0] for name in names], places, xerr=errors, label=label, **style)
    axes.set_yticks(range(len(names)), [fill(name, 30) for name in names], fontsize=8)
    axes.set_xlim(left=0)
    axes.grid(axis="x", alpha=0.3)
    plain(axes.xaxis)
    axes.set_xlabel(f"{unit}, mean ± two standard errors")
    entitle(axes, title)
    legend(axes)
    save(figure, path)
