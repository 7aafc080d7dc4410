"""Solutions of exercise 12."""


def splitting(reached, started):
    probability = 1
    for r, s in zip(reached, started, strict=True):
        probability *= r / s
    return probability


def mean_of_cut(lines, finished):
    return sum(lines) / sum(finished)


def only_s_and_z(pieces):
    return (2 / 7) ** pieces
