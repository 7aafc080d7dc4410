"""A game that nobody knows and that only fulfils the contract works in every command."""

import io
import json
import re
from pathlib import Path

import pytest

from apprenti.arena.game import seeds_of_game
from apprenti.cli.main import main
from apprenti.core.plugins import Entry
from apprenti.core.seeds import Stream
from apprenti.store.replay import read_replay
from tests.toys import PIG

pytestmark = pytest.mark.usefixtures("elsewhere")

TOYS = {"race": ("RACE", "who takes the last one"), "pig": ("PIG", "a die"), "sum": ("SUM", "for one")}


@pytest.fixture(autouse=True)
def installed(plug_in):
    """The games as if a package had brought them."""
    plug_in(games={name: Entry(f"tests.toys:{where}", about) for name, (where, about) in TOYS.items()})


@pytest.fixture
def play(monkeypatch, run):
    """Play with lines of text."""

    def with_lines(text, *arguments):
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        return run("play", *arguments)

    return with_lines


def test_it_is_listed_with_its_options(run):
    _, out, _ = run("games")
    assert re.search(r"^race\n  for two: who takes the last one\n  --heap +How many there are\.$", out, re.MULTILINE)
    assert re.search(r"^sum\n  for one: for one$", out, re.MULTILINE)
    assert re.search(r"^  race +who takes the last one$", run("play", "--help")[1], re.MULTILINE)
    assert "nobody in the zoo plays race" in run("agents", "--game", "race")[1]


@pytest.mark.parametrize("words", [["evaluate", "--game", "race"], ["play", "race"]])
def test_its_options_are_in_the_help(words, capsys):
    with pytest.raises(SystemExit):
        main([*words, "--help"])
    out = capsys.readouterr().out
    assert re.search(r"--heap INT +How many there are\. \(default: 21\)", out)
    assert "race options" in out


def test_it_is_played_in_lines_to_its_end_and_verified(play, run):
    words = ("race", "--heap", "5", "--against", "random", "--seed", "2", "--record", "game.json")
    code, out, err = play("hint\n7\n1\n" + "1\n" * 5, *words)
    assert code == 0
    assert out.startswith(
        "5 first\nyou are first; one of 1 2 3; or help, hint, resign, quit\n5 first\nrandom would play "
    )
    assert err == "apprenti: a move here is one of 1 2 3, not '7'.\n"
    assert re.search(r"^(you win|random wins): the goal was reached \(against random, seed 2\)$", out, re.MULTILINE)
    code, out, _ = run("replay", "game.json")
    assert code == 0
    assert re.match(r"verified: (you|random) \((first|second)\) wins: the goal was reached; \d+ moves; heap 5\n0 ", out)
    assert json.loads(run("replay", "game.json", "--json")[1])["rules"] == {"heap": 5}


def test_chance_between_two_players_is_that_of_an_evaluation_and_undo_brings_it_back(play):
    luck, state = Stream(seeds_of_game(3, 0, players=2).chance), PIG.start(PIG.rules(), None)
    thrown = PIG.write_state(state.play("throw").deal(luck))
    words = ("pig", "--against", "random", "--seed", "3", "--undo", "--record", "pig.json")
    code, out, err = play("throw\nundo\nthrow\nundo\nthrow\nquit\n", *words)
    assert (code, err) == (0, "")
    boards = [line for line in out.splitlines() if re.fullmatch(r"\d+ \d+ \d+ [01] [01]", line)]
    assert boards == ["0 0 0 0 0", thrown, "0 0 0 0 0", thrown, "0 0 0 0 0", thrown]
    assert read_replay(Path("pig.json")).moves == ("throw",)
    assert main(["replay", "pig.json", "--verify"]) == 0


def test_one_plays_alone_and_there_is_nobody_to_ask_and_nothing_to_resign(play):
    code, out, err = play("hint\nresign\n2\n2\n2\n", "sum", "--seed", "1", "--record", "games")
    assert code == 0
    assert out.startswith("0 0\none of 1 2; or help, quit\n")
    assert "the goal was reached: score 3 (human, seed 1)\nrecorded: apprenti replay games/human-1.json\n" in out
    assert len(err.splitlines()) == 2
    assert list(read_replay(Path("games/human-1.json")).measures.items()) == [("score", 3)]


