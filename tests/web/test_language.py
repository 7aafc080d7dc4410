"""The server words what it sends in the language that the page keeps in a cookie."""

import json

import pytest

from apprenti.web.language import COOKIE, in_language


def asked(client, path, method="GET", data=None, chosen="fr"):
    """An answer in a language, read."""
    cookie = f"{client.cookie}; {COOKIE.format(port=client.port)}={chosen}"
    return json.loads(client.ask(method, path, data, Cookie=cookie)[2])


def test_games_methods_options_and_titles_are_in_the_readers_language(client):
    games = {each["name"]: each for each in asked(client, "/api/games")["games"]}
    assert games["tictactoe"]["about"] == "trois alignés sur 3 par 3"
    assert games["luzhanqi"]["sides"] == ["sud", "nord"]
    assert "règles tetrisbot" in games["tetris"]["description"]
    fields = {each["name"]: each["help"] for each in asked(client, "/api/methods/ce")["fields"]}
    assert fields["seed"] == "Racine de tous les flux aléatoires."
    titles = {each["name"]: each["title"] for each in asked(client, "/api/zoo")["agents"]}
    assert titles["mnk-perfect"] == "Le joueur parfait"
    assert {each["name"]: each["about"] for each in client.get("/api/games")["games"]}["gomoku"].startswith("five")


@pytest.mark.parametrize("chosen", ["en", "de", ""])
def test_another_language_is_english(client, chosen):
    games = asked(client, "/api/games", chosen=chosen)["games"]
    assert [each["about"] for each in games if each["name"] == "tictactoe"] == ["three in a row on 3 by 3"]


def test_the_browser_is_asked_where_the_page_has_kept_nothing(client):
    _, _, body = client.ask("GET", "/api/rules-there-are-not", None, **{"Accept-Language": "fr-FR,fr;q=0.9"})
    answer = client.ask("POST", "/api/rules", {"game": "chess"}, **{"Accept-Language": "fr-FR,fr;q=0.9"})[2]
    assert json.loads(answer)["error"].startswith("il n'y a pas de jeu nommé 'chess'")
    assert body


def test_what_is_refused_is_a_french_sentence(client):
    answer = asked(client, "/api/train", "POST", {"method": "ce", "options": {"elite": 3.5}})
    assert answer == {"error": "--elite doit être entre 0 et 1, et non 3,5.", "field": "elite"}


def test_a_live_game_is_worded_for_who_looks_at_it(client):
    game = client.post("/api/new", {"game": "tictactoe", "players": ["", "mnk-random"], "seed": 1})
    with client.live(game["id"], cookie=f"{client.cookie}; {COOKIE.format(port=client.port)}=fr") as line:
        assert line.hear()["description"].endswith("trois alignés sur 3 par 3")
        line.say(type="resign")
        assert line.hear(until=lambda message: message["outcome"])["outcome"]["words"] == "abandon"
    with client.live(game["id"]) as line:
        assert line.hear()["outcome"]["words"] == "resigned"


def test_names_of_criteria_are_translated_and_other_names_are_not():
    data = {"parts": {"I:0:3": {"landing_height": 1.5}}, "weights": {"holes 2": -4, "a1": 2}, "names": ["holes"]}
    assert in_language(data, "fr") == {
        "parts": {"I:0:3": {"hauteur d'atterrissage": 1.5}},
        "weights": {"trous 2": -4, "a1": 2},
        "names": ["holes"],
    }
