"""All exercises by number: one for each lesson."""

from apprenti.core.errors import UnknownName
from apprenti.lab.exercises import decisions, grids, strategies
from apprenti.lab.exercises.exercise import Exercise

EXERCISES: dict[int, Exercise] = {
    exercise.number: exercise
    for exercise in (
        grids.PIECES, grids.ENGINE, grids.ARRAYS, strategies.STRATEGIES, strategies.STATISTICS, strategies.EVOLUTION,
        decisions.DECISIONS, decisions.LEARNING, decisions.NETWORKS, strategies.WEIGHT_SEARCH, decisions.SECRETS,
        strategies.HONESTY,
    )
}  # fmt: skip


def find_exercise(number: int) -> Exercise:
    """An exercise by its number."""
    if number not in EXERCISES:
        raise UnknownName("exercise", str(number), map(str, EXERCISES))
    return EXERCISES[number]
