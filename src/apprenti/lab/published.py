"""Draw the pictures of the results: what was published beside what was measured, from the zoo's files.

    python -m apprenti.lab.published

It is run in a checkout, after `python -m apprenti.lab.publish results` has written new scores. What is drawn of a game
stands in `pictures.json`, beside its experiments. Then every picture of docs/ is written in French, too.
"""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from apprenti.arena.statistics import Z95, Rating
from apprenti.core.data import JsonData, JsonMapping
from apprenti.core.errors import ApprentiError, BadFile, BadOption
from apprenti.core.plugins import folders
from apprenti.lab.agents import zoo
from apprenti.lab.experiments import PICTURES
from apprenti.lab.french import translate
from apprenti.lab.kinds.fields import read
from apprenti.store.files import read_json
from apprenti.views.numbers import number
from apprenti.views.plots import ladder
from apprenti.views.plots.style import ACCENT, COLOURS, INK, SOFT, entitle, legend, logarithmic, plain, pyplot, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GAMES, PERCENT = re.compile(r"(\d[\d ]*) games"), re.compile(r"± ([\d.]+) %")
"""What a note tells of how a published score was measured, and how sure it is."""
AGAIN = "measured / published, with 95 % intervals"
LEAST = 100
"""The score from which on a player is in the pictures."""
Agents = Mapping[str, Path]
"""The files of the zoo by name."""


@dataclass(frozen=True, kw_only=True)
class Records:
    """All players that were measured by some rules on boards of a size."""

    rules: str
    size: str
    """A part of the name of the picture."""
    title: str

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[\w-]{1,40}", self.size):
            raise BadOption(f"the size of a board is a word like 10x20, not {self.size!r:.40}.")


@dataclass(frozen=True, kw_only=True)
class Strength:
    """A player on the ladder: its Elo, and half of the 95 % interval."""

    agent: str
    elo: float
    half: float


@dataclass(frozen=True, kw_only=True)
class Pictures:
    """What is drawn of the results of a game."""

    unit: str = ""
    """Of its scores."""
    best: str = ""
    """The title above the best of each board."""
    records: tuple[Records, ...] = ()
    ladder: str = ""
    """The title above the strengths."""
    experiment: str = ""
    """Which matches the strengths are from; `lab/publish.py` writes these."""
    strengths: tuple[Strength, ...] = ()


def all_pictures() -> Pictures:
    """What is drawn of all games, together."""
    paths = [path for folder in reversed(folders("experiments")) if (path := folder / PICTURES).exists()]
    data: JsonData = {}
    for path in paths:
        data |= read_json(path, "what is drawn of results")
    return read(Pictures, data, f"{PICTURES} beside the experiments")


def ratings(drawn: Pictures) -> dict[str, Rating]:
    """The ladder by player."""
    return {one.agent: Rating(one.elo, one.half / Z95) for one in drawn.strengths}


class Score(NamedTuple):
    """A measured mean with its interval, beside a published one if there is one."""

    mean: float
    low: float
    high: float
    published: float | None = None
    half: float = 0.0
    """Half of the published one's interval, where it is known."""

    @property
    def agrees(self) -> bool:
        """Whether the two intervals meet."""
        return self.published is not None and self.low - self.half <= self.published <= self.high + self.half

    def divided_by(self, one: float) -> "Score":
        """The same in other units."""
        published = None if self.published is None else self.published / one
        return Score(self.mean / one, self.low / one, self.high / one, published, self.half / one)


def scores(agents: Agents) -> Iterator[tuple[str, JsonMapping, Score]]:
    """Every score measured with an interval, who made it, and what was published for the same rules and size."""
    for path in agents.values():
        agent = read_json(path, "an agent file")
        for measured in agent.get("measured", []):
            if "size" in measured and "against" not in measured and "ci95" in measured and measured["mean"] > LEAST:
                theirs = [one for one in agent.get("published", []) if _same(one, measured)]
                published = published_mean(theirs[0]) if theirs else ()
                yield agent["name"], measured, Score(measured["mean"], *measured["ci95"], *published)


def _same(one: JsonMapping, other: JsonMapping) -> bool:
    return all(one.get(key) == other.get(key) for key in ("rules", "size", "unit"))


def published_mean(published: JsonMapping) -> tuple[float, float]:
    """A published mean, and half its interval: as its note has it, or by the number of games and an exponential law."""
    mean, note = published["mean"], published.get("note", "")
    percent, games = PERCENT.search(note), GAMES.search(note)
    if percent:
        return mean, mean * float(percent[1]) / 100
    return mean, 1.96 * mean / int(games[1].replace(" ", "")) ** 0.5 if games else 0.0


def records(agents: Agents, wanted: Records) -> dict[str, Score]:
    """The players measured by these rules on this board, the best first."""
    played = ((name, score) for name, one, score in scores(agents) if _is(one, wanted))
    return dict(sorted(played, key=lambda row: -row[1].mean))


def _is(measured: JsonMapping, wanted: Records) -> bool:
    return (measured["rules"], measured["size"]) == (wanted.rules, wanted.size)


def ratios(agents: Agents) -> dict[str, Score]:
    """Every measured score divided by the published one."""
    measured = ((f"{name}, {one['rules']} {one['size']}", score) for name, one, score in scores(agents))
    return {name: score.divided_by(score.published) for name, score in measured if score.published}


