"""`evaluate`, `compare` and `tournament` for games for two: what they print, and what they say to wrong input."""

import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

import pytest

from apprenti.store.agentfile import AgentFile, write_agent
from apprenti.store.replay import read_replay

pytestmark = pytest.mark.usefixtures("elsewhere")

EVALUATE = ("evaluate", "mnk-random", "--against", "random", "--games", "20", "--seed", "4", "--workers", "1")


def test_games_lists_those_for_two(run, one_object):
    _, out, _ = run("games")
    data = one_object("games")
    for name in ("tictactoe", "gomoku", "mnk", "luzhanqi"):
        assert re.search(rf"^{name}\n  for two: ", out, re.MULTILINE)
        assert data[name]["players"] == 2


@pytest.mark.parametrize("game", ["mnk", "tictactoe", "gomoku"])
def test_agents_can_be_listed_by_game(run, one_object, game):
    code, out, _ = run("agents", "--game", game)
    assert code == 0
    assert "mnk-random" in out
    assert "dellacherie" not in out
    assert {agent["game"] for agent in one_object("agents", "--game", game)["agents"]} == {"mnk"}
    assert "mnk-random" in run("agents")[1]
    assert "mnk-random" not in run("agents", "--game", "tetris")[1]


def test_evaluate_prints_the_numbers_of_its_json(run, one_object):
    code, out, err = run(*EVALUATE)
    data = one_object(*EVALUATE)
    assert (code, err) == (0, "")
    row = next(line.split() for line in out.splitlines() if line.startswith("  mnk-random"))
    assert row[:6] == ["mnk-random", "mnk-random", "20", *(str(data[key]) for key in ("won", "drawn", "lost"))]
    assert f"{100 * data['share']:.1f} %" in out
    assert "{:.1f} % … {:.1f} %".format(*(100 * bound for bound in data["ci95"])) in out
    assert "–".join(map(str, data["moving_first"])) in out
    assert f"rules: {data['description']}" in out
    assert data["rules"] == {"size": "3x3x3"}
    assert "seed 4; every opening is played twice, with the sides exchanged; a draw is half a point" in out
    assert f"enough in a row {data['reasons']['row']}" in out


def test_without_an_opponent_it_is_measured_against_the_usual_one(one_object):
    assert one_object("evaluate", "random", "--game", "tictactoe", "--games", "2")["against"] == "sarsa-tictactoe"
    assert one_object("evaluate", "random", "--game", "gomoku", "--games", "1")["against"] == "mnk-threats"


def test_the_number_of_workers_changes_nothing(one_object):
    one, two = (one_object(*EVALUATE[:-1], workers) for workers in ("1", "2"))
    for changing in ("seconds", "seconds_per_game", "workers"):
        assert one.pop(changing) != two.pop(changing)
    assert one == two


def test_an_odd_number_of_games_is_not_said_to_be_pairs(run):
    _, out, _ = run("evaluate", "mnk-random", "--against", "random", "--games", "3", "--workers", "1")
    assert "with the sides exchanged, the last once;" in out


def test_another_board(one_object):
    assert one_object(*EVALUATE, "--size", "4x5x3")["description"].startswith("mnk 4x5x3")
    gomoku = one_object(*EVALUATE[:4], "--games", "1", "--rules", "gomoku")
    assert gomoku["description"].startswith("gomoku 15x15x5")


def test_evaluate_keeps_replays_that_verify(run, one_object, tmp_path):
    code, out, _ = run(*EVALUATE, "--record", "games")
    assert code == 0
    assert "20 replays in games; the first: apprenti replay games/mnk-random-mnk-random-4-0000.json" in out
    paths = sorted((tmp_path / "games").iterdir())
    assert len(paths) == 20
    for path in paths:
        assert list(read_replay(path).states())[-1].outcome
    assert one_object(*EVALUATE, "--record", "more")["games"] == len(list((tmp_path / "more").iterdir()))


