import marimo

__generated_with = "0.25.2"
app = marimo.App(
    app_title="12. Rare events, honest experiments, and a page of history · Événements rares, expériences honnêtes, et un peu d'histoire"
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
    # 12. Rare events, honest experiments, and a page of history

    **Time**: 75 minutes. **You need**: lessons 5 and 10.
    **At the end you can**: estimate a tiny probability, recognise a dishonest experiment, and answer the question: *can you win at Tetris?*

    ## Wait, or split

    A good player dies once in 50 million lines. To know that number within 5 % would take 1 600 whole games: nearly a day of computing, for one player. An idea from physics (Kahn and Harris, 1951): **split** the rare event into steps that are not rare (*splitting*).

    An example: one wins 1 € with probability 0.4, else one loses 1. From 1 €, what is the probability to reach 25 € before ruin?
    """,
        r"""
    # 12. Événements rares, expériences honnêtes, et un peu d'histoire

    **Durée** : 75 minutes. **Il faut connaître** : leçons 5 et 10.
    **À la fin, vous saurez** : estimer une probabilité minuscule, reconnaître une expérience malhonnête, et répondre à la question : *peut-on gagner à Tetris ?*

    ## Attendre, ou découper

    Un bon joueur meurt une fois toutes les 50 millions de lignes. Pour connaître ce nombre à 5 % près il faudrait 1 600 parties entières : presque une journée de calcul, pour un seul joueur. Une idée de physiciens (Kahn et Harris, 1951) : **découper** l'événement rare en étapes qui ne le sont pas (*splitting*, ou *branchement* dans la documentation).

    Exemple : on gagne 1 € avec probabilité 0,4, on en perd 1 sinon. Partant de 1 €, quelle est la probabilité d'atteindre 25 € avant la ruine ?
    """,
    )
    return


@app.cell
def _(apprenti, either):
    rng = apprenti.Stream(12)

    def reaches(money, level):
        while 0 < money < level:
            money += 1 if rng.random() < 0.4 else -1
        return money == level

    direct = sum(reaches(1, 25) for _ in range(3000)) / 3000
    parts = [sum(reaches(money, money + 1) for _ in range(1000)) / 1000 for money in range(1, 25)]
    product = 1.0
    for part in parts:
        product *= part
    exact = (0.6 / 0.4 - 1) / ((0.6 / 0.4) ** 25 - 1)
    either(
        f"direct {direct:.2g}, splitting {product:.2g}, exact {exact:.2g}",
        f"essai direct {direct:.2g}, découpage {product:.2g}, exact {exact:.2g}",
    )
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    The direct attempt, 3 000 times, hardly ever sees the event. Splitting gives a good estimate of it, with little more effort. **Question 1.** How would you compute a confidence interval for this product? (Idea: do the whole splitting several times.)

    For Tetris the levels are heights of the pile: `apprenti evaluate dt-20 --rare --size 10x20`.

    ## Games that were cut

    Games that last too long are often stopped. To average the scores then is a mistake: the best games are just those that were cut. The right estimate (exponential law): **all lines divided by the number of games that really ended.**
    """,
        r"""
    L'essai direct, 3 000 fois, ne voit presque jamais l'événement. Le découpage, sans beaucoup plus de peine, en donne une bonne estimation. **Question 1.** Comment calculeriez-vous un intervalle de confiance pour ce produit ? (Idée : recommencer tout le découpage plusieurs fois.)

    Pour Tetris les niveaux sont des hauteurs de pile : `apprenti evaluate dt-20 --rare --size 10x20`.

    ## Les parties coupées

    On arrête souvent les parties trop longues. Faire alors la moyenne des scores est une erreur : les meilleures parties sont justement celles qu'on a coupées. La bonne estimation (loi exponentielle) : **total des lignes divisé par le nombre de parties réellement finies.**
    """,
    )
    return


