"""One description of the messages: server and page both refuse a field that the other does not know."""

import json

import pytest

from apprenti.web.messages import LIVE, SENT, Sentence
from tests.web import test_browser as shared
from tests.web.test_live import begun

browser, server, opened = shared.browser, shared.server, shared.opened

TRY = """async ([what, name, message]) => {
    const { checkAsked, checkLive } = await import("/static/messages.js");
    try {
        what === "asked" ? checkAsked(name, message) : checkLive(what, message);
    } catch (error) { return error.message; }
    return "";
}"""


def description(client):
    return json.loads(client.ask("GET", "/static/messages.json")[2])


def test_the_description_has_every_message(client):
    found = description(client)
    assert set(found["live"]) == set(LIVE) and set(found["sent"]) == {shape.type for shape in SENT}
    assert found["live"]["move"] == {"move": ["text", "missing"]}
    assert found["sent"]["position"]["you"] == ["number", "null"]


def test_the_server_refuses_an_unknown_field_of_every_message(client):
    for path in description(client)["asked"]:
        status, _, body = client.ask("POST", path.replace("{key}", "x").replace("{name}", "x"), {"unknown": 1})
        assert status == 400 and "unknown" in json.loads(body)["error"], path
    with client.live(begun(client)) as line:
        for kind in LIVE:
            line.say(type=kind, unknown=1)
            assert "unknown" in line.hear("refused")["message"]


def test_the_server_cannot_send_an_unknown_field():
    assert Sentence(message="no.").to_json() == {"type": "refused", "message": "no."}
    with pytest.raises(TypeError, match="unknown"):
        Sentence(message="no.", unknown=1)


@shared.pytestmark
def test_the_page_refuses_an_unknown_field_and_another_type_of_every_message(opened, client):
    page = opened()
    found = description(client)
    for path in found["asked"]:
        assert "no field unknown" in page.evaluate(TRY, ["asked", path, {"unknown": 1}])
    for whose in ("live", "sent"):
        for kind in found[whose]:
            assert "no field unknown" in page.evaluate(TRY, [whose, kind, {"type": kind, "unknown": 1}])
    assert page.evaluate(TRY, ["live", "", {"type": "move", "move": "b2"}]) == ""
    assert "move is text" in page.evaluate(TRY, ["live", "", {"type": "move", "move": 2}])
    assert page.evaluate(TRY, ["asked", "/api/jobs/7/stop", {"who": "Ada"}]) == ""
    assert "no message" in page.evaluate(TRY, ["asked", "/api/nothing", {}])
    assert "message is text" in page.evaluate(TRY, ["sent", "", {"type": "gone"}])
