import marimo

__generated_with = "0.25.2"
app = marimo.App(app_title="1. Pieces and grid: how to code data")


@app.cell(hide_code=True)
def _():
    import marimo as mo

    import apprenti
    from apprenti import course

    return apprenti, course, mo


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    # 1. Pieces and grid: how to code data

    **Time**: 50 minutes. **You need**: lists, `for` loops, functions.
    **At the end you can**: choose a way to code a thing of the game, go from one code to another, and say why one is better.

    Every program that plays begins with the same question: *what is a piece, for a computer?* There is no single right answer. Some codes are easy to read, some easy to draw, some easy to compute with.

    ## A drawing

    The easiest to read is a drawing, row by row.
    """)
    return


@app.cell
def _(course):
    J = ["#..", "###"]
    course.draw(J)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## A list of cells

    In their *Tétris Bot* (2019), Frédéric Muller and Lionel Ponton, two French teachers, code a piece as the list of its cells: pairs `(row, column)`, the top left corner being `(0, 0)`. For the piece J: `[(0, 0), (1, 0), (1, 1), (1, 2)]`.

    Mind the order: **first the row, then the column**, and rows count **from the top down**. It is the order in which we read, not that of `(x, y)` in mathematics. This is the first source of bugs in such a project.
    """)
    return


@app.cell
def _():
    J_cells = [(0, 0), (1, 0), (1, 1), (1, 2)]

    def as_drawing(cells):
        height = 1 + max(row for row, column in cells)
        width = 1 + max(column for row, column in cells)
        return ["".join("#" if (row, column) in cells else "." for column in range(width)) for row in range(height)]

    as_drawing(J_cells)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## Turning

    When a piece makes a quarter turn clockwise, its top row becomes its right column. Take squared paper, draw J, turn the sheet, and fill in:

    | cell before | (0, 0) | (1, 0) | (1, 1) | (1, 2) |
    |---|---|---|---|---|
    | cell after | (0, 1) | … | … | … |

    **Question 1.** Which formula gives `(row, column)` after, from `(row, column)` before? (Hint: if `h` is the number of the last row, the new column is `h - row`.)

    **Question 2.** What happens after four quarter turns? After how many is the piece I as it was? And the piece O?

    The engine of `apprenti` knows these symmetries: it keeps only the rotations that differ.
    """)
    return


@app.cell
def _(apprenti):
    pieces = apprenti.game("tetris").rules().pieces
    {letter: len(pieces[letter].rotations) for letter in pieces.letters}
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    **Question 3.** Add them up: how many different "turned pieces" are there? Why does a program that tries every move like this number to be small?

    ## The grid

    A grid is an array of two dimensions, in Python a list of rows. `0` is an empty cell, any other number a full one.
    """)
    return


@app.cell
def _(course):
    grid = [[0, 0, 0, 0], [1, 0, 0, 0], [1, 0, 1, 1], [1, 1, 1, 1]]
    course.draw(grid)
    return (grid,)


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    A famous trap: `[[0] * 4] * 4` does look like a grid…
    """)
    return


@app.cell
def _(course):
    trap = [[0] * 4] * 4
    trap[0][0] = 1
    course.draw(trap)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    **Question 4.** Only one cell was written. Explain the picture. (A sketch with arrows from the variable to the lists says more than many words.)

    ## One number

    A cell is a bit, so a grid is a number written in base 2. On 10 × 20 that makes 200 bits: the compiled engine of `apprenti` stores its grids so, which is one of the reasons for its speed.
    """)
    return


@app.cell
def _(grid):
    bits = "".join(str(cell) for row in grid for cell in row)
    bits, int(bits, 2), f"{2**200:.3g}"
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    The last number is that of all grids. There are about $10^{80}$ atoms in the visible universe. So there will be no table "a grid, an answer": all the rest of this course comes from that.

    ## Your turn

    Write the three functions in the cell below, then look at what the next cell says: it tries your functions on cases that you do not see.
    """)
    return


@app.cell
def _(course):
    course.ask(1, "en")
    return


@app.cell
def _():
    def cells(drawing): ...

    def turned(cells): ...

    def empty_grid(width, height): ...

    return cells, empty_grid, turned


@app.cell
def _(cells, course, empty_grid, turned):
    course.check(1, "en", cells=cells, turned=turned, empty_grid=empty_grid)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## Further

    - Pentominoes, made of five squares, were the origin of Tetris. How many are there if they may be flipped? Write a program that finds them all: begin with a square, add a neighbour, repeat, remove duplicates.
    - `apprenti play tetris` in a terminal, or `apprenti web`: play, and watch the piece S turn around its corner.
    """)
    return


if __name__ == "__main__":
    app.run()
