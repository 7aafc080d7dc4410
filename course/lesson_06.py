import marimo

__generated_with = "0.25.2"
app = marimo.App(app_title="6. Genetic algorithms · Algorithmes génétiques")


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
    # 6. Genetic algorithms

    **Time**: 80 minutes. **You need**: lessons 4 and 5.
    **At the end you can**: let a population evolve: roulette, crossover, mutation.

    Four weights to set, and every attempt costs whole games, with the noise of chance. There is no derivative, and trying everything is out of the question. The idea of genetic algorithms is Darwin's: **a population varies, has children, and the fittest have more of them.**

    An individual is a vector of weights. Its *fitness* is its score. First a toy problem whose answer we know: find the vector `(0.1, 0.5, 0.9)`.
    """,
        r"""
    # 6. Algorithmes génétiques

    **Durée** : 80 minutes. **Il faut connaître** : leçons 4 et 5.
    **À la fin, vous saurez** : faire évoluer une population : roulette, croisement, mutation.

    Quatre poids à régler, et chaque essai coûte des parties entières, bruitées par le hasard. On ne peut ni dériver, ni tout essayer. L'idée des algorithmes génétiques est celle de Darwin : **une population varie, se reproduit, et les mieux adaptés ont plus d'enfants.**

    Un individu est un vecteur de poids. Son *aptitude* (fitness) est son score. Prenons d'abord un problème jouet dont on connaît la réponse : trouver le vecteur `(0.1, 0.5, 0.9)`.
    """,
    )
    return


@app.cell
def _(apprenti):
    goal = (0.1, 0.5, 0.9)

    def fitness(vector):
        return 1 / (0.05 + sum((x - y) ** 2 for x, y in zip(vector, goal, strict=True)))

    rng = apprenti.Stream(7)
    population = [[rng.random() for _ in goal] for _ in range(8)]
    for individual in population:
        print([round(x, 2) for x in individual], round(fitness(individual), 2))
    return fitness, population, rng


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    ## 1. The roulette wheel

    Every individual gets a part of the wheel in proportion to its fitness. The ball is thrown: `u` from 0 to 1. Even the weakest keeps a small chance, on purpose: **diversity is a reserve.**
    """,
        r"""
    ## 1. La roulette

    Chaque individu reçoit une part de la roue proportionnelle à son aptitude. On lance la bille : `u` entre 0 et 1. Même le plus faible garde une petite chance ; c'est voulu : **la diversité est une réserve.**
    """,
    )
    return


