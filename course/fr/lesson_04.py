import marimo

__generated_with = "0.25.2"
app = marimo.App(
    app_title="4. Stratégies : le hasard, le filtrage, l'évaluation",
)


@app.cell(hide_code=True)
def _():
    import marimo as mo

    import apprenti
    from apprenti import course

    return apprenti, course, mo


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    # 4. Stratégies : le hasard, le filtrage, l'évaluation

    **Durée** : 75 minutes. **Il faut connaître** : leçons 2 et 3, fonctions passées en paramètre.
    **À la fin, vous saurez** : écrire un agent, le regarder jouer, l'inscrire au tournoi de la classe.

    Un **agent** est une fonction `choose(observation, legal, rng)` qui rend un des coups de `legal`. Rien d'autre. Commençons par le « hello world » des agents : le hasard.
    """)
    return


@app.cell
def _(apprenti):
    class Lot:
        def choose(self, observation, legal, rng):
            return rng.choice(legal)

    found = apprenti.evaluate(Lot(), game="tetris", size="10x10", games=20, workers=1)
    found.mean, found.interval
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    Moins d'une ligne par partie. « Évidemment catastrophique, mais ne demande qu'à être amélioré », écrivent les auteurs du Tétris Bot.

    ## Filtrer

    Leur premier agent « un tant soit peu efficace » garde, parmi les coups possibles :

    1. ceux qui laissent le moins de **trous** ;
    2. parmi eux, ceux dont la somme des **hauteurs** est la plus petite ;
    3. parmi eux, ceux dont le **relief** est le plus petit ;
    4. parmi eux, ceux qui font le plus de **lignes**.

    Un critère est une fonction. La liste des critères est donc une **liste de fonctions**, et le filtrage une fonction qui reçoit des fonctions. Essayons l'idée sur des mots : les plus courts, puis ceux qui ont le moins de voyelles.
    """)
    return


@app.cell
def _():
    def vowels(word):
        return sum(letter in "aeiouy" for letter in word)

    words = ["tetris", "ou", "if", "or", "grid"]
    criteria = [len, vowels]
    left = words
    for criterion in criteria:
        least = min(criterion(word) for word in left)
        left = [word for word in left if criterion(word) == least]
        print(criterion.__name__, left)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    Pour Tetris, il faut la grille **après** le coup. La voici en deux appels : on ajoute les cases de la pièce, puis on retire les lignes pleines.
    """)
    return


@app.cell
def _(apprenti):
    def after(observation, move):
        rows = len(observation.board.rows)
        return observation.board.with_cells(move.cells, move.piece).without_lines(rows)

    class FewestHoles:
        def choose(self, observation, legal, rng):
            return min(legal, key=lambda move: after(observation, move)[0].holes)

    found_holes = apprenti.evaluate(FewestHoles(), game="tetris", size="10x10", games=5, workers=1, max_pieces=100)
    found_holes.scores()
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    Avec un seul critère on fait déjà des lignes. **Question 1.** `min(..., key=...)` départage les ex æquo en gardant le premier de la liste. Est-ce juste ? Que faudrait-il faire à la place ?

    Les agents du rapport sont livrés avec `apprenti` : `random`, `filtering`, et `tetrisbot`, qui pèse les critères.
    """)
    return


@app.cell
def _(apprenti):
    for name in ("random", "filtering", "tetrisbot"):
        measured = apprenti.evaluate(name, size="10x10", games=30, workers=1, rules="simplified")
        print(f"{name:10} {measured.mean:8.1f} lignes  ({measured.interval[0]:.1f} … {measured.interval[1]:.1f})")
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## Évaluer

    Filtrer, c'est trop strict : un trou de moins vaut-il toujours mieux qu'une pile plus haute de dix étages ? On donne plutôt une **note** à chaque coup :

    $$f(L, H, T, B) = a\,L - b\,H - c\,T - d\,B$$

    avec L les lignes faites, H la somme des hauteurs, T les trous, B le relief. On joue le coup de meilleure note. Reste à trouver de bons poids $a, b, c, d$ : ce sera la leçon 6.

    **Question 2.** Multiplier les quatre poids par 10 change-t-il le jeu ? Par −1 ? Combien de nombres sont donc réellement à chercher ?

    **Question 3.** Peut-on imiter le filtrage avec une évaluation ? (Pensez à des poids énormes.)

    ## À vous
    """)
    return


@app.cell
def _(course):
    course.ask(4, "fr")
    return


@app.cell
def _():
    def kept(moves, criterion): ...

    def filtered(moves, criteria): ...

    def evaluation(lines, heights, holes, bumpiness, weights): ...

    def choose(observation, legal, rng): ...

    return choose, evaluation, filtered, kept


@app.cell
def _(choose, course, evaluation, filtered, kept):
    course.check(4, "fr", kept=kept, filtered=filtered, evaluation=evaluation, choose=choose)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## Le tournoi de la classe

    Enregistrez votre agent dans un fichier `prenom.py` : la fonction `choose` suffit. Le professeur réunit les fichiers et lance :

    ```
    apprenti tournament classe/*.py --game tetris --size 10x10 --games 20 --figure classement.png --record parties
    ```

    Tous reçoivent **les mêmes pièces**. Chaque fichier joue dans son propre processus, avec un temps et une mémoire limités : une erreur, un coup illégal, une boucle sans fin font perdre *la partie*, jamais le tournoi. Au morpion (`--game tictactoe`), chacun rencontre chacun.

    Le fichier d'un élève est un programme : il peut faire tout ce que vous pouvez faire sur cette machine. Les limites protègent des erreurs, pas de la malveillance. **On lit avant d'exécuter.**

    `apprenti watch prenom.py` montre l'agent au travail.
    """)
    return


if __name__ == "__main__":
    app.run()
