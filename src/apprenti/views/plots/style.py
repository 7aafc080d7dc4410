"""What all figures share: inks, formats, how they are written. The only file that knows matplotlib."""

from pathlib import Path
from textwrap import fill
from typing import Any

from apprenti.core.errors import BadOption
from apprenti.store.files import replacing

INK, ACCENT, SOFT = "#22313f", "#c0392b", "#5d8aa8"
FORMATS = (".png", ".svg", ".pdf")


def check_path(path: Path) -> Path:
    """Refuse a picture that cannot be written, before the work and not after it."""
    if path.suffix not in FORMATS:
        raise BadOption(f"a picture is written as {', '.join(FORMATS)}, and {path.name} has another ending.")
    return path


def pyplot() -> Any:
    """matplotlib as all figures use it: no screen, two spines, the same SVG for the same numbers."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams.update(
        {"axes.spines.top": False, "axes.spines.right": False, "figure.dpi": 120, "svg.hashsalt": "apprenti"}
    )
    return plt


def save(figure: Any, path: Path) -> None:
    """Write a figure, whole or not at all."""
    check_path(path)
    with replacing(path) as temporary:
        figure.savefig(temporary, bbox_inches="tight", metadata={"Date": None} if path.suffix == ".svg" else None)
    pyplot().close(figure)


def entitle(axes: Any, title: str) -> None:
    """A title of any length above the axes."""
    axes.set_title(fill(title, 90), fontsize=9)


def log_scale(axes: Any, x: str, y: str, title: str) -> None:
    """Scores on a logarithmic scale, with names for both axes, a title and a legend."""
    axes.set_yscale("log")
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.set_title(title, fontsize=10)
    axes.legend(frameon=False, fontsize=8)