@pytest.mark.parametrize("command", ["compare", "tournament"])
def test_everybody_meets_everybody(run, one_object, learned, tmp_path, command):
    arguments = (command, "mnk-random", learned, "--games", "10", "--workers", "1")
    code, out, err = run(*arguments, "--figure", "elo.svg", "--record", "games")
    assert (code, err) == (0, "")
    assert "mnk-random has Elo 0; ± is the 95 % interval." in out
    assert "figure: elo.svg" in out
    assert b"<svg" in (tmp_path / "elo.svg").read_bytes()
    assert "10 replays in games" in out
    data = one_object(*arguments)
    (match,) = data["matches"]
    assert [agent["agent"] for agent in data["agents"]] == ["mnk-random", "learned"]
    assert (data["agents"][1]["elo"] > 0) == (match["share"] < 0.5)
    for agent in data["agents"]:
        assert re.search(rf"^  {agent['agent']} +{agent['elo']:.0f} ", out, re.MULTILINE)


def copy_arrays(agent, stem):
    """The arrays beside an agent, for another one of this name."""
    (beside,) = agent.parent.glob(f"{agent.stem}-*.safetensors")
    beside.with_name(beside.name.replace(agent.stem, stem, 1)).write_bytes(beside.read_bytes())


def test_a_tournament_is_ranked_by_strength(run, learned, tmp_path):
    (tmp_path / "other.json").write_text(learned.read_text().replace('"name": "learned"', '"name": "other"'))
    copy_arrays(learned, "other")
    names = ("--game", "tictactoe", "random", "learned.json", "other.json")
    code, out, _ = run("tournament", *names, "--games", "20", "--workers", "1")
    assert code == 0
    ranking = out.partition("has Elo 0")[0]
    elo = [int(number) for number in re.findall(r"^  (?:mnk-random|learned|other) +(-?\d+) ", ranking, re.MULTILINE)]
    assert len(elo) == 3
    assert elo == sorted(elo, reverse=True)
    for pair in ("mnk-random – learned", "mnk-random – other", "learned – other"):
        assert re.search(rf"^{pair}: ", out, re.MULTILINE)


def test_long_names_cut_no_number(run, learned, tmp_path):
    name = "a-very-long-name-" * 5
    (tmp_path / "long.json").write_text(learned.read_text().replace('"name": "learned"', f'"name": "{name}"'))
    copy_arrays(learned, "long")
    _, out, _ = run("tournament", "mnk-random", "long.json", "--games", "20", "--workers", "1")
    assert out.count(name) == 2
    for heading in ("drawn", "points", "95 % interval", "second", "s/game"):
        assert heading in out


def test_a_named_game_is_played_on_its_own_board(one_object, learned, run):
    again = AgentFile("again", "t", "mnk", "random-moves", {}, {"size": "3x3x3"}, "2026")
    write_agent(Path("again.json"), again)
    data = one_object("tournament", "--game", "gomoku", "random", "again.json", "--games", "2", "--workers", "1")
    assert data["matches"][0]["description"].startswith("gomoku 15x15x5")
    code, out, err = run("tournament", "--game", "gomoku", "random", "learned.json")
    assert (code, out) == (2, "")
    assert "has learned 3x3x3 and cannot play 15x15x5" in err


