"""The line to the server: a tab whose server is gone or was started again finds out, says what to do, and goes on."""

import json
import re
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from tests.web.client import client, folder  # noqa: F401
from tests.web.test_browser import PATIENCE, begin, browser, go, pytestmark, server  # noqa: F401

BROWSERS_OWN = re.compile("Failed to fetch|dynamically|NetworkError")


class House:
    """A server in a process of its own, always on the same port."""

    def __init__(self, folder):  # noqa: F811
        self.folder, self.port, self.process = folder, 0, None

    def start(self):
        words = [sys.executable, "-m", "apprenti", "web", "--no-browser", "--port", str(self.port)]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=self.folder)
        address = self.process.stdout.readline().split()[-1]
        self.port = int(re.search(r":(\d+)/", address)[1])
        return address

    def kill(self):
        self.process.kill()
        self.process.wait(20)
        self.process.stdout.close()


@pytest.fixture
def house(tmp_path):
    made = House(tmp_path)
    yield made
    made.kill()


@pytest.fixture
def context(browser):  # noqa: F811
    expect.set_options(timeout=PATIENCE)
    made = browser.new_context(locale="fr-FR")
    made.set_default_timeout(PATIENCE)
    yield made
    made.close()


def test_offline_a_page_that_was_never_open_says_what_to_do_and_opens_when_the_server_is_back(house, context):
    page = context.new_page()
    page.goto(house.start())
    page.locator("h1").wait_for()
    house.kill()
    go(page, "zoo")
    expect(page.locator("#line")).to_contain_text("relancez apprenti web, et cette page reprendra")
    expect(page.locator("#main")).to_contain_text("dès que le serveur répondra")
    page.locator("#line-again").click()
    expect(page.locator("#toast")).to_contain_text("ne répond pas")
    assert not BROWSERS_OWN.search(page.locator("body").inner_text())
    address = house.start()
    expect(page.locator("#line")).to_contain_text("ne connaît pas encore ce navigateur")
    page.locator("#line-address").fill("http://evil.example/?token=1")
    page.locator("#line-address").fill(address)
    expect(page.locator("#find")).to_be_visible()
    assert page.url.endswith("/#/zoo")
    expect(page.locator("#line")).to_be_hidden()


def test_a_tab_of_the_server_before_goes_on_when_the_new_address_is_opened_beside_it(house, context):
    page = context.new_page()
    page.goto(house.start())
    begin(page, "tictactoe")
    page.locator("[data-move='4']").click()
    expect(page.locator(".mark")).to_have_count(2)
    house.kill()
    expect(page.locator("#line")).to_contain_text("ne répond pas")
    address = house.start()
    expect(page.locator("#line")).to_contain_text("ne connaît pas encore ce navigateur")
    page.locator("#act-undo").click()  # it waits for the line
    context.new_page().goto(address)
    expect(page.locator("#line")).to_be_hidden()
    expect(page.locator(".mark")).to_have_count(0)


@pytest.mark.parametrize("locale", ["fr-FR", "en-GB"])
def test_a_stale_address_answers_in_a_sentence_of_the_pages_language(server, browser, locale):  # noqa: F811
    page = browser.new_page(locale=locale)
    page.goto(server.address)
    french = locale == "fr-FR"
    nothing = re.compile("[Ii]l n'y a (.plus. rien|pas) " if french else "here is n(othing|o) ")
    for place in (
        "game/1",
        "constructor",
        "play/%",
        "play/0000",
        "run/none",
        "agent/none",
        "measured/none",
        "replay/none",
    ):
        go(page, place)
        expect(page.locator(".notice")).to_contain_text(nothing)
        expect(page.locator(".notice a")).to_be_visible()
    page.locator("#language").click()
    home = page.url.partition("#")[0]
    for place in ("api/nothing", "nothing", "static/nothing.js"):
        page.goto(home + place)  # the language that was chosen holds here too
        expect(page.locator("p").first).to_have_text(
            "There is nothing at this address (any more)." if french else "Il n'y a (plus) rien à cette adresse."
        )
    page.locator("a").click()
    expect(page.locator("h1")).to_have_text("What shall we play?" if french else "À quoi jouons-nous ?")
    page.close()


def test_who_has_no_cookie_is_told_why_in_json_and_on_a_page(client):  # noqa: F811
    status, headers, body = client.ask("GET", "/api/games", Cookie=None)
    assert (status, headers["content-type"], json.loads(body)["why"]) == (403, "application/json", "cookie")
    browsers = {"Accept": "text/html,*/*", "Cookie": None}
    for language, words in (("fr-FR,fr;q=0.9", "ouvrez la dernière"), ("en", "open the newest address")):
        status, headers, body = client.ask("GET", "/", **browsers, **{"Accept-Language": language})
        assert (status, words in body.decode()) == (403, True)
        assert "set-cookie" not in headers and "<script" not in body.decode()


@pytest.mark.parametrize("more", [{}, {"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}])
def test_nobody_gets_the_cookie_without_the_token(client, more):  # noqa: F811
    for method in ("GET", "POST"):
        for path in ("/", "/api/class", "/api/nothing", "/?token=", "/?token=wrong"):
            status, headers, _ = client.ask(method, path, {} if method == "POST" else None, Cookie=None, **more)
            assert status == 403 and "set-cookie" not in headers
