import marimo

__generated_with = "0.25.2"
app = marimo.App(
    app_title="8. Learning from mistakes: Q-learning, SARSA · Apprendre de ses erreurs : Q-learning, SARSA"
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
    # 8. Learning from mistakes: Q-learning, SARSA

    **Time**: 80 minutes. **You need**: lesson 7, dictionaries.
    **At the end you can**: learn a table Q without knowing the law of chance, and use symmetries.

    In lesson 7 the law $P(s' \mid s, a)$ was known. And if it is not? We **try**, and correct our table after every step:

    $$Q(s,a) \leftarrow Q(s,a) + \alpha\,\bigl(\underbrace{r + \gamma \max_{a'} Q(s',a')}_{\text{target}} - Q(s,a)\bigr)$$

    $\alpha$ is how far we go towards the target. To keep discovering, the agent sometimes moves at random (probability $\varepsilon$).
    """,
        r"""
    # 8. Apprendre de ses erreurs : Q-learning, SARSA

    **Durée** : 80 minutes. **Il faut connaître** : leçon 7, dictionnaires.
    **À la fin, vous saurez** : apprendre une table Q sans connaître les règles du hasard, et utiliser les symétries.

    En leçon 7 on connaissait la loi $P(s' \mid s, a)$. Et si l'on ne la connaît pas ? On **essaie**, et on corrige sa table après chaque pas :

    $$Q(s,a) \leftarrow Q(s,a) + \alpha\,\bigl(\underbrace{r + \gamma \max_{a'} Q(s',a')}_{\text{cible}} - Q(s,a)\bigr)$$

    $\alpha$ est la part du chemin que l'on fait vers la cible. Pour continuer à découvrir, l'agent joue parfois au hasard (probabilité $\varepsilon$).
    """,
    )
    return


@app.cell
def _(apprenti):
    walk = apprenti.game("gridworld")
    rules = walk.rules(max_moves=100)
    rng = apprenti.Stream(8)
    table = {}

    def values_at(place):
        return table.setdefault(place, dict.fromkeys(("up", "right", "down", "left"), 0.0))

    def learn_one_game(alpha, epsilon, gamma=1.0):
        state = walk.start(rules, rng)
        while state.outcome is None:
            place, before = state.place, state.score
            row = values_at(place)
            move = rng.choice(list(row)) if rng.random() < epsilon else max(row, key=row.get)
            state = state.play(move)
            if state.turn == apprenti.CHANCE:
                state = state.deal(rng)
            best_next = 0.0 if state.outcome else max(values_at(state.place).values())
            row[move] += alpha * (state.score - before + gamma * best_next - row[move])
        return state.score

    learning = [learn_one_game(alpha=0.2, epsilon=0.2) for _ in range(600)]
    exact = apprenti.solve(game="gridworld")
    {place: (round(max(row.values()), 2), round(exact.values[place], 2)) for place, row in sorted(table.items())}
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    On the left what was learned in 600 walks, on the right the exact value. **Question 1.** Which cells are learned worst? Why? **Question 2.** Set `epsilon=0`. What happens, and why?

    ## Q-learning with dominoes

    The Tétris Bot report could not make a table for Tetris. So its authors made the game simpler: one piece only, the **domino**, on a small grid. `apprenti` does their experiment again (here a very small one):
    """,
        r"""
    À gauche ce qui a été appris en 600 promenades, à droite la valeur exacte. **Question 1.** Quelles cases sont les moins bien apprises ? Pourquoi ? **Question 2.** Mettez `epsilon=0`. Que se passe-t-il, et pourquoi ?

    ## Q-learning sur des dominos

    Le rapport du Tétris Bot ne pouvait pas faire une table pour Tetris. Ses auteurs ont donc simplifié le jeu : une seule pièce, le **domino**, sur une petite grille. `apprenti` refait leur expérience (ici en tout petit) :
    """,
    )
    return


@app.cell
def _(apprenti):
    run = apprenti.train(
        "q-learning", size="4x4", iterations=3, episodes=400, max_pieces=50, test_games=10, test_pieces=100, workers=1
    )
    run.metrics()[-1]
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    ## SARSA and tic-tac-toe

    Salomé Amar (2020) learns tic-tac-toe with **SARSA**: the target does not use the best next move but the one that will *really be made*:

    $$Q(s,a) \leftarrow Q(s,a) + \alpha\,\bigl(r + \gamma\, Q(s',a') - Q(s,a)\bigr)$$

    Two agents meet, and both learn. **Question 3.** At the edge of a cliff, an agent that explores ($\varepsilon > 0$) and learns by SARSA stays further away than one that learns by Q-learning. Why?

    **Symmetries.** The eight images of a grid (turns, reflections) are worth the same. What is learned in one corner holds in all four: the table is nearly eight times smaller.
    """,
        r"""
    ## SARSA au morpion

    Salomé Amar (2020) apprend le morpion avec **SARSA** : la cible n'utilise pas le meilleur coup suivant, mais celui qui sera *vraiment joué* :

    $$Q(s,a) \leftarrow Q(s,a) + \alpha\,\bigl(r + \gamma\, Q(s',a') - Q(s,a)\bigr)$$

    Deux agents s'affrontent, et chacun apprend. **Question 3.** Au bord d'un précipice, un agent qui explore ($\varepsilon > 0$) et apprend par SARSA s'en tient plus loin qu'un agent Q-learning. Pourquoi ?

    **Les symétries.** Les huit images d'une grille (rotations, reflets) ont la même valeur. Ce qu'on apprend dans un coin vaut pour les quatre : la table est presque huit fois plus petite.
    """,
    )
    return


@app.cell
def _():
    def images(cells):
        turned = [cells]
        for _ in range(3):
            last = turned[-1]
            turned.append("".join(last[3 * (2 - c) + r] for r in range(3) for c in range(3)))
        return {*turned, *(image[2::-1] + image[5:2:-1] + image[8:5:-1] for image in turned)}

    sorted(images("XO.......")), len(images("X........"))
    return


@app.cell
def _(apprenti):
    sarsa_run = apprenti.train("sarsa", iterations=4, episodes=2000)
    learned = apprenti.match(sarsa_run.name, "random", game="tictactoe", games=200, workers=1)
    perfect = apprenti.match("sarsa-tictactoe", "mnk-perfect", game="tictactoe", games=20, workers=1)
    learned.counts, perfect.counts
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    (Won, drawn, lost.) The agent that comes with `apprenti`, which was trained for longer, does not lose to the perfect player any more. Try to beat it: `apprenti play tictactoe`.

    ## Your turn
    """,
        r"""
    (Gagnées, nulles, perdues.) L'agent livré avec `apprenti`, entraîné plus longtemps, ne perd plus contre le joueur parfait. Essayez de le battre : `apprenti play tictactoe`.

    ## À vous
    """,
    )
    return


@app.cell
def _(course, language):
    course.ask(8, language)
    return


@app.cell
def _():
    def q_learning(old, reward, next_values, alpha, gamma): ...

    def sarsa(old, reward, next_value, alpha, gamma): ...

    def canonical(cells): ...

    return canonical, q_learning, sarsa


@app.cell
def _(canonical, course, language, q_learning, sarsa):
    course.check(8, language, q_learning=q_learning, sarsa=sarsa, canonical=canonical)
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    ## Further

    - `apprenti train tabular --game gridworld --game-options world=cliff`: the same learning for any game.
    - The report of 2020 exchanges $\alpha$ and $\gamma$ in its formula. Find out what that changes if one programs the formula as it is printed.
    """,
        r"""
    ## Pour aller plus loin

    - `apprenti train tabular --game gridworld --game-options world=cliff` : le même apprentissage pour n'importe quel jeu.
    - Le rapport de 2020 échange $\alpha$ et $\gamma$ dans sa formule. Cherchez ce que cela change si l'on programme la formule telle quelle.
    """,
    )
    return


if __name__ == "__main__":
    app.run()
