import marimo

__generated_with = "0.25.2"
app = marimo.App(
    app_title="4. Strategies: chance, filtering, evaluation · Stratégies : le hasard, le filtrage, l'évaluation"
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
    # 4. Strategies: chance, filtering, evaluation

    **Time**: 75 minutes. **You need**: lessons 2 and 3, functions as parameters.
    **At the end you can**: write an agent, watch it play, and enter it in the tournament of the class.

    An **agent** is a function `choose(observation, legal, rng)` that returns one of `legal`. Nothing else. We begin with the "hello world" of agents: chance.
    """,
        r"""
    # 4. Stratégies : le hasard, le filtrage, l'évaluation

    **Durée** : 75 minutes. **Il faut connaître** : leçons 2 et 3, fonctions passées en paramètre.
    **À la fin, vous saurez** : écrire un agent, le regarder jouer, l'inscrire au tournoi de la classe.

    Un **agent** est une fonction `choose(observation, legal, rng)` qui rend un des coups de `legal`. Rien d'autre. Commençons par le « hello world » des agents : le hasard.
    """,
    )
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
def _(show):
    show(
        r"""
    Less than one line a game. "Obviously a disaster, but it only asks to be improved", say the authors of the Tétris Bot.

    ## Filtering

    Their first agent worth the name keeps, of all moves:

    1. those that leave the fewest **holes**;
    2. of these, those with the smallest sum of **heights**;
    3. of these, those with the smallest **bumpiness**;
    4. of these, those that make most **lines**.

    A criterion is a function. So the list of criteria is a **list of functions**, and filtering is a function that receives functions. Let us try the idea on words: the shortest, then those with the fewest vowels.
    """,
        r"""
    Moins d'une ligne par partie. « Évidemment catastrophique, mais ne demande qu'à être amélioré », écrivent les auteurs du Tétris Bot.

    ## Filtrer

    Leur premier agent « un tant soit peu efficace » garde, parmi les coups possibles :

    1. ceux qui laissent le moins de **trous** ;
    2. parmi eux, ceux dont la somme des **hauteurs** est la plus petite ;
    3. parmi eux, ceux dont le **relief** est le plus petit ;
    4. parmi eux, ceux qui font le plus de **lignes**.

    Un critère est une fonction. La liste des critères est donc une **liste de fonctions**, et le filtrage une fonction qui reçoit des fonctions. Essayons l'idée sur des mots : les plus courts, puis ceux qui ont le moins de voyelles.
    """,
    )
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
def _(show):
    show(
        r"""
    For Tetris we need the grid **after** the move. It takes two calls: add the cells of the piece, then remove full lines.
    """,
        r"""
    Pour Tetris, il faut la grille **après** le coup. La voici en deux appels : on ajoute les cases de la pièce, puis on retire les lignes pleines.
    """,
    )
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
def _(show):
    show(
        r"""
    With a single criterion there are lines already. **Question 1.** `min(..., key=...)` breaks ties by taking the first of the list. Is that fair? What could be done instead?

    The agents of the report come with `apprenti`: `random`, `filtering`, and `tetrisbot`, which weighs the criteria.
    """,
        r"""
    Avec un seul critère on fait déjà des lignes. **Question 1.** `min(..., key=...)` départage les ex æquo en gardant le premier de la liste. Est-ce juste ? Que faudrait-il faire à la place ?

    Les agents du rapport sont livrés avec `apprenti` : `random`, `filtering`, et `tetrisbot`, qui pèse les critères.
    """,
    )
    return


@app.cell
def _(apprenti, either):
    lines = either("lines", "lignes")
    for name in ("random", "filtering", "tetrisbot"):
        measured = apprenti.evaluate(name, size="10x10", games=30, workers=1, rules="simplified")
        print(f"{name:10} {measured.mean:8.1f} {lines}  ({measured.interval[0]:.1f} … {measured.interval[1]:.1f})")
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    ## Evaluating

    Filtering is too strict: is one hole less always better than a pile that is ten rows lower? Instead, give each move a **value**:

    $$f(L, H, T, B) = a\,L - b\,H - c\,T - d\,B$$

    with L the lines made, H the sum of heights, T the holes, B the bumpiness. Play the move of the greatest value. What is left is to find good weights $a, b, c, d$: that is lesson 6.

    **Question 2.** Does it change the game to multiply all four weights by 10? By −1? So how many numbers are there really to find?

    **Question 3.** Can evaluation imitate filtering? (Think of huge weights.)

    ## Your turn
    """,
        r"""
    ## Évaluer

    Filtrer, c'est trop strict : un trou de moins vaut-il toujours mieux qu'une pile plus haute de dix étages ? On donne plutôt une **note** à chaque coup :

    $$f(L, H, T, B) = a\,L - b\,H - c\,T - d\,B$$

    avec L les lignes faites, H la somme des hauteurs, T les trous, B le relief. On joue le coup de meilleure note. Reste à trouver de bons poids $a, b, c, d$ : ce sera la leçon 6.

    **Question 2.** Multiplier les quatre poids par 10 change-t-il le jeu ? Par −1 ? Combien de nombres sont donc réellement à chercher ?

    **Question 3.** Peut-on imiter le filtrage avec une évaluation ? (Pensez à des poids énormes.)

    ## À vous
    """,
    )
    return


@app.cell
def _(course, language):
    course.ask(4, language)
    return


@app.cell
def _():
    def kept(moves, criterion): ...

    def filtered(moves, criteria): ...

    def evaluation(lines, heights, holes, bumpiness, weights): ...

    def choose(observation, legal, rng): ...

    return choose, evaluation, filtered, kept


@app.cell
def _(choose, course, evaluation, filtered, kept, language):
    course.check(4, language, kept=kept, filtered=filtered, evaluation=evaluation, choose=choose)
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    ## The tournament of the class

    Save your agent in a file `name.py`: the function `choose` is enough. The teacher collects the files and runs:

    ```
    apprenti tournament class/*.py --game tetris --size 10x10 --games 20 --figure ranking.png --record games
    ```

    All get **the same pieces**. Every file plays in a process of its own, with limits of time and memory: an error, an illegal move or an endless loop loses *the game*, never the tournament. In tic-tac-toe (`--game tictactoe`) everybody meets everybody.

    A pupil's file is a program: it can do whatever you can do on this machine. The limits protect from mistakes, not from malice. **Read before you run.**

    `apprenti watch name.py` shows the agent at work.
    """,
        r"""
    ## Le tournoi de la classe

    Enregistrez votre agent dans un fichier `prenom.py` : la fonction `choose` suffit. Le professeur réunit les fichiers et lance :

    ```
    apprenti tournament classe/*.py --game tetris --size 10x10 --games 20 --figure classement.png --record parties
    ```

    Tous reçoivent **les mêmes pièces**. Chaque fichier joue dans son propre processus, avec un temps et une mémoire limités : une erreur, un coup illégal, une boucle sans fin font perdre *la partie*, jamais le tournoi. Au morpion (`--game tictactoe`), chacun rencontre chacun.

    Le fichier d'un élève est un programme : il peut faire tout ce que vous pouvez faire sur cette machine. Les limites protègent des erreurs, pas de la malveillance. **On lit avant d'exécuter.**

    `apprenti watch prenom.py` montre l'agent au travail.
    """,
    )
    return


if __name__ == "__main__":
    app.run()
