"""In a class a game is its pupil's: who else asks for it is refused, and it is in no other list."""

import json
from contextlib import suppress
from urllib.parse import quote

import pytest
from playwright.sync_api import expect
from websockets.exceptions import ConnectionClosed

from apprenti.web.school import School
from apprenti.web.server import Server
from tests.web.client import Client
from tests.web.test_browser import browser, go  # noqa: F401
from tests.web.test_browser import pytestmark as needs_chromium
from tests.web.test_laboratory import running

NEW = {"game": "tictactoe", "players": ["", "mnk-random"], "undo": True}
REFUSED = "this game is not yours"


class Pupil(Client):
    """Speaks to the server as the page of a pupil does."""

    def __init__(self, server, name=""):
        super().__init__(server)
        self.cookie += f"; apprenti-pupil-{server.port}={quote(name)}"

    def begin(self, **more):
        return self.post("/api/new", {**NEW, **more})["id"]

    def listed(self):
        return {each["id"] for each in self.get("/api/played")["games"]}


@pytest.fixture(scope="module")
def before(tmp_path_factory):
    """A folder with a game of before the class, played with a move, and a replay that is nobody's."""
    folder = tmp_path_factory.mktemp("class")
    server = Server(folder)
    with running(server):
        alone = Client(server)
        old = alone.post("/api/new", NEW)["id"]
        assert {each["id"] for each in alone.get("/api/played")["games"]} == {old}
        replay = alone.get(f"/api/replay/{old}")
    assert "seating" not in replay
    (folder / "shared.json").write_text(json.dumps(replay))
    return folder, old


@pytest.fixture(scope="module")
def pupils(before):
    server = Server(before[0], school=School(pupils=("anna", "benoît")))
    with running(server):
        yield Pupil(server, "anna"), Pupil(server, "benoît"), Pupil(server)


def test_a_list_has_a_pupils_own_games_and_replays_without_seats(pupils, before):
    anna, ben, nameless = pupils
    own = anna.begin()
    assert own in anna.listed() and own not in ben.listed() | nameless.listed()
    assert all(before[1] not in each.listed() and "shared" in each.listed() for each in pupils)


@pytest.mark.parametrize("of", ["anna", "of before"])
def test_every_address_of_anothers_game_is_refused_and_nothing_is_changed(pupils, before, of):
    anna, ben, nameless = pupils
    key = anna.begin() if of == "anna" else before[1]
    file = before[0] / f"{key}.json"
    stored = file.read_bytes()
    asked = [("GET", f"/api/replay/{key}", None), ("POST", "/api/open", {"id": key}),
             ("POST", f"/api/rematch/{key}", {}), ("POST", "/api/new", {**NEW, "like": key})]  # fmt: skip
    for method, path, data in asked:
        status, _, body = ben.ask(method, path, data)
        assert (status, REFUSED in json.loads(body)["error"]) == (403, True), path
        assert "say who you are" in json.loads(nameless.ask(method, path, data)[2])["error"]
    with ben.live(key) as line, suppress(ConnectionClosed):
        line.say(type="move", move="4")
    with ben.live(key) as line:
        assert REFUSED in line.hear("gone")["message"]
    assert file.read_bytes() == stored


def test_a_pupil_goes_on_with_own_games_of_every_kind(pupils):
    anna, ben, _ = pupils
    key = anna.begin()
    with anna.live(key) as line:
        line.say(type="move", move="4")
        line.hear(until=lambda view: view["number"] >= 2)
        line.say(type="resign")
        line.hear(until=lambda view: view["outcome"])
    opened = anna.post("/api/open", {"id": key})["id"]
    later = {"players": ["", "mnk-random"], "move": 1}
    begun = [anna.post(f"/api/rematch/{key}", {}), anna.post(f"/api/continue/{opened}", later),
             anna.post("/api/new", {"like": key, "players": ["mnk-random", "mnk-random"]})]  # fmt: skip
    for game in begun:
        with anna.live(game["id"]) as line:
            assert line.hear()["page"]["pupil"] == "anna"
        with ben.live(game["id"]) as line:
            assert REFUSED in line.hear("gone")["message"]
    assert "open it again" in ben.post(f"/api/continue/{opened}", later)["error"]
    assert "open it again" in ben.get(f"/api/positions/{opened}")["error"]


@needs_chromium
@pytest.mark.parametrize(("locale", "words"), [("fr-FR", "n'est pas la vôtre"), ("en-GB", "is not yours")])
def test_on_the_page_who_chooses_another_name_sees_other_games(pupils, browser, locale, words):  # noqa: F811
    page = browser.new_page(locale=locale, viewport={"width": 390, "height": 800})
    page.goto(pupils[0].server.address)
    go(page, "new/tictactoe")
    page.locator("#begin").click()
    expect(page.locator("#toast")).to_contain_text("choisissez votre nom" if locale == "fr-FR" else "choose your name")
    page.locator("#pupil").select_option("benoît")
    page.locator("#begin").click()
    page.locator("[data-move='4']").click()
    expect(page.locator(".mark")).to_have_count(2)
    address = page.url.partition("#")[2]
    go(page, "")
    expect(page.locator(f".list a[href='#{address}']")).to_be_visible()
    page.locator("#pupil").select_option("anna")
    expect(page.locator("#pupil")).to_have_value("anna")
    page.reload()
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator(f".list a[href='#{address}']")).to_have_count(0)
    go(page, address.removeprefix("/"))
    expect(page.locator(".notice")).to_contain_text(words)
    page.close()


def test_whose_a_game_is_says_the_server_and_not_the_message(pupils):
    anna, ben, _ = pupils
    key = anna.begin(page={"pupil": "benoît"})
    assert key in anna.listed() - ben.listed()
    unknown = Pupil(anna.server, "nobody")
    assert "say who you are" in unknown.post("/api/new", NEW)["error"]
