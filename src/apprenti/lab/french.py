"""Pictures of docs/ in French: the words of an SVG are translated, what is drawn stays.

`python -m apprenti.lab.published` writes NAME.fr.svg beside every NAME.svg. A picture with words that are not in the
table, nor in the `pictures.json` of a game, is refused: add them.
"""

import re
from collections.abc import Collection
from functools import cache
from pathlib import Path

from apprenti.core.errors import BadFile
from apprenti.core.plugins import folders
from apprenti.lab.experiments import PICTURES
from apprenti.store.files import read_json, write_text

TEXT = re.compile(r"(<text\b[^>]*>)([^<]+)(?=</text>)")
FRACTION = re.compile(r"(?<=\d)\.(?=\d)")
SAME = re.compile(r"[^a-zA-Z]*|Elo|maximum|[\d.]+ M")
"""Numbers, and words that are French, too."""
OPTION = re.compile(r"[a-z_]+: \S+")
AGENT = re.compile(r"([a-z\d-]+)(?:, [a-z]+ \d+x\d+)?")
"""An agent, and its rules and board."""
FRENCH = {
    "games": "parties",
    "generation": "génération",
    "iteration": "itération",
    "average": "moyenne",
    "means": "moyennes",
    "mean (.+)": r"moyenne \1",
    "± deviation (.+)": r"± écart type \1",
    "published": "publié",
    "measured here": "mesuré ici",
    "(.+), published": r"\1, publié",
    "(.+), here": r"\1, ici",
    "measured / published, with 95 % intervals": "mesuré / publié, avec des intervalles à 95 %",
    "with 95 % intervals": "avec des intervalles à 95 %",
    "Elo and its 95 % interval": "Elo et son intervalle à 95 %",
    r"Published scores, measured again: (\d+) of (\d+) agree":
        r"Scores publiés, mesurés de nouveau : \1 sur \2 concordent",
    r"Measured again: (\d+) of (\d+) agree": r"Mesurés de nouveau : \1 sur \2 concordent",
    "mean": "moyenne",
    r"(\d+) of (\d+)": r"\1 sur \2",
    "seconds of a task": "durée d'une tâche, en secondes",
    "share of the time that the cores play": "part du temps où les cœurs jouent",
    r"short games: (\d+) candidates, (\d+) games of (.+) s": r"parties courtes : \1 candidats, \2 parties de \3 s",
    r"(\d+) cores": r"\1 cœurs",
    "A generation on many cores, by the length of a task":
        "Une génération sur beaucoup de cœurs, selon la durée d'une tâche",
}  # fmt: skip
"""English → French; both are patterns, and a picture's text is matched as a whole."""


@cache
def phrases() -> dict[str, str]:
    """These, and after them what the pictures of each game have to say."""
    places = [folder / PICTURES for folder in folders("experiments")]
    of_games = [read_json(path, "what is drawn of results").get("french", {}) for path in places if path.exists()]
    return dict(pair for each in (FRENCH, *of_games) for pair in each.items())


def in_french(svg: str, agents: Collection[str]) -> str:
    """A picture with French words; the names of agents stay."""
    return TEXT.sub(lambda text: text[1] + translated(text[2], agents), svg)


def translated(text: str, agents: Collection[str]) -> str:
    """One text of a picture: a measured number with a comma, the number of a figure or an option as it is."""
    for pattern, french in phrases().items():
        if re.fullmatch(pattern, text):
            return re.sub(pattern, french, FRACTION.sub(",", text))
    if OPTION.fullmatch(text) or ((named := AGENT.fullmatch(text)) and named[1] in agents):
        return text
    if SAME.fullmatch(text):
        return FRACTION.sub(",", text)
    raise BadFile(f"{text!r} has no French in apprenti/lab/french.py, nor in {PICTURES}: add it there.")


def translate(docs: Path, agents: Collection[str]) -> None:
    """Write NAME.fr.svg beside every picture."""
    for path in sorted(docs.glob("**/*.svg")):
        if not path.name.endswith(".fr.svg"):
            write_text(path.with_suffix(".fr.svg"), in_french(path.read_text(encoding="utf-8"), agents))
