"""Solutions of exercise 10."""


def elite(scores, part):
    count = max(1, round(part * len(scores)))
    order = sorted(range(len(scores)), key=lambda number: scores[number], reverse=True)
    return order[:count]


def refitted(vectors):
    n = len(vectors)
    means, variances = [], []
    for weight in range(len(vectors[0])):
        column = [vector[weight] for vector in vectors]
        m = sum(column) / n
        means.append(m)
        variances.append(sum((value - m) ** 2 for value in column) / n)
    return means, variances


def noise(generation):
    return max(5 - generation / 10, 0)
