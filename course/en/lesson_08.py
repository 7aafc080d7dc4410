import marimo

__generated_with = "0.25.2"
app = marimo.App(app_title="8. Learning from mistakes: Q-learning, SARSA")


@app.cell(hide_code=True)
def _():
    import marimo as mo

    import apprenti
    from apprenti import course

    return apprenti, course, mo


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    # 8. Learning from mistakes: Q-learning, SARSA

    **Time**: 80 minutes. **You need**: lesson 7, dictionaries.
    **At the end you can**: learn a table Q without knowing the law of chance, and use symmetries.

    In lesson 7 the law $P(s' \mid s, a)$ was known. And if it is not? We **try**, and correct our table after every step:

    $$Q(s,a) \leftarrow Q(s,a) + \alpha\,\bigl(\underbrace{r + \gamma \max_{a'} Q(s',a')}_{\text{target}} - Q(s,a)\bigr)$$

    $\alpha$ is how far we go towards the target. To keep discovering, the agent sometimes moves at random (probability $\varepsilon$).
    """)
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
def _(mo):
    mo.md(r"""
    On the left what was learned in 600 walks, on the right the exact value. **Question 1.** Which cells are learned worst? Why? **Question 2.** Set `epsilon=0`. What happens, and why?

    ## Q-learning with dominoes

    The Tétris Bot report could not make a table for Tetris. So its authors made the game simpler: one piece only, the **domino**, on a small grid. `apprenti` does their experiment again (here a very small one):
    """)
    return


@app.cell
def _(apprenti):
    run = apprenti.train(
        "q-learning", size="4x4", iterations=3, episodes=400, max_pieces=50, test_games=10, test_pieces=100, workers=1
    )
    run.metrics()[-1]
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## SARSA and tic-tac-toe

    Salomé Amar (2020) learns tic-tac-toe with **SARSA**: the target does not use the best next move but the one that will *really be made*:

    $$Q(s,a) \leftarrow Q(s,a) + \alpha\,\bigl(r + \gamma\, Q(s',a') - Q(s,a)\bigr)$$

    Two agents meet, and both learn. **Question 3.** At the edge of a cliff, an agent that explores ($\varepsilon > 0$) and learns by SARSA stays further away than one that learns by Q-learning. Why?

    **Symmetries.** The eight images of a grid (turns, reflections) are worth the same. What is learned in one corner holds in all four: the table is nearly eight times smaller.
    """)
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
def _(mo):
    mo.md(r"""
    (Won, drawn, lost.) The agent that comes with `apprenti`, which was trained for longer, does not lose to the perfect player any more. Try to beat it: `apprenti play tictactoe`.

    ## Your turn
    """)
    return


@app.cell
def _(course):
    course.ask(8, "en")
    return


@app.cell
def _():
    def q_learning(old, reward, next_values, alpha, gamma): ...

    def sarsa(old, reward, next_value, alpha, gamma): ...

    def canonical(cells): ...

    return canonical, q_learning, sarsa


@app.cell
def _(canonical, course, q_learning, sarsa):
    course.check(8, "en", q_learning=q_learning, sarsa=sarsa, canonical=canonical)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## Further

    - `apprenti train tabular --game gridworld --game-options world=cliff`: the same learning for any game.
    - The report of 2020 exchanges $\alpha$ and $\gamma$ in its formula. Find out what that changes if one programs the formula as it is printed.
    """)
    return


if __name__ == "__main__":
    app.run()
