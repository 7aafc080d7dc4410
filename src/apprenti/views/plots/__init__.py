"""Figures that serve every game; this is where the rest of the project has them from."""

from apprenti.views.plots.curves import curve_panels, curves, learning_curve, training_curves
from apprenti.views.plots.scores import comparison, dots, histogram, ladder, strengths
from apprenti.views.plots.style import check_path

__all__ = [
    "check_path",
    "comparison",
    "curve_panels",
    "curves",
    "dots",
    "histogram",
    "ladder",
    "learning_curve",
    "strengths",
    "training_curves",
]
