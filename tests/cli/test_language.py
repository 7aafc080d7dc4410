"""The terminal in French: by option, by variable, by locale; what programs read stays English."""

import json

import pytest

from apprenti.cli.language import listen, of_environment
from apprenti.cli.main import commands, main
from apprenti.core.errors import BadOption
from apprenti.core.french import in_french, speak, spoken


@pytest.fixture(autouse=True)
def english_again():
    yield
    speak("en")


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"APPRENTI_LANG": "en", "LANG": "fr_FR.UTF-8"}, "en"),
        ({"APPRENTI_LANG": "fr"}, "fr"),
    ],
)
def test_the_language_is_that_of_the_variable_else_of_the_locale(environment, language):
    assert of_environment(environment) == language


@pytest.mark.parametrize("words", [["--language", "fr", "games"], ["--language=fr", "games"]])
def test_the_option_stands_before_the_command_and_wins(words):
    assert listen(words, {"APPRENTI_LANG": "en"}) == ["games"]
    assert spoken() == "fr"


def test_a_language_there_is_not_is_refused():
    with pytest.raises(BadOption, match="--language is en or fr, not 'de'"):
        listen(["--language", "de", "games"], {})


def test_every_command_is_described_in_french():
    assert not [about for _, about in commands().values() if in_french(about) is None]


def test_tables_rules_and_sentences_are_french_and_json_is_english(capsys):
    assert main(["--language", "fr", "evaluate", "mnk-random", "--against", "mnk-one-ply", "--games", "2"]) == 0
    shown = capsys.readouterr().out
    for words in (
        "contre",
        "gagnées",
        "intervalle à 95 %",
        "règles",
        "alignés sur",
        "fins",
        "assez de marques alignées",
    ):
        assert words.replace(" %", "\N{NO-BREAK SPACE}%") in shown, words
    assert main(["--language", "fr", "games", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["tictactoe"]["about"] == "three in a row on 3 by 3"


def test_an_error_is_one_french_sentence(capsys):
    assert main(["--language", "fr", "evaluate", "dellacherei"]) == 2
    assert "il n'y a pas d'agent nommé 'dellacherei'" in capsys.readouterr().err


def test_figures_have_french_words_and_a_comma(tmp_path, capsys):
    picture = tmp_path / "figure.svg"
    assert main(["--language", "fr", "compare", "random", "random-moves", "--size", "6x6", "--rules", "tetrisbot",
                 "--games", "4", "--figure", str(picture)]) == 0  # fmt: skip
    assert picture.exists()