@app.cell
def _(apprenti, either):
    whole = apprenti.evaluate("bcts", size="10x8", games=1000, workers=1)
    cut = apprenti.evaluate("bcts", size="10x8", games=1000, workers=1, max_pieces=1000)
    estimated = cut.estimated_mean
    either(
        f"whole games {whole.mean:.0f}; cut, mean {cut.mean:.0f}; cut, total / games that ended {estimated:.0f}",
        f"parties entières {whole.mean:.0f}; coupées, moyenne {cut.mean:.0f}; coupées, total / parties finies {estimated:.0f}",
    )
    return (whole,)


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    ## Ten commandments of an honest experiment

    1. Say the question **before** the experiment.
    2. Do not measure on the games that were used for learning.
    3. Give an interval with every number.
    4. Give the seed, the version, the command.
    5. Publish what did not work, too.
    6. Do not pick the best of ten runs, or say that you did.
    7. Compare under the same rules (in Tetris a detail changes the score tenfold).
    8. Check a result that is too good: mostly it is a mistake.
    9. Keep apart what others published and what you measured.
    10. Let a stranger do it again: `apprenti reproduce`.

    **Question 2.** You try 20 settings and keep the best score of 30 games. Why is that score too good? Make the experiment with twenty *identical* players:
    """,
        r"""
    ## Les dix commandements de l'expérience honnête

    1. Dire la question **avant** l'expérience.
    2. Ne pas mesurer sur les parties qui ont servi à apprendre.
    3. Donner un intervalle avec chaque nombre.
    4. Donner la graine, la version, la commande.
    5. Publier aussi ce qui n'a pas marché.
    6. Ne pas choisir la meilleure de dix exécutions, ou dire qu'on l'a fait.
    7. Comparer sous les mêmes règles (à Tetris, un détail change le score du simple au décuple).
    8. Vérifier un résultat trop beau : c'est le plus souvent une erreur.
    9. Séparer ce que d'autres ont publié de ce qu'on a mesuré.
    10. Laisser un inconnu recommencer : `apprenti reproduce`.

    **Question 2.** Vous essayez 20 réglages et gardez le meilleur score sur 30 parties. Pourquoi ce score est-il trop beau ? Faites l'expérience avec vingt joueurs *identiques* :
    """,
    )
    return


@app.cell
def _(apprenti, either, whole):
    same = [apprenti.evaluate("bcts", size="10x8", games=30, seed=seed, workers=1).mean for seed in range(20)]
    either(
        f"best of 20: {max(same):.0f}, true mean: {whole.mean:.0f}",
        f"le meilleur des 20: {max(same):.0f}, la vraie moyenne: {whole.mean:.0f}",
    )
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    ## Can you win at Tetris?

    One never wins: a game only ends with a defeat. The real question (John Brzustowski, 1992): can one play **for ever**? No, if pieces truly come at random: some sequence of S and Z kills *every* player, and a sequence of positive probability comes in the end. Heidi Burgiel (1997) showed it with alternating S and Z: 69 600 pieces are enough, on a grid of width 10.

    **Question 3.** What is the probability that 100 pieces in a row are S or Z? Is that a worry in a human life?
    """,
        r"""
    ## Peut-on gagner à Tetris ?

    On ne gagne jamais : la partie ne finit que par une défaite. La vraie question (John Brzustowski, 1992) : peut-on jouer **toujours** ? Non, si les pièces viennent vraiment au hasard : il existe une suite de S et de Z qui tue *tout* joueur, et une suite qui a une probabilité positive finit par venir. Heidi Burgiel (1997) l'a montré avec une alternance de S et de Z : 69 600 pièces suffisent, sur une grille de largeur 10.

    **Question 3.** Quelle est la probabilité que 100 pièces de suite soient des S ou des Z ? Faut-il s'inquiéter pendant une vie humaine ?
    """,
    )
    return


