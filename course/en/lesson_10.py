import marimo

__generated_with = "0.25.2"
app = marimo.App(app_title="10. Search in weight space: cross-entropy, CMA-ES")


@app.cell(hide_code=True)
def _():
    import marimo as mo

    import apprenti
    from apprenti import course

    return apprenti, course, mo


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    # 10. Search in weight space: cross-entropy, CMA-ES

    **Time**: 75 minutes. **You need**: lessons 5 and 6, variance.
    **At the end you can**: program noisy cross-entropy, and tell the story of a record.

    The genetic algorithm crosses individuals. **Cross-entropy** is simpler: it learns a *law* from which to draw good individuals.

    1. draw 100 vectors from a normal law (a mean and a variance for each weight);
    2. let each of them play;
    3. keep the 10 best, the **elite**;
    4. new mean, new variance: those of the elite. Repeat.
    """)
    return


@app.cell
def _():
    import matplotlib.pyplot as plt
    import numpy as np

    luck = np.random.default_rng(10)
    goal = np.array([3.0, -2.0])

    def score(vector):
        return -np.sum((vector - goal) ** 2)

    def cross_entropy(noise, generations=25):
        mean, variance, path = np.zeros(2), np.full(2, 1.0), []
        for generation in range(generations):
            path.append((mean.copy(), variance.copy()))
            vectors = mean + np.sqrt(variance) * luck.normal(size=(50, 2))
            elite = vectors[np.argsort([-score(vector) for vector in vectors])[:5]]
            mean, variance = elite.mean(0), elite.var(0) + noise(generation)
        return path

    plain = cross_entropy(lambda generation: 0.0)
    noisy = cross_entropy(lambda generation: max(0.5 - generation / 40, 0))
    plain[-1][0], noisy[-1][0]
    return noisy, plain, plt


@app.cell
def _(noisy, plain, plt):
    figure, axes = plt.subplots(figsize=(7, 3))
    for label, path in (("without noise", plain), ("with noise", noisy)):
        axes.semilogy([variance.sum() + 1e-12 for _, variance in path], label=label)
    axes.set_ylabel("variance")
    axes.legend()
    figure
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    Without noise the variance melts away: the law gets narrow **before** it has found. Szita and Lőrincz (2006) added a decreasing noise, `max(5 − t/10, 0)`, to every variance. Their player, 22 criteria learned so in a month of computing, made 348 895 lines on average over 30 games.

    **Question 1.** Why not simply keep a large variance all the time? **Question 2.** The elite is chosen by *one* game for each vector. What does lesson 5 say to that? Why does it work all the same?

    ## On Tetris
    """)
    return


@app.cell
def _(apprenti):
    run = apprenti.train(
        "ce", size="10x6", criteria="dellacherie", iterations=6, population=40, test_games=10, workers=1, seed=2
    )
    [(row["generation"], round(row["best"]), round(row["mean"])) for row in run.metrics()]
    return (run,)


@app.cell
def _(apprenti, run):
    trained = apprenti.evaluate(run.name, size="10x6", games=200, workers=1)
    expert = apprenti.evaluate("dellacherie", size="10x6", games=200, workers=1)
    trained.interval, expert.interval
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    Pierre Dellacherie had set his six weights **by hand**, by watching games (2003). Six small generations are not enough to catch up. With more of them the same method overtakes him: `dellacherie-ce`, his six criteria with learned weights, makes 3 061 lines on 10 × 10 against 2 343 with his own (`apprenti reproduce players-10x10`).

    ## CMA-ES

    Cross-entropy takes the weights for independent. But a player that doubles the weight of holes should probably change that of heights, too. **CMA-ES** (Hansen) learns the whole *covariance matrix*: the cloud can stretch along a slanting valley.
    """)
    return


@app.cell
def _(apprenti):
    cma = apprenti.train("cma", size="10x6", criteria="dellacherie", iterations=4, population=20, workers=1, seed=2)
    round(cma.metrics()[-1]["best"])
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## The story of a record (a player that sees one piece, 10 × 20, simplified rules)

    | year | who | how | published lines | measured here |
    |---|---|---|---|---|
    | 2003 | Dellacherie | by hand | 5 million (measured in 2009) | 6.5 million |
    | 2009 | Thiery and Scherrer, BCTS | cross-entropy, 8 criteria | 31 million | 30.6 million |
    | 2013 | Gabillon et al., DT-20 | policy iteration | 51 million | 51.3 million |
    | 2026 | `apprenti-10x20-regimes` | CMA-ES judged by splitting, 15 criteria | – | 124 million |

    The intervals, and the command that makes each measurement again, are in `docs/results.md`. **Question 3.** A game of 50 million lines takes most of a minute even here. How could one measure a thousand players of that strength? (Lesson 12.)

    ## Your turn
    """)
    return


@app.cell
def _(course):
    course.ask(10, "en")
    return


@app.cell
def _():
    def elite(scores, part): ...

    def refitted(vectors): ...

    def noise(generation): ...

    return elite, noise, refitted


@app.cell
def _(course, elite, noise, refitted):
    course.check(10, "en", elite=elite, refitted=refitted, noise=noise)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## Further

    - `apprenti train ce --criteria dt --size 10x10`: a good player in a minute. Watch it: `apprenti watch NAME`.
    - Make the figure again with 5 vectors instead of 50. What breaks first?
    """)
    return


if __name__ == "__main__":
    app.run()
