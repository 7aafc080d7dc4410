"""The page is for everybody: axe finds nothing to say of any of its pages, in light and dark, wide and narrow."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.web import test_browser as shared
from tests.web.test_browser import begin, go

browser, server, opened, pytestmark = shared.browser, shared.server, shared.opened, shared.pytestmark


def wrong(page):
    """What axe has against a page: the rule and the element."""
    found = Axe().run(page).response["violations"]
    return [(rule["id"], node["html"][:120]) for rule in found for node in rule["nodes"]]


@pytest.fixture(params=["light", "dark on a phone"])
def page(request, opened):
    if request.param == "light":
        return opened()
    return opened(size=(360, 740), has_touch=True, is_mobile=True, color_scheme="dark")


def test_forms_and_lists(page):
    for place in ("", "new/luzhanqi", "wall", "replays"):
        go(page, place)
        page.locator("main h1").first.wait_for()
        for summary in page.locator("summary").all():
            summary.click()
        assert wrong(page) == [], place


def test_games_explanations_and_replays(page):
    begin(page, "tetris")
    page.locator("#act-hint").click()
    page.locator(".parts").wait_for()
    assert wrong(page) == []
    begin(page, "tictactoe")
    page.locator("[data-move='4']").click()
    expect(page.locator(".mark")).to_have_count(2)
    page.locator("#act-hint").click()
    page.locator(".explained").wait_for()
    assert wrong(page) == []
    page.locator("#act-resign").click()
    page.locator("#act-replay").click()
    page.locator("#verified").wait_for()
    assert wrong(page) == []


def test_luzhanqi(page):
    begin(page, "luzhanqi")
    page.locator(".luzhanqi-holder .movable").first.wait_for()
    page.locator("#adviser").select_option("luzhanqi-random")
    page.locator("#act-hint").click()
    page.locator(".words").wait_for()
    assert wrong(page) == []
