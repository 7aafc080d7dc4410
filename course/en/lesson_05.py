import marimo

__generated_with = "0.25.2"
app = marimo.App(app_title="5. Is it better? Mean, deviation, interval")


@app.cell(hide_code=True)
def _():
    import marimo as mo

    import apprenti
    from apprenti import course

    return apprenti, course, mo


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    # 5. Is it better? Mean, deviation, interval

    **Time**: 75 minutes. **You need**: the mean; a little probability.
    **At the end you can**: say which of two players is better, or say that it is not known.

    "My agent made 312 lines, yours 280: mine is better." Is that true? Let us play again.
    """)
    return


@app.cell
def _(apprenti):
    import matplotlib.pyplot as plt

    many = apprenti.evaluate("dellacherie", size="10x8", games=2000, workers=1)
    scores = many.scores()
    scores[:12]
    return plt, scores


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    The same player, the same rules: from game to game the score varies by a factor of ten. Look at how it is spread.
    """)
    return


@app.cell
def _(plt, scores):
    figure, axes = plt.subplots(figsize=(7, 3))
    axes.hist(scores, bins=40)
    axes.axvline(sum(scores) / len(scores), color="black", linestyle="--")
    axes.set_xlabel("lines")
    figure
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    This is not the bell of the textbook: short games are the most frequent, and a few very long ones pull the mean to the right. It is close to an **exponential** law, that of the life of a thing that does not wear out: with every piece about the same risk to die. Its signature: **the deviation is about as large as the mean.**
    """)
    return


@app.cell
def _(scores):
    n = len(scores)
    average = sum(scores) / n
    spread = (sum((score - average) ** 2 for score in scores) / (n - 1)) ** 0.5
    average, spread
    return (average,)


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    **Question 1.** We divide by $n - 1$, not by $n$. What would happen with a single game?

    ## The error of a mean

    The mean of n games varies √n times less than a game. Let us see: cut our 2000 games into groups of 10, of 40, of 160 and look at the means of the groups.
    """)
    return


@app.cell
def _(plt, scores):
    def means_of_groups(size):
        return [sum(scores[i : i + size]) / size for i in range(0, len(scores) - size + 1, size)]

    figure2, panels = plt.subplots(3, 1, figsize=(7, 5), sharex=True)
    for panel, group in zip(panels, (10, 40, 160), strict=True):
        panel.hist(means_of_groups(group), bins=20)
        panel.set_ylabel(f"n = {group}")
    figure2
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    Now the bell appears: this is the *central limit theorem*. Hence the 95 % confidence interval:

    $$\bar x \pm 1.96\,\frac{s}{\sqrt n}$$

    It means: if the experiment were repeated a hundred times, the interval would contain the true mean about 95 times. Let us check it instead of believing it: the "true" mean is here that of all 2000 games.
    """)
    return


@app.cell
def _(average, scores):
    def covers(group):
        m = sum(group) / len(group)
        s = (sum((x - m) ** 2 for x in group) / (len(group) - 1)) ** 0.5
        return abs(m - average) <= 1.96 * s / len(group) ** 0.5

    groups = [scores[i : i + 20] for i in range(0, 2000, 20)]
    sum(covers(group) for group in groups), len(groups)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    (A little less than 95: twenty games of so lopsided a law are few, and the formula supposes a bell.)

    ## Why 100 games are not enough

    As $s \approx \bar x$, the relative precision of n games is about $1.96/\sqrt n$:

    | games | precision |
    |---|---|
    | 30 | ± 36 % |
    | 100 | ± 20 % |
    | 1 600 | ± 5 % |
    | 40 000 | ± 1 % |

    Thirty games is what many papers report: two players of which one is 20 % better cannot be told apart by that. **Question 2.** How many games for ± 2 %? **Question 3.** The report measures 125 049 ± 117 854 points. Which of the two is a mean, which a deviation? How many games does it take to know that mean within 5 %?

    ## Comparing honestly

    To give all **the same pieces** takes chance out of the comparison; `apprenti compare` does that, and always prints an interval.
    """)
    return


@app.cell
def _(apprenti):
    for name in ("dellacherie", "bcts", "xtris"):
        few, enough = (apprenti.evaluate(name, size="10x8", games=g, workers=1) for g in (30, 1000))
        print(
            f"{name:12} 30: {few.interval[0]:6.0f} … {few.interval[1]:6.0f}    1000: {enough.interval[0]:6.0f} … {enough.interval[1]:6.0f}"
        )
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    (`apprenti` knows the law of the scores and computes the exact interval of an exponential law; it is not quite symmetric.)

    ## Your turn
    """)
    return


@app.cell
def _(course):
    course.ask(5, "en")
    return


@app.cell
def _():
    def mean(scores): ...

    def deviation(scores): ...

    def interval(scores): ...

    def games_needed(deviation, half_width): ...

    return deviation, games_needed, interval, mean


@app.cell
def _(course, deviation, games_needed, interval, mean):
    course.check(5, "en", mean=mean, deviation=deviation, interval=interval, games_needed=games_needed)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## Further

    - In class, everybody plays 30 games of the same agent with a seed of their own (`--seed`). Draw all intervals on the board. How many miss the true mean?
    - A newspaper says "the new algorithm improves by 8 %". Which two questions do you ask?
    """)
    return


if __name__ == "__main__":
    app.run()