SLOW = ("evaluate", "mnk-random", "--against", "random", "--games", "1000000000", "--workers", "1")
"""Would last for days: what is wrong must be found before the work."""


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["evaluate", "mnk-random", "--against", "nobody"], "no agent called 'nobody'"),
        (["evaluate", "mnk-random", "--against", "dellacherie"], "dellacherie plays tetris, not mnk"),
        ([*SLOW, "--size", "10x20"], "like 5x5x4"),
        ([*SLOW, "--size", "3x3x9"], "do not fit"),
        ([*SLOW, "--rules", "strict"], "not 'strict'"),
        ([*SLOW, "--randomiser", "bag"], "--randomiser is for tetris"),
        ([*SLOW, "--precision", "0.1"], "--precision is for games for one"),
        ([*SLOW, "--figure", "f.png"], "--figure is for games for one"),
        ([*SLOW, "--record", "learned.json"], "not a folder"),
        (
            ["evaluate", "mnk-random", "--against", "learned.json", "--size", "4x4x3"],
            "has learned 3x3x3 and cannot play 4x4x3",
        ),
        (["evaluate", "random", "--against", "random"], "random plays tetris: use compare"),
        (["compare", "mnk-random"], "at least two agents"),
        (["compare", "mnk-random", "mnk-random"], "named twice"),
        (["compare", "mnk-random", "dellacherie"], "dellacherie plays tetris, not mnk"),
        (["compare", "dellacherie", "mnk-random"], "mnk-random plays mnk, not tetris"),
        (["tournament", "mnk-random"], "at least two agents"),
        (["tournament", "dellacherie", "bcts", "--rare"], "--rare is for compare"),
        (["tournament", "random", "random", "--game", "mnk"], "named twice"),
        (["tournament", "random", "nobody", "--game", "mnk"], "no agent called 'nobody'"),
        (["tournament", "mnk-random", "learned.json", "--size", "4x4x3"], "has learned 3x3x3"),
        (["tournament", "mnk-random", "learned.json", "--record", "learned.json"], "not a folder"),
        (["agents", "--game", "chess"], "no game called 'chess'"),
    ],
    ids=lambda value: " ".join(value)[:60] if isinstance(value, list) else "",
)
def test_wrong_input_is_one_sentence_exit_code_2_and_nothing_written(refused, learned, arguments, why):
    refused(why, *arguments)


# Ctrl-C ---------------------------------------------------------------------------------------------------------------


def left_behind(session):
    """How many processes of a session are still running."""
    found = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            state, _, _, of_session, *_ = stat.read_text().rpartition(")")[2].split()
            found += int(of_session) == session and state != "Z"
    return found


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_prints_what_is_known_keeps_it_and_leaves_no_process(terminal, tmp_path, workers):
    games = tmp_path / "games"
    work = terminal(*SLOW[:-1], workers, "--size", "9x9x5", "--record", str(games))
    work.wait_for_words(" games, ")
    work.press("\x03")
    assert work.finish() == 130
    assert "interrupted: this is what was known by then." in work.output
    assert "Traceback" not in work.output
    assert work.attributes == work.before
    kept = sorted(games.iterdir())
    assert list(read_replay(kept[-1]).states())[-1].outcome
    nobody_is_left(work.process.pid)


def nobody_is_left(session):
    """Wait a moment: Python's own helper is the last to end."""
    deadline = monotonic() + 5
    while left_behind(session) and monotonic() < deadline:
        sleep(0.02)
    assert not left_behind(session)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no list of processes")
def test_when_the_program_is_killed_its_workers_end_too():
    command = [sys.executable, "-m", "apprenti", *SLOW[:-1], "2"]
    process = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = monotonic() + 15
    while left_behind(process.pid) < 4 and monotonic() < deadline:  # itself, its two workers, Python's own helper
        sleep(0.02)
    assert left_behind(process.pid) >= 3
    process.kill()
    process.wait()
    nobody_is_left(process.pid)


def test_ctrl_c_in_a_tournament_ranks_those_who_have_met(terminal, learned, tmp_path):
    other = tmp_path / "other.json"
    other.write_text(learned.read_text().replace('"name": "learned"', '"name": "other"'))
    copy_arrays(learned, "other")
    work = terminal("tournament", "mnk-random", str(learned), str(other), "--games", "100000000", "--workers", "1")
    work.wait_for_words(" games, ")
    work.press("\x03")
    assert work.finish() == 130
    assert "interrupted: this is what was known by then." in work.output
    assert re.search(r"^  learned +-?\d+ ", work.output, re.MULTILINE)
    assert "other" not in work.output.partition("has Elo 0")[0].rpartition("Elo")[2]
    assert "Traceback" not in work.output
