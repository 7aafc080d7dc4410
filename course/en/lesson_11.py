import marimo

__generated_with = "0.25.2"
app = marimo.App(
    app_title="11. Hidden information: Luzhanqi, beliefs, being exploited",
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
    # 11. Hidden information: Luzhanqi, beliefs, being exploited

    **Time**: 80 minutes. **You need**: conditional probabilities.
    **At the end you can**: keep a belief up to date, compute a best response, and explain why one sometimes has to play at random.

    Luzhanqi (陆战棋), "army chess", has been played in China for generations. Each side sets up 25 pieces **face down**: one sees where an enemy piece is, not what it is. When two pieces meet, the referee only says which of them falls.
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
    The second line is the **state** as the referee sees it. The third is the **observation** of the first player: the enemy's pieces are not in it. In `apprenti` an agent never gets anything but its observation; a test makes sure that nothing leaks.

    ## Beliefs

    Before any contact, a hidden piece can be any of those that are left. A fight teaches something: if my piece of rank 5 loses, the other one is stronger, or it is a mine. The rule is that of **Bayes**:

    $$P(\text{piece} \mid \text{seen}) \propto P(\text{piece}) \times P(\text{seen} \mid \text{piece})$$

    An example: a piece has not moved for thirty turns. A mine never moves; an ordinary piece stays in place for so long one time in five.
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
    **Question 1.** The probability of a mine has more than tripled. How many more times does one have to see "did not move" (independently) to pass 90 %?

    ## Being exploited

    In rock-paper-scissors a **predictable** player loses. The *best response* to a mixed strategy (probabilities) is the move with the greatest mean gain; that gain measures how much the strategy can be **exploited**.
    """)
    return


@app.cell
def _():
    import numpy as np

    payoff = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    for mix in ([1, 0, 0], [0.5, 0.25, 0.25], [1 / 3, 1 / 3, 1 / 3]):
        gains = payoff @ np.array(mix)
        print([round(p, 2) for p in mix], "exploited:", round(float(gains.max()), 3))
    return np, payoff


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    Only fair chance cannot be exploited: this is the **Nash equilibrium**. In lesson 7 an optimal player never needed chance; here it does. That is the difference between a game against nature and a game against somebody who hides something.

    ## Playing against oneself

    If each keeps answering the *mean* of the other's past moves (*fictitious play*, Brown 1951), the means approach the equilibrium:
    """)
    return


@app.cell
def _(np, payoff):
    counts = np.array([1.0, 0.0, 0.0])
    for turn in range(1, 2001):
        counts[int(np.argmax(payoff @ (counts / counts.sum())))] += 1
        if turn in (1, 10, 100, 2000):
            mixed = counts / counts.sum()
            print(turn, mixed.round(3), "exploited:", round(float((payoff @ mixed).max()), 3))
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    **Question 2.** And if each answered the other's *last* move instead of the mean? Write down the moves.

    That is why programs that learn Luzhanqi against themselves keep **old versions** of themselves as opponents: otherwise they go round in circles. A match, on the small board:
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
    ## Your turn
    """)
    return


@app.cell
def _(course):
    course.ask(11, "en")
    return


@app.cell
def _():
    def win_probability(mine, hidden): ...

    def posterior(prior, likelihood): ...

    def exploited(payoff, mix): ...

    return exploited, posterior, win_probability


@app.cell
def _(course, exploited, posterior, win_probability):
    course.check(11, "en", win_probability=win_probability, posterior=posterior, exploited=exploited)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## Further

    - `apprenti play luzhanqi`: set up your army and play. Ask for a hint, then try `apprenti web` to see what the opponent believes of your pieces.
    - Can a player who always puts the flag in the same place be exploited? How would you measure that?
    """)
    return


if __name__ == "__main__":
    app.run()
