"""Solutions of exercise 1."""


def cells(drawing):
    found = []
    for row in range(len(drawing)):
        for column in range(len(drawing[row])):
            if drawing[row][column] == "#":
                found.append((row, column))
    return found


def turned(cells):
    lowest = max(row for row, _ in cells)
    return [(column, lowest - row) for row, column in cells]


def empty_grid(width, height):
    return [[0] * width for _ in range(height)]
