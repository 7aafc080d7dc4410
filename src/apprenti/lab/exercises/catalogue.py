"""All exercises by number: one for each lesson. Games bring their own."""

from functools import cache

from apprenti.core.errors import UnknownName
from apprenti.core.plugins import load, plugins
from apprenti.lab.exercises.exercise import Exercise


@cache
def exercises() -> dict[int, Exercise]:
    """The exercises of all games, in the order of the lessons."""
    found: list[Exercise] = [each for plugin in plugins() for where in plugin.exercises for each in load(where)]
    return {each.number: each for each in sorted(found, key=lambda each: each.number)}


def find_exercise(number: int) -> Exercise:
    """An exercise by its number."""
    if number not in exercises():
        raise UnknownName("exercise", str(number), map(str, exercises()))
    return exercises()[number]
