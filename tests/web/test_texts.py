"""Every text of the page exists in both languages, and every text that is used exists."""

import json
import re
from pathlib import Path

from apprenti.core.plugins import GAMES
from apprenti.web.app import STATIC
from apprenti.web.files import Files
from apprenti.web.scenes import page_folders
from tests.web.pictures import LABORATORY, LANGUAGES, LARGEST, PICTURES

DOCS = Path(__file__).parents[2] / "docs"
FILES = Files(STATIC, page_folders())
SOURCES = [path for name, path in FILES.paths.items() if name.endswith(".js")]
TABLES = {name: path for name, path in FILES.paths.items() if name.endswith("texts.json")}
OF_GAMES = re.compile("tetris|luzhanqi|gomoku|tictactoe|mnk|piece", re.IGNORECASE)


def table():
    """The texts of the page and of all games."""
    return json.loads(FILES.read("texts.json").content)


def test_every_text_stands_once_in_both_languages_with_the_same_places_for_words():
    entries = [entry for path in set(TABLES.values()) for entry in json.loads(path.read_text(encoding="utf-8")).items()]
    assert len(entries) == len(table())
    for key, words in entries:
        assert list(words) == ["en", "fr"], key
        english, french = words.values()
        assert french and english, key
        assert set(re.findall(r"\{\d\}", english)) == set(re.findall(r"\{\d\}", french)), key


def test_the_page_knows_no_game():
    for path in STATIC.rglob("*.*"):
        assert not OF_GAMES.search(path.read_text(encoding="utf-8")), path


def test_every_text_that_is_used_exists():
    texts, used = table(), set()
    for path in SOURCES:
        source = path.read_text(encoding="utf-8")
        used |= set(re.findall(r'\btext\(\s*"([^"]+)"', source))
        used |= {key for pair in re.findall(r'\btext\([^()]*\? "([^"]+)" : "([^"]+)"\)', source) for key in pair}
        used |= set(re.findall(r'\], "((?:keys|tetris\.key)\.[a-z.]+)"\]', source))
    assert len(used) > 80
    assert used <= set(texts), used - set(texts)


def test_no_text_is_there_for_nothing():
    sources = "".join(path.read_text(encoding="utf-8") for path in SOURCES)
    made = ("game.", "option.", "measure.", "player.", "act.", "tetris.action.", "luzhanqi.",
            "line.", "tetris.race.", "tetris.lines", "tetris.pieces", "state.", "kind.", "metric.", "run.by.",
            "reproduce.", "solve.", "run.layouts", "run.known", "refusal.")  # fmt: skip
    for key in table():
        assert f'"{key}"' in sources or key.startswith(made), key


def test_what_games_call_things_is_said_in_both_languages():
    texts = table()
    for name in GAMES:
        options = GAMES.load(name).Options.__dataclass_fields__
        wanted = {f"game.{name}", *(f"option.{option}" for option in options)}
        assert wanted <= set(texts), wanted - set(texts)


def test_no_file_of_the_page_is_a_strangers_or_reads_html():
    for path in FILES.paths.values():
        source = path.read_text(encoding="utf-8")
        assert "https://" not in source, path
        assert not re.search(r"innerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", source), path


def test_scripts_are_checked_by_type_fit_on_a_screen_and_change_no_element_of_the_browser():
    for path in SOURCES:
        source = path.read_text(encoding="utf-8")
        assert source.startswith("// @ts-check\n") and max(map(len, source.splitlines())) <= 120, path
        assert ".prototype" not in source, path


def test_pictures_of_the_page_are_few_small_and_shown():
    shown = (DOCS.parent / "README.md", DOCS.parent / "LISEZMOI.md", *DOCS.glob("*.md"))
    pages = "".join(path.read_text(encoding="utf-8") for path in shown)
    pictures = [*DOCS.glob("page-*.png"), *DOCS.glob("page-*.gif")]
    assert {path.name for path in pictures} == {
        f"page-{name}{ending}{kind}"
        for name, kind in (*((name, ".png") for name in (*PICTURES, *LABORATORY)), ("watch", ".gif"))
        for ending in LANGUAGES
    }
    for path in pictures:
        assert path.stat().st_size <= LARGEST * (2 if path.suffix == ".gif" else 1) and path.name in pages, path
