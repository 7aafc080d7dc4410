import marimo

__generated_with = "0.25.2"
app = marimo.App(app_title="1. Pieces and grid: how to code data · Les pièces et la grille : coder des données")


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
    # 1. Pieces and grid: how to code data

    **Time**: 50 minutes. **You need**: lists, `for` loops, functions.
    **At the end you can**: choose a way to code a thing of the game, go from one code to another, and say why one is better.

    Every program that plays begins with the same question: *what is a piece, for a computer?* There is no single right answer. Some codes are easy to read, some easy to draw, some easy to compute with.

    ## A drawing

    The easiest to read is a drawing, row by row.
    """,
        r"""
    # 1. Les pièces et la grille : coder des données

    **Durée** : 50 minutes. **Il faut connaître** : listes, boucles `for`, fonctions.
    **À la fin, vous saurez** : choisir une façon de coder un objet du jeu, passer d'un codage à un autre, et dire pourquoi l'un vaut mieux que l'autre.

    Tout programme qui joue commence par la même question : *qu'est-ce qu'une pièce, pour un ordinateur ?* Il n'y a pas de bonne réponse unique. Il y a des codages commodes à lire, commodes à dessiner, commodes à calculer.

    ## Un dessin

    Le plus lisible : un dessin, ligne par ligne.
    """,
    )
    return


@app.cell
def _(course):
    J = ["#..", "###"]
    course.draw(J)
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    ## A list of cells

    In their *Tétris Bot* (2019), Frédéric Muller and Lionel Ponton, two French teachers, code a piece as the list of its cells: pairs `(row, column)`, the top left corner being `(0, 0)`. For the piece J: `[(0, 0), (1, 0), (1, 1), (1, 2)]`.

    Mind the order: **first the row, then the column**, and rows count **from the top down**. It is the order in which we read, not that of `(x, y)` in mathematics. This is the first source of bugs in such a project.
    """,
        r"""
    ## Une liste de cases

    Dans leur *Tétris Bot* (2019), Frédéric Muller et Lionel Ponton codent une pièce par la liste des cases occupées : des couples `(ligne, colonne)`, le coin en haut à gauche étant `(0, 0)`. Pour la pièce J : `[(0, 0), (1, 0), (1, 1), (1, 2)]`.

    Attention à l'ordre : **ligne d'abord, colonne ensuite**, et les lignes se comptent **du haut vers le bas**. C'est l'ordre dans lequel on lit, pas celui des coordonnées `(x, y)` du cours de mathématiques. C'est la première source d'erreurs du projet.
    """,
    )
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
def _(show):
    show(
        r"""
    ## Turning

    When a piece makes a quarter turn clockwise, its top row becomes its right column. Take squared paper, draw J, turn the sheet, and fill in:

    | cell before | (0, 0) | (1, 0) | (1, 1) | (1, 2) |
    |---|---|---|---|---|
    | cell after | (0, 1) | … | … | … |

    **Question 1.** Which formula gives `(row, column)` after, from `(row, column)` before? (Hint: if `h` is the number of the last row, the new column is `h - row`.)

    **Question 2.** What happens after four quarter turns? After how many is the piece I as it was? And the piece O?

    The engine of `apprenti` knows these symmetries: it keeps only the rotations that differ.
    """,
        r"""
    ## Tourner

    Quand la pièce fait un quart de tour dans le sens horaire, la ligne du haut devient la colonne de droite. Prenez une feuille quadrillée, dessinez J, tournez la feuille, et remplissez :

    | case avant | (0, 0) | (1, 0) | (1, 1) | (1, 2) |
    |---|---|---|---|---|
    | case après | (0, 1) | … | … | … |

    **Question 1.** Quelle formule donne `(ligne, colonne)` après, en fonction de `(ligne, colonne)` avant ? (Indice : si `h` est le numéro de la dernière ligne, la nouvelle colonne est `h - ligne`.)

    **Question 2.** Que se passe-t-il après quatre quarts de tour ? Après combien de quarts de tour la pièce I est-elle revenue à son dessin de départ ? Et la pièce O ?

    Le moteur d'`apprenti` connaît ces symétries : il ne garde que les rotations différentes (le « sac rapide » du rapport).
    """,
    )
    return