@app.cell
def _(fitness, population):
    import matplotlib.pyplot as plt

    parts = [fitness(individual) for individual in population]
    wheel, wheel_axes = plt.subplots(figsize=(3.5, 3.5))
    wheel_axes.pie(parts, labels=range(8), startangle=90, counterclock=False)
    wheel
    return (plt,)


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    **Question 1.** If all fitnesses are 1000 but one of 1010, does the wheel choose better than chance? For this reason the report prefers the *tournament*: draw some individuals, keep the two best.

    ## 2. Crossover

    One cut, two children: the beginning of one and the end of the other.

    ```
    parents   A A A | A A      children  A A A | B B
              B B B | B B                B B B | A A
    ```

    ## 3. Mutation

    Without it no new gene would ever appear. Each gene is changed with a small probability.

    **Question 2.** A population of eight equal individuals, without mutation: what can happen?

    ## 4. All together
    """,
        r"""
    **Question 1.** Si toutes les aptitudes valent 1000 sauf une qui vaut 1010, la roulette choisit-elle mieux que le hasard ? Le rapport préfère pour cela le *tournoi* : on tire quelques individus, on garde les deux meilleurs.

    ## 2. Le croisement

    Un point de coupe, deux enfants : le début de l'un et la fin de l'autre.

    ```
    parents   A A A | A A      enfants   A A A | B B
              B B B | B B                B B B | A A
    ```

    ## 3. La mutation

    Sans elle, aucun gène nouveau n'apparaîtrait jamais. Chaque gène est modifié avec une petite probabilité.

    **Question 2.** Une population de huit individus identiques, sans mutation : que peut-il arriver ?

    ## 4. Tout ensemble
    """,
    )
    return


@app.cell
def _(fitness, population, rng):
    def drawn(people):
        ball = rng.random() * sum(map(fitness, people))
        for person in people:
            ball -= fitness(person)
            if ball < 0:
                return person
        return people[-1]

    def child_of(a, b):
        cut = 1 + int(rng.random() * (len(a) - 1))
        mixed = a[:cut] + b[cut:]
        return [x + (rng.random() - 0.5) * 0.2 if rng.random() < 0.3 else x for x in mixed]

    def next_generation(people):
        best = max(people, key=fitness)
        return [best] + [child_of(drawn(people), drawn(people)) for _ in people[1:]]

    people, history = population, []
    for _ in range(40):
        history.append(max(map(fitness, people)))
        people = next_generation(people)
    best = max(people, key=fitness)
    [round(x, 2) for x in best], round(fitness(best), 1)
    return (history,)


@app.cell
def _(either, history, plt):
    curve, curve_axes = plt.subplots(figsize=(7, 2.5))
    curve_axes.plot(history)
    curve_axes.set_xlabel(either("generation", "génération"))
    curve
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    To keep the best one (`best`) is known as **elitism**. **Question 3.** Take it away and run again: what becomes of the curve?

    ## On Tetris

    The same algorithm, but the fitness of an individual is the number of lines it makes. A small evolution, to see; at home use the values of the report (100 individuals, 20 generations): `apprenti train ga`.
    """,
        r"""
    Garder le meilleur (`best`) s'appelle l'**élitisme**. **Question 3.** Enlevez-le et relancez : que devient la courbe ?

    ## Sur Tetris

    Même algorithme, mais l'aptitude d'un individu est le nombre de lignes qu'il fait. Une petite évolution, pour voir ; chez vous, laissez les valeurs du rapport (100 individus, 20 générations) : `apprenti train ga`.
    """,
    )
    return


@app.cell
def _(apprenti):
    run = apprenti.train("ga", population=16, iterations=4, games=2, max_pieces=100, size="10x10", workers=1, seed=3)
    [(row["generation"], round(row["best"]), round(row["mean"])) for row in run.metrics()]
    return (run,)


@app.cell
def _(apprenti, run):
    learned = apprenti.evaluate(run.name, games=50, workers=1, max_pieces=500)
    learned.name, learned.interval
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    **Question 4.** The winner may have been lucky: it was judged by two games! How can we know what it is really worth? (Lesson 5.) And why does it take *fresh* games?

    ## Your turn
    """,
        r"""
    **Question 4.** L'individu qui gagne a peut-être eu de la chance : il a été jugé sur deux parties ! Comment savoir ce qu'il vaut vraiment ? (Leçon 5.) Et pourquoi faut-il des parties *nouvelles* ?

    ## À vous
    """,
    )
    return


@app.cell
def _(course, language):
    course.ask(6, language)
    return


@app.cell
def _():
    def roulette(fitness, u): ...

    def crossed(one, other, point): ...

    def mutated(genes, draws, changes, rate): ...

    return crossed, mutated, roulette


@app.cell
def _(course, crossed, language, mutated, roulette):
    course.check(6, language, roulette=roulette, crossed=crossed, mutated=mutated)
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    ## Further

    - `apprenti draw roulette`, `crossover`, `mutation`: the same steps, drawn from a real population.
    - The report also codes weights in binary. A high bit that mutates changes much, a low bit hardly anything. Is that a fault or a virtue?
    """,
        r"""
    ## Pour aller plus loin

    - `apprenti draw roulette`, `crossover`, `mutation` : les mêmes étapes, dessinées avec une vraie population.
    - Le rapport code aussi les poids en binaire. Un bit de poids fort qui mute change beaucoup, un bit faible presque rien. Est-ce un défaut ou une qualité ?
    """,
    )
    return


if __name__ == "__main__":
    app.run()
