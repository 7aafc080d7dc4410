"""How the genetic algorithm chooses parents and makes children."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from apprenti.views.plots.style import COLOURS, INK, SOFT, entitle, entitle_figure, plain, pyplot, save, whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import Rectangle

FIRST, SECOND, CHANGED = COLOURS[6], COLOURS[5], COLOURS[1]
"""Of the mother's genes, of the father's, and of those that mutated."""


def roulette(fitness: Sequence[float], drawn: Sequence[float], chosen: Sequence[int], title: str, path: Path) -> None:
    """A wheel whose sectors are as wide as the fitness is great, and where the ball has stopped (from 0 to 1)."""
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(5.5, 5.5))
    shares = np.array(fitness) / sum(fitness)
    colours = [(SOFT, "white")[index % 2] if index not in chosen else CHANGED for index in range(len(fitness))]
    labels = [f"{index + 1}: {share:.0%}" for index, share in enumerate(shares)]
    edge = {"edgecolor": INK, "linewidth": 0.8}
    axes.pie(shares, labels=labels, colors=colours, startangle=90, counterclock=False, wedgeprops=edge,
             textprops={"fontsize": 8})  # fmt: skip
    for ball in drawn:
        angle = np.pi / 2 - 2 * np.pi * ball
        axes.annotate("", (0.97 * np.cos(angle), 0.97 * np.sin(angle)), (0, 0),
                      arrowprops={"arrowstyle": "-|>", "color": INK, "linewidth": 2})  # fmt: skip
    axes.text(0, -1.3, "numbers drawn: " + ", ".join(f"{ball:.3f}" for ball in drawn), ha="center", fontsize=9)
    entitle(axes, title)
    save(figure, path)


def tournament(
    fitness: Sequence[float], entered: Sequence[int], won: Sequence[int], unit: str, title: str, path: Path
) -> None:
    """The fitness of all; those drawn at random, and the two best of these."""
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(7, 4))
    kinds = (("not drawn", "white", ""), ("drawn", SOFT, "//"), ("parents", CHANGED, ""))
    for kind, (name, colour, hatch) in enumerate(kinds):
        who = [index for index in range(len(fitness)) if (index in entered) + (index in won) == kind]
        bars = [fitness[index] for index in who]
        places = [index + 1 for index in who]
        axes.bar(places, bars, color=colour, edgecolor=INK, linewidth=0.8, hatch=hatch, label=name)
    axes.set_xlabel("individual")
    axes.set_ylabel(f"fitness: {unit} a game")
    whole(axes.xaxis)
    plain(axes.yaxis)
    entitle(axes, title)
    axes.legend(frameon=False, fontsize=8, ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.16))
    save(figure, path)


Row = tuple[str, Sequence[Sequence[str]], Sequence[Sequence[str]]]
"""What it is, the texts of its cells and their colours, component by component."""


def genes(rows: Sequence[Row], names: Sequence[str], notes: Sequence[str], title: str, path: Path) -> None:
    """Vectors one below the other, a box for each gene; `notes` stand at the end of the rows."""
    plt = pyplot()
    widths = [len(component) for component in rows[0][1]]
    figure, axes = plt.subplots(figsize=(3.4 + 0.27 * sum(widths) + 0.3 * len(widths), 0.9 + 0.5 * len(rows)))
    for down, (name, cells, colours) in enumerate(rows):
        axes.text(-0.4, -down + 0.5, name, ha="right", va="center", fontsize=9)
        left = 0.0
        for texts, inks in zip(cells, colours, strict=True):
            left = _component(axes, left, -down, texts, inks, plt.Rectangle)
        axes.text(left, -down + 0.5, notes[down], va="center", fontsize=8)
    left = 0.0
    for name, width in zip(names, widths, strict=True):
        size = _size(rows[0][1][names.index(name)])
        axes.text(left + width * size / 2, 1.35, name, ha="center", fontsize=8)
        left += width * size + 0.8
    axes.set_xlim(-4.5, left + 6)
    axes.set_ylim(-len(rows) + 0.7, 1.8)
    axes.axis("off")
    entitle_figure(figure, title)
    save(figure, path)


def _size(texts: Sequence[str]) -> float:
    """How wide a box has to be."""
    return max(1.0, 0.55 * max(map(len, texts)))


def _component(
    axes: "Axes", left: float, low: float, texts: Sequence[str], inks: Sequence[str], square: "type[Rectangle]"
) -> float:
    """The boxes of one component; where the next one begins."""
    size = _size(texts)
    for text, ink in zip(texts, inks, strict=True):
        axes.add_patch(square((left, low + 0.08), size, 0.84, facecolor=ink, edgecolor=INK, linewidth=0.8))
        axes.text(left + size / 2, low + 0.5, text, ha="center", va="center", fontsize=8)
        left += size
    return left + 0.8
