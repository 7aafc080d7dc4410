import marimo

__generated_with = "0.25.2"
app = marimo.App(
    app_title="7. Décider : états, politiques, équation de Bellman",
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
    # 7. Décider : états, politiques, équation de Bellman

    **Durée** : 90 minutes. **Il faut connaître** : espérance, sommes $\sum$.
    **À la fin, vous saurez** : calculer la valeur d'un état, celle d'une politique, et la meilleure politique d'un petit monde, exactement.

    Jusqu'ici l'agent regardait un coup à l'avance. Mais un bon coup est souvent celui qui prépare le suivant. Il faut une notion de **valeur** : *ce qu'on peut espérer gagner à partir d'ici.*

    Voici un monde de onze cases (Russell et Norvig). On part en bas à gauche. La case verte vaut +1, la rouge −1, et chaque pas coûte 0,04. Le sol glisse : une fois sur dix on part à gauche de la direction voulue, une fois sur dix à droite.
    """)
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
def _(mo):
    mo.md(r"""
    ## Le vocabulaire

    - un **état** $s$ : la case où l'on est ;
    - une **action** $a$ : haut, droite, bas, gauche ;
    - la **loi** $P(s' \mid s, a)$ : où l'on arrive ; la **récompense** $r$ ;
    - une **politique** $\pi(a \mid s)$ : la probabilité de chaque action dans chaque état ; c'est un joueur ;
    - $\gamma$, entre 0 et 1 : ce que vaut demain une récompense, comparée à aujourd'hui.

    La valeur d'une action et celle d'un état sous une politique :

    $$Q^\pi(s,a) = \sum_{s'} P(s'\mid s,a)\,\bigl(r + \gamma V^\pi(s')\bigr) \qquad V^\pi(s) = \sum_a \pi(a\mid s)\, Q^\pi(s,a)$$

    Chaque valeur dépend des voisines : c'est un **système d'équations linéaires**, une par case. L'ordinateur le résout. Voici le joueur qui marche au hasard :
    """)
    return


@app.cell
def _(apprenti, course):
    best = apprenti.solve(game="gridworld")
    by_lot = best.of_policy()
    course.world(by_lot)
    return best, by_lot


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    (Les flèches montrent l'action dont $Q^\pi$ est la plus grande.) **Question 1.** Pourquoi la case de départ vaut-elle si peu, alors que le but rapporte 1 ?

    Une formule se vérifie : jouons 400 promenades au hasard. La moyenne des scores doit tomber près de $V^\pi$ du départ.
    """)
    return


@app.cell
def _(apprenti, by_lot):
    played = apprenti.evaluate("random", game="gridworld", games=400, workers=1)
    by_lot.value, played.interval
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## La meilleure politique

    Bellman (1957) : la meilleure valeur est celle de la meilleure action.

    $$V^*(s) = \max_a \sum_{s'} P(s'\mid s,a)\,\bigl(r + \gamma V^*(s')\bigr)$$

    Ce n'est plus linéaire (il y a un max), mais on peut **itérer** : partir de $V = 0$, calculer le membre de droite partout, recommencer. Suivons les premières étapes à la main sur un couloir `S..G`, sans glisser, un pas coûtant 1 et le but valant 10.
    """)
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
def _(mo):
    mo.md(r"""
    L'information **remonte** d'une case à chaque balayage. **Question 2.** Combien de balayages pour un couloir de 100 cases ?

    Et voici le monde entier, résolu :
    """)
    return


@app.cell
def _(best, course):
    course.world(best)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    **Question 3.** Dans les cases voisines de la case rouge, les flèches s'en éloignent, même au prix d'un détour. Pourquoi ? **Question 4.** Changez le prix d'un pas (`rewards="-2,1,-1"`) : vers où fuit-on maintenant, et pourquoi ?
    """)
    return


@app.cell
def _(apprenti, course):
    course.world(apprenti.solve(game="gridworld", rewards="-2,1,-1"))
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## Tetris, exactement

    Sur 4 × 4, Tetris n'a que quelques milliers de « murs » : le même calcul donne **le joueur parfait**. Personne, jamais, ne fera mieux en moyenne.
    """)
    return


@app.cell
def _(apprenti):
    solution = apprenti.solve("4x4", workers=1)
    print(f"{solution.value:.4f} lignes par partie, {solution.to_json()['reachable_walls']} murs")
    dellacherie = apprenti.evaluate("dellacherie", size="4x4", games=4000, workers=1)
    dellacherie.interval
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    **Question 5.** Sur 10 × 20 il y a $2^{200}$ grilles. Pourquoi la méthode s'arrête-t-elle là ? Les leçons suivantes sont toutes des façons de contourner ce mur.

    ## À vous
    """)
    return


@app.cell
def _(course):
    course.ask(7, "fr")
    return


@app.cell
def _():
    def q_value(law, values, gamma): ...

    def policy_value(q, policy): ...

    def sweep(model, values, gamma): ...

    return policy_value, q_value, sweep


@app.cell
def _(course, policy_value, q_value, sweep):
    course.check(7, "fr", q_value=q_value, policy_value=policy_value, sweep=sweep)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## Pour aller plus loin

    - `apprenti solve --game gridworld --world cliff`, `--world lake`, ou votre propre plan : `--world "S..#/.#.P/...G"`.
    - `apprenti solve --game mdp --gamma 0.9` : un robot qui doit choisir entre chercher et recharger. Pour quel γ change-t-il d'avis ?
    - Une politique *stochastique* peut-elle être meilleure que $V^*$ ici ? Et à pierre-feuille-ciseaux ? (Leçon 11.)
    """)
    return


if __name__ == "__main__":
    app.run()
