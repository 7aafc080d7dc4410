"""Everything registered that a person reads has French, in the `fr.json` of its game or of the generic rooms."""

import ast
import json
import re
from collections import Counter
from pathlib import Path

import pytest

import apprenti
from apprenti.agents.description import ANY_GAME
from apprenti.core import errors
from apprenti.core.data import help_of
from apprenti.core.french import entries, in_french, places, translated
from apprenti.core.plugins import GAMES
from apprenti.core.protocols import CommonReason
from apprenti.games.luzhanqi import rules as luzhanqi
from apprenti.games.tetris import rules as tetris
from apprenti.games.tetris.criteria import CRITERIA
from apprenti.lab.agents import zoo
from apprenti.lab.experiments import known, read
from apprenti.lab.kinds.kind import KINDS
from apprenti.learn.methods import METHODS, config_class
from apprenti.store.agentfile import read_agent
from apprenti.web.scenes import scenes_of

SOURCE = Path(apprenti.__file__).parent
SPACE = "\N{NO-BREAK SPACE}"


def missing(texts):
    """Those texts that have no French."""
    return [text for text in texts if text and in_french(text) is None]


def rules_of(game):
    """The rules a game is usually played by, and every set of them with a name."""
    presets = {"tetris": tetris.PRESETS, "luzhanqi": luzhanqi.PRESETS}.get(game.name, {})
    return [game.rules(), game.rules(scenes_of(game).usual_rules()), *presets.values()]


@pytest.mark.parametrize("name", [*GAMES])
def test_what_a_game_calls_things(name):
    game = GAMES.load(name)
    reasons = [reason.words for reason in (*game.Reasons, *CommonReason)]
    assert not missing([GAMES[name].about, *game.sides, *reasons, *help_of(game.Options).values()])
    for rules in rules_of(game):
        assert not missing([game.describe(rules), game.note(rules), game.unit(rules)])


@pytest.mark.parametrize("name", [*GAMES])
def test_how_a_game_ended_and_what_it_came_to(name):
    game = GAMES.load(name)
    for reason in (*game.Reasons, *CommonReason):
        if game.players == 1:
            assert not missing([f"{reason.words}: 3"])
        assert not missing([f"you win: {reason.words}", f"a draw: {reason.words}"])


@pytest.mark.parametrize("method", [*METHODS])
def test_every_method_and_every_option(method):
    assert not missing([METHODS[method].about, *help_of(config_class(method)).values()])


def test_every_agent():
    titles = [read_agent(path).title for path in zoo().values()]
    assert len(titles) > 50
    assert not missing([*titles, *(entry.about for entry in ANY_GAME.values()), "learned here"])


def test_every_experiment_and_every_kind():
    experiments = [read(str(path)) for path in known().values()]
    assert not missing([text for each in experiments for text in (each.title, each.question)])
    assert not missing([kind.about for kind in KINDS.values()])


def test_every_criterion():
    assert not missing([name.replace("_", " ") for name in CRITERIA])


def headings_of(path):
    """The heads of tables that a module names: texts, and texts with places for numbers."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        if getattr(target, "id", getattr(target, "attr", "")) == "headings" and isinstance(node.value, ast.Tuple):
            yield from filter(None, map(literal, node.value.elts))


def literal(node):
    """A text of the source, with `7` where it has a place for something; None for anything else."""
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "7" for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def test_every_head_of_a_table():
    modules = [*SOURCE.glob("lab/kinds/*.py"), *SOURCE.glob("games/*/kinds/*.py"), SOURCE / "cli" / "tables.py"]
    headings = [heading for path in modules for heading in headings_of(path)]
    assert len(headings) > 60
    assert not missing(headings)


ERRORS = {name for name, kind in vars(errors).items() if isinstance(kind, type)} | {
    *("BadForm", "BadUsage", "Nameless", "NotYours", "Refused")
}
PASSED_ON = ("7: 7", "7, not 7.", "--7 7, not 7.", "7 (apprenti 7 --help shows what there is).")
"""Sentences that are made of others, which have French of their own."""


def sentences_of(path):
    """The sentences of errors that a module raises, each with `7` where it has a place for something."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        called = getattr(node, "func", None)
        if getattr(called, "id", getattr(called, "attr", "")) in ERRORS - {"UnknownName", "MissingExtra"}:
            yield from (text for text in map(literal, node.args[:2]) if text and " " in text and text not in PASSED_ON)


def test_every_sentence_of_an_error():
    sentences = [sentence for path in SOURCE.rglob("*.py") for sentence in sentences_of(path)]
    assert len(sentences) > 500
    assert not missing(sentences)


def test_every_kind_of_name_there_is_not():
    for what in ("agent", "game", "run", "method", "criterion", "piece", "way to break ties"):
        for end in ("did you mean bcts?", "there is bcts, dt-10."):
            assert "nommé" in translated(f"there is no {what} called 'bct': {end}", "fr")


def test_options_in_sentences_stay_as_they_are_typed():
    assert (
        translated("--elite must be between 0 and 1, not 3.5.", "fr") == "--elite doit être entre 0 et 1, et non 3,5."
    )


def test_a_sentence_may_follow_a_name():
    assert translated("ga: --gamma is from 0 to 1, not 2.5.", "fr") == f"ga{SPACE}: --gamma est de 0 à 1, et non 2,5."


def test_every_file_is_tables_of_texts_that_stand_once():
    assert len(places()) == 5
    texts = [english for place in places() for english, _ in entries(place)]
    twice = [text for text, count in Counter(texts).items() if count > 1]
    assert not twice
    for place in places():
        assert all(isinstance(table, dict) for table in json.loads(place.read_text(encoding="utf-8")).values())


def test_french_repeats_the_parts_of_its_english_and_uses_no_straight_quotes():
    for place in places():
        for english, french in entries(place):
            parts = len(re.findall(r"\((?:\.|\\d|(?:--)?\\S)\+\)", english))
            used = {int(number) for number in re.findall(r"\\(\d)", french)}
            assert used <= set(range(1, parts + 1)), english
            assert french and not re.search(r"[“”]", french), french


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("the pile is too high", "la pile est trop haute"),
        ("the pile is too high: 30 lines, 84 pieces", f"la pile est trop haute{SPACE}: 30 lignes, 84 pièces"),
        ("deniz (south) wins: the flag fell", f"deniz (sud) gagne{SPACE}: le drapeau est tombé"),
        ("mean 1.031 M", "moyenne 1,031 M"),
        ("what has no French, stays", "what has no French, stays"),
    ],
)
def test_parts_are_translated_in_turn_and_numbers_have_a_comma(english, french):
    assert translated(english, "fr") == french
    assert translated(english, "en") == english