@app.cell
def _(apprenti, either):
    snakes = apprenti.evaluate("bcts", size="10x20", randomiser="weighted:S=1,Z=1", games=20, workers=1)
    either(
        f"only S and Z: {snakes.mean:.0f} lines a game; 100 in a row: {(2 / 7) ** 100:.1e}",
        f"rien que des S et des Z: {snakes.mean:.0f} lignes par partie ; cent de suite: {(2 / 7) ** 100:.1e}",
    )
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    Today's games deal pieces in **bags of seven** (a permutation of the seven pieces): under that rule there are known ways to play for ever, as long as the speed does not grow.

    ## A page of history

    Moscow, the middle of the 1980s. Alexey Pajitnov, a researcher of the Academy of Sciences, works on speech recognition and programs games in his free time. He likes the **pentominoes** of Solomon Golomb: fill a rectangle with pieces of five squares. He makes a game for the screen of it; eighteen pieces are too many, so he takes four squares: seven pieces. His computer, an Elektronika 60, has no graphics: squares are written `[ ]`. A schoolboy of sixteen, Vadim Gerasimov, makes the coloured version for the PC; the name is a mixture of *tetra* and *tennis*. The game goes from disk to disk, then to the West, where rights are sold that nobody has signed. In 1989 it comes with the Game Boy. Pajitnov gets nothing until 1996.

    Since then Tetris has been a test bench: Tsitsiklis and Van Roy (1996), Bertsekas and Ioffe (1996), Szita and Lőrincz (2006), Thiery and Scherrer (2009), Gabillon (2013)… and, in 2019, two French teachers, Frédéric Muller and Lionel Ponton, who wrote the report from which this course comes, and whose conclusion ends with *To be continued…*

    ## Your turn
    """,
        r"""
    Les jeux d'aujourd'hui tirent les pièces par **sacs de sept** (une permutation des sept pièces) : avec cette règle, on connaît des façons de jouer indéfiniment, tant que la vitesse n'augmente pas.

    ## Une page d'histoire

    Moscou, milieu des années 1980. Alekseï Pajitnov, chercheur à l'Académie des sciences, travaille à la reconnaissance de la parole et programme des jeux à ses heures perdues. Il aime les **pentominos** de Solomon Golomb : remplir un rectangle avec des pièces de cinq carrés. Il en fait un jeu d'écran ; dix-huit pièces, c'est trop : il passe à quatre carrés, sept pièces. Son ordinateur, un Elektronika 60, n'a pas de graphismes : les carrés s'écrivent `[ ]`. Un lycéen de seize ans, Vadim Gerasimov, en fait la version couleur pour PC ; le nom mêle *tetra* et *tennis*. Le jeu passe de disquette en disquette, puis à l'Ouest, où l'on vend des droits que personne n'a signés. En 1989 il est livré avec la Game Boy. Pajitnov ne touchera rien avant 1996.

    Depuis, Tetris sert d'appareil d'essai : Tsitsiklis et Van Roy (1996), Bertsekas et Ioffe (1996), Szita et Lőrincz (2006), Thiery et Scherrer (2009), Gabillon (2013)… et, en 2019, deux professeurs français, Frédéric Muller et Lionel Ponton, qui ont écrit le rapport d'où vient ce cours, et dont la conclusion s'achève sur *To be continued…*

    ## À vous
    """,
    )
    return


@app.cell
def _(course, language):
    course.ask(12, language)
    return


@app.cell
def _():
    def splitting(reached, started): ...

    def mean_of_cut(lines, finished): ...

    def only_s_and_z(pieces): ...

    return mean_of_cut, only_s_and_z, splitting


@app.cell
def _(course, language, mean_of_cut, only_s_and_z, splitting):
    course.check(12, language, splitting=splitting, mean_of_cut=mean_of_cut, only_s_and_z=only_s_and_z)
    return


@app.cell(hide_code=True)
def _(show):
    show(
        r"""
    ## And now?

    Choose a number that is published in `docs/results.md`, and make it again: `apprenti reproduce`. Then add something: a criterion, an agent, a game. *To be continued…*
    """,
        r"""
    ## Et maintenant ?

    Choisissez un nombre publié dans `docs/results.md`, et refaites-le : `apprenti reproduce`. Puis ajoutez quelque chose : un critère, un agent, un jeu. *To be continued…*
    """,
    )
    return


if __name__ == "__main__":
    app.run()
