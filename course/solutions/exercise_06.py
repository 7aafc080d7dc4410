"""Solutions of exercise 6."""


def roulette(fitness, u):
    ball = u * sum(fitness)
    turned = 0
    for number, part in enumerate(fitness):
        turned += part
        if ball < turned:
            return number
    return len(fitness) - 1


def crossed(one, other, point):
    return one[:point] + other[point:], other[:point] + one[point:]


def mutated(genes, draws, changes, rate):
    return [genes[i] + changes[i] if draws[i] < rate else genes[i] for i in range(len(genes))]
