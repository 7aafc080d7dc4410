import marimo

__generated_with = "0.25.2"
app = marimo.App(app_title="6. Genetic algorithms")


@app.cell(hide_code=True)
def _():
    import marimo as mo

    import apprenti
    from apprenti import course

    return apprenti, course, mo


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    # 6. Genetic algorithms

    **Time**: 80 minutes. **You need**: lessons 4 and 5.
    **At the end you can**: let a population evolve: roulette, crossover, mutation.

    Four weights to set, and every attempt costs whole games, with the noise of chance. There is no derivative, and trying everything is out of the question. The idea of genetic algorithms is Darwin's: **a population varies, has children, and the fittest have more of them.**

    An individual is a vector of weights. Its *fitness* is its score. First a toy problem whose answer we know: find the vector `(0.1, 0.5, 0.9)`.
    """)
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
def _(mo):
    mo.md(r"""
    ## 1. The roulette wheel

    Every individual gets a part of the wheel in proportion to its fitness. The ball is thrown: `u` from 0 to 1. Even the weakest keeps a small chance, on purpose: **diversity is a reserve.**
    """)
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
def _(mo):
    mo.md(r"""
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
    """)
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
def _(history, plt):
    curve, curve_axes = plt.subplots(figsize=(7, 2.5))
    curve_axes.plot(history)
    curve_axes.set_xlabel("generation")
    curve
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    To keep the best one (`best`) is known as **elitism**. **Question 3.** Take it away and run again: what becomes of the curve?

    ## On Tetris

    The same algorithm, but the fitness of an individual is the number of lines it makes. A small evolution, to see; at home use the values of the report (100 individuals, 20 generations): `apprenti train ga`.
    """)
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
def _(mo):
    mo.md(r"""
    **Question 4.** The winner may have been lucky: it was judged by two games! How can we know what it is really worth? (Lesson 5.) And why does it take *fresh* games?

    ## Your turn
    """)
    return


@app.cell
def _(course):
    course.ask(6, "en")
    return


@app.cell
def _():
    def roulette(fitness, u): ...

    def crossed(one, other, point): ...

    def mutated(genes, draws, changes, rate): ...

    return crossed, mutated, roulette


@app.cell
def _(course, crossed, mutated, roulette):
    course.check(6, "en", roulette=roulette, crossed=crossed, mutated=mutated)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## Further

    - `apprenti draw roulette`, `crossover`, `mutation`: the same steps, drawn from a real population.
    - The report also codes weights in binary. A high bit that mutates changes much, a low bit hardly anything. Is that a fault or a virtue?
    """)
    return


if __name__ == "__main__":
    app.run()
