import marimo

__generated_with = "0.25.2"
app = marimo.App(
    app_title="7. Decisions: states, policies, Bellman's equation · Décider : états, politiques, équation de Bellman"
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
    # 7. Decisions: states, policies, Bellman's equation

    **Time**: 90 minutes. **You need**: expectation, sums $\sum$.
    **At the end you can**: compute the value of a state, that of a policy, and the best policy of a small world, exactly.

    So far the agent looked one move ahead. But a good move is often one that prepares the next. We need a notion of **value**: *what one can expect to gain from here on.*

    Here is a world of eleven cells (Russell and Norvig). We begin at the bottom left. The green cell is worth +1, the red one −1, and every step costs 0.04. The floor is slippery: one time in ten we go to the left of where we want to go, one time in ten to the right.
    """,
        r"""
    # 7. Décider : états, politiques, équation de Bellman

    **Durée** : 90 minutes. **Il faut connaître** : espérance, sommes $\sum$.
    **À la fin, vous saurez** : calculer la valeur d'un état, celle d'une politique, et la meilleure politique d'un petit monde, exactement.

    Jusqu'ici l'agent regardait un coup à l'avance. Mais un bon coup est souvent celui qui prépare le suivant. Il faut une notion de **valeur** : *ce qu'on peut espérer gagner à partir d'ici.*

    Voici un monde de onze cases (Russell et Norvig). On part en bas à gauche. La case verte vaut +1, la rouge −1, et chaque pas coûte 0,04. Le sol glisse : une fois sur dix on part à gauche de la direction voulue, une fois sur dix à droite.
    """,
    )
    return


@app.cell
def _(apprenti):
    walk = apprenti.game("gridworld")
    rules = walk.rules()
    state = walk.start(rules, apprenti.Stream(1))
    moving = state.play("up")
    state.place, state.legal_moves(), moving.chances()
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    ## The words

    - a **state** $s$: the cell where we are;
    - an **action** $a$: up, right, down, left;
    - the **law** $P(s' \mid s, a)$: where we arrive; the **reward** $r$;
    - a **policy** $\pi(a \mid s)$: the probability of every action in every state; it is a player;
    - $\gamma$, from 0 to 1: what a reward is worth one step later.

    The value of an action and that of a state under a policy:

    $$Q^\pi(s,a) = \sum_{s'} P(s'\mid s,a)\,\bigl(r + \gamma V^\pi(s')\bigr) \qquad V^\pi(s) = \sum_a \pi(a\mid s)\, Q^\pi(s,a)$$

    Each value depends on its neighbours: it is a **system of linear equations**, one for each cell. The computer solves it. Here is the player who walks at random:
    """,
        r"""
    ## Le vocabulaire

    - un **état** $s$ : la case où l'on est ;
    - une **action** $a$ : haut, droite, bas, gauche ;
    - la **loi** $P(s' \mid s, a)$ : où l'on arrive ; la **récompense** $r$ ;
    - une **politique** $\pi(a \mid s)$ : la probabilité de chaque action dans chaque état ; c'est un joueur ;
    - $\gamma$, entre 0 et 1 : ce que vaut demain une récompense, comparée à aujourd'hui.

    La valeur d'une action et celle d'un état sous une politique :

    $$Q^\pi(s,a) = \sum_{s'} P(s'\mid s,a)\,\bigl(r + \gamma V^\pi(s')\bigr) \qquad V^\pi(s) = \sum_a \pi(a\mid s)\, Q^\pi(s,a)$$

    Chaque valeur dépend des voisines : c'est un **système d'équations linéaires**, une par case. L'ordinateur le résout. Voici le joueur qui marche au hasard :
    """,
    )
    return


@app.cell
def _(apprenti, course):
    best = apprenti.solve(game="gridworld")
    by_lot = best.of_policy()
    course.world(by_lot)
    return best, by_lot


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    (The arrows show the action whose $Q^\pi$ is greatest.) **Question 1.** Why is the start worth so little, although the goal pays 1?

    A formula can be checked: play 400 random walks. The mean of the scores has to come close to $V^\pi$ of the start.
    """,
        r"""
    (Les flèches montrent l'action dont $Q^\pi$ est la plus grande.) **Question 1.** Pourquoi la case de départ vaut-elle si peu, alors que le but rapporte 1 ?

    Une formule se vérifie : jouons 400 promenades au hasard. La moyenne des scores doit tomber près de $V^\pi$ du départ.
    """,
    )
    return


@app.cell
def _(apprenti, by_lot):
    played = apprenti.evaluate("random", game="gridworld", games=400, workers=1)
    by_lot.value, played.interval
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    ## The best policy

    Bellman (1957): the best value is that of the best action.

    $$V^*(s) = \max_a \sum_{s'} P(s'\mid s,a)\,\bigl(r + \gamma V^*(s')\bigr)$$

    This is not linear any more (there is a max), but we can **iterate**: begin with $V = 0$, compute the right side everywhere, repeat. Follow the first steps by hand in a corridor `S..G` that is not slippery, where a step costs 1 and the goal is worth 10.
    """,
        r"""
    ## La meilleure politique

    Bellman (1957) : la meilleure valeur est celle de la meilleure action.

    $$V^*(s) = \max_a \sum_{s'} P(s'\mid s,a)\,\bigl(r + \gamma V^*(s')\bigr)$$

    Ce n'est plus linéaire (il y a un max), mais on peut **itérer** : partir de $V = 0$, calculer le membre de droite partout, recommencer. Suivons les premières étapes à la main sur un couloir `S..G`, sans glisser, un pas coûtant 1 et le but valant 10.
    """,
    )
    return


