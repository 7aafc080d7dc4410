"""Two games that a player of Luzhanqi cannot tell apart: whatever the page asks, it is sent the same, byte for byte."""

import json
from dataclasses import replace

import pytest

from apprenti.core.plugins import GAMES
from apprenti.core.seeds import Stream, pick
from apprenti.games.luzhanqi.layout import uniform_layout
from apprenti.games.luzhanqi.rules import Rules
from apprenti.lab.session import Session
from apprenti.store.files import write_json

GAME = GAMES.load("luzhanqi")
SETTINGS = {
    "mini": {"rules": "mini"},
    "ccgc": {},
    "carried": {"rules": "mini", "flag": "carried", "headquarters": "free", "quiet_limit": 0},
}


MINI = {"game": "luzhanqi", "players": ["", "luzhanqi-random"], "options": {"rules": "mini"}}


class Scripted:
    """Plays the moves it was given."""

    def __init__(self, moves):
        self.moves = list(moves)

    def choose(self, observation, legal, rng):
        return self.moves.pop(0)


def played(rules, side, moves=13):
    """Random moves of both, as long as the game goes on; it is `side`'s turn at the end."""
    rng = Stream(side + 11)
    start = state = GAME.reopen(rules, "/".join(uniform_layout(rules, rng) for _ in range(2)))
    made = []
    while len(made) < moves or state.turn != side:
        move = pick(rng, [each for each in state.legal_moves() if state.play(each).outcome is None])
        state = state.play(move)
        made.append(move)
    return start, state, made


def begun(client, options, side, layouts, moves):
    """A game of the page with these armies and an enemy who plays these moves."""
    players = ["luzhanqi-random"] * 2
    players[side] = ""
    said = {"game": "luzhanqi", "players": players, "options": options, "setup": layouts[side]}
    key = client.post("/api/new", said)["id"]
    live = client.server.page.games.live[key]
    agents = [Scripted(moves[1 - side :: 2])] * 2
    agents[side] = live.session.agents[side]
    opened = replace(live.session.replay(), opening="/".join(layouts))
    live.session = Session.again(opened, agents, live.session.names, live.seating.seed)
    write_json(live.path, live.to_json(), None)
    return key


WRONG = ("A0A0", "A1B1", "L1K1", "E1E2", "F0G0", "G0F0", "xx", "", "a" * 25)
ASKED = [
    {"type": "hint", "agent": "luzhanqi-expected"},
    {"type": "hint", "agent": "luzhanqi-greedy"},
    {"type": "details"},
]
EYES = [{"type": "eyes", "eyes": eyes} for eyes in (0, 1, None, 7)]
REFUSED = [{"type": kind} for kind in ("undo", "step", "seed", "replay")] + [
    {"type": "hint", "agent": "engine:x"},
    {"type": "eyes", "eyes": "x"},
]


def asked_over_http(client, key, side):
    """What the other addresses say of a game under way."""
    listed = next(each for each in client.get("/api/played")["games"] if each["id"] == key)
    del listed["time"]
    watched = {"players": ["luzhanqi-random", "luzhanqi-random"]}
    return [
        listed,
        client.get(f"/api/replay/{key}"),
        client.get(f"/api/positions/{key}?from=0&eyes={1 - side}"),
        client.post("/api/open", {"id": key}),
        client.post("/api/new", {"like": key, **watched}),
        client.post(f"/api/rematch/{key}", {}),
        client.post(f"/api/continue/{key}", {"move": 0, **watched}),
    ]


def conversation(client, key, side, own_moves):
    """Everything that is sent while a person plays these moves and asks for all there is; and the last position."""
    found = []
    with client.live(key) as line:
        view = line.hear(until=lambda each: each["your_turn"])
        for move in own_moves:
            for message in ASKED:
                line.say(**message)
                line.hear(message["type"])
            for message in EYES:
                line.say(**message)
                line.hear()
            tries = [{"type": "move", "move": wrong} for wrong in WRONG if wrong not in view["legal"]]
            for message in REFUSED + tries:
                line.say(**message)
                line.hear("refused")
            found += asked_over_http(client, key, side)
            line.say(type="move", move=move)
            made = view["number"]
            view = line.hear(until=lambda each, made=made: each["number"] > made and each["your_turn"])
        found += line.heard
        line.say(type="resign")
        end = line.hear(until=lambda each: each["outcome"])
    return [json.dumps(each).replace(key, "ID") for each in found], end


