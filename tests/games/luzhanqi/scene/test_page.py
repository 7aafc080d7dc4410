"""Luzhanqi in a real browser: armies set up, games by mouse and by keyboard, what is known, the end."""

import re

import pytest
from playwright.sync_api import expect

from tests.web import test_browser as shared
from tests.web.test_browser import UNNAMED, ended, go

browser, server, opened, pytestmark = shared.browser, shared.server, shared.opened, shared.pytestmark


def at(page, name):
    return page.locator(f"[data-point='{name}']")


def form(page, opponent="luzhanqi-random", **options):
    """The form of a new game."""
    go(page, "new/luzhanqi")
    at(page, "G2").wait_for()
    page.locator("select:has(option[value='luzhanqi-random'])").select_option(opponent)
    if options:
        page.locator("summary").first.click()
    for name, value in options.items():
        page.locator(f"#option-{name}").fill(str(value))
        page.locator(f"#option-{name}").press("Tab")


def begin(page, **options):
    form(page, **options)
    page.locator("#begin").click()
    page.locator(".luzhanqi-holder .movable").first.wait_for()


def book(page):
    """The first layout of the book: G0 is a captain, G1 a major general, H0 a colonel, L1 the flag."""
    page.locator("#book").click()
    expect(page.locator("#setup-status")).to_contain_text("1 of")
    expect(at(page, "G0")).to_have_attribute("aria-label", "G0, captain")


def drag(page, first, second):
    """With the mouse, as a hand does it: in steps."""
    for name, act in ((first, page.mouse.down), (second, page.mouse.up)):
        box = at(page, name).bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=6)
        act()


def number(page):
    """Moves made, as the list has them."""
    return page.locator(".moves li").count()


def moved(page, before):
    """Wait until the enemy has answered or the game is over."""
    page.locator(f".moves li:nth-child({before + 2}), #state.over").first.wait_for(state="attached")
    page.locator(".luzhanqi-holder .movable, #state.over").first.wait_for()


