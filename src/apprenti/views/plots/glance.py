"""The results at a glance: records, published scores measured again, and a ladder, side by side."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from apprenti.views.numbers import number
from apprenti.views.plots.scores import Score
from apprenti.views.plots.style import ACCENT, COLOURS, INK, SOFT, logarithmic, plain, pyplot, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from apprenti.arena.statistics import Rating


def at_a_glance(
    records: Mapping[str, tuple[float, Score]],
    again: Sequence[Score],
    strengths: Mapping[str, "Rating"],
    titles: tuple[str, str, str],
    path: Path,
) -> None:
    """Three panels; a record is the published one and ours by board."""
    figure, panels = pyplot().subplots(1, 3, figsize=(10, 2.15), width_ratios=(4, 3, 3))
    _records(panels[0], records)
    _again(panels[1], again)
    _ladder(panels[2], strengths)
    for panel, title in zip(panels, titles, strict=True):
        panel.set_title(title, fontsize=9)
        panel.tick_params(labelsize=8)
    figure.tight_layout(w_pad=2)
    save(figure, path)


def _records(axes: "Axes", records: Mapping[str, tuple[float, Score]]) -> None:
    """Bars, those of a board as parts of ours."""
    names: list[str] = []
    for board, (published, ours) in reversed(list(records.items())):
        for said, mean, low, high, colour in (
            ("here", ours.mean, ours.low, ours.high, ACCENT),
            ("published", published, published, published, SOFT),
        ):
            row, part = len(names), mean / ours.mean
            axes.barh(row, part, color=colour, height=0.7)
            axes.plot([low / ours.mean, high / ours.mean], [row, row], color=INK, linewidth=1.5)
            axes.annotate(
                number(mean), (high / ours.mean, row), (5, 0), textcoords="offset points", va="center", fontsize=9
            )
            names.append(f"{board}, {said}")
    axes.set_yticks(range(len(names)), names)
    axes.set_xlim(0, 1.3)
    axes.set_xticks([])
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
    axes.set_xlabel("measured / published", fontsize=8)


def _ladder(axes: "Axes", strengths: Mapping[str, "Rating"]) -> None:
    names = sorted(strengths, key=lambda name: strengths[name].elo)
    elo, errors = [strengths[name].elo for name in names], [1.96 * strengths[name].error for name in names]
    axes.errorbar(elo, range(len(names)), xerr=errors, fmt="o", markersize=4, color=INK, ecolor=COLOURS[0], capsize=2)
    axes.set_yticks(range(len(names)), [name.split("-", 1)[-1] for name in names])
    plain(axes.xaxis)
    axes.set_xlabel("Elo", fontsize=8)
    axes.grid(axis="x", alpha=0.3)
