"""Whole games by keyboard alone, from the first page to the end; games of a package that has no board; the buttons."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from apprenti.core.plugins import Entry
from tests.web import test_browser as shared
from tests.web.test_browser import begin, ended, go

browser, server, opened, pytestmark = shared.browser, shared.server, shared.opened, shared.pytestmark

READY = "() => document.querySelector('#state.over') || !/thinking/.test(document.querySelector('#state').textContent)"
IN_SIGHT = """(move) => { const [one, list] = [move, move.parentElement].map((each) => each.getBoundingClientRect());
  return one.top >= list.top && one.bottom <= list.bottom + 1 && one.right <= list.right + 1; }"""
EXAMPLES = Path(__file__).parents[2] / "examples"
ARROWS = {"ArrowUp": (-1, 0), "ArrowDown": (1, 0), "ArrowLeft": (0, -1), "ArrowRight": (0, 1)}
AT = "() => document.activeElement.dataset.point"


def tab_to(page, selector):
    """Press Tab until the keyboard is there."""
    for _ in range(60):
        if page.evaluate("(wanted) => document.activeElement.matches(wanted)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {selector}")


def chosen(page, game, **said):
    """Begin a game from the first page; `said` are fields to fill by typing."""
    tab_to(page, f".card.game[href='#/new/{game}']")
    page.keyboard.press("Enter")
    expect(page.locator("#begin")).to_be_focused()
    page.locator("main h1").evaluate("(title) => { title.tabIndex = -1; title.focus(); }")
    for selector, words in said.items():
        option = selector.startswith("option")
        if option and not page.locator("details[open]").count():
            tab_to(page, "summary")
            page.keyboard.press("Enter")
        tab_to(page, f"#{selector}".replace("_", "-", 1) if option else selector)
        page.keyboard.type(words)
    tab_to(page, "#begin")
    page.keyboard.press("Enter")
    page.locator(".board-holder > *").first.wait_for()


def test_tetris_by_keys_to_its_end_and_every_piece_is_told(opened):
    page = opened()
    chosen(page, "tetris")
    for pieces in range(1, 60):
        if ended(page).count():
            break
        page.keyboard.press("Space")
        page.locator(f"#state.over, #measure-pieces:text-is('{pieces}')").first.wait_for()
        expect(page.locator("#said")).to_have_text(
            re.compile("Piece [A-Z] in column|The piece|no room|sticks out|high")
        )
    expect(ended(page)).to_be_visible()
    tab_to(page, "#restart")
    page.keyboard.press("Enter")
    expect(page.locator("#measure-pieces")).to_have_text("0")
    page.go_back()
    tab_to(page, "#act-rematch")
    page.keyboard.press("Enter")
    expect(page.locator("#measure-pieces")).to_have_text("0")
    expect(page.locator("#tetris-level")).to_have_text("1")  # in real time, as before


@pytest.mark.parametrize(("game", "most"), [("tictactoe", 5), ("gomoku", 40)])
def test_mnk_by_keys_to_its_end(opened, game, most):
    page = opened()
    chosen(page, game, select="random")
    columns = 3 if game == "tictactoe" else 15
    page.keyboard.press("ArrowLeft")
    for number in range(columns * columns):
        page.wait_for_function(READY)
        if ended(page).count():
            break
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowRight")
        if (number + 1) % columns == 0:
            page.keyboard.press("ArrowDown")
    expect(ended(page)).to_be_visible()
    assert page.locator(".mark").count() <= 2 * most
    told = re.compile(f"{re.escape(ended(page).inner_text())}|the game is over")  # a key too many
    expect(page.locator("#said")).to_contain_text(told)


def stepped(point, way, points):
    """Where an arrow key leads: to the next point that way."""
    row, column = ord(point[0]) + way[0], int(point[1]) + way[1]
    while ord("A") <= row <= ord("L") and 0 <= column <= 4:
        if (found := f"{chr(row)}{column}") in points:
            return found
        row, column = row + way[0], column + way[1]
    return point


def walk(page, to):
    """With arrow keys to a point, the shortest way, as somebody does who sees the board."""
    points = set(page.locator(".luzhanqi-holder [data-point]").evaluate_all("(all) => all.map((p) => p.dataset.point)"))
    ways = {page.evaluate(AT): ()}
    waiting = list(ways)
    while to not in ways:
        here = waiting.pop(0)
        for key, way in ARROWS.items():
            found = stepped(here, way, points)
            if found not in ways:
                ways[found] = (*ways[here], key)
                waiting.append(found)
    for key in ways[to]:
        page.keyboard.press(key)
    assert page.evaluate(AT) == to


def test_luzhanqi_by_keys_to_its_end(opened):
    page = opened()
    chosen(page, "luzhanqi", select="random", option_rules="mini", option_quiet_limit="6", option_max_moves="30")
    page.locator(".luzhanqi-holder .movable").first.wait_for()
    page.keyboard.press("ArrowUp")
    for _ in range(20):
        page.wait_for_function(READY)
        if ended(page).count():
            break
        before = page.locator(".moves li").count()
        walk(page, page.locator(".luzhanqi-holder .movable").last.get_attribute("data-point"))
        page.keyboard.press("Enter")
        walk(page, page.locator(".target").last.get_attribute("data-point"))
        page.keyboard.press("Enter")
        page.locator(f".moves li:nth-child({before + 1}), #state.over").first.wait_for(state="attached")
    expect(ended(page)).to_be_visible()
    expect(page.locator("#army-shown")).to_be_visible()
    assert page.locator(".moves li").last.evaluate(IN_SIGHT)


@pytest.mark.parametrize(("name", "where"), [("race", "tests.toys:RACE"), ("2048", "game_2048:GAME")])
def test_a_packages_game_without_a_board_is_played_by_keys(opened, plug_in, monkeypatch, name, where):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    plug_in(games={name: Entry(where, "a game of a package")})
    page = opened()
    chosen(page, name)
    tab_to(page, ".move")
    for _ in range(12):
        page.wait_for_function(READY)
        if ended(page).count():
            break
        before = page.locator(".moves li").count()
        expect(page.locator(".move:focus")).to_have_count(1)  # on with the next move, without a Tab
        page.keyboard.press("Enter")
        page.locator(f".moves li:nth-child({before + 1}), #state.over").first.wait_for(state="attached")
    expect(ended(page)).to_be_visible() if name == "race" else expect(page.locator(".moves li")).to_have_count(12)


def test_after_a_button_was_pressed_by_mouse_the_keys_are_the_boards(opened):
    page = opened()
    begin(page, "tetris")
    page.locator(".falling").wait_for()
    page.locator("#pause").click()
    page.locator("#pause").click()
    page.keyboard.press("Space")
    expect(page.locator("#measure-pieces")).to_have_text("1")
    assert not page.locator(".overlay").count()


def test_no_dialog_outlives_its_page(opened):
    page = opened()
    begin(page, "tetris")
    page.locator("#controls").click()
    expect(page.locator("dialog")).to_be_visible()
    page.go_back()
    page.locator("#begin").wait_for()
    assert not page.locator("dialog").count()


def test_the_opponent_follows_the_size_of_the_board_and_a_wrong_size_is_told_at_once(opened):
    page = opened()
    go(page, "new/mnk")
    page.locator("summary").first.click()
    opponent = page.locator("select:has(option[value='mnk-threats'])")
    expect(opponent).to_have_value("mnk-perfect")
    for size, who in (("19x19x5", "mnk-threats"), ("3x3x3", "mnk-perfect")):
        page.locator("#option-size").fill(size)
        page.locator("#option-size").press("Tab")
        expect(opponent).to_have_value(who)
        expect(page.locator("#rules-said")).to_contain_text(size)
    page.locator("#option-size").fill("99x99x5")
    page.locator("#option-size").press("Tab")
    expect(page.locator("#rules-said")).to_contain_text("19")
