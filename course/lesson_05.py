import marimo

__generated_with = "0.25.2"
app = marimo.App(
    app_title="5. Is it better? Mean, deviation, interval · Est-ce mieux ? Moyenne, écart type, intervalle"
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
    # 5. Is it better? Mean, deviation, interval

    **Time**: 75 minutes. **You need**: the mean; a little probability.
    **At the end you can**: say which of two players is better, or say that it is not known.

    "My agent made 312 lines, yours 280: mine is better." Is that true? Let us play again.
    """,
        r"""
    # 5. Est-ce mieux ? Moyenne, écart type, intervalle

    **Durée** : 75 minutes. **Il faut connaître** : la moyenne ; un peu de probabilités.
    **À la fin, vous saurez** : dire de deux joueurs lequel est le meilleur, ou dire qu'on n'en sait rien.

    « Mon agent a fait 312 lignes, le tien 280 : le mien est meilleur. » Est-ce vrai ? Rejouons.
    """,
    )
    return


@app.cell
def _(apprenti):
    import matplotlib.pyplot as plt

    many = apprenti.evaluate("dellacherie", size="10x8", games=2000, workers=1)
    scores = many.scores()
    scores[:12]
    return plt, scores


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    The same player, the same rules: from game to game the score varies by a factor of ten. Look at how it is spread.
    """,
        r"""
    Le même joueur, les mêmes règles : d'une partie à l'autre le score varie d'un facteur dix. Regardons la répartition.
    """,
    )
    return


@app.cell
def _(either, plt, scores):
    figure, axes = plt.subplots(figsize=(7, 3))
    axes.hist(scores, bins=40)
    axes.axvline(sum(scores) / len(scores), color="black", linestyle="--")
    axes.set_xlabel(either("lines", "lignes"))
    figure
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    This is not the bell of the textbook: short games are the most frequent, and a few very long ones pull the mean to the right. It is close to an **exponential** law, that of the life of a thing that does not wear out: with every piece about the same risk to die. Its signature: **the deviation is about as large as the mean.**
    """,
        r"""
    Ce n'est pas la cloche du cours : les petites parties sont les plus fréquentes, et quelques parties très longues tirent la moyenne vers la droite. C'est presque une loi **exponentielle**, celle de la durée de vie d'un objet sans usure : à chaque pièce, un risque à peu près constant de mourir. Sa signature : **l'écart type est à peu près égal à la moyenne.**
    """,
    )
    return


@app.cell
def _(scores):
    n = len(scores)
    average = sum(scores) / n
    spread = (sum((score - average) ** 2 for score in scores) / (n - 1)) ** 0.5
    average, spread
    return (average,)


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    **Question 1.** We divide by $n - 1$, not by $n$. What would happen with a single game?

    ## The error of a mean

    The mean of n games varies √n times less than a game. Let us see: cut our 2000 games into groups of 10, of 40, of 160 and look at the means of the groups.
    """,
        r"""
    **Question 1.** On divise par $n - 1$ et non par $n$. Que se passerait-il avec une seule partie ?

    ## L'erreur d'une moyenne

    La moyenne de n parties varie √n fois moins qu'une partie. Voyons cela : coupons nos 2000 parties en paquets de 10, de 40, de 160 et regardons les moyennes des paquets.
    """,
    )
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
def _(show):
    show(
        r"""
    Now the bell appears: this is the *central limit theorem*. Hence the 95 % confidence interval:

    $$\bar x \pm 1.96\,\frac{s}{\sqrt n}$$

    It means: if the experiment were repeated a hundred times, the interval would contain the true mean about 95 times. Let us check it instead of believing it: the "true" mean is here that of all 2000 games.
    """,
        r"""
    Et cette fois la cloche apparaît : c'est le *théorème central limite*. D'où l'intervalle de confiance à 95 % :

    $$\bar x \pm 1{,}96\,\frac{s}{\sqrt n}$$

    Il signifie : si l'on recommençait l'expérience cent fois, l'intervalle contiendrait la vraie moyenne environ 95 fois. Vérifions-le au lieu de le croire : la « vraie » moyenne est ici celle des 2000 parties.
    """,
    )
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
def _(show):
    show(
        r"""
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
    """,
        r"""
    (Un peu moins de 95 : vingt parties d'une loi aussi dissymétrique, c'est peu, et la formule suppose une cloche.)

    ## Pourquoi 100 parties ne suffisent pas

    Puisque $s \approx \bar x$, la précision relative avec n parties est environ $1{,}96/\sqrt n$ :

    | parties | précision |
    |---|---|
    | 30 | ± 36 % |
    | 100 | ± 20 % |
    | 1 600 | ± 5 % |
    | 40 000 | ± 1 % |

    Trente parties, c'est ce que publient beaucoup d'articles : deux joueurs dont l'un est meilleur de 20 % ne peuvent pas y être distingués. **Question 2.** Combien de parties pour ± 2 % ? **Question 3.** Le rapport mesure 125 049 ± 117 854 points. Lequel des deux nombres est une moyenne, lequel un écart type ? Combien de parties faut-il pour connaître cette moyenne à 5 % près ?

    ## Comparer honnêtement

    Donner à tous **les mêmes pièces** réduit le hasard de la comparaison ; `apprenti compare` le fait, et affiche toujours un intervalle.
    """,
    )
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
def _(show):
    show(
        r"""
    (`apprenti` knows the law of the scores and computes the exact interval of an exponential law; it is not quite symmetric.)

    ## Your turn
    """,
        r"""
    (`apprenti` connaît la loi des scores et calcule l'intervalle exact d'une loi exponentielle ; il n'est pas tout à fait symétrique.)

    ## À vous
    """,
    )
    return


@app.cell
def _(course, language):
    course.ask(5, language)
    return


@app.cell
def _():
    def mean(scores): ...

    def deviation(scores): ...

    def interval(scores): ...

    def games_needed(deviation, half_width): ...

    return deviation, games_needed, interval, mean


@app.cell
def _(course, deviation, games_needed, interval, language, mean):
    course.check(5, language, mean=mean, deviation=deviation, interval=interval, games_needed=games_needed)
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    ## Further

    - In class, everybody plays 30 games of the same agent with a seed of their own (`--seed`). Draw all intervals on the board. How many miss the true mean?
    - A newspaper says "the new algorithm improves by 8 %". Which two questions do you ask?
    """,
        r"""
    ## Pour aller plus loin

    - Dans la classe, chacun lance 30 parties du même agent avec sa propre graine (`--seed`). Tracez tous les intervalles au tableau. Combien manquent la vraie moyenne ?
    - Un journal annonce « le nouvel algorithme améliore de 8 % ». Quelles deux questions posez-vous ?
    """,
    )
    return


if __name__ == "__main__":
    app.run()
