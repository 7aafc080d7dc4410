"""Solutions of exercise 3."""


def heights(grid):
    found = []
    for column in range(len(grid[0])):
        row = 0
        while row < len(grid) and grid[row][column] == 0:
            row += 1
        found.append(len(grid) - row)
    return found


def holes(grid):
    count = 0
    for column in range(len(grid[0])):
        covered = False
        for row in range(len(grid)):
            if grid[row][column] != 0:
                covered = True
            elif covered:
                count += 1
    return count


def bumpiness(heights):
    return sum(abs(heights[i] - heights[i + 1]) for i in range(len(heights) - 1))


def without_lines(grid):
    kept = [list(row) for row in grid if 0 in row]
    missing = len(grid) - len(kept)
    return [[0] * len(grid[0]) for _ in range(missing)] + kept