def test_an_army_is_set_up_by_drag_by_keys_and_by_touch_saved_edited_and_played_with(opened):
    page = opened()
    form(page)
    book(page)
    drag(page, "G0", "G1")
    expect(at(page, "G0")).to_have_attribute("aria-label", "G0, major general")
    expect(at(page, "G1")).to_have_attribute("aria-label", "G1, captain")
    drag(page, "L1", "G0")  # the flag stays in headquarters
    expect(page.locator("#toast")).to_contain_text("a flag begins in a headquarters")
    drag(page, "G0", "H1")
    expect(page.locator("#toast")).to_contain_text("Camps stay empty")
    expect(at(page, "L1")).to_have_attribute("aria-label", "L1, headquarters, flag")
    at(page, "G0").click()  # two presses do what a drag does
    expect(page.locator(".army .aim").first).to_be_attached()
    at(page, "G1").click()
    expect(at(page, "G0")).to_have_attribute("aria-label", "G0, captain")
    at(page, "G1").focus()
    for key in ("Enter", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(at(page, "G2")).to_have_attribute("aria-label", "G2, major general")
    page.locator("#layout-name").fill("mine")
    page.locator("#save-layout").click()
    page.locator("#any-layout").click()
    page.reload()
    at(page, "G2").wait_for()
    page.locator("#saved").select_option("mine")
    expect(at(page, "G1")).to_have_attribute("aria-label", "G1, lieutenant")
    expect(at(page, "G2")).to_have_attribute("aria-label", "G2, major general")
    drag(page, "G0", "G4")
    page.locator("#save-layout").click()
    expect(page.locator("#saved option")).to_have_count(2)
    page.locator("#begin").click()
    page.locator(".luzhanqi-holder .movable").first.wait_for()
    expect(at(page, "G2")).to_have_attribute("aria-label", re.compile("^G2, major general"))
    go(page, "new/luzhanqi")
    page.locator("#saved").select_option("mine")
    page.locator("#delete-layout").click()
    expect(page.locator("#saved")).to_have_count(0)


def test_the_army_follows_the_rules_that_are_chosen(opened):
    page = opened()
    form(page, rules="mini")
    expect(page.locator(".army .piece")).to_have_count(8)
    expect(page.locator("#book")).to_have_count(0)
    page.locator("#begin").click()
    expect(page.locator(".luzhanqi-holder [data-point]")).to_have_count(42)
    expect(page.locator(".luzhanqi-holder .piece")).to_have_count(16)


SLOWER = """() => { const asked = window.fetch;
  window.fetch = async (where, ...rest) => {
    if (String(where).includes("/api/setup")) await new Promise((done) => setTimeout(done, 500));
    return asked(where, ...rest);
  }; }"""


def test_who_begins_before_the_army_has_followed_the_rules_gets_the_army_of_these_rules(opened):
    page = opened()
    page.evaluate(SLOWER)
    begin(page, rules="mini")
    assert page.locator(".luzhanqi-holder .movable").count() < 8


def test_a_game_by_mouse_and_keyboard_to_its_end_shows_the_enemys_army(opened):
    page = opened()
    begin(page, quiet_limit=9)
    expect(page.locator(".enemy.unknown")).to_have_count(25)
    assert page.evaluate(UNNAMED) == []
    page.keyboard.press("ArrowUp")  # by keys: the cursor is on G2, so F2, and back
    page.keyboard.press("ArrowDown")
    expect(at(page, "G2")).to_be_focused()
    while not page.locator(".point.chosen").count():
        page.keyboard.press("Enter")
        if not page.locator(".point.chosen").count():
            page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    expect(page.locator(".point.chosen")).to_have_count(0)
    page.keyboard.press("Enter")
    target = page.locator(".target").first.get_attribute("data-point")
    here = page.locator(".point.chosen").get_attribute("data-point")
    down, right = ord(target[0]) - ord(here[0]), int(target[1]) - int(here[1])
    for key, times in (("ArrowUp", -down), ("ArrowDown", down), ("ArrowLeft", -right), ("ArrowRight", right)):
        for _ in range(max(0, times)):
            page.keyboard.press(key)
    page.keyboard.press("Enter")
    moved(page, 0)
    expect(page.locator("#said")).to_contain_text("Your turn")
    assert page.locator(f"[data-arrow='{here}{target}']").count() == 1
    while not ended(page).count():
        before = number(page)
        page.locator(".luzhanqi-holder .movable").first.click()
        free = page.locator(".target:not(:has(.piece))")
        (free if free.count() else page.locator(".target")).last.click()
        moved(page, before)
    expect(page.locator("#army-shown")).to_be_visible()
    expect(page.locator(".luzhanqi-holder .unknown")).to_have_count(0)
    assert page.locator(".luzhanqi-holder .enemy").count() >= 17


def test_a_piece_is_dragged_to_where_it_may_go_and_the_server_says_why_it_may_not(opened):
    page = opened()
    form(page)
    book(page)
    page.locator("#begin").click()
    page.locator(".luzhanqi-holder .movable").first.wait_for()
    drag(page, "H0", "H1")
    moved(page, 0)
    expect(at(page, "H1")).to_have_attribute("aria-label", re.compile("^H1, camp, colonel"))
    drag(page, "H1", "F1")
    expect(page.locator("#toast")).to_contain_text("no road links")
    at(page, "L1").click()
    expect(page.locator("#toast")).to_contain_text("cannot move")


def test_what_is_known_what_counting_makes_of_it_names_rules_and_resigning(opened):
    page = opened()
    begin(page)
    at(page, "A1").hover()
    tip = page.locator("#known")
    expect(tip).to_contain_text("never moved")
    expect(tip).to_contain_text("Counting: share of the 7 × 10¹⁷ layouts")
    expect(tip.locator("tr").first).to_have_text("flag50 %")
    page.locator("#names").select_option("zh")
    expect(at(page, "L1").locator(".name")).to_have_text(re.compile("[\u4e00-\u9fff]{2}"))
    page.locator("#names").select_option("fr")
    expect(page.locator(".luzhanqi .name", has_text="Drapeau")).to_have_count(1)
    expect(page.locator("#quiet")).to_have_text("Moves without an attack: 0 of 31")
    page.locator("#rules").click()
    expect(page.locator("#rules-shown")).to_contain_text("Whoever makes move 31 in a row without an attack loses")
    page.keyboard.press("Escape")
    expect(page.locator("#rules-shown")).to_have_count(0)
    page.locator("#adviser").select_option("luzhanqi-greedy")
    page.locator("#act-hint").click()
    expect(page.locator(".arrow.advised")).to_be_attached()
    expect(page.locator(".words")).to_contain_text("by counting all layouts that fit")
    page.locator("#act-resign").click()
    expect(page.locator("#army-shown")).to_be_visible()
    expect(page.locator(".luzhanqi-holder .unknown")).to_have_count(0)
    page.locator("#act-replay").click()
    expect(page.locator("#verified")).to_be_visible()
    page.locator("#eyes").select_option("1")
    expect(page.locator(".luzhanqi .unknown")).to_have_count(25)


@pytest.mark.parametrize(("options", "pieces"), [({}, 25), ({"rules": "mini"}, 8)])
def test_on_a_phone_fingers_set_up_and_play(opened, options, pieces):
    page = opened(size=(360, 740), has_touch=True, is_mobile=True)
    form(page, **options)
    expect(page.locator(".army .piece")).to_have_count(pieces)
    page.locator(".army .movable").first.tap()
    expect(page.locator(".army .aim").first).to_be_attached()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.locator("#begin").tap()
    page.locator(".luzhanqi-holder .movable").first.tap()
    page.locator(".target").first.tap()
    moved(page, 0)
    expect(page.locator(".point.chosen")).to_have_count(0)  # whoever was picked up has moved, and the enemy answered
    page.locator(".point:has(.unknown):not(.target)").first.tap()
    expect(page.locator("#known")).to_contain_text("enemy")
    assert not page.locator("#toast.shown").count()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_agents_are_watched_openly_and_through_one_players_eyes_and_on_a_wall(opened):
    page = opened()
    go(page, "watch?game=luzhanqi")
    for side in (0, 1):
        page.locator(f"#agent-{side}").select_option("luzhanqi-random")
    page.locator("#begin").click()
    page.locator(".luzhanqi").wait_for()
    page.keyboard.press("Space")
    expect(page.locator(".luzhanqi .unknown")).to_have_count(0)
    page.locator("#eyes").select_option("1")
    page.keyboard.press("End")
    expect(page.locator(".luzhanqi .unknown").first).to_be_attached()
    go(page, "wall?game=luzhanqi")
    page.locator("#agent").select_option("luzhanqi-random")
    page.locator("#games").select_option("4")
    page.locator("#begin").click()
    expect(page.locator(".wall-board .luzhanqi .piece").first).to_be_attached()
