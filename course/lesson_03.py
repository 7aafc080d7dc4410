import marimo

__generated_with = "0.25.2"
app = marimo.App(
    app_title="3. Algorithms on arrays: heights, holes, lines · Algorithmes sur les tableaux : hauteurs, trous, lignes"
)


@app.cell(hide_code=True)
def _():
    import marimo as mo

    import apprenti
    from apprenti import course

    return apprenti, course, mo


@app.cell(hide_code=True)
def _(course, mo):
    tongue = mo.ui.radio(course.LANGUAGES, value=course.usual_language(), inline=True)
    tongue
    return (tongue,)


@app.cell(hide_code=True)
def _(course, mo, tongue):
    language = tongue.value
    either = course.in_language(language)

    def show(english, french):
        return mo.md(either(english, french))

    return either, language, show


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    # 3. Algorithms on arrays: heights, holes, lines

    **Time**: 60 minutes. **You need**: walking over an array of two dimensions.
    **At the end you can**: sum a grid up in a few numbers, and remove full lines without a trap.

    A player does not look at 200 cells: it sees a pile that is *high*, *bumpy*, *full of holes*. Let us give these words to the computer. The Tétris Bot report calls them characteristics of the grid; researchers say *criteria* or *features*.
    """,
        r"""
    # 3. Algorithmes sur les tableaux : hauteurs, trous, lignes

    **Durée** : 60 minutes. **Il faut connaître** : parcours d'un tableau à deux dimensions.
    **À la fin, vous saurez** : résumer une grille par quelques nombres, supprimer les lignes pleines sans piège.

    Un joueur ne regarde pas 200 cases : il voit une pile *haute*, *bosselée*, *trouée*. Donnons ces mots à l'ordinateur. Le rapport du Tétris Bot appelle cela les « caractéristiques de la grille » ; les chercheurs disent *critères* ou *features*.
    """,
    )
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
def _(show):
    show(
        r"""
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
    """,
        r"""
    ## La hauteur d'une colonne

    C'est le nombre de lignes du sol jusqu'à la case pleine **la plus haute**, trous compris. L'algorithme du rapport part du haut et descend tant que la case est vide :

    ```
    i ← première ligne
    Tant que la case (i, j) est vide : descendre
    Renvoyer le nombre de lignes qui restent
    ```

    **Question 1.** Donnez de tête les six hauteurs de la grille dessinée. **Question 2.** Que renvoie cet algorithme pour une colonne vide si l'on oublie de tester la fin de la grille ?

    ## Les trous

    Un trou est une case vide **dominée** : il y a une case pleine plus haut dans sa colonne, pas forcément juste au-dessus. **Question 3.** Combien de trous ici ? (Comptez bien : il y en a trois.)

    ## Le relief (*bumpiness*)

    La somme des écarts, en valeur absolue, entre colonnes voisines : $\sum_j |h_j - h_{j+1}|$. Une surface plate a un relief nul et accepte beaucoup de pièces.

    Le moteur sait déjà faire tout cela ; comparez à vos réponses.
    """,
    )
    return


@app.cell
def _(apprenti, grid):
    tetris = apprenti.game("tetris")
    rows = "/".join("".join("#" if cell else "." for cell in row) for row in grid)
    board = tetris.read_state(tetris.rules(size="6x6"), f"{rows} I").board
    board.column_heights, board.holes, board.bumpiness, board.full_rows
    return (tetris,)


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    In the engine row 0 is **at the bottom**: `full_rows` says that the lowest row is full. Both conventions exist; one only has to know which one it is.

    ## Removing full lines

    Two full lines next to each other: the naive algorithm forgets one. Follow it by hand on `[full, full, empty]`:

    ```
    For i from 0 to the last row:
        If row i is full: remove it
    ```

    After row 0 is gone, the former row 1 is row 0… and `i` is already 1. The report moves `i` only if nothing was removed. One can also think the other way: **keep** what is not full, then fill up at the top. That is often simpler than removing.
    """,
        r"""
    Dans le moteur la ligne 0 est **en bas** : `full_rows` dit que la ligne du bas est pleine. Les deux conventions existent ; il faut seulement savoir laquelle on lit.

    ## Supprimer les lignes pleines

    Deux lignes pleines qui se touchent : l'algorithme naïf en oublie une. Suivez-le à la main sur `[pleine, pleine, vide]` :

    ```
    Pour i de 0 à la dernière ligne :
        Si la ligne i est pleine : la supprimer
    ```

    Après la suppression de la ligne 0, l'ancienne ligne 1 est devenue la ligne 0… et `i` vaut déjà 1. Le rapport avance `i` seulement si rien n'a été supprimé. On peut aussi raisonner autrement : **garder** ce qui n'est pas plein, puis compléter en haut. C'est souvent plus simple que supprimer.
    """,
    )
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
def _(show):
    show(
        r"""
    ## What does it cost?

    **Question 4.** On a grid of L columns and H rows, how many cells does `heights` read at worst? And `holes`, if it calls `heights` for every cell? A player that tries 34 moves for a piece does it 34 times: that is why engineers count operations.

    ## Your turn
    """,
        r"""
    ## Combien ça coûte ?

    **Question 4.** Sur une grille de L colonnes et H lignes, combien de cases lit au pire `heights` ? Et `holes`, si elle appelle `heights` pour chaque case ? Un joueur qui essaie 34 coups par pièce fait ces calculs 34 fois : voilà pourquoi les ingénieurs comptent les opérations.

    ## À vous
    """,
    )
    return


@app.cell
def _(course, language):
    course.ask(3, language)
    return


@app.cell
def _():
    def heights(grid): ...

    def holes(grid): ...

    def bumpiness(heights): ...

    def without_lines(grid): ...

    return bumpiness, heights, holes, without_lines


@app.cell
def _(bumpiness, course, heights, holes, language, without_lines):
    course.check(3, language, heights=heights, holes=holes, bumpiness=bumpiness, without_lines=without_lines)
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    ## Further

    - Invent a criterion: the depth of the deepest well, the number of rows with a hole… Write it, and draw two grids that it tells apart while the other three do not.
    - `apprenti draw drop` shows a real move, step by step.
    """,
        r"""
    ## Pour aller plus loin

    - Inventez un critère : la profondeur du puits le plus profond, le nombre de lignes qui contiennent un trou… Écrivez-le, et dessinez deux grilles qu'il distingue alors que les trois autres les confondent.
    - `apprenti draw drop` montre un vrai coup, décomposé.
    """,
    )
    return


if __name__ == "__main__":
    app.run()