def draw(agents: Agents, docs: Path) -> None:
    """All pictures of the results, in both languages."""
    drawn, again = all_pictures(), ratios(agents)
    rated, boards = ratings(drawn), {one.size: records(agents, one) for one in drawn.records}
    if empty := [size for size, by in boards.items() if not by]:
        raise BadFile(f"nothing was measured on the board {empty[0]}: {PICTURES} names it among the records.")
    agree = f"{sum(one.agrees for one in again.values())} of {len(again)} agree"
    at_a_glance(boards, list(again.values()), rated, (drawn.best, f"Measured again: {agree}", drawn.ladder),
                docs / "results.svg")  # fmt: skip
    for one in drawn.records:
        unit = f"{drawn.unit}, with 95 % intervals"
        beside_published(boards[one.size], unit, one.title, docs / f"results-{one.size}.svg")
    title = f"Published scores, measured again: {agree}"
    beside_published(again, AGAIN, title, docs / "results-again.svg")
    ladder(rated, drawn.ladder, docs / "results-ladder.svg")
    translate(docs, names(agents))


def names(agents: Agents) -> set[str]:
    """What agents are called in the pictures; on the ladder without their game."""
    rated = ratings(all_pictures())
    return {*agents, *rated, *(name.split("-", 1)[-1] for name in rated)}


def beside_published(rows: Mapping[str, Score], unit: str, title: str, path: Path) -> None:
    """Measured means and published ones with their intervals, one agent a row, on a logarithmic scale."""
    plt = pyplot()
    names = list(rows)[::-1]
    figure, axes = plt.subplots(figsize=(8, 1.4 + 0.3 * len(names)))
    theirs = {"color": INK, "marker": "D", "markersize": 5, "fillstyle": "none", "linestyle": "none", "capsize": 2}
    for row, score in enumerate(rows[name] for name in names):
        axes.plot([score.low, score.high], [row, row], color=SOFT, linewidth=6, solid_capstyle="butt")
        axes.plot(score.mean, row, "|", color=ACCENT, markersize=11, markeredgewidth=2)
        if score.published is not None:
            axes.errorbar(score.published, row, xerr=score.half or None, **theirs)
    axes.plot([], [], "|", color=ACCENT, markersize=11, markeredgewidth=2, label="measured here")
    axes.errorbar([], [], label="published", **theirs)
    axes.set_yticks(range(len(names)), names, fontsize=9)
    logarithmic(axes, "x")
    axes.set_xlabel(unit)
    axes.grid(axis="x", alpha=0.3)
    entitle(axes, title)
    legend(axes)
    save(figure, path)


def at_a_glance(
    boards: Mapping[str, Mapping[str, Score]],
    again: Sequence[Score],
    strengths: Mapping[str, Rating],
    titles: tuple[str, str, str],
    path: Path,
) -> None:
    """Three panels: the published record of each board and ours, scores measured again, the ladder."""
    figure, panels = pyplot().subplots(1, 3, figsize=(10, 2.15), width_ratios=(4, 3, 3))
    _records(panels[0], boards)
    _again(panels[1], again)
    _ladder(panels[2], strengths)
    for panel, title in zip(panels, titles, strict=True):
        panel.set_title(title, fontsize=9)
        panel.tick_params(labelsize=8)
    figure.tight_layout(w_pad=2)
    save(figure, path)


def _records(axes: "Axes", boards: Mapping[str, Mapping[str, Score]]) -> None:
    """Bars, those of a board as parts of ours."""
    names: list[str] = []
    for board, by in reversed(list(boards.items())):
        published, ours = max(one.published or 0 for one in by.values()), next(iter(by.values()))
        for whose, mean, low, high, colour in (
            ("here", ours.mean, ours.low, ours.high, ACCENT),
            ("published", published, published, published, SOFT),
        ):
            row, part = len(names), mean / ours.mean
            axes.barh(row, part, color=colour, height=0.7)
            axes.plot([low / ours.mean, high / ours.mean], [row, row], color=INK, linewidth=1.5)
            axes.annotate(
                number(mean), (high / ours.mean, row), (5, 0), textcoords="offset points", va="center", fontsize=9
            )
            names.append(f"{board}, {whose}")
    axes.set_yticks(range(len(names)), names)
    axes.set_xlim(0, 1.3)
    axes.set_xticks([])
    axes.set_xlabel("with 95 % intervals", fontsize=8)
    axes.spines["bottom"].set_visible(False)


def _again(axes: "Axes", scores: Sequence[Score]) -> None:
    """Measured / published with both intervals, from the lowest to the highest; those that disagree stand out."""
    for row, score in enumerate(sorted(scores, key=lambda one: one.mean)):
        colour = COLOURS[0] if score.agrees else ACCENT
        axes.plot([1 - score.half, 1 + score.half], [row, row], color="#cccccc", linewidth=4)
        axes.plot([score.low, score.high], [row, row], color=colour, linewidth=1.5)
        axes.plot(score.mean, row, "o" if score.agrees else "X", color=colour, markersize=4)
    axes.axvline(1, color=INK, linewidth=0.8)
    logarithmic(axes, "x")
    axes.set_yticks([])
    axes.set_xlabel(AGAIN, fontsize=8)


def _ladder(axes: "Axes", strengths: Mapping[str, Rating]) -> None:
    names = sorted(strengths, key=lambda name: strengths[name].elo)
    elo, errors = [strengths[name].elo for name in names], [strengths[name].half for name in names]
    axes.errorbar(elo, range(len(names)), xerr=errors, fmt="o", markersize=4, color=INK, ecolor=COLOURS[0], capsize=2)
    axes.set_yticks(range(len(names)), [name.split("-", 1)[-1] for name in names])
    plain(axes.xaxis)
    axes.set_xlabel("Elo and its 95 % interval", fontsize=8)
    axes.grid(axis="x", alpha=0.3)


if __name__ == "__main__":
    try:
        if not Path("docs/results.md").exists():
            raise BadFile("run it in a checkout, where docs/ is: python -m apprenti.lab.published")
        draw(zoo(), Path("docs"))
    except ApprentiError as error:
        sys.exit(str(error))
