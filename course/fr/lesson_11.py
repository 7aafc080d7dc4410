import marimo

__generated_with = "0.25.2"
app = marimo.App(
    app_title="11. Information cachée : Luzhanqi, croyances, être exploité",
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
    # 11. Information cachée : Luzhanqi, croyances, être exploité

    **Durée** : 80 minutes. **Il faut connaître** : probabilités conditionnelles.
    **À la fin, vous saurez** : tenir une croyance à jour, calculer une meilleure réponse, et expliquer pourquoi il faut parfois jouer au hasard.

    Luzhanqi (陆战棋), les « échecs militaires », se joue en Chine depuis des générations. Chaque camp dispose 25 pièces **face cachée** : on voit où est une pièce adverse, pas ce qu'elle est. Quand deux pièces se rencontrent, l'arbitre dit seulement laquelle tombe.
    """)
    return


@app.cell
def _(apprenti):
    luzhanqi = apprenti.game("luzhanqi")
    rules = luzhanqi.rules(rules="mini")
    state = luzhanqi.start(rules, [apprenti.Stream(1), apprenti.Stream(2)])
    print(luzhanqi.describe(rules))
    print(luzhanqi.write_state(state))
    print(luzhanqi.write_observation(state.observation(0)))
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    La deuxième ligne est l'**état**, tel que l'arbitre le voit. La troisième est l'**observation** du premier joueur : les pièces adverses n'y figurent pas. Dans `apprenti` un agent ne reçoit jamais que son observation ; un test vérifie que rien ne fuit.

    ## Croire

    Avant tout contact, une pièce cachée peut être n'importe laquelle de celles qui restent. Un combat apprend quelque chose : si ma pièce de grade 5 perd, l'autre est plus forte, ou c'est une mine. La règle est celle de **Bayes** :

    $$P(\text{pièce} \mid \text{vu}) \propto P(\text{pièce}) \times P(\text{vu} \mid \text{pièce})$$

    Exemple : une pièce n'a pas bougé pendant trente coups. Une mine ne bouge jamais ; une pièce ordinaire reste immobile si longtemps une fois sur cinq.
    """)
    return


@app.cell
def _():
    prior = {"mine": 3 / 25, "piece": 22 / 25}
    likelihood = {"mine": 1.0, "piece": 0.2}
    joint = {name: prior[name] * likelihood[name] for name in prior}
    {name: round(value / sum(joint.values()), 3) for name, value in joint.items()}
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    **Question 1.** La probabilité d'une mine a plus que triplé. Combien de fois encore faut-il observer « immobile » (indépendamment) pour dépasser 90 % ?

    ## Être exploité

    À pierre-feuille-ciseaux, un joueur **prévisible** perd. La *meilleure réponse* à une stratégie mixte (des probabilités) est le coup de plus grand gain moyen ; ce gain mesure combien la stratégie peut être **exploitée**.
    """)
    return


@app.cell
def _():
    import numpy as np

    payoff = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    for mix in ([1, 0, 0], [0.5, 0.25, 0.25], [1 / 3, 1 / 3, 1 / 3]):
        gains = payoff @ np.array(mix)
        print([round(p, 2) for p in mix], "exploité :", round(float(gains.max()), 3))
    return np, payoff


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    Seul le hasard équitable ne peut pas être exploité : c'est l'**équilibre de Nash**. En leçon 7, un joueur optimal n'avait jamais besoin du hasard ; ici, il en a besoin. C'est toute la différence entre un jeu contre la nature et un jeu contre quelqu'un qui cache son jeu.

    ## Jouer contre soi-même

    Si chacun répond sans cesse à la *moyenne* des coups passés de l'autre (*fictitious play*, Brown 1951), les moyennes s'approchent de l'équilibre :
    """)
    return


@app.cell
def _(np, payoff):
    counts = np.array([1.0, 0.0, 0.0])
    for turn in range(1, 2001):
        counts[int(np.argmax(payoff @ (counts / counts.sum())))] += 1
        if turn in (1, 10, 100, 2000):
            mixed = counts / counts.sum()
            print(turn, mixed.round(3), "exploité :", round(float((payoff @ mixed).max()), 3))
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    **Question 2.** Et si chacun répondait au *dernier* coup de l'autre au lieu de la moyenne ? Écrivez la suite des coups.

    C'est pourquoi les programmes qui apprennent Luzhanqi contre eux-mêmes gardent d'**anciennes versions** d'eux-mêmes comme adversaires : sinon ils tournent en rond. Un match, sur le petit plateau :
    """)
    return


@app.cell
def _(apprenti):
    duel = apprenti.match("luzhanqi-attacks", "random", game="luzhanqi", rules="mini", games=20, workers=1)
    duel.counts, duel.interval
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## À vous
    """)
    return


@app.cell
def _(course):
    course.ask(11, "fr")
    return


@app.cell
def _():
    def win_probability(mine, hidden): ...

    def posterior(prior, likelihood): ...

    def exploited(payoff, mix): ...

    return exploited, posterior, win_probability


@app.cell
def _(course, exploited, posterior, win_probability):
    course.check(11, "fr", win_probability=win_probability, posterior=posterior, exploited=exploited)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## Pour aller plus loin

    - `apprenti play luzhanqi` : disposez votre armée et jouez. Demandez un conseil (`hint`), puis `apprenti web` pour voir ce que l'adversaire croit de vos pièces.
    - Un joueur qui place toujours son drapeau au même endroit est-il exploitable ? Comment le mesureriez-vous ?
    """)
    return


if __name__ == "__main__":
    app.run()
