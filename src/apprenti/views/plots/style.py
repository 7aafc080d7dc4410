"""What all figures share: inks, formats, how they are written. The only file that knows matplotlib.

The colours are those of Okabe and Ito (2008), which colour-blind people tell apart, and every curve has a line of its
own kind and, where it has few points, a mark: a figure can be read in grey and from the last row.
"""

import sys
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

from apprenti.core.children import elsewhere
from apprenti.core.errors import BadOption
from apprenti.core.french import spoken, translated
from apprenti.store.files import replacing
from apprenti.views.numbers import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

INK, ACCENT, SOFT = "#000000", "#d55e00", "#56b4e9"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9")
LINES = ("-", "--", "-.", ":")
MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")
FORMATS = (".png", ".svg", ".pdf")
FEW = 25
"""Points of a curve that are marked one by one; more would be a blur."""


def check_path(path: Path) -> Path:
    """Refuse a picture that cannot be written, before the work and not after it."""
    if path.suffix not in FORMATS:
        raise BadOption(f"a picture is written as {', '.join(FORMATS)}, and {path.name} has another ending.")
    return path


def pyplot() -> Any:
    """matplotlib as all figures use it: no screen, two spines, the same SVG for the same numbers, its words as text."""
    if "matplotlib" not in sys.modules:
        with elsewhere():  # it would read a `matplotlibrc` of the folder one works in
            import matplotlib
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams.update(
        {
            "axes.spines.top": False,
            "axes.spines.right": False,
            "figure.dpi": 120,
            "svg.hashsalt": "apprenti",
            "svg.fonttype": "none",
            "text.usetex": False,  # it starts other programs
        }
    )
    return plt


def save(figure: "Figure", path: Path) -> None:
    """Write a figure, whole or not at all."""
    check_path(path)
    if spoken() != "en":
        _reword(figure)
    with replacing(path) as temporary:
        figure.savefig(temporary, bbox_inches="tight", metadata={"Date": None} if path.suffix == ".svg" else None)
    pyplot().close(figure)


def _reword(figure: "Figure") -> None:
    """Words and numbers of a figure in the language of this process."""
    from matplotlib.text import Text
    from matplotlib.ticker import FuncFormatter

    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            labels = [translated(label.get_text(), spoken()) for label in axis.get_ticklabels()]
            axis.set_ticks(axis.get_ticklocs(), labels)
            axis.set_minor_formatter(FuncFormatter(lambda value, place: ""))
    for text in figure.findobj(Text):
        lines = text.get_text().split("\n")
        french = translated(" ".join(lines), spoken())  # a title is filled anew
        text.set_text(fill(french, max(90, *map(len, lines))) if len(lines) > 1 else french)


def of_curve(index: int, points: int = FEW) -> dict[str, str | int | None]:
    """Colour, line and mark of one of several curves; no two are alike, also without colours."""
    line = LINES[(index % len(COLOURS) + index // len(COLOURS)) % len(LINES)]
    mark = MARKS[index % len(MARKS)] if points <= FEW else None
    return {"color": COLOURS[index % len(COLOURS)], "linestyle": line, "marker": mark, "markersize": 4}


def entitle(axes: "Axes", title: str) -> None:
    """A title of any length above the axes."""
    axes.set_title(fill(title, 90), fontsize=9)


def entitle_figure(figure: "Figure", title: str) -> None:
    """A title above several axes."""
    figure.suptitle(fill(title, 110), fontsize=10)


def plain(axis: "Axis") -> None:
    """Numbers on an axis as people write them, not as 1e6."""
    from matplotlib.ticker import FuncFormatter, NullFormatter

    axis.set_major_formatter(FuncFormatter(lambda value, _: number(value) if value else "0"))
    axis.set_minor_formatter(NullFormatter())


def whole(axis: "Axis") -> None:
    """An axis of counts: whole numbers."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    plain(axis)


def logarithmic(axes: "Axes", axis: str) -> None:
    """A logarithmic axis with ticks at 1, 2 and 5, if it is short, that can be read."""
    from matplotlib.ticker import LogLocator

    getattr(axes, f"set_{axis}scale")("log")
    low, high = getattr(axes, f"get_{axis}lim")()
    where = getattr(axes, f"{axis}axis")
    where.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if high < 300 * low else (1.0,), numticks=12))
    plain(where)


def legend(axes: "Axes", columns: int = 0) -> None:
    """What the curves are, below the axes, where it covers none of them."""
    handles, labels = axes.get_legend_handles_labels()
    if labels:
        room = max(1, 90 // (8 + max(map(len, labels))))
        below = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.16)}
        axes.legend(handles, labels, frameon=False, fontsize=8, ncols=columns or min(len(labels), room), **below)


def boxed(axes: "Axes", lines: list[str]) -> None:
    """Words in a box right of the axes: the parameters of what is shown."""
    style = {"boxstyle": "round,pad=0.5", "facecolor": "white", "edgecolor": INK, "linewidth": 0.8}
    axes.text(1.03, 1.0, "\n".join(lines), transform=axes.transAxes, va="top", fontsize=9, bbox=style)
