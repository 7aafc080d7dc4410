import marimo

__generated_with = "0.25.2"
app = marimo.App(app_title="2. The engine: modules, objects, the game loop")


@app.cell(hide_code=True)
def _():
    import marimo as mo

    import apprenti
    from apprenti import course

    return apprenti, course, mo


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    # 2. The engine: modules, objects, the game loop

    **Time**: 60 minutes. **You need**: lesson 1, `while`, functions.
    **At the end you can**: read a game engine, keep rules and players apart, pass a function as a parameter.

    The report on the Tétris Bot has three classes: `Tetramino` (the pieces), `Board` (the grid), `TetrisEngine` (the game). Each has one job. The engine does not know *who* plays: it is given a function and calls it at every turn. This is known as a *callback*.

    `apprenti` keeps the idea and goes further: a **state** is a photograph of the game. It never changes. A move makes a new state.
    """)
    return


@app.cell
def _(apprenti):
    tetris = apprenti.game("tetris")
    rules = tetris.rules(size="6x10")
    rng = apprenti.Stream(2019)
    start = tetris.start(rules, rng)
    start.turn == apprenti.CHANCE, start.piece
    return rng, start, tetris


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    No piece has come yet: it is the turn of **chance** (`CHANCE`). `deal` draws a piece. Chance is not hidden in the engine: it is the object `rng` that we pass. With the same seed (2019) the very same game begins again, which is what one needs to find a bug.
    """)
    return


@app.cell
def _(course, rng, start):
    dealt = start.deal(rng)
    print(dealt.piece, len(dealt.legal_moves()), [str(move) for move in dealt.legal_moves()][:6])
    after = dealt.play(dealt.legal_moves()[0])
    course.draw(str(after.board).split("\n"))
    return after, dealt


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    A move is written `P:column:rotation`. Make sure that `dealt` has not changed: its grid is still empty. So one can try a move, look, and go back without undoing anything. **Question 1.** What would we have to do if `play` changed the grid in place?
    """)
    return


@app.cell
def _(after, dealt, start):
    print(dealt.board == start.board, after.board == start.board)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## The game loop

    Here is the heart of every engine. `choose` is **a function that is passed as a parameter**.
    """)
    return


@app.cell
def _(apprenti, tetris):
    def game_of(choose, seed, size="6x10"):
        luck = apprenti.Stream(seed)
        now = tetris.start(tetris.rules(size=size), luck)
        pieces = 0
        while now.outcome is None:
            if now.turn == apprenti.CHANCE:
                now = now.deal(luck)
            else:
                now = now.play(choose(now.observation(0), now.legal_moves(), luck))
                pieces += 1
        return now, pieces

    def first(observation, legal, rng):
        return legal[0]

    def by_lot(observation, legal, rng):
        return rng.choice(legal)

    for player in (first, by_lot):
        end, pieces = game_of(player, seed=1)
        print(f"{player.__name__}: {pieces} pieces, {end.tally.lines} lines, {end.outcome.reason}")
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    Two players, one loop: the engine was not written again. **Question 2.** Write a player `last` that takes the last legal move, and a player `left` that takes the move with the smallest column (`move.column`). Which one lasts longest, over ten seeds?

    ## One contract for all games

    There is no word of Tetris in the loop above but `tetris.start`. The same methods exist for tic-tac-toe, for Luzhanqi and for the games that you will add.
    """)
    return


@app.cell
def _(apprenti):
    for name in apprenti.games():
        other = apprenti.game(name)
        print(f"{name:10} {other.players} {other.sides}")
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## A piece falls

    Back to our grids, lists of lists, row 0 at the top. An engine needs two answers: *does the piece fit here?* and *where does it stop?* The second uses the first: go down **while the next row will do**.

    Beware of negative indices: `grid[-1]` is no error in Python, it is the last row!

    ## Your turn
    """)
    return


@app.cell
def _(course):
    course.ask(2, "en")
    return


@app.cell
def _():
    def fits(grid, cells, row, column): ...

    def dropped(grid, cells, column): ...

    def final_state(state, choose, rng): ...

    return dropped, final_state, fits


@app.cell
def _(course, dropped, final_state, fits):
    course.check(2, "en", fits=fits, dropped=dropped, final_state=final_state)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## Further

    - Put your functions into two files, `grid.py` and `engine.py`, and import one in the other. Which has to know which?
    - Read `examples/connect_four.py`: a whole game in one file. Which methods do you know already?
    """)
    return


if __name__ == "__main__":
    app.run()
