"""`apprenti draw FIGURE`: the figures that explain, from real data."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from apprenti.cli.options import Text, check_writable


@dataclass(frozen=True, kw_only=True)
class Options:
    """Draw a figure that explains, from a real game, population or network, as SVG and PNG."""

    figure: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="FIGURE", help_behavior_hint="")] = ""
    """drop, roulette, tournament, crossover, mutation or network; without one, all are listed."""
    agent: Text = ""
    """For drop: whose game (default: dellacherie). For network: whose network (default: dqn-board)."""
    run: Text = ""
    """For the genetic algorithm: the run whose population is shown; default: a small one is bred for it."""
    seed: int = 1
    """What is drawn by lot depends on this alone."""
    out: Text = ""
    """The file (png, svg, pdf); default: FIGURE.svg and FIGURE.png here."""


def run(options: Options) -> None:
    """Draw it, or list what there is."""
    from apprenti.games.tetris.lab.figures import FIGURES, Source, draw
    from apprenti.views.plots import check_path

    if not options.figure:
        print("\n".join(f"{name:<12} {about}" for name, (about, _) in FIGURES.items()))
        return
    names = [options.out] if options.out else [f"{options.figure}.svg", f"{options.figure}.png"]
    paths = [check_path(Path(name)) for name in names]
    check_writable(paths[0].parent)
    draw(options.figure, Source(options.agent, options.run, options.seed), paths)
    print(f"figure: {' '.join(map(str, paths))}")
