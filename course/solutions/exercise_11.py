"""Solutions of exercise 11."""


def win_probability(mine, hidden):
    beaten = sum(count for rank, count in hidden.items() if rank < mine)
    return beaten / sum(hidden.values())


def posterior(prior, likelihood):
    joint = {name: prior[name] * likelihood.get(name, 0) for name in prior}
    total = sum(joint.values())
    return {name: value / total for name, value in joint.items()}


def exploited(payoff, mix):
    return max(sum(p * gain for p, gain in zip(mix, row, strict=True)) for row in payoff)
