"""Figures, a file for each kind of picture; this is where the rest of the project finds them."""

from apprenti.views.plots.boards import by_count, by_size, parts_by_board
from apprenti.views.plots.cells import cells_known, layouts
from apprenti.views.plots.choices import choices
from apprenti.views.plots.costs import losses
from apprenti.views.plots.curves import curve_panels, evolution, learning_curve, training_curves
from apprenti.views.plots.needed import games_needed
from apprenti.views.plots.points import ladder, practice, strengths
from apprenti.views.plots.scaling import cores_at_work
from apprenti.views.plots.scores import besides, comparison, dots, histogram
from apprenti.views.plots.style import check_path

__all__ = [
    "besides",
    "by_count",
    "by_size",
    "cells_known",
    "check_path",
    "choices",
    "comparison",
    "cores_at_work",
    "curve_panels",
    "dots",
    "evolution",
    "games_needed",
    "histogram",
    "ladder",
    "layouts",
    "learning_curve",
    "losses",
    "parts_by_board",
    "practice",
    "strengths",
    "training_curves",
]