@pytest.mark.parametrize("name", TOYS)
def test_it_is_watched_and_the_replay_is_the_first_game_of_an_evaluation(run, name, tmp_path):
    code, out, err = run("watch", "random", "--game", name, "--seed", "4", "--record", "watched.json")
    assert (code, err) == (0, "")
    assert "the goal was reached" in out
    against = [] if name == "sum" else ["--against", "random"]
    words = ["random", "--game", name, *against, "--seed", "4", "--games", "2", "--workers", "1"]
    assert run("evaluate", *words, "--record", "games")[0] == 0
    first = sorted((tmp_path / "games").iterdir())[0]
    assert read_replay(first) == read_replay(Path("watched.json"))
    assert run("replay", first, "--verify")[0] == 0


def test_it_is_measured(run):
    data = json.loads(run("evaluate", "random", "--game", "race", "--heap", "1", "--games", "6", "--json")[1])
    assert (data["against"], data["reasons"], data["moving_first"]) == ("random", {"done": 6}, [3, 0, 0])
    code, out, _ = run("evaluate", "random", "--game", "sum", "--games", "20", "--workers", "1")
    assert code == 0
    assert "mean score" in out
    assert "moves/s" in out
    code, out, _ = run("compare", "random", "--game", "sum", "--games", "5", "--figure", "f.svg", "--workers", "1")
    assert (code, "figure: f.svg" in out) == (0, True)


@pytest.mark.parametrize(
    ("name", "rules"),
    [("connect-four", ["--rows", "4", "--columns", "4", "--connect", "3"]), ("2048", ["--size", "2"])],
)
def test_a_toy_game_of_the_examples_goes_through_every_command(run, play, plug_in, name, rules):
    module = {"connect-four": "connect_four", "2048": "game_2048"}[name]
    plug_in(games={name: Entry(f"{module}:GAME", "a toy")})
    few = ["--games", "2", "--workers", "1"]
    assert name in run("games")[1]
    assert "left early" in play("1\nD\nquit\n", name, *rules, "--seed", "1", "--record", "played.json")[1]
    assert run("watch", "random", "--game", name, *rules, "--record", "watched.json")[0] == 0
    assert run("replay", "played.json")[0] == run("replay", "watched.json", "--verify")[0] == 0
    assert run("compare", "random", "mcts:2", "--game", name, *rules, *few)[0] == 0
    assert run("tournament", "random", "mcts:2", "--game", name, *rules, *few)[0] == 0
    tiny = ["--iterations", "1", "--episodes", "3", "--test-games", "2"]
    assert run("train", "tabular", "--game", name, "--name", "mine", *tiny)[0] == 0
    assert json.loads(run("evaluate", "mine", *few, "--json")[1])["games"] == 2


def test_agents_written_by_a_stranger_meet(run, tmp_path):
    (tmp_path / "one.py").write_text("def choose(observation, legal, rng):\n    return 1\n")
    (tmp_path / "mod.py").write_text("def choose(observation, legal, rng):\n    return observation.left % 4 or 1\n")
    words = ("one.py", "mod.py", "--game", "race", "--games", "10", "--workers", "1")
    code, out, _ = run("tournament", *words)
    assert code == 0
    assert re.search(r"^  mod +\d+ .*\n  one +0 ", out, re.MULTILINE)
    assert "ends: the goal was reached 10" in out


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["play", "race", "--heap", "many"], "whole number"),
        (["play", "race", "--size", "3"], "--size is for tetris and tictactoe and gomoku and mnk, not for race"),
        (["play", "race", "--against", "dellacherie"], "dellacherie plays tetris, not race"),
        (["play", "sum", "--against", "random"], "--against"),
        (["watch", "random", "--game", "sum", "--against", "random"], "for games for two, and random plays sum"),
        (["tournament", "random", "random", "--game", "sum"], "named twice"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_input_is_one_sentence(refused, words, why):
    refused(why, *words)


def test_a_game_whose_options_are_the_commands_own_is_refused_with_a_sentence(run, plug_in):
    plug_in(games={"odd": Entry("tests.toys:ODD", "an option that is taken")})
    code, _, err = run("play", "odd")
    assert (code, err) == (2, "apprenti: odd calls an option --seed, which is one of play itself.\n")


def test_a_broken_package_does_not_break_the_games_that_work(run, plug_in):
    plug_in(games={"broken": Entry("tests.nowhere:GAME", "cannot be loaded")})
    assert run("evaluate", "random", "--game", "race", "--games", "1", "--workers", "1")[0] == 0
    code, _, err = run("play", "broken")
    assert code == 2
    assert "the plug-in game broken cannot be loaded" in err