@pytest.mark.parametrize(("name", "side"), [("mini", 0), ("mini", 1), ("ccgc", 1), ("carried", 0)])
def test_two_games_that_a_player_cannot_tell_apart_are_sent_alike(client, name, side, monkeypatch):
    monkeypatch.setattr("apprenti.web.live.PROMPT", 30.0)  # as many messages however busy the machine is
    options = SETTINGS[name]
    rules = GAME.rules(Rules.preset(), **options)
    start, state, moves = played(rules, side)
    seen = state.observation(side)
    assert seen.record.fights
    worlds = (world for world in GAME.worlds(seen, Stream(8)) if world.layouts != state.layouts)
    sent, armies = [], []
    for layouts in (start.layouts, next(worlds).layouts):
        key = begun(client, options, side, layouts, moves)
        messages, end = conversation(client, key, side, moves[side::2])
        assert all("hides" in text or "none of that id" in text for text in messages if '{"error"' in text)
        sent.append(messages)
        armies.append({name: piece["can"] for name, piece in end["scene"]["pieces"].items() if piece["side"] != side})
    for first, second in zip(*sent, strict=True):
        assert first == second
    assert armies[0] != armies[1]  # once the game is over each shows its own
    assert all(len(can) == 1 for army in armies for can in army.values())


def test_what_is_needed_to_set_up_an_army_does_not_depend_on_any_game(client):
    layout = uniform_layout(Rules.preset("mini"), Stream(2))
    said = {"game": "luzhanqi", "options": {"rules": "mini"}, "side": 1, "setup": layout}
    first, second = (client.post("/api/setup", said)["scene"] for _ in range(2))
    for scene in (first, second):
        scene.pop("random")
    assert first == second
    assert first["layout"] == layout


def test_a_rematch_keeps_the_army_and_its_seed_cannot_be_told_from_the_last(client):
    layout = uniform_layout(Rules.preset("mini"), Stream(2))
    said = {"game": "luzhanqi", "options": {"rules": "mini"}, "players": ["", "luzhanqi-random"], "setup": layout}
    key = client.post("/api/new", said)["id"]
    with client.live(key) as line:
        line.hear(until=lambda each: each["your_turn"])
        line.say(type="resign")
        line.hear(until=lambda each: each["outcome"])
    games = client.server.page.games
    again = client.post(f"/api/rematch/{key}", {})["id"]
    former, later = games.live[key], games.live[again]
    assert later.you == 1
    assert later.session.state.layouts[1] == layout
    assert later.seating.seed != former.seating.seed + 1


def test_who_has_seen_the_enemys_army_cannot_take_the_end_back(client):
    said = {"game": "luzhanqi", "options": {"rules": "mini"}, "players": ["", "luzhanqi-random"], "undo": True}
    with client.live(client.post("/api/new", said)["id"]) as line:
        first = line.hear(until=lambda each: each["your_turn"])
        line.say(type="move", move=first["legal"][0])
        line.hear(until=lambda each: each["number"] == 2)
        line.say(type="undo")
        line.hear(until=lambda each: each["number"] == 0)
        line.say(type="resign")
        line.hear(until=lambda each: each["outcome"])
        line.say(type="undo")
        assert "everything has been shown" in line.hear("refused")["message"]


def test_the_replay_of_a_game_under_way_is_held_back_also_after_a_restart(client):
    key = client.post("/api/new", MINI)["id"]
    for _ in range(2):
        assert "hides" in json.loads(client.ask("GET", f"/api/replay/{key}")[2])["error"]
        assert "hides" in client.post("/api/open", {"id": key})["error"]
        client.server.page.games.live.pop(key, None)  # as after a restart: only the file is left


def test_everything_is_shown_once_the_game_is_over(client):
    key = client.post("/api/new", MINI)["id"]
    with client.live(key) as line:
        line.hear(until=lambda each: each["your_turn"])
        line.say(type="resign")
        end = line.hear(until=lambda each: each["outcome"])
        assert end["seed"] is not None
    replay = json.loads(client.ask("GET", f"/api/replay/{key}")[2])
    assert "/" in replay["opening"]
