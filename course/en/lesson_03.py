import marimo

__generated_with = "0.25.2"
app = marimo.App(app_title="3. Algorithms on arrays: heights, holes, lines")


@app.cell(hide_code=True)
def _():
    import marimo as mo

    import apprenti
    from apprenti import course

    return apprenti, course, mo


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    # 3. Algorithms on arrays: heights, holes, lines

    **Time**: 60 minutes. **You need**: walking over an array of two dimensions.
    **At the end you can**: sum a grid up in a few numbers, and remove full lines without a trap.

    A player does not look at 200 cells: it sees a pile that is *high*, *bumpy*, *full of holes*. Let us give these words to the computer. The Tétris Bot report calls them characteristics of the grid; researchers say *criteria* or *features*.
    """)
    return


@app.cell
def _(course):
    grid = [
        [0, 0, 0, 0, 0, 0],
        [1, 1, 0, 0, 0, 0],
        [0, 1, 0, 0, 1, 0],
        [1, 1, 0, 1, 1, 1],
        [1, 0, 0, 1, 0, 1],
        [1, 1, 1, 1, 1, 1],
    ]
    course.draw(grid)
    return (grid,)


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## The height of a column

    It is the number of rows from the floor to the **highest** full cell, holes included. The report's algorithm begins at the top and goes down while cells are empty:

    ```
    i ← first row
    While cell (i, j) is empty: go down
    Return how many rows are left
    ```

    **Question 1.** Say the six heights of the grid above without a computer. **Question 2.** What does this algorithm do with an empty column if one forgets to look for the end of the grid?

    ## Holes

    A hole is an empty cell that is **dominated**: there is a full cell higher up in its column, not necessarily just above. **Question 3.** How many holes are there? (Count well: there are three.)

    ## Bumpiness

    The sum of the differences, absolute values, between neighbouring columns: $\sum_j |h_j - h_{j+1}|$. A flat surface has none, and takes many pieces.

    The engine knows all of this already; compare it with your answers.
    """)
    return


@app.cell
def _(apprenti, grid):
    tetris = apprenti.game("tetris")
    rows = "/".join("".join("#" if cell else "." for cell in row) for row in grid)
    board = tetris.read_state(tetris.rules(size="6x6"), f"{rows} I").board
    board.column_heights, board.holes, board.bumpiness, board.full_rows
    return (tetris,)


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    In the engine row 0 is **at the bottom**: `full_rows` says that the lowest row is full. Both conventions exist; one only has to know which one it is.

    ## Removing full lines

    Two full lines next to each other: the naive algorithm forgets one. Follow it by hand on `[full, full, empty]`:

    ```
    For i from 0 to the last row:
        If row i is full: remove it
    ```

    After row 0 is gone, the former row 1 is row 0… and `i` is already 1. The report moves `i` only if nothing was removed. One can also think the other way: **keep** what is not full, then fill up at the top. That is often simpler than removing.
    """)
    return


@app.cell
def _(tetris):
    state = tetris.read_state(tetris.rules(size="4x4"), "..../..../###./###. I")
    line = next(move for move in state.legal_moves() if move.column == 3)
    after = state.play(line)
    print("\n".join(str(state.board).split("\n")), "\n")
    print(after.board, after.tally.lines)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## What does it cost?

    **Question 4.** On a grid of L columns and H rows, how many cells does `heights` read at worst? And `holes`, if it calls `heights` for every cell? A player that tries 34 moves for a piece does it 34 times: that is why engineers count operations.

    ## Your turn
    """)
    return


@app.cell
def _(course):
    course.ask(3, "en")
    return


@app.cell
def _():
    def heights(grid): ...

    def holes(grid): ...

    def bumpiness(heights): ...

    def without_lines(grid): ...

    return bumpiness, heights, holes, without_lines


@app.cell
def _(bumpiness, course, heights, holes, without_lines):
    course.check(3, "en", heights=heights, holes=holes, bumpiness=bumpiness, without_lines=without_lines)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## Further

    - Invent a criterion: the depth of the deepest well, the number of rows with a hole… Write it, and draw two grids that it tells apart while the other three do not.
    - `apprenti draw drop` shows a real move, step by step.
    """)
    return


if __name__ == "__main__":
    app.run()
