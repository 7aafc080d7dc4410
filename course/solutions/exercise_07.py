"""Solutions of exercise 7."""


def q_value(law, values, gamma):
    return sum(p * (reward + gamma * values.get(place, 0)) for place, p, reward in law)


def policy_value(q, policy):
    return sum(policy.get(move, 0) * q[move] for move in q)


def sweep(model, values, gamma):
    new = {}
    for place, moves in model.items():
        new[place] = max(q_value(law, values, gamma) for law in moves.values())
    return new
