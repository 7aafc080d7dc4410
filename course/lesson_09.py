import marimo

__generated_with = "0.25.2"
app = marimo.App(app_title="9. A network instead of a table: DQN · Un réseau au lieu d'une table : DQN")


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
    # 9. A network instead of a table: DQN

    **Time**: 80 minutes. **You need**: lesson 8, the dot product; derivatives help.
    **At the end you can**: compute the output of a neural network, correct it by gradient descent, and say what DQN adds.

    A table Q has an entry for each state. For Tetris there would be $2^{200}$. But two grids that are nearly the same are worth nearly the same: instead of *storing* every value, learn a **function** that computes it, with few parameters. The Tétris Bot stopped at this door: "all we miss is deep Q-learning". Let us go through it.

    ## A neuron, a layer

    $$y = \mathrm{ReLU}(w_1 x_1 + \dots + w_n x_n + b), \qquad \mathrm{ReLU}(z) = \max(0, z)$$

    A layer is a list of neurons that see the same inputs; a network is one layer after the other.
    """,
        r"""
    # 9. Un réseau au lieu d'une table : DQN

    **Durée** : 80 minutes. **Il faut connaître** : leçon 8, produit scalaire ; la dérivée aide.
    **À la fin, vous saurez** : calculer la sortie d'un réseau de neurones, le corriger par descente de gradient, et dire ce que DQN ajoute.

    Une table Q a une case par état. Pour Tetris, il en faudrait $2^{200}$. Mais deux grilles presque pareilles ont presque la même valeur : au lieu de *retenir* chaque valeur, apprenons une **fonction** qui la calcule, avec peu de paramètres. Le Tétris Bot s'arrêtait à cette porte : « il ne nous manque que le deep Q-learning ». Passons-la.

    ## Un neurone, une couche

    $$y = \mathrm{ReLU}(w_1 x_1 + \dots + w_n x_n + b), \qquad \mathrm{ReLU}(z) = \max(0, z)$$

    Une couche est une liste de neurones qui voient les mêmes entrées ; un réseau, des couches l'une après l'autre.
    """,
    )
    return


@app.cell
def _():
    import matplotlib.pyplot as plt
    import numpy as np

    luck = np.random.default_rng(9)
    weights = {
        "W1": luck.normal(size=(8, 1)),
        "b1": luck.normal(size=8),
        "W2": luck.normal(size=(1, 8)) * 0.3,
        "b2": np.zeros(1),
    }

    def network(x, w):
        hidden = np.maximum(0, w["W1"] @ x + w["b1"][:, None])  # (8, n)
        return (w["W2"] @ hidden + w["b2"][:, None])[0], hidden

    points = np.linspace(-2, 2, 81)[None, :]
    wanted = np.abs(points[0]) + 0.3 * np.sin(4 * points[0])
    start_error = float(np.mean((network(points, weights)[0] - wanted) ** 2))
    start_error
    return network, np, plt, points, wanted, weights


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    ## Gradient descent

    The error is the mean of the squared differences. Its derivative by each weight says in which direction the error **grows**: take a small step in the other one. Derivatives are computed layer by layer, from the end to the beginning (*backpropagation*).
    """,
        r"""
    ## La descente de gradient

    L'erreur est la moyenne des carrés des écarts. Sa dérivée par rapport à chaque poids dit dans quel sens l'erreur **augmente** : on fait un petit pas dans l'autre sens. Les dérivées se calculent couche par couche, de la fin vers le début (*rétropropagation*).
    """,
    )
    return


