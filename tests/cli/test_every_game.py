"""The score of every game, as lines of a file and as plain data."""

import csv
import json

import pytest

pytestmark = pytest.mark.usefixtures("elsewhere")
TWO = ("compare", "dellacherie", "bcts", "--size", "10x6", "--games", "4")


def test_every_game_is_a_line_of_a_file(run, tmp_path):
    code, out, _ = run(*TWO, "--csv", str(tmp_path / "new" / "games.csv"))
    assert code == 0 and "every game: " in out
    with (tmp_path / "new" / "games.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    assert [line["agent"] for line in lines] == ["dellacherie"] * 4 + ["bcts"] * 4
    assert {"number", "lines", "points", "pieces", "end", "cut", "seconds"} <= set(lines[0])
    data = json.loads(run(*TWO, "--json")[1])
    for agent, own in zip(data["agents"], (lines[:4], lines[4:]), strict=True):
        assert agent["lines"] == sum(int(line["lines"]) for line in own)
        assert "every_game" not in agent


def test_every_game_is_in_the_plain_data_on_request(run):
    data = json.loads(run(*TWO, "--json", "--every-game")[1])
    assert [len(agent["every_game"]) for agent in data["agents"]] == [4, 4]
    found = json.loads(run("evaluate", "sarsa-tictactoe", "--against", "random", "--games", "4", "--json",
                           "--every-game")[1])  # fmt: skip
    assert sum(game["points"] for game in found["every_game"]) == found["won"] + found["drawn"] / 2
    assert [game["began"] for game in found["every_game"]] == [True, False, True, False]
    played = json.loads(run("tournament", "sarsa-tictactoe", "mnk-random", "--games", "2", "--json", "--every-game")[1])
    assert len(played["matches"][0]["every_game"]) == 2


def test_quartiles_of_french_schools_are_scores_that_were_made(run):
    data = json.loads(run("evaluate", "bcts", "--size", "10x6", "--games", "6", "--quartiles", "french", "--json",
                          "--every-game")[1])  # fmt: skip
    scores = sorted(game["lines"] for game in data["every_game"])
    low, first, _, third, high = data["statistics"]["lines"]["five_numbers"]
    assert [low, first, third, high] == [scores[0], scores[1], scores[4], scores[5]]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--every-game"], "--every-game is for --json"),
        (["--quartiles", "english"], "there is no definition of quartiles called 'english'"),
        (["--rare", "--csv", "some.csv"], "no whole ones for --record, --csv"),
        (["--csv", "/dev/null/some.csv"], "/dev/null"),
    ],
)
def test_what_cannot_be_told_is_refused_before_the_work(refused, words, why):
    refused(why, "evaluate", "bcts", *words)
