"""Solutions of exercise 8."""


def q_learning(old, reward, next_values, alpha, gamma):
    best = max(next_values) if next_values else 0
    return old + alpha * (reward + gamma * best - old)


def sarsa(old, reward, next_value, alpha, gamma):
    return old + alpha * (reward + gamma * next_value - old)


def turned(cells):
    """A quarter turn clockwise: row r, column c gets what was in row 2 - c, column r."""
    return "".join(cells[3 * (2 - c) + r] for r in range(3) for c in range(3))


def canonical(cells):
    images = []
    for image in (cells, cells[2::-1] + cells[5:2:-1] + cells[8:5:-1]):
        for _ in range(4):
            images.append(image)
            image = turned(image)
    return min(images)