@app.cell
def _(network, np, plt, points, wanted, weights):
    def gradient(x, target, w):
        out, hidden = network(x, w)
        slope = 2 * (out - target)[None, :] / out.size  # (1, n)
        back = (w["W2"].T @ slope) * (hidden > 0)  # (8, n)
        return {"W1": back @ x.T, "b1": back.sum(1), "W2": slope @ hidden.T, "b2": slope.sum(1)}

    fitted, errors = dict(weights), []
    for _ in range(1500):
        step = gradient(points, wanted, fitted)
        fitted = {name: fitted[name] - 0.05 * step[name] for name in fitted}
        errors.append(float(np.mean((network(points, fitted)[0] - wanted) ** 2)))
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3))
    left.semilogy(errors)
    right.plot(points[0], wanted, points[0], network(points, fitted)[0])
    figure
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    A broken line follows the curve: each neuron gives it a bend. **Question 1.** Without ReLU, what can a network of two layers draw? **Question 2.** Multiply the step (0.05) by 20. What do you see?

    ## DQN (Mnih et al., 2015)

    The rule of lesson 8 stays, but Q is a network, and the target becomes an exercise in regression: *bring your answer closer to* $r + \gamma \max Q(s', \cdot)$. Two precautions keep the pupil from chasing its own shadow:

    1. a **replay buffer**: learn from moves drawn at random from the past, not only from the last one;
    2. a **target network**, a copy that stays as it is for some time, and gives the targets.

    For Tetris one idea counts more than all others: the rules are known, so let them say what a move leads to, and learn only the value of **the grid after the move**.

    Two networks that were learned so come with `apprenti`: one sees criteria, the other only cells.
    """,
        r"""
    Une ligne brisée suit la courbe : chaque neurone apporte un coude. **Question 1.** Sans ReLU, que sait dessiner un réseau de deux couches ? **Question 2.** Multipliez le pas (0.05) par 20. Que voyez-vous ?

    ## DQN (Mnih et coll., 2015)

    On garde la règle de la leçon 8, mais Q est un réseau, et la cible devient un exercice de régression : *rapproche ta réponse de* $r + \gamma \max Q(s', \cdot)$. Deux précautions empêchent l'élève de courir après son ombre :

    1. une **mémoire** (*replay buffer*) : on apprend sur des coups tirés au hasard dans le passé, pas sur le dernier coup seulement ;
    2. un **réseau cible**, copie figée pendant quelque temps, qui donne les cibles.

    Pour Tetris, une idée compte plus que toutes les autres : les règles sont connues, alors laissons-les dire à quoi mène un coup, et n'apprenons que la valeur de **la grille après le coup**.

    Deux réseaux appris ainsi sont livrés avec `apprenti` : l'un voit des critères, l'autre ne voit que les cases.
    """,
    )
    return


@app.cell
def _(apprenti, either):
    unit = either("lines in at most 1000 pieces", "lignes en 1000 pièces au plus")
    for name in ("random", "dqn-criteria", "dqn-board"):
        found = apprenti.evaluate(name, size="10x10", games=20, workers=1, max_pieces=1000)
        print(f"{name:13} {found.mean:7.1f} {unit}")
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    To train your own takes the extra `deep` (PyTorch) and some minutes:

    ```
    pip install 'apprenti[deep]'
    apprenti train dqn --inputs criteria --size 10x10 --iterations 20
    ```

    **Question 3.** A network that values grids looks like the weighted criteria of lesson 4. What more is learned?

    ## Your turn
    """,
        r"""
    Entraîner le vôtre demande l'extra `deep` (PyTorch) et quelques minutes :

    ```
    pip install 'apprenti[deep]'
    apprenti train dqn --inputs criteria --size 10x10 --iterations 20
    ```

    **Question 3.** Un réseau qui note les grilles et les critères pesés de la leçon 4 se ressemblent. Qu'est-ce qui est appris de plus ?

    ## À vous
    """,
    )
    return


@app.cell
def _(course, language):
    course.ask(9, language)
    return


@app.cell
def _():
    def layer(weights, biases, inputs): ...

    def dqn_target(reward, next_values, over, gamma): ...

    def descended(weights, gradient, rate): ...

    return descended, dqn_target, layer


@app.cell
def _(course, descended, dqn_target, language, layer):
    course.check(9, language, layer=layer, dqn_target=dqn_target, descended=descended)
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    ## Further

    - How many weights has a network 200 → 32 → 1? Compare it with the number of states.
    - `apprenti draw network` draws a network that plays.
    """,
        r"""
    ## Pour aller plus loin

    - Combien de poids dans un réseau 200 → 32 → 1 ? Comparez au nombre d'états.
    - `apprenti draw network` dessine un réseau qui joue.
    """,
    )
    return


if __name__ == "__main__":
    app.run()
