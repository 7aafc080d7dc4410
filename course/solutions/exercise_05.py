"""Solutions of exercise 5."""

from math import ceil, sqrt


def mean(scores):
    return sum(scores) / len(scores)


def deviation(scores):
    m = mean(scores)
    return sqrt(sum((score - m) ** 2 for score in scores) / (len(scores) - 1))


def interval(scores):
    half = 1.96 * deviation(scores) / sqrt(len(scores))
    return mean(scores) - half, mean(scores) + half


def games_needed(deviation, half_width):
    return ceil((1.96 * deviation / half_width) ** 2)
