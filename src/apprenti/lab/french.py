"""Pictures of docs/ in French: the words of an SVG are translated, what is drawn stays.

`python -m apprenti.lab.published` writes NAME.fr.svg beside every NAME.svg. A picture with words that are not in the
table is refused: add them.
"""

import re
from collections.abc import Collection
from pathlib import Path

from apprenti.core.errors import BadFile
from apprenti.store.files import write_text

TEXT = re.compile(r"(<text\b[^>]*>)([^<]+)(?=</text>)")
FRACTION = re.compile(r"(?<=\d)\.(?=\d)")
SAME = re.compile(r"[^a-zA-Z]*|Elo|maximum|[\d.]+ M")
"""Numbers, and words that are French, too."""
OPTION = re.compile(r"[a-z_]+: \S+")
AGENT = re.compile(r"([a-z\d-]+)(?:, [a-z]+ \d+x\d+)?")
"""An agent, and its rules and board."""
FRENCH = {
    r"lines a game": "lignes par partie",
    r"points a game": "points par partie",
    r"games": "parties",
    r"generation": "génération",
    r"iteration": "itération",
    r"average": "moyenne",
    r"means": "moyennes",
    r"mean (.+)": r"moyenne \1",
    r"± deviation (.+)": r"± écart type \1",
    r"points a game: min (.+) · median (.+)": r"points par partie : min \1 · médiane \2",
    r"published": "publié",
    r"measured here": "mesuré ici",
    r"measured / published": "mesuré / publié",
    r"(.+), published": r"\1, publié",
    r"(.+), here": r"\1, ici",
    r"lines a game, with 95 % intervals": "lignes par partie, avec des intervalles à 95 %",
    r"measured / published, with 95 % intervals": "mesuré / publié, avec des intervalles à 95 %",
    r"Players of (.+), simplified rules, one piece known": r"Joueurs sur \1, règles simplifiées, une pièce connue",
    r"Published scores, measured again: (\d+) of (\d+) agree":
        r"Scores publiés, mesurés de nouveau : \1 sur \2 concordent",
    r"Records, lines a game": "Records, lignes par partie",
    r"Measured again: (\d+) of (\d+) agree": r"Mesurés de nouveau : \1 sur \2 concordent",
    r"Luzhanqi: the ladder": "Luzhanqi : l'échelle",
    # the Tetris Bot report
    r"Example (\d)": r"Exemple \1",
    r"Example (\d): evolution": r"Exemple \1 : évolution",
    r"Last example: evolution": "Dernier exemple : évolution",
    r"Last example \(three weeks\)": "Dernier exemple (trois semaines)",
    r"The bot's default": "Réglage par défaut du bot",
    r"Filtering agent, of equals the first": "Agent par filtrage, le premier des ex æquo",
    # λ-policy iteration
    r"(λ = .+) \((\d+) runs\)": r"\1 (\2 exécutions)",
    r"λ-policy iteration on (\w+), dead walls worth 0 \(thesis, figure 2.4 (?:above|below), and (.+) to (.+)\)":
        r"λ-itération sur les politiques, \1, murs perdus de valeur 0 (thèse, figure 2.4, et \2 à \3)",
    r"λ-policy iteration with the historic error on (\w+) \(thesis, figure 2.5 (?:left|right), and (.+) to (.+)\)":
        r"λ-itération sur les politiques avec l'erreur historique, \1 (thèse, figure 2.5, et \2 à \3)",
    # cross-entropy
    r"Cross-entropy with three noises, (\d+) criteria, (\w+) \(thesis, figures 3.1 and 3.2\)":
        r"Entropie croisée avec trois bruits, \1 critères, \2 (thèse, figures 3.1 et 3.2)",
    r"Cross-entropy with the thesis' (\d+) criteria \(figure 3.5\), tested on (\w+)":
        r"Entropie croisée avec les \1 critères de la thèse (figure 3.5), testée sur \2",
    r"(\d+) criteria, (\w+)": r"\1 critères, \2",
    r"(\d+) criteria, (\w+) \((\d+) runs\)": r"\1 critères, \2 (\3 exécutions)",
    r"(\d+) criteria, (\w+) by splitting": r"\1 critères, \2 par branchement",
    r"(\d+) criteria, (\w+) by splitting \((\d+) runs\)": r"\1 critères, \2 par branchement (\3 exécutions)",
    r"mean": "moyenne",
    r"no noise": "sans bruit",
    r"no noise \((\d+) runs\)": r"sans bruit (\1 exécutions)",
    r"constant noise (\d+)": r"bruit constant \1",
    r"constant noise (\d+) \((\d+) runs\)": r"bruit constant \1 (\2 exécutions)",
    r"linear noise (.+) \((\d+) runs\)": r"bruit linéaire \1 (\2 exécutions)",
    r"linear noise (.+)": r"bruit linéaire \1",
    # SARSA
    r"SARSA on tic-tac-toe: games until nobody can beat it":
        "SARSA au morpion : parties jusqu'à ce que nul ne puisse le battre",
    r"games until no opponent could win: for the first time \(ring\), until the end \(dot\)":
        "parties jusqu'à ce qu'aucun adversaire ne puisse gagner : la première fois (cercle), pour de bon (point)",
    r"(\d+) of (\d+)": r"\1 sur \2",
    r"ε: (.+) falling to (.+)": r"ε : \1, baissant à \2",
    r"ε: (.+)": r"ε : \1",
    r"tables: one for both": "tables : une pour les deux",
    r"tables: of actions": "tables : des actions",
    r"symmetries: none": "symétries : aucune",
    r"rate and loss: the report: (.+), (.+)": r"taux et défaite, rapport : \1 ; \2",
    r"rate and loss: the report, (.+) for the drawn second": r"taux et défaite, rapport ; nulle du second \1",
    r"nothing: the defaults": "rien : les réglages par défaut",
    r"loss, draw, second's draw: (.+), (.+), (.+) \(the report\)":
        r"défaite, nulle, du second : \1 ; \2 ; \3 (rapport)",
    r"loss, draw, second's draw: (.+), (.+), (.+)": r"défaite, nulle, du second : \1 ; \2 ; \3",
    r"learning rate: (.+), constant": r"taux : \1, constant",
    r"learning rate: (.+), constant \(the report\)": r"taux : \1, constant (rapport)",
    r"learning rate: (.+) falling to (.+), geometric": r"taux : \1, baissant à \2, géométrique",
    r"learning rate: (.+) falling to ([\d.]+)": r"taux : \1, baissant à \2",
    r"discount: (.+)": r"facteur d'actualisation : \1",
    # a cluster
    r"seconds of a task": "durée d'une tâche, en secondes",
    r"share of the time that the cores play": "part du temps où les cœurs jouent",
    r"short games: (\d+) candidates, (\d+) games of (.+) s": r"parties courtes : \1 candidats, \2 parties de \3 s",
    r"10x20 at the record: (\d+) candidates, (\d+) games of (.+) s":
        r"10x20, record : \1 candidats, \2 parties de \3 s",
    r"(\d+) cores": r"\1 cœurs",
    r"A generation on many cores, by the length of a task":
        "Une génération sur beaucoup de cœurs, selon la durée d'une tâche",
    # Luzhanqi
    r"where (.+) sets up its army": r"où \1 dispose son armée",
    r"field marshal, at most (.+)%": r"maréchal, ≤ \1 %",
    r"general, at most (.+)%": r"général, ≤ \1 %",
    r"major general, at most (.+)%": r"général de division, ≤ \1 %",
    r"brigadier, at most (.+)%": r"général de brigade, ≤ \1 %",
    r"colonel, at most (.+)%": r"colonel, ≤ \1 %",
    r"major, at most (.+)%": r"commandant, ≤ \1 %",
    r"captain, at most (.+)%": r"capitaine, ≤ \1 %",
    r"lieutenant, at most (.+)%": r"lieutenant, ≤ \1 %",
    r"engineer, at most (.+)%": r"sapeur, ≤ \1 %",
    r"landmine, at most (.+)%": r"mine, ≤ \1 %",
    r"bomb, at most (.+)%": r"bombe, ≤ \1 %",
    r"flag, at most (.+)%": r"drapeau, ≤ \1 %",
}  # fmt: skip
"""English → French; both are patterns, and a picture's text is matched as a whole."""


def in_french(svg: str, agents: Collection[str]) -> str:
    """A picture with French words; the names of agents stay."""
    return TEXT.sub(lambda found: found[1] + translated(found[2], agents), svg)


def translated(text: str, agents: Collection[str]) -> str:
    """One text of a picture: a measured number with a comma, the number of a figure or an option as it is."""
    for pattern, french in FRENCH.items():
        if re.fullmatch(pattern, text):
            return re.sub(pattern, french, FRACTION.sub(",", text))
    if OPTION.fullmatch(text) or ((named := AGENT.fullmatch(text)) and named[1] in agents):
        return text
    if SAME.fullmatch(text):
        return FRACTION.sub(",", text)
    raise BadFile(f"{text!r} has no French in apprenti/lab/french.py: add it there.")


def translate(docs: Path, agents: Collection[str]) -> None:
    """Write NAME.fr.svg beside every picture."""
    for path in sorted(docs.glob("**/*.svg")):
        if not path.name.endswith(".fr.svg"):
            write_text(path.with_suffix(".fr.svg"), in_french(path.read_text(encoding="utf-8"), agents))
