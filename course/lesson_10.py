import marimo

__generated_with = "0.25.2"
app = marimo.App(
    app_title="10. Search in weight space: cross-entropy, CMA-ES · Chercher dans l'espace des poids : entropie croisée, CMA-ES"
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
    # 10. Search in weight space: cross-entropy, CMA-ES

    **Time**: 75 minutes. **You need**: lessons 5 and 6, variance.
    **At the end you can**: program noisy cross-entropy, and tell the story of a record.

    The genetic algorithm crosses individuals. **Cross-entropy** is simpler: it learns a *law* from which to draw good individuals.

    1. draw 100 vectors from a normal law (a mean and a variance for each weight);
    2. let each of them play;
    3. keep the 10 best, the **elite**;
    4. new mean, new variance: those of the elite. Repeat.
    """,
        r"""
    # 10. Chercher dans l'espace des poids : entropie croisée, CMA-ES

    **Durée** : 75 minutes. **Il faut connaître** : leçons 5 et 6, variance.
    **À la fin, vous saurez** : programmer l'entropie croisée bruitée, et raconter l'histoire d'un record.

    L'algorithme génétique croise des individus. L'**entropie croisée** fait plus simple : elle apprend une *loi* d'où tirer de bons individus.

    1. tirer 100 vecteurs selon une loi normale (moyenne, variance de chaque poids) ;
    2. faire jouer chacun ;
    3. garder les 10 meilleurs, l'**élite** ;
    4. nouvelle moyenne, nouvelle variance : celles de l'élite. Recommencer.
    """,
    )
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
def _(either, noisy, plain, plt):
    figure, axes = plt.subplots(figsize=(7, 3))
    for label, path in ((either("without noise", "sans bruit"), plain), (either("with noise", "avec bruit"), noisy)):
        axes.semilogy([variance.sum() + 1e-12 for _, variance in path], label=label)
    axes.set_ylabel("variance")
    axes.legend()
    figure
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    Without noise the variance melts away: the law gets narrow **before** it has found. Szita and Lőrincz (2006) added a decreasing noise, `max(5 − t/10, 0)`, to every variance. Their player, 22 criteria learned so in a month of computing, made 348 895 lines on average over 30 games.

    **Question 1.** Why not simply keep a large variance all the time? **Question 2.** The elite is chosen by *one* game for each vector. What does lesson 5 say to that? Why does it work all the same?

    ## On Tetris
    """,
        r"""
    Sans bruit, la variance fond : la loi se resserre **avant** d'avoir trouvé. Szita et Lőrincz (2006) ont ajouté un bruit décroissant, `max(5 − t/10, 0)`, à chaque variance. Leur joueur, 22 critères appris ainsi en un mois de calcul, faisait 348 895 lignes en moyenne sur 30 parties.

    **Question 1.** Pourquoi ne pas garder simplement une grande variance tout le temps ? **Question 2.** L'élite est choisie sur *une* partie par vecteur. Qu'en dit la leçon 5 ? Pourquoi cela marche-t-il quand même ?

    ## Sur Tetris
    """,
    )
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
def _(show):
    show(
        r"""
    Pierre Dellacherie had set his six weights **by hand**, by watching games (2003). Six small generations are not enough to catch up. With more of them the same method overtakes him: `dellacherie-ce`, his six criteria with learned weights, makes 3 061 lines on 10 × 10 against 2 343 with his own (`apprenti reproduce players-10x10`).

    ## CMA-ES

    Cross-entropy takes the weights for independent. But a player that doubles the weight of holes should probably change that of heights, too. **CMA-ES** (Hansen) learns the whole *covariance matrix*: the cloud can stretch along a slanting valley.
    """,
        r"""
    Pierre Dellacherie avait réglé ses six poids **à la main**, en regardant jouer (2003). Six petites générations ne suffisent pas à le rattraper. Avec plus de générations, la même méthode le dépasse : `dellacherie-ce`, ses six critères avec des poids appris, fait 3 061 lignes sur 10 × 10 contre 2 343 pour les siens (`apprenti reproduce players-10x10`).

    ## CMA-ES

    L'entropie croisée suppose les poids indépendants. Or si l'on double le poids des trous, il faut sans doute changer aussi celui des hauteurs. **CMA-ES** (Hansen) apprend toute la *matrice de covariance* : le nuage peut s'allonger en biais, le long d'une vallée.
    """,
    )
    return


@app.cell
def _(apprenti):
    cma = apprenti.train("cma", size="10x6", criteria="dellacherie", iterations=4, population=20, workers=1, seed=2)
    round(cma.metrics()[-1]["best"])
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    ## The story of a record (a player that sees one piece, 10 × 20, simplified rules)

    | year | who | how | published lines | measured here |
    |---|---|---|---|---|
    | 2003 | Dellacherie | by hand | 5 million (measured in 2009) | 6.5 million |
    | 2009 | Thiery and Scherrer, BCTS | cross-entropy, 8 criteria | 31 million | 30.6 million |
    | 2013 | Gabillon et al., DT-20 | policy iteration | 51 million | 51.3 million |
    | 2026 | `apprenti-10x20-regimes` | CMA-ES judged by splitting, 15 criteria | – | 124 million |

    The intervals, and the command that makes each measurement again, are in `docs/results.md`. **Question 3.** A game of 50 million lines takes most of a minute even here. How could one measure a thousand players of that strength? (Lesson 12.)

    ## Your turn
    """,
        r"""
    ## L'histoire d'un record (un joueur qui ne voit qu'une pièce, 10 × 20, règles simplifiées)

    | année | qui | comment | lignes publiées | mesurées ici |
    |---|---|---|---|---|
    | 2003 | Dellacherie | à la main | 5 millions (mesure de 2009) | 6,5 millions |
    | 2009 | Thiery et Scherrer, BCTS | entropie croisée, 8 critères | 31 millions | 30,6 millions |
    | 2013 | Gabillon et coll., DT-20 | itération sur les politiques | 51 millions | 51,3 millions |
    | 2026 | `apprenti-10x20-regimes` | CMA-ES jugé par découpage, 15 critères | – | 124 millions |

    Les intervalles et la commande qui refait chaque mesure sont dans `docs/results.md`. **Question 3.** Une partie de 50 millions de lignes dure près d'une minute, même ici. Comment mesurer mille joueurs de ce niveau ? (Leçon 12.)

    ## À vous
    """,
    )
    return


@app.cell
def _(course, language):
    course.ask(10, language)
    return


@app.cell
def _():
    def elite(scores, part): ...

    def refitted(vectors): ...

    def noise(generation): ...

    return elite, noise, refitted


@app.cell
def _(course, elite, language, noise, refitted):
    course.check(10, language, elite=elite, refitted=refitted, noise=noise)
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    ## Further

    - `apprenti train ce --criteria dt --size 10x10`: a good player in a minute. Watch it: `apprenti watch NAME`.
    - Make the figure again with 5 vectors instead of 50. What breaks first?
    """,
        r"""
    ## Pour aller plus loin

    - `apprenti train ce --criteria dt --size 10x10` : un bon joueur en une minute. Regardez-le : `apprenti watch NOM`.
    - Refaites la figure avec 5 vecteurs au lieu de 50. Qu'est-ce qui casse en premier ?
    """,
    )
    return


if __name__ == "__main__":
    app.run()
