import marimo

__generated_with = "0.25.2"
app = marimo.App(app_title="5. Est-ce mieux ? Moyenne, écart type, intervalle")


@app.cell(hide_code=True)
def _():
    import marimo as mo

    import apprenti
    from apprenti import course

    return apprenti, course, mo


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    # 5. Est-ce mieux ? Moyenne, écart type, intervalle

    **Durée** : 75 minutes. **Il faut connaître** : la moyenne ; un peu de probabilités.
    **À la fin, vous saurez** : dire de deux joueurs lequel est le meilleur, ou dire qu'on n'en sait rien.

    « Mon agent a fait 312 lignes, le tien 280 : le mien est meilleur. » Est-ce vrai ? Rejouons.
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
    Le même joueur, les mêmes règles : d'une partie à l'autre le score varie d'un facteur dix. Regardons la répartition.
    """)
    return


@app.cell
def _(plt, scores):
    figure, axes = plt.subplots(figsize=(7, 3))
    axes.hist(scores, bins=40)
    axes.axvline(sum(scores) / len(scores), color="black", linestyle="--")
    axes.set_xlabel("lignes")
    figure
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    Ce n'est pas la cloche du cours : les petites parties sont les plus fréquentes, et quelques parties très longues tirent la moyenne vers la droite. C'est presque une loi **exponentielle**, celle de la durée de vie d'un objet sans usure : à chaque pièce, un risque à peu près constant de mourir. Sa signature : **l'écart type est à peu près égal à la moyenne.**
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
    **Question 1.** On divise par $n - 1$ et non par $n$. Que se passerait-il avec une seule partie ?

    ## L'erreur d'une moyenne

    La moyenne de n parties varie √n fois moins qu'une partie. Voyons cela : coupons nos 2000 parties en paquets de 10, de 40, de 160 et regardons les moyennes des paquets.
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
    Et cette fois la cloche apparaît : c'est le *théorème central limite*. D'où l'intervalle de confiance à 95 % :

    $$\bar x \pm 1{,}96\,\frac{s}{\sqrt n}$$

    Il signifie : si l'on recommençait l'expérience cent fois, l'intervalle contiendrait la vraie moyenne environ 95 fois. Vérifions-le au lieu de le croire : la « vraie » moyenne est ici celle des 2000 parties.
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
    (`apprenti` connaît la loi des scores et calcule l'intervalle exact d'une loi exponentielle ; il n'est pas tout à fait symétrique.)

    ## À vous
    """)
    return


@app.cell
def _(course):
    course.ask(5, "fr")
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
    course.check(5, "fr", mean=mean, deviation=deviation, interval=interval, games_needed=games_needed)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## Pour aller plus loin

    - Dans la classe, chacun lance 30 parties du même agent avec sa propre graine (`--seed`). Tracez tous les intervalles au tableau. Combien manquent la vraie moyenne ?
    - Un journal annonce « le nouvel algorithme améliore de 8 % ». Quelles deux questions posez-vous ?
    """)
    return


if __name__ == "__main__":
    app.run()