@app.cell
def _(apprenti):
    pieces = apprenti.game("tetris").rules().pieces
    {letter: len(pieces[letter].rotations) for letter in pieces.letters}
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    **Question 3.** Add them up: how many different "turned pieces" are there? Why does a program that tries every move like this number to be small?

    ## The grid

    A grid is an array of two dimensions, in Python a list of rows. `0` is an empty cell, any other number a full one.
    """,
        r"""
    **Question 3.** Additionnez : combien de « pièces tournées » différentes ? Pourquoi un programme qui essaie tous les coups aime-t-il que ce nombre soit petit ?

    ## La grille

    Une grille est un tableau à deux dimensions, en Python une liste de lignes. `0` : case vide ; un autre nombre : case pleine.
    """,
    )
    return


@app.cell
def _(course):
    grid = [[0, 0, 0, 0], [1, 0, 0, 0], [1, 0, 1, 1], [1, 1, 1, 1]]
    course.draw(grid)
    return (grid,)


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    A famous trap: `[[0] * 4] * 4` does look like a grid…
    """,
        r"""
    Un piège célèbre : `[[0] * 4] * 4` a bien l'air d'une grille…
    """,
    )
    return


@app.cell
def _(course):
    trap = [[0] * 4] * 4
    trap[0][0] = 1
    course.draw(trap)
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    **Question 4.** Only one cell was written. Explain the picture. (A sketch with arrows from the variable to the lists says more than many words.)

    ## One number

    A cell is a bit, so a grid is a number written in base 2. On 10 × 20 that makes 200 bits: the compiled engine of `apprenti` stores its grids so, which is one of the reasons for its speed.
    """,
        r"""
    **Question 4.** On n'a écrit que dans une case. Expliquez le dessin. (Un schéma avec des flèches, de la variable vers les listes, vaut mieux qu'un long discours.)

    ## Un seul nombre

    Une case est un bit ; une grille est donc un nombre écrit en base 2. Sur 10 × 20 cela fait 200 bits : c'est ainsi que le moteur compilé d'`apprenti` range ses grilles, et c'est une des raisons de sa vitesse.
    """,
    )
    return


@app.cell
def _(grid):
    bits = "".join(str(cell) for row in grid for cell in row)
    bits, int(bits, 2), f"{2**200:.3g}"
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    The last number is that of all grids. There are about $10^{80}$ atoms in the visible universe. So there will be no table "a grid, an answer": all the rest of this course comes from that.

    ## Your turn

    Write the three functions in the cell below, then look at what the next cell says: it tries your functions on cases that you do not see.
    """,
        r"""
    Le dernier nombre est celui des grilles possibles. Il y a environ $10^{80}$ atomes dans l'univers visible. On ne fera donc pas un tableau « une grille, une réponse » : toute la suite du cours vient de là.

    ## À vous

    Écrivez les trois fonctions dans la cellule ci-dessous, puis regardez ce qu'en dit la cellule suivante : elle essaie vos fonctions sur des cas que vous ne voyez pas.
    """,
    )
    return


@app.cell
def _(course, language):
    course.ask(1, language)
    return


@app.cell
def _():
    def cells(drawing): ...

    def turned(cells): ...

    def empty_grid(width, height): ...

    return cells, empty_grid, turned


@app.cell
def _(cells, course, empty_grid, language, turned):
    course.check(1, language, cells=cells, turned=turned, empty_grid=empty_grid)
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    ## Further

    - Pentominoes, made of five squares, were the origin of Tetris. How many are there if they may be flipped? Write a program that finds them all: begin with a square, add a neighbour, repeat, remove duplicates.
    - `apprenti play tetris` in a terminal, or `apprenti web`: play, and watch the piece S turn around its corner.
    """,
        r"""
    ## Pour aller plus loin

    - Les pentominos, faits de cinq carrés, sont à l'origine de Tetris. Combien y en a-t-il si l'on peut les retourner ? Écrivez un programme qui les trouve tous : partez d'un carré, ajoutez une case voisine, recommencez, éliminez les doublons.
    - `apprenti play tetris` dans un terminal, ou `apprenti web` : jouez, et observez la pièce S tourner autour de son coin.
    """,
    )
    return


if __name__ == "__main__":
    app.run()
