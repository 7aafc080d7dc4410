"""The page in a real browser: by keyboard and by mouse, in both languages, dark, on a phone."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from shutil import which

import pytest
from playwright.sync_api import expect, sync_playwright

from apprenti.web.server import Server

CHROMIUM = which("chromium") or which("chromium-browser") or which("google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
         "--disable-sync"]  # fmt: skip
PATIENCE = 40_000
"""Milliseconds to wait for what must happen: a busy machine compiles, and nobody who is in time waits for long."""
IN_CI = os.environ.get("CI") == "true"

pytestmark = pytest.mark.skipif(
    CHROMIUM is None and not IN_CI, reason="the page is tested with Debian's chromium, which is not installed here"
)


@pytest.fixture(scope="module")
def browser():
    assert CHROMIUM, "the tests of the page need chromium: apt-get install chromium"
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield started
        started.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("replays"))
    thread = threading.Thread(target=server.run)
    thread.start()
    yield server
    server.stop()
    thread.join(20)


@pytest.fixture
def opened(browser, server):
    """Opens the page as somebody has it; every mistake of a script fails the test."""
    contexts, wrong = [], []

    def open_page(size=(1280, 860), **settings):
        settings = {"locale": "en-GB", "viewport": {"width": size[0], "height": size[1]}} | settings
        context = browser.new_context(**settings)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: said.type == "error" and "400" not in said.text and wrong.append(said.text))
        page.goto(server.address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not wrong


def go(page, place):
    page.goto(f"{page.url.partition('#')[0]}#/{place}")


def begin(page, game):
    go(page, f"new/{game}")
    page.locator("#begin").click()


def ended(page):
    return page.locator("#state.over")


def cells(page):
    return [mark.get_attribute("data-move") for mark in page.locator(".cell:not(.playable)").all()]


def play_any(page):
    """Mark free cells with the mouse until the game is over."""
    while True:
        page.locator("#state.over, .cell.playable").first.wait_for()
        if ended(page).count():
            return
        before = page.locator(".mark").count()
        page.locator(".cell.playable").first.click()
        expect(page.locator(".mark")).not_to_have_count(before)
        expect(page.locator("#state")).not_to_have_text(re.compile("thinking"))


def test_tictactoe_by_mouse_with_values_undo_rematch_and_the_score_of_the_sitting(opened):
    page = opened()
    begin(page, "tictactoe")
    page.locator("[data-move='4']").click()
    expect(page.locator(".mark")).to_have_count(2)
    page.locator("#adviser").select_option("mnk-perfect")
    page.locator("#act-hint").click()
    expect(page.locator(".worth")).to_have_count(7)
    page.locator("#act-undo").click()
    expect(page.locator(".mark")).to_have_count(0)
    play_any(page)
    expect(page.locator("#standing")).to_be_visible()
    page.locator("#act-rematch").click()
    expect(page.locator(".players li").nth(1)).to_contain_text("you")
    expect(page.locator(".mark")).to_have_count(1)


def test_a_game_counts_for_who_ticks_it_and_the_ladder_shows_it(opened, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = opened()
    go(page, "new/tictactoe")
    expect(page.locator("#rated-name")).to_be_hidden()
    page.locator("#rated").check()
    page.locator("#begin").click()
    expect(page.locator("#toast")).to_contain_text("under which name")
    page.locator("#rated-name").fill("Ada")
    page.locator("#begin").click()
    expect(page.locator("#rated-as")).to_contain_text("counts for Ada")
    expect(page.locator("#act-hint")).to_be_hidden()
    page.locator("[data-move='4']").click()
    expect(page.locator(".mark")).to_have_count(2)
    page.locator("#act-resign").click()
    page.locator("#rated-as a").click()
    expect(page.locator("#main table").first).to_contain_text("Ada")
    expect(page.locator("#main table").first).to_contain_text("0 – 0 – 1")


def test_gomoku_by_keyboard_alone_and_every_move_is_told(opened):
    page = opened()
    go(page, "new/gomoku")
    page.locator("select:has(option[value='mnk-random'])").select_option("mnk-random")  # it compiles nothing
    page.locator("#begin").click()
    page.locator(".mnk").wait_for()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-move='111']")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".mark")).to_have_count(2)
    expect(page.locator("#said")).to_contain_text("Your turn")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    expect(page.locator(".mark")).to_have_count(4)
    assert {"111", "96"} <= set(cells(page))
    page.locator("[data-move='0']").focus()  # as a screen reader does
    page.keyboard.press("Enter")
    expect(page.locator(".mark")).to_have_count(6)
    assert "0" in cells(page)


def test_a_game_survives_a_refresh_and_is_listed_to_go_on_with(opened):
    page = opened()
    begin(page, "tictactoe")
    page.locator("[data-move='0']").click()
    expect(page.locator(".mark")).to_have_count(2)
    marks = cells(page)
    page.reload()
    expect(page.locator(".mark")).to_have_count(2)
    assert cells(page) == marks
    address = page.url
    go(page, "")
    page.locator(f".list a[href='{address.partition('/#')[2] and '#' + address.partition('#')[2]}']").click()
    expect(page.locator(".mark")).to_have_count(2)


def test_tetris_in_real_time_by_keys_falls_repeats_pauses_and_restarts_with_the_same_pieces(opened):
    page = opened()
    begin(page, "tetris")
    expect(page.locator("#tetris-level")).to_have_text("1")
    first = page.locator(".tetris").get_attribute("aria-label")[:7]
    page.keyboard.press("Space")
    expect(page.locator("#measure-pieces")).to_have_text("1")
    page.keyboard.down("ArrowLeft")  # held: it repeats until the wall
    expect(page.locator(".tetris")).to_have_attribute("aria-label", re.compile("column 1,"))
    page.keyboard.up("ArrowLeft")
    page.keyboard.press("p")
    expect(page.locator(".overlay")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.locator("#measure-pieces")).to_have_text("1")
    page.keyboard.press("p")
    page.keyboard.press("Space")
    expect(page.locator("#measure-pieces")).to_have_text("2")
    page.locator("#restart").click()
    expect(page.locator("#measure-pieces")).to_have_text("0")
    assert first.startswith("Piece ")
    expect(page.locator(".tetris")).to_have_attribute("aria-label", re.compile(first))


def test_tetris_turn_by_turn_by_mouse_with_advice_and_other_keys(opened):
    page = opened()
    go(page, "new/tetris")
    page.locator("#mode").select_option("turns")
    page.locator("summary").first.click()
    page.locator("#option-max_pieces").fill("4")
    page.locator("#begin").click()
    page.locator(".falling").wait_for()
    page.locator("#adviser").select_option("dellacherie")
    page.locator("#act-hint").click()
    expect(page.locator(".advised")).to_be_visible()
    expect(page.locator(".tint").first).to_be_attached()
    expect(page.locator(".parts")).to_contain_text("holes")
    for pieces in (1, 2):
        page.locator(".tetris").click(position={"x": 20 + 40 * pieces, "y": 200})
        expect(page.locator("#measure-pieces")).to_have_text(str(pieces))
    page.locator("#controls").click()
    page.locator("#key-drop").click()
    page.keyboard.press("k")
    page.locator("dialog .primary").click()
    page.keyboard.press("k")
    expect(page.locator("#measure-pieces")).to_have_text("3")
    page.keyboard.press("k")
    expect(ended(page)).to_contain_text("last piece")


def test_a_race_is_two_boards_and_the_agent_follows(opened):
    page = opened()
    go(page, "new/tetris")
    page.locator("#rival").select_option("dellacherie")
    page.locator("#pace").select_option("piece")
    page.locator("#begin").click()
    expect(page.locator(".rival .tetris")).to_be_visible()
    page.keyboard.press("Space")
    expect(page.locator("#measure-pieces")).to_have_text("1")
    expect(page.locator(".rival .block:not(.falling)").first).to_be_attached()


def race(page, goal, size="6x8"):
    """A race on a small board against an agent that places as many pieces as there are."""
    go(page, "new/tetris")
    page.locator("#mode").select_option("turns")
    page.locator("#rival").select_option("dellacherie")
    page.locator("#pace").select_option("0.5")
    page.locator("#goal").select_option(goal)
    page.locator("summary").first.click()
    page.locator("#option-size").fill(size)
    page.locator("#option-max_pieces").fill("14")
    page.locator("summary").nth(1).click()
    page.locator("#seed").fill("1")
    page.locator("#begin").click()
    expect(page.locator(".rival .tetris")).to_be_visible()


@pytest.mark.parametrize(
    ("locale", "goal", "last"),
    [
        ("en-GB", "lines", r"^dellacherie wins by \d lines?: \d lines? to your \d lines?\.$"),
        ("fr-FR", "pieces", r"^dellacherie gagne de \d+ pièces? : \d+ pièces contre \d+ pièces? pour vous\.$"),
    ],
)
def test_a_race_goes_on_until_both_have_ended_and_says_who_won_and_by_how_much(opened, locale, goal, last):
    page = opened(locale=locale)
    race(page, goal)
    while not ended(page).count():
        before = page.locator("#measure-pieces").text_content()
        page.keyboard.press("Space")
        expect(page.locator("#measure-pieces")).not_to_have_text(before)
    reached = page.locator("#rival-score").text_content()
    expect(page.locator("#race-end")).to_have_text(re.compile("plays on|joue encore"))
    page.locator("#race-faster").click()
    expect(page.locator("#rival-score")).not_to_have_text(reached)
    expect(page.locator("#race-end")).to_have_text(re.compile(last))
    expect(page.locator("#race-faster")).to_be_hidden()


STANDINGS = """async () => {
  const { standing } = await import("/static/games/tetris/race.js");
  const of = (count, over) => ({ count, over });
  return [[12, true, 9, true], [9, true, 9, true], [0, false, 1, true], [2, false, 1, true], [2, true, 2, false],
    [2, false, 1, false]]
    .map(([mine, over, its, done]) => standing("lines", "it", of(mine, over), of(its, done)).sentence);
}"""


def test_a_race_is_told_by_what_both_have_and_never_a_draw_while_one_plays(opened):
    assert opened().evaluate(STANDINGS) == [
        "You win by 3 lines: 12 lines to 9 lines.",
        "A draw: you and it both have 9 lines.",
        "it has ended with 1 line. Play on: you have 0 lines.",
        "You have won already, by 1 line so far (2 lines to 1 line). Play on as long as you can.",
        "You have ended with 2 lines. it plays on: 2 lines so far.",
        "",
    ]


def test_any_game_without_a_board_is_played_by_buttons_and_typed_moves(opened, monkeypatch):
    monkeypatch.setattr("apprenti.web.scenes.SCENES", {})
    page = opened()
    begin(page, "tictactoe")
    page.locator(".moves-to-choose [data-move='4']").click()
    expect(page.locator(".moves li")).to_have_count(2)
    page.locator(".typed").fill("77")
    page.keyboard.press("Enter")
    expect(page.locator("#toast")).to_contain_text("no cell 77")


def test_watching_goes_back_and_forth_at_any_speed_with_what_the_agent_thinks(opened):
    page = opened()
    go(page, "watch?game=tictactoe")
    page.locator("#agent-0").select_option("mnk-perfect")
    page.locator("#begin").click()
    page.locator("#explain").check()
    expect(page.locator(".explained")).to_contain_text("would play")
    for _ in range(8):
        page.keyboard.press("+")
    expect(page.locator("#pace")).to_contain_text("as fast")
    expect(ended(page)).to_be_visible()
    marks = page.locator(".mark").count()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".mark")).to_have_count(marks - 1)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".mark")).to_have_count(marks)


def test_a_wall_shows_many_boards_and_the_mean(opened):
    page = opened()
    go(page, "wall?game=tictactoe")
    page.locator("#agent").select_option("mnk-random")
    page.locator("#games").select_option("64")
    page.locator("#speed").select_option("0")
    page.locator("#begin").click()
    expect(page.locator(".wall-board svg")).to_have_count(64)
    expect(page.locator("#statistics")).to_contain_text("64 of 64")
    expect(page.locator(".mean")).to_be_visible()
    bottom = "() => document.querySelector('.wall').getBoundingClientRect().bottom"
    assert page.evaluate(bottom) <= page.viewport_size["height"]  # all of them are seen at once
    go(page, "wall?game=tictactoe&agent=nobody&games=16")
    expect(page.locator(".notice")).to_contain_text("'nobody' is not among the agents")
    go(page, "watch?game=tictactoe&players=%5B")
    expect(page.locator(".notice")).to_contain_text("This link was cut")


def test_a_replay_is_verified_linked_opened_elsewhere_and_gone_on_with(opened, server, tmp_path):
    page = opened(permissions=["clipboard-read", "clipboard-write"])
    begin(page, "tictactoe")
    play_any(page)
    page.locator("#act-replay").click()
    expect(page.locator("#verified")).to_be_visible()
    page.locator("#copy-link").click()
    expect(page.locator("#copy-link")).to_have_text("Copied")
    link = page.evaluate("() => navigator.clipboard.readText()")
    assert "#/replay/z:" in link
    other = opened()
    other.goto(link)
    expect(other.locator("#verified")).to_be_visible()
    other.locator("#replay-first").click()
    expect(other.locator(".mark")).to_have_count(0)
    other.keyboard.press("ArrowRight")
    expect(other.locator(".mark")).to_have_count(1)
    other.locator("summary").first.click()
    other.locator("#continue").click()
    expect(other.locator(".mark").first).to_be_visible()
    expect(other.locator("#act-hint")).to_be_visible()
    stored = sorted(server.page.games.folder.glob("*.json"))[0]
    page.goto(f"{page.url.partition('#')[0]}#/replays")
    altered = tmp_path / "altered.json"
    altered.write_text(json.dumps({**json.loads(stored.read_text()), "seed": 99}))
    page.locator("#file").set_input_files(str(altered))
    expect(page.locator(".notice")).to_contain_text("altered")


def test_both_languages_and_both_colours_are_kept(opened):
    page = opened(locale="fr-FR", color_scheme="dark")
    expect(page.locator("h1")).to_have_text("À quoi jouons-nous ?")
    assert page.evaluate("() => document.documentElement.lang") == "fr"
    dark = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    page.locator("#theme").click()
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") != dark
    page.locator("#language").click()
    expect(page.locator("h1")).to_have_text("What shall we play?")
    page.reload()
    expect(page.locator("h1")).to_have_text("What shall we play?")
    assert page.evaluate("() => document.documentElement.dataset.theme") == "light"


PLACES = ["", "new/tetris", "new/gomoku", "watch", "wall", "replays"]


def test_nothing_sticks_out_on_a_phone_and_fingers_can_play(opened):
    page = opened(size=(360, 740), has_touch=True, is_mobile=True)
    for place in PLACES:
        go(page, place)
        page.locator("main h1, main h2").first.wait_for()
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), place
    go(page, "new/tetris")
    page.locator("#begin").tap()
    page.locator(".pad.drop").tap()
    expect(page.locator("#measure-pieces")).to_have_text("1")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


UNNAMED = """() => [...document.querySelectorAll("button, a, input, select, [role=img], [role=grid], [role=gridcell]")]
  .filter((each) => each.checkVisibility())
  .filter((each) => !(each.ariaLabel || each.textContent.trim() || each.labels?.length || each.title || each.alt))
  .map((each) => each.outerHTML.slice(0, 120))"""


def test_everything_has_a_name_for_screen_readers_and_one_title(opened):
    page = opened()
    for place in PLACES:
        go(page, place)
        page.locator("main h1").first.wait_for()
        assert page.evaluate(UNNAMED) == [], place
        assert page.locator("main h1").count() == 1, place
    begin(page, "tictactoe")
    page.locator(".mnk").wait_for()
    assert page.evaluate(UNNAMED) == []


def test_a_killed_server_is_told_and_the_game_goes_on_with_the_next(browser, tmp_path):
    def started():
        words = [sys.executable, "-m", "apprenti", "web", "--no-browser", "--port", str(port), "--folder", "games"]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=tmp_path)
        address = process.stdout.readline().split()[-1]
        return process, address

    port = 0
    first, address = started()
    port = int(re.search(r":(\d+)/", address)[1])
    second = None
    context = browser.new_context(locale="en-GB")
    context.set_default_timeout(PATIENCE)
    try:
        page = context.new_page()
        page.goto(address)
        begin(page, "tictactoe")
        page.locator("[data-move='4']").click()
        expect(page.locator(".mark")).to_have_count(2)
        first.send_signal(signal.SIGKILL)
        first.wait(20)
        expect(page.locator("#line")).to_contain_text("does not answer")
        second, address = started()
        other = context.new_page()
        other.goto(address)
        other.goto(f"{other.url.partition('#')[0]}#{page.url.partition('#')[2]}")
        expect(other.locator(".mark")).to_have_count(2)
        other.locator(".cell.playable").first.click()
        expect(other.locator(".mark")).to_have_count(4)
    finally:
        context.close()
        for process in filter(None, (first, second)):
            process.kill()
            process.wait(20)
            process.stdout.close()
    assert list(Path(tmp_path, "games").glob("*.json"))
