"""A player of Luzhanqi is sent what that player may know, and nothing else: every message is read."""

import json

import pytest

from apprenti.core.plugins import GAMES
from apprenti.core.seeds import Stream, pick

RULES = {"rules": "mini", "max_moves": 60}


def begun(client, side):
    players = ["", "luzhanqi-random"] if side == 0 else ["luzhanqi-random", ""]
    said = {"game": "luzhanqi", "players": players, "options": RULES}
    return client.post("/api/new", said)["id"]


def conversation(client, key, rng, moves):
    """Everything a page is sent while it plays some moves and asks for all there is to ask."""
    with client.live(key) as line:
        for _ in range(moves):
            view = line.hear(until=lambda each: each["your_turn"] or each["outcome"])
            if view["outcome"]:
                break
            line.say(type="hint", agent="luzhanqi-expected")
            line.hear("hint")
            for message in (
                {"type": "details"},
                {"type": "eyes", "eyes": 1 - view["you"]},
                {"type": "eyes", "eyes": None},
            ):
                line.say(**message)
                line.hear("details" if message["type"] == "details" else "position")
            line.say(type="move", move=pick(rng, view["legal"]))
            made = view["number"]
            line.hear(until=lambda each, made=made: each["outcome"] or (each["your_turn"] and each["number"] > made))
            line.say(type="eyes", eyes=None)
        return [message for message in line.heard if not message.get("outcome")]


def everything(live):
    """All that a page can be sent now, whatever eyes it asks for."""
    return [live.view(eyes) for eyes in (0, 1, None)] + [live._hint("luzhanqi-expected"), live._seen(1 - live.you)]


@pytest.mark.parametrize("side", [0, 1])
def test_no_message_depends_on_what_is_hidden(client, side):
    """Another army of the enemy, the same knowledge: the page is sent the same, word for word."""
    key = begun(client, side)
    live = client.server.page.games.live[key]
    truth = conversation(client, key, Stream(3), 8)
    game, state = GAMES.load("luzhanqi"), live.session.state
    seen = state.observation(side)
    world = next(other for other in game.worlds(seen, Stream(8)) if other.layouts != state.layouts)
    assert world.observation(side) == seen
    assert truth and state.turn == side
    before = everything(live)
    live.session.state = world
    assert everything(live) == before


@pytest.mark.parametrize("side", [0, 1])
def test_neither_layout_nor_seed_nor_opening_of_the_enemy_is_in_any_message(client, side):
    key = begun(client, side)
    live = client.server.page.games.live[key]
    messages = conversation(client, key, Stream(4), 10)
    theirs = live.session.state.layouts[1 - side]
    for message in messages:
        text = json.dumps(message)
        assert theirs not in text
        assert "opening" not in message
        if message["type"] == "position":
            assert message["seed"] is None
            assert message["eyes"] == side
            assert not any(field in message for field in ("state", "layouts", "setups"))


def test_the_replay_of_a_game_under_way_is_held_back_also_after_a_restart(client):
    key = begun(client, 0)
    for _ in range(2):
        assert "hides" in json.loads(client.ask("GET", f"/api/replay/{key}")[2])["error"]
        assert "hides" in client.post("/api/open", {"id": key})["error"]
        client.server.page.games.live.pop(key, None)  # as after a restart: only the file is left


def test_everything_is_shown_once_the_game_is_over(client):
    key = begun(client, 0)
    with client.live(key) as line:
        line.hear(until=lambda each: each["your_turn"])
        line.say(type="resign")
        end = line.hear(until=lambda each: each["outcome"])
        assert end["seed"] is not None
    replay = json.loads(client.ask("GET", f"/api/replay/{key}")[2])
    assert "/" in replay["opening"]
