"""Scores by board: of one agent on many sizes, of many players as parts of the optimum."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from apprenti.arena.statistics import Summary
from apprenti.views.plots.style import entitle, legend, log_scale, of_curve, pyplot, save, whole


def by_size(means: Mapping[tuple[int, int], float], title: str, path: Path) -> None:
    """Mean scores by columns and rows, on a logarithmic scale (the thesis' figure 1.2)."""
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(8, 5))
    widths = sorted({width for width, _ in means})
    for index, width in enumerate(widths):
        points = sorted((height, mean) for (w, height), mean in means.items() if w == width)
        shade = plt.cm.viridis((width - widths[0]) / max(1, widths[-1] - widths[0]) * 0.9)
        axes.plot(*zip(*points, strict=True), label=f"{width} columns", **{**of_curve(index), "color": shade})
    log_scale(axes, "rows", "mean lines a game", title)
    save(figure, path)


def parts_by_board(parts: Mapping[str, Mapping[str, float]], title: str, path: Path) -> None:
    """Board → player → the part of the optimum it reaches."""
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(8, 5))
    players = list(next(iter(parts.values()), {}))
    for index, player in enumerate(players):
        points = [100 * of_players[player] for of_players in parts.values()]
        axes.plot(range(len(parts)), points, label=player, **of_curve(index))
    axes.set_xticks(range(len(parts)), list(parts))
    axes.set_ylabel("% of the optimum")
    entitle(axes, title)
    legend(axes)
    save(figure, path)


def by_count(curves: Mapping[str, Sequence[tuple[int, Summary]]], title: str, path: Path) -> None:
    """Way to choose → how many criteria, and the score of their player, with its interval."""
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(8, 5))
    for index, (name, points) in enumerate(curves.items()):
        if points:
            sizes, summaries = zip(*points, strict=True)
            axes.plot(sizes, [max(one.mean, 0.1) for one in summaries], label=name, **of_curve(index))
            low, high = zip(*(one.ci95 for one in summaries), strict=True)
            axes.fill_between(sizes, [max(one, 0.1) for one in low], high, color=of_curve(index)["color"], alpha=0.15)
    log_scale(axes, "criteria", "mean lines a game", title)
    whole(axes.xaxis)
    save(figure, path)
