import marimo

__generated_with = "0.25.2"
app = marimo.App(
    app_title="2. The engine: modules, objects, the game loop · Le moteur : modules, objets, boucle de jeu"
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
    # 2. The engine: modules, objects, the game loop

    **Time**: 60 minutes. **You need**: lesson 1, `while`, functions.
    **At the end you can**: read a game engine, keep rules and players apart, pass a function as a parameter.

    The report on the Tétris Bot has three classes: `Tetramino` (the pieces), `Board` (the grid), `TetrisEngine` (the game). Each has one job. The engine does not know *who* plays: it is given a function and calls it at every turn. This is known as a *callback*.

    `apprenti` keeps the idea and goes further: a **state** is a photograph of the game. It never changes. A move makes a new state.
    """,
        r"""
    # 2. Le moteur : modules, objets, boucle de jeu

    **Durée** : 60 minutes. **Il faut connaître** : la leçon 1, `while`, les fonctions.
    **À la fin, vous saurez** : lire un moteur de jeu, séparer les règles des joueurs, passer une fonction en paramètre.

    Le rapport du Tétris Bot a trois classes : `Tetramino` (les pièces), `Board` (la grille), `TetrisEngine` (la partie). Chacune a un seul métier. Le moteur ne sait pas *qui* joue : on lui donne une fonction, qu'il appelle à chaque tour. On nomme cela un *callback*.

    `apprenti` garde l'idée et va plus loin : un **état** est une photographie de la partie. Il ne change jamais. Jouer un coup fabrique un nouvel état.
    """,
    )
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
def _(show):
    show(
        r"""
    No piece has come yet: it is the turn of **chance** (`CHANCE`). `deal` draws a piece. Chance is not hidden in the engine: it is the object `rng` that we pass. With the same seed (2019) the very same game begins again, which is what one needs to find a bug.
    """,
        r"""
    Aucune pièce n'est encore tombée : c'est au **hasard** de jouer (`CHANCE`). `deal` tire une pièce. Le hasard n'est pas caché dans le moteur : c'est l'objet `rng` qu'on lui passe. Avec la même graine (2019), la même partie recommence exactement ; c'est indispensable pour chercher une erreur.
    """,
    )
    return


@app.cell
def _(course, rng, start):
    dealt = start.deal(rng)
    print(dealt.piece, len(dealt.legal_moves()), [str(move) for move in dealt.legal_moves()][:6])
    after = dealt.play(dealt.legal_moves()[0])
    course.draw(str(after.board).split("\n"))
    return after, dealt


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    A move is written `P:column:rotation`. Make sure that `dealt` has not changed: its grid is still empty. So one can try a move, look, and go back without undoing anything. **Question 1.** What would we have to do if `play` changed the grid in place?
    """,
        r"""
    Un coup s'écrit `P:colonne:rotation`. Vérifiez que `dealt`, lui, n'a pas changé : sa grille est toujours vide. On peut donc essayer un coup, regarder, et revenir en arrière sans rien défaire. **Question 1.** Que faudrait-il faire si `play` modifiait la grille sur place ?
    """,
    )
    return


@app.cell
def _(after, dealt, start):
    print(dealt.board == start.board, after.board == start.board)
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    ## The game loop

    Here is the heart of every engine. `choose` is **a function that is passed as a parameter**.
    """,
        r"""
    ## La boucle de jeu

    Voici le cœur de tout moteur. `choose` est **une fonction reçue en paramètre**.
    """,
    )
    return


@app.cell
def _(apprenti, either, tetris):
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

    line = either("{}: {} pieces, {} lines, {}", "{}: {} pièces, {} lignes, {}")
    for player in (first, by_lot):
        end, pieces = game_of(player, seed=1)
        print(line.format(player.__name__, pieces, end.tally.lines, end.outcome.reason))
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    Two players, one loop: the engine was not written again. **Question 2.** Write a player `last` that takes the last legal move, and a player `left` that takes the move with the smallest column (`move.column`). Which one lasts longest, over ten seeds?

    ## One contract for all games

    There is no word of Tetris in the loop above but `tetris.start`. The same methods exist for tic-tac-toe, for Luzhanqi and for the games that you will add.
    """,
        r"""
    Deux joueurs, une boucle : on n'a pas réécrit le moteur. **Question 2.** Écrivez un joueur `last` qui prend le dernier coup légal, et un joueur `left` qui prend le coup de plus petite colonne (`move.column`). Lesquels durent le plus longtemps, sur dix graines ?

    ## Le même contrat pour tous les jeux

    La boucle ci-dessus ne contient pas un mot de Tetris, sauf `tetris.start`. Les mêmes méthodes existent pour le morpion, pour Luzhanqi et pour les jeux que vous ajouterez.
    """,
    )
    return


@app.cell
def _(apprenti):
    for name in apprenti.games():
        other = apprenti.game(name)
        print(f"{name:10} {other.players} {other.sides}")
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    ## A piece falls

    Back to our grids, lists of lists, row 0 at the top. An engine needs two answers: *does the piece fit here?* and *where does it stop?* The second uses the first: go down **while the next row will do**.

    Beware of negative indices: `grid[-1]` is no error in Python, it is the last row!

    ## Your turn
    """,
        r"""
    ## Une pièce tombe

    Revenons à nos grilles, listes de listes, ligne 0 en haut. Deux questions suffisent à un moteur : *la pièce tient-elle ici ?* et *où s'arrête-t-elle ?* La seconde se répond avec la première : on descend **tant que la ligne suivante convient**.

    Méfiez-vous des indices négatifs : `grid[-1]` ne provoque pas d'erreur en Python, c'est la dernière ligne !

    ## À vous
    """,
    )
    return


@app.cell
def _(course, language):
    course.ask(2, language)
    return


@app.cell
def _():
    def fits(grid, cells, row, column): ...

    def dropped(grid, cells, column): ...

    def final_state(state, choose, rng): ...

    return dropped, final_state, fits


@app.cell
def _(course, dropped, final_state, fits, language):
    course.check(2, language, fits=fits, dropped=dropped, final_state=final_state)
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    ## Further

    - Put your functions into two files, `grid.py` and `engine.py`, and import one in the other. Which has to know which?
    - Read `examples/connect_four.py`: a whole game in one file. Which methods do you know already?
    """,
        r"""
    ## Pour aller plus loin

    - Découpez vos fonctions en deux fichiers, `grid.py` et `engine.py`, et importez l'un dans l'autre. Qu'est-ce qui doit connaître quoi ?
    - Lisez `examples/connect_four.py` : un jeu complet en un fichier. Quelles méthodes reconnaissez-vous ?
    """,
    )
    return


if __name__ == "__main__":
    app.run()
