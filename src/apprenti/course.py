"""What the notebooks of the course use beside `import apprenti`: checks, and pictures of grids and small worlds."""

import locale
import os
from collections.abc import Callable, Sequence
from typing import Any

from apprenti.core.data import AnyFunction
from apprenti.lab.exercises import Words, check_all, find_exercise
from apprenti.lab.solve import GameSolution
from apprenti.views.svg import grid_svg
from apprenti.views.view import view_of

__all__ = ["LANGUAGES", "Picture", "Report", "ask", "check", "draw", "in_language", "usual_language", "world"]

LANGUAGES = {"English": "en", "Français": "fr"}
"""The languages of the lessons, as a reader chooses them."""


class Report(str):
    """Text that a notebook shows as Markdown."""

    def _repr_markdown_(self) -> str:
        return str(self)


class Picture(str):
    """A drawing (SVG) that a notebook shows."""

    def _repr_html_(self) -> str:
        return str(self)


def usual_language() -> str:
    """The language of LANGUAGES that this machine is set to."""
    named = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), None) or locale.getlocale()[0]
    return "Français" if (named or "").lower().startswith("fr") else "English"


def in_language(language: str) -> Callable[[str, str], str]:
    """What chooses between a text in English and the same in French."""
    return lambda english, french: Words(french, english).of(language)


def check(number: int, language: str, **functions: AnyFunction) -> Report:
    """What is right and what is not yet in the functions of an exercise: `check(3, "en", heights=heights)`.

    A function that is not there yet may be left out, or be `...`.
    """
    exercise = find_exercise(number)
    written = {name: function for name, function in functions.items() if callable(function)}
    lines = []
    for verdict in check_all(exercise, written):
        mark = "✅" if verdict.right else "▫️" if verdict.missing else "❌"
        lines.append(f"- {mark} **{verdict.name}**: {verdict.words.of(language)}")
    return Report("\n".join(lines))


def ask(number: int, language: str) -> Report:
    """What an exercise asks for."""
    exercise = find_exercise(number)
    lines = [f"- `def {part.signature}`: {part.asks.of(language)}" for part in exercise.parts]
    how = Words(
        f"Ou dans un fichier à vous : `apprenti exercise {number} --check mon_fichier.py --language fr`.",
        f"Or in a file of your own: `apprenti exercise {number} --check my_file.py --language en`.",
    )
    return Report("\n".join([*lines, "", how.of(language)]))


def draw(grid: Sequence[Sequence[Any]]) -> Picture:
    """A grid, row 0 at the top; 0, False, "." and "" are empty, everything else is full."""
    return Picture(grid_svg(grid))


def world(solution: GameSolution) -> Picture:
    """A grid world with the value of every cell, and the best move there."""
    return Picture(view_of(solution.game).solved(solution.rules, solution.values, solution.policy))