@app.cell
def _():
    corridor = {
        "a": {"right": [("b", 1, -1)], "left": [("a", 1, -1)]},
        "b": {"right": [("c", 1, -1)], "left": [("a", 1, -1)]},
        "c": {"right": [("goal", 1, 9)], "left": [("b", 1, -1)]},
    }
    values = {}
    for step in range(5):
        print(step, values)
        values = {
            place: max(sum(p * (r + values.get(to, 0)) for to, p, r in law) for law in moves.values())
            for place, moves in corridor.items()
        }
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    The information **travels back** one cell with every sweep. **Question 2.** How many sweeps for a corridor of 100 cells?

    And here is the whole world, solved:
    """,
        r"""
    L'information **remonte** d'une case à chaque balayage. **Question 2.** Combien de balayages pour un couloir de 100 cases ?

    Et voici le monde entier, résolu :
    """,
    )
    return


@app.cell
def _(best, course):
    course.world(best)
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    **Question 3.** In the cells near the red one, the arrows keep away from it, even if that is the longer way. Why? **Question 4.** Change the price of a step (`rewards="-2,1,-1"`): where do we run now, and why?
    """,
        r"""
    **Question 3.** Dans les cases voisines de la case rouge, les flèches s'en éloignent, même au prix d'un détour. Pourquoi ? **Question 4.** Changez le prix d'un pas (`rewards="-2,1,-1"`) : vers où fuit-on maintenant, et pourquoi ?
    """,
    )
    return


@app.cell
def _(apprenti, course):
    course.world(apprenti.solve(game="gridworld", rewards="-2,1,-1"))
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    ## Tetris, exactly

    On 4 × 4 Tetris has only some thousand "walls": the same computation gives **the perfect player**. Nobody will ever do better on average.
    """,
        r"""
    ## Tetris, exactement

    Sur 4 × 4, Tetris n'a que quelques milliers de « murs » : le même calcul donne **le joueur parfait**. Personne, jamais, ne fera mieux en moyenne.
    """,
    )
    return


@app.cell
def _(apprenti, either):
    solution = apprenti.solve("4x4", workers=1)
    line = either("{:.4f} lines a game, {} walls", "{:.4f} lignes par partie, {} murs")
    print(line.format(solution.value, solution.to_json()["reachable_walls"]))
    dellacherie = apprenti.evaluate("dellacherie", size="4x4", games=4000, workers=1)
    dellacherie.interval
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    **Question 5.** On 10 × 20 there are $2^{200}$ grids. Why does the method end there? All following lessons are ways around that wall.

    ## Your turn
    """,
        r"""
    **Question 5.** Sur 10 × 20 il y a $2^{200}$ grilles. Pourquoi la méthode s'arrête-t-elle là ? Les leçons suivantes sont toutes des façons de contourner ce mur.

    ## À vous
    """,
    )
    return


@app.cell
def _(course, language):
    course.ask(7, language)
    return


@app.cell
def _():
    def q_value(law, values, gamma): ...

    def policy_value(q, policy): ...

    def sweep(model, values, gamma): ...

    return policy_value, q_value, sweep


@app.cell
def _(course, language, policy_value, q_value, sweep):
    course.check(7, language, q_value=q_value, policy_value=policy_value, sweep=sweep)
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    ## Further

    - `apprenti solve --game gridworld --world cliff`, `--world lake`, or a map of your own: `--world "S..#/.#.P/...G"`.
    - `apprenti solve --game mdp --gamma 0.9`: a robot that has to choose between searching and recharging. For which γ does it change its mind?
    - Can a *stochastic* policy be better than $V^*$ here? And in rock-paper-scissors? (Lesson 11.)
    """,
        r"""
    ## Pour aller plus loin

    - `apprenti solve --game gridworld --world cliff`, `--world lake`, ou votre propre plan : `--world "S..#/.#.P/...G"`.
    - `apprenti solve --game mdp --gamma 0.9` : un robot qui doit choisir entre chercher et recharger. Pour quel γ change-t-il d'avis ?
    - Une politique *stochastique* peut-elle être meilleure que $V^*$ ici ? Et à pierre-feuille-ciseaux ? (Leçon 11.)
    """,
    )
    return


if __name__ == "__main__":
    app.run()
