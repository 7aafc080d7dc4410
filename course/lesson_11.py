import marimo

__generated_with = "0.25.2"
app = marimo.App(
    app_title="11. Hidden information: Luzhanqi, beliefs, being exploited · Information cachée : Luzhanqi, croyances, être exploité"
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
    # 11. Hidden information: Luzhanqi, beliefs, being exploited

    **Time**: 80 minutes. **You need**: conditional probabilities.
    **At the end you can**: keep a belief up to date, compute a best response, and explain why one sometimes has to play at random.

    Luzhanqi (陆战棋), "army chess", has been played in China for generations. Each side sets up 25 pieces **face down**: one sees where an enemy piece is, not what it is. When two pieces meet, the referee only says which of them falls.
    """,
        r"""
    # 11. Information cachée : Luzhanqi, croyances, être exploité

    **Durée** : 80 minutes. **Il faut connaître** : probabilités conditionnelles.
    **À la fin, vous saurez** : tenir une croyance à jour, calculer une meilleure réponse, et expliquer pourquoi il faut parfois jouer au hasard.

    Luzhanqi (陆战棋), les « échecs militaires », se joue en Chine depuis des générations. Chaque camp dispose 25 pièces **face cachée** : on voit où est une pièce adverse, pas ce qu'elle est. Quand deux pièces se rencontrent, l'arbitre dit seulement laquelle tombe.
    """,
    )
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
def _(show):
    show(
        r"""
    The second line is the **state** as the referee sees it. The third is the **observation** of the first player: the enemy's pieces are not in it. In `apprenti` an agent never gets anything but its observation; a test makes sure that nothing leaks.

    ## Beliefs

    Before any contact, a hidden piece can be any of those that are left. A fight teaches something: if my piece of rank 5 loses, the other one is stronger, or it is a mine. The rule is that of **Bayes**:

    $$P(\text{piece} \mid \text{seen}) \propto P(\text{piece}) \times P(\text{seen} \mid \text{piece})$$

    An example: a piece has not moved for thirty turns. A mine never moves; an ordinary piece stays in place for so long one time in five.
    """,
        r"""
    La deuxième ligne est l'**état**, tel que l'arbitre le voit. La troisième est l'**observation** du premier joueur : les pièces adverses n'y figurent pas. Dans `apprenti` un agent ne reçoit jamais que son observation ; un test vérifie que rien ne fuit.

    ## Croire

    Avant tout contact, une pièce cachée peut être n'importe laquelle de celles qui restent. Un combat apprend quelque chose : si ma pièce de grade 5 perd, l'autre est plus forte, ou c'est une mine. La règle est celle de **Bayes** :

    $$P(\text{pièce} \mid \text{vu}) \propto P(\text{pièce}) \times P(\text{vu} \mid \text{pièce})$$

    Exemple : une pièce n'a pas bougé pendant trente coups. Une mine ne bouge jamais ; une pièce ordinaire reste immobile si longtemps une fois sur cinq.
    """,
    )
    return


@app.cell
def _():
    prior = {"mine": 3 / 25, "piece": 22 / 25}
    likelihood = {"mine": 1.0, "piece": 0.2}
    joint = {name: prior[name] * likelihood[name] for name in prior}
    {name: round(value / sum(joint.values()), 3) for name, value in joint.items()}
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    **Question 1.** The probability of a mine has more than tripled. How many more times does one have to see "did not move" (independently) to pass 90 %?

    ## Being exploited

    In rock-paper-scissors a **predictable** player loses. The *best response* to a mixed strategy (probabilities) is the move with the greatest mean gain; that gain measures how much the strategy can be **exploited**.
    """,
        r"""
    **Question 1.** La probabilité d'une mine a plus que triplé. Combien de fois encore faut-il observer « immobile » (indépendamment) pour dépasser 90 % ?

    ## Être exploité

    À pierre-feuille-ciseaux, un joueur **prévisible** perd. La *meilleure réponse* à une stratégie mixte (des probabilités) est le coup de plus grand gain moyen ; ce gain mesure combien la stratégie peut être **exploitée**.
    """,
    )
    return


@app.cell
def _(either):
    import numpy as np

    payoff = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    for mix in ([1, 0, 0], [0.5, 0.25, 0.25], [1 / 3, 1 / 3, 1 / 3]):
        gains = payoff @ np.array(mix)
        print([round(p, 2) for p in mix], either("exploited:", "exploité :"), round(float(gains.max()), 3))
    return np, payoff


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    Only fair chance cannot be exploited: this is the **Nash equilibrium**. In lesson 7 an optimal player never needed chance; here it does. That is the difference between a game against nature and a game against somebody who hides something.

    ## Playing against oneself

    If each keeps answering the *mean* of the other's past moves (*fictitious play*, Brown 1951), the means approach the equilibrium:
    """,
        r"""
    Seul le hasard équitable ne peut pas être exploité : c'est l'**équilibre de Nash**. En leçon 7, un joueur optimal n'avait jamais besoin du hasard ; ici, il en a besoin. C'est toute la différence entre un jeu contre la nature et un jeu contre quelqu'un qui cache son jeu.

    ## Jouer contre soi-même

    Si chacun répond sans cesse à la *moyenne* des coups passés de l'autre (*fictitious play*, Brown 1951), les moyennes s'approchent de l'équilibre :
    """,
    )
    return


@app.cell
def _(either, np, payoff):
    counts = np.array([1.0, 0.0, 0.0])
    for turn in range(1, 2001):
        counts[int(np.argmax(payoff @ (counts / counts.sum())))] += 1
        if turn in (1, 10, 100, 2000):
            mixed = counts / counts.sum()
            print(turn, mixed.round(3), either("exploited:", "exploité :"), round(float((payoff @ mixed).max()), 3))
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    **Question 2.** And if each answered the other's *last* move instead of the mean? Write down the moves.

    That is why programs that learn Luzhanqi against themselves keep **old versions** of themselves as opponents: otherwise they go round in circles. A match, on the small board:
    """,
        r"""
    **Question 2.** Et si chacun répondait au *dernier* coup de l'autre au lieu de la moyenne ? Écrivez la suite des coups.

    C'est pourquoi les programmes qui apprennent Luzhanqi contre eux-mêmes gardent d'**anciennes versions** d'eux-mêmes comme adversaires : sinon ils tournent en rond. Un match, sur le petit plateau :
    """,
    )
    return


@app.cell
def _(apprenti):
    duel = apprenti.match("luzhanqi-attacks", "random", game="luzhanqi", rules="mini", games=20, workers=1)
    duel.counts, duel.interval
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    ## Your turn
    """,
        r"""
    ## À vous
    """,
    )
    return


@app.cell
def _(course, language):
    course.ask(11, language)
    return


@app.cell
def _():
    def win_probability(mine, hidden): ...

    def posterior(prior, likelihood): ...

    def exploited(payoff, mix): ...

    return exploited, posterior, win_probability


@app.cell
def _(course, exploited, language, posterior, win_probability):
    course.check(11, language, win_probability=win_probability, posterior=posterior, exploited=exploited)
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    ## Further

    - `apprenti play luzhanqi`: set up your army and play. Ask for a hint, then try `apprenti web` to see what the opponent believes of your pieces.
    - Can a player who always puts the flag in the same place be exploited? How would you measure that?
    """,
        r"""
    ## Pour aller plus loin

    - `apprenti play luzhanqi` : disposez votre armée et jouez. Demandez un conseil (`hint`), puis `apprenti web` pour voir ce que l'adversaire croit de vos pièces.
    - Un joueur qui place toujours son drapeau au même endroit est-il exploitable ? Comment le mesureriez-vous ?
    """,
    )
    return


if __name__ == "__main__":
    app.run()
