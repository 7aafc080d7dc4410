"""The commands that list and measure: what they print, and what they say to wrong input."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from apprenti.cli.main import COMMANDS, main
from apprenti.lab.agents import zoo
from apprenti.store.agentfile import AgentFile, write_agent
from apprenti.store.replay import read_replay

SHORT = ("--size", "7x6", "--max-pieces", "60")
BOT = ("tetrisbot", *SHORT)
"""Short games of the compiled engine."""


pytestmark = pytest.mark.usefixtures("elsewhere")


# What there is --------------------------------------------------------------------------------------------------------


def test_the_first_page_names_every_command(run):
    for arguments in ([], ["--help"], ["-h"], ["help"]):
        code, out, err = run(*arguments)
        assert (code, err) == (0, "")
        assert all(re.search(rf"^  {name} +\w", out, re.MULTILINE) for name in COMMANDS)


def test_the_version_is_one_line(run):
    from apprenti import __version__

    assert run("--version") == (0, f"apprenti {__version__}\n", "")


@pytest.mark.parametrize("command", [["ladder"], ["play"], ["play", "luzhanqi"]])
def test_help_before_a_command_is_its_help(command, capsys):
    texts = []
    for words in (["help", *command], [*command, "--help"]):
        try:
            main(words)
        except SystemExit as stop:
            assert stop.code == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1] and "usage: apprenti" in texts[0]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_every_command_exits_with_0(command, capsys):
    try:
        code = main([command, "--help"])
    except SystemExit as stop:
        code = stop.code or 0
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    assert f"apprenti {command}" in out
    assert "--help" in out


def test_games_lists_what_can_be_chosen_with_the_words_of_the_help(run, one_object):
    code, out, err = run("games")
    assert (code, err) == (0, "")
    data = one_object("games")
    assert list(data) == ["tetris", "tictactoe", "gomoku", "mnk", "luzhanqi", "gridworld", "mdp"]
    for game in data.values():
        for option, words in game["options"].items():
            assert re.search(rf"^  {option} +{re.escape(words)}$", out, re.MULTILINE)
    options = data["tetris"]["options"]
    assert list(options) == ["--rules", "--size", "--randomiser", "--pieces", "--points", "--preview", "--max-pieces"]
    for name in ("simplified", "overflow", "strict", "tetrisbot", "rapid", "classic", "domino"):
        assert name in options["--rules"] + options["--pieces"]
    assert data["tetris"]["rules"]["size"] == "10x20"


@pytest.mark.parametrize("command", ["evaluate", "compare", "tournament", "watch"])
@pytest.mark.parametrize(
    ("words", "there", "elsewhere"),
    [
        (["dellacherie"], ["--max-pieces", "a text file of shapes"], "--quiet-limit"),
        (["--game", "luzhanqi"], ["--quiet-limit", "carried"], "--max-pieces"),
        (["mnk-random"], ["5x5x4"], "--max-pieces"),
    ],
)
def test_help_shows_the_options_of_the_game_that_is_played(command, words, there, elsewhere, capsys):
    with pytest.raises(SystemExit) as stop:
        main([command, *words, "--help"])
    out = capsys.readouterr().out
    assert not stop.value.code
    assert all(option in out for option in (*there, "--seed", "--record", "AGENT"))
    assert elsewhere not in out


@pytest.mark.parametrize("command", ["evaluate", "compare", "tournament", "watch"])
def test_help_without_a_game_says_how_to_see_its_options(command, capsys):
    with pytest.raises(SystemExit):
        main([command, "--help"])
    out = capsys.readouterr().out
    assert f"`apprenti {command} AGENT --help`, or --game NAME --help, shows the options of the game too." in out
    assert "--seed" in out
    assert "--size" not in out


def test_a_game_makes_short_names_do_and_options_may_stand_anywhere(one_object):
    for words in (["random", "--game", "tictactoe"], ["--game=tictactoe", "random"]):
        found = one_object("evaluate", *words, "--against", "perfect", "--games", "1")
        assert (found["agent"], found["against"], found["game"]) == ("mnk-random", "mnk-perfect", "tictactoe")
    words = ["--games", "1", "--preview", "--max-pieces", "3", "--workers", "1", "random"]
    assert one_object("evaluate", *words)["description"].endswith("next piece known, at most 3 pieces")


def test_agents_lists_the_zoo_with_published_scores(run, one_object):
    code, out, err = run("agents")
    assert (code, err) == (0, "")
    assert all(re.search(rf"^ +{name} ", out, re.MULTILINE) for name in zoo())
    assert "76 308 points (10x22 tetrisbot)" in out  # the report's filtering agent
    listed = one_object("agents")["agents"]
    assert [agent["name"] for agent in listed] == list(zoo())
    assert all(agent["source"] for agent in listed)


# Measuring ------------------------------------------------------------------------------------------------------------


def test_evaluate_prints_a_table_with_the_numbers_of_its_json(run, one_object):
    code, out, _ = run("evaluate", *BOT, "--games", "12", "--seed", "4")
    data = one_object("evaluate", *BOT, "--games", "12", "--seed", "4", "--workers", "1")
    assert code == 0
    for heading in ("agent", "games", "mean points", "95 % interval", "deviation", "median", "pieces/s"):
        assert heading in out
    assert f"rules: {data['description']}" in out
    assert data["rules"]["size"] == "7x6"
    assert "seed 4, compiled engine" in out
    row = next(line for line in out.splitlines() if line.startswith("  tetrisbot"))
    points = data["statistics"]["points"]
    for number in (points["mean"], *points["ci95"], points["deviation"], *points["five_numbers"]):
        assert (f"{number:,.0f}".replace(",", " ") if number >= 100 else f"{number:.3g}") in row


def test_evaluate_says_how_many_games_were_cut(run):
    _, out, _ = run("evaluate", "tetrisbot", "--size", "10x12", "--max-pieces", "8", "--games", "3")
    assert "3 (3 cut)" in out
    assert "∞" in out


LIMITED = ("--size", "10x10", "--max-pieces", "30", "--games", "40", "--workers", "1")


def test_the_mean_is_that_of_what_was_played_and_a_whole_game_is_estimated_beside_it(run, one_object):
    data = one_object("evaluate", "dellacherie", *LIMITED)
    lines = data["statistics"]["lines"]
    assert lines["five_numbers"][0] <= lines["mean"] == lines["total"] / 40 <= lines["five_numbers"][-1]
    assert (data["mean_lines"], data["estimated_mean_lines"]) == (lines["mean"], lines["estimated_mean"])
    for command in ("evaluate dellacherie", "compare dellacherie", "tournament dellacherie filtering"):
        code, out, _ = run(*command.split(), *LIMITED)
        assert code == 0
        assert "estimated whole game (95 %)" in out
        row = next(line for line in out.splitlines() if line.startswith("  dellacherie"))
        assert f"{lines['mean']:.3g}" in row


def test_without_a_cut_game_nothing_is_estimated(run):
    assert "estimated" not in run("evaluate", *BOT, "--games", "5")[1]


def test_what_the_rules_of_an_agent_have_can_be_left_out(run):
    game = ("evaluate", "tetrisbot", "--size", "7x6", "--games", "1", "--workers", "1")
    assert "next piece known" in run(*game)[1]
    assert "next piece unknown" in run(*game, "--no-preview")[1]


def test_evaluate_goes_on_until_it_is_precise_enough(one_object):
    points = one_object("evaluate", "tetrisbot", "--size", "7x6", "--precision", "0.2")["statistics"]["points"]
    assert points["games"] >= 30
    assert (points["ci95"][1] - points["ci95"][0]) / (2 * points["mean"]) <= 0.2


def test_rules_can_be_changed_from_the_command_line(one_object):
    changes = ("--rules", "strict", "--size", "8x9", "--randomiser", "weighted:S=2,Z=1", "--pieces", "classic")
    more = ("--points", "square", "--preview", "--max-pieces", "5", "--games", "1", "--workers", "1")
    rules = one_object("evaluate", "random", *changes, *more)["description"]
    for words in (
        "strict rules", "8x9", "classic pieces", "weighted:S=2,Z=1", "points by square", "next piece known",
        "at most 5 pieces",
    ):  # fmt: skip
        assert words in rules


def test_pieces_come_from_a_text_file_of_shapes(tmp_path, one_object):
    (tmp_path / "corners.txt").write_text("V\n#.\n##\n")
    options = ("--pieces", "corners.txt", "--size", "6x6", "--games", "1", "--workers", "1")
    assert "corners pieces" in one_object("evaluate", "random", *options)["description"]


def test_evaluate_writes_the_figure_as_png_or_svg(run, tmp_path):
    for name, first in (("figure.png", b"\x89PNG"), ("new/figure.svg", b"<?xml")):
        code, out, _ = run("evaluate", *BOT, "--games", "8", "--figure", name)
        assert code == 0
        assert f"figure: {name}" in out
        assert (tmp_path / name).read_bytes().startswith(first)


def test_evaluate_keeps_replays_that_verify(run, tmp_path):
    code, out, _ = run("evaluate", *BOT, "--games", "3", "--record", "games")
    assert code == 0
    assert "3 replays in games; the first: apprenti replay games/tetrisbot-1-0000.json" in out
    assert [path.name for path in sorted((tmp_path / "games").iterdir())] == [
        f"tetrisbot-1-000{game}.json" for game in range(3)
    ]
    assert run("replay", "games/tetrisbot-1-0002.json", "--verify")[0] == 0


def test_json_stays_alone_on_standard_output_when_files_are_written_too(one_object, tmp_path):
    data = one_object("evaluate", *BOT, "--games", "2", "--record", "games", "--figure", "figure.svg")
    assert data["games"] == len(list((tmp_path / "games").iterdir())) == 2
    assert (tmp_path / "figure.svg").exists()


def test_compare_prints_one_table_under_the_rules_of_the_first(run, one_object):
    arguments = ("compare", "tetrisbot", "filtering", "random", *SHORT, "--games", "4", "--workers", "1")
    code, out, _ = run(*arguments)
    assert code == 0
    rows = [line.split()[0] for line in out.splitlines() if line.startswith("  ") and "·" in line]
    assert rows == ["agent", "tetrisbot", "filtering", "random"]
    data = one_object(*arguments)
    assert [agent["agent"] for agent in data["agents"]] == ["tetrisbot", "filtering", "random"]
    assert all(agent["rules"] == data["rules"] for agent in data["agents"])
    assert f"rules: {data['description']}" in out


def test_compare_gives_each_agent_what_evaluate_gives_it(one_object):
    together = one_object("compare", "tetrisbot", "filtering", *SHORT, "--games", "5")["agents"]
    alone = one_object("evaluate", *BOT, "--games", "5")
    assert together[0]["statistics"] == alone["statistics"]


def test_all_agents_of_a_comparison_meet_the_same_pieces(run, tmp_path):
    options = ("--games", "1", "--max-pieces", "8", "--record", "games", "--workers", "1")
    code, _, _ = run("compare", "filtering", "random", *options)
    assert code == 0
    dealt = []
    for path in sorted((tmp_path / "games").iterdir()):
        states = list(read_replay(path).states())
        dealt.append([state.piece for state in states if state.piece])
    assert len(dealt) == 2
    assert dealt[0] == dealt[1]


def test_compare_writes_its_picture(run, tmp_path):
    code, out, _ = run("compare", "tetrisbot", "filtering", *SHORT, "--games", "3", "--figure", "means.svg")
    assert code == 0
    assert "figure: means.svg" in out
    assert b"<svg" in (tmp_path / "means.svg").read_bytes()


def test_names_in_a_file_are_neither_markup_nor_commands_to_the_terminal(run, tmp_path):
    name = "[red]me[/b]\x1b[2J"
    write_agent(tmp_path / "agent.json", AgentFile(name, "t", "tetris", "random", {}, "tetrisbot", "s"))
    code, out, _ = run("evaluate", "agent.json", "--games", "1", "--workers", "1", "--size", "6x6")
    assert code == 0
    assert "[red]me[/b][2J" in out
    assert "\x1b" not in out


def test_a_short_run_of_an_experiment_never_takes_the_place_of_a_whole_one(capsys):
    assert main(["reproduce", "cluster-model", "--short"]) == 0
    assert "results/short/cluster-model" in capsys.readouterr().out
    assert (Path("results") / "short" / "cluster-model" / "table.md").exists()
    assert [path.name for path in Path("results").iterdir()] == ["short"]


# Wrong input ----------------------------------------------------------------------------------------------------------

SLOW = ("evaluate", "random", "--games", "1000000000", "--workers", "1")
"""Would last for weeks: what is wrong must be found before the work."""


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["nonsense"], "no command called 'nonsense'"),
        (["evaluat"], "did you mean evaluate?"),
        (["--nonsense"], "no command called '--nonsense'"),
        (["play", "chess"], "no game called 'chess'"),
        (["play", "tetri"], "did you mean tetris?"),
        (["evaluate"], "AGENT"),
        (["evaluate", "nobody"], "no agent called 'nobody'"),
        (["evaluate", "delacherie"], "did you mean dellacherie?"),
        (["evaluate", "nothing.json"], "cannot read nothing.json"),
        (["evaluate", "file"], "not an agent file"),
        (["evaluate", "a" * 300], "there is no agent called"),
        (["evaluate", "evaluation:1,2"], "four numbers, not evaluation:1,2"),
        (["evaluate", "linear:hole=-4"], "did you mean holes?"),
        (["evaluate", "preview:random"], "only a player with weights"),
        (["evaluate", "preview:dellacherie", "--rules", "strict"], "add --preview"),
        (["evaluate", "bdu", "--size", "6x20"], "on a board 6 columns wide"),
        ([*SLOW, "--rules", "chess"], "no set of rules called 'chess'"),
        ([*SLOW, "--size", "1x1"], "1x1"),
        ([*SLOW, "--size", "100x100"], "100x100"),
        ([*SLOW, "--size", "3x20"], "does not fit"),
        ([*SLOW, "--size", "ten"], "like 10x20"),
        ([*SLOW, "--size", "10x-20"], "like 10x20"),
        ([*SLOW, "--randomiser", "dice"], "dealt by uniform, bag"),
        ([*SLOW, "--randomiser", "bag:7"], "dealt by uniform, bag"),
        ([*SLOW, "--randomiser", "sequence:"], "dealt by uniform, bag"),
        ([*SLOW, "--randomiser", "sequence:IOQ"], "no piece called 'Q'"),
        ([*SLOW, "--randomiser", "weighted:S"], "dealt by uniform, bag"),
        ([*SLOW, "--randomiser", "weighted:S=-1"], "dealt by uniform, bag"),
        ([*SLOW, "--randomiser", "weighted:S=0"], "share above 0"),
        ([*SLOW, "--pieces", "stones"], "no set of pieces called 'stones'"),
        ([*SLOW, "--pieces", "shapes.txt"], "shapes.txt"),
        ([*SLOW, "--pieces", "file"], "begins with one letter"),
        ([*SLOW, "--points", "many"], "no way to count points called 'many'"),
        ([*SLOW, "--max-pieces", "-1"], "-1"),
        ([*SLOW, "--seed", "one"], "whole number"),
        ([*SLOW, "--precision", "2"], "--precision"),
        ([*SLOW, "--precision", "nan"], "--precision"),
        ([*SLOW, "--precision", "much"], "number"),
        ([*SLOW, "--nonsense"], "--nonsense"),
        ([*SLOW, "--figur", "figure.png"], "did you mean --figure?"),
        ([*SLOW, "--figure", "figure.jpg"], "another ending"),
        ([*SLOW, "--figure", "file/figure.png"], "file"),
        ([*SLOW, "--figure", "/proc/nowhere/figure.png"], "/proc/nowhere"),
        ([*SLOW, "--record", "file"], "not a folder"),
        ([*SLOW, "--record", "/proc/nowhere"], "/proc/nowhere"),
        ([*SLOW, "another"], "another"),
        (["evaluate", "random", "--games", "0"], "--games is from 1 to"),
        (["evaluate", "random", "--games", "many"], "whole number"),
        (["evaluate", "random", "--workers", "-1"], "--workers"),
        (["evaluate", "random", "--workers", "1000"], "--workers"),
        (["compare"], "at least one agent"),
        (["compare", "random", "nobody"], "no agent called 'nobody'"),
        (["compare", "random", "--figure", "figure.gif"], "another ending"),
        (["compare", "random", "--record", "file"], "not a folder"),
        (["compare", "random", "preview:dellacherie", "--rules", "simplified"], "add --preview"),
        (["games", "more"], "more"),
        (["agents", "--jsn"], "--json"),
        ([*SLOW, "--quiet-limit", "3"], "--quiet-limit is for luzhanqi, not for tetris"),
        ([*SLOW, "--game", "chess"], "no game called 'chess'"),
        (["evaluate", "--game", "tetris"], "AGENT is missing"),
        (["evaluate", "dellacherie", "--game", "mnk"], "dellacherie plays tetris, not mnk"),
        (["compare", "--game", "tetris"], "at least one agent"),
        (["watch"], "AGENT is missing"),
        (["watch", "random", "--seed", "x"], "parsing --seed: a whole number was expected, not 'x' (apprenti watch"),
        (["watch", "random", "--game", "tetris", "--explain"], "random cannot"),
    ],
    ids=lambda value: " ".join(value)[:60] if isinstance(value, list) else "",
)
@pytest.mark.parametrize("json_too", [False, True], ids=["", "json"])
def test_wrong_input_is_one_sentence_exit_code_2_and_nothing_written(refused, tmp_path, arguments, why, json_too):
    (tmp_path / "file").write_text("in the way\n")
    refused(why, *arguments, *(["--json"] if json_too and arguments[0] in ("evaluate", "compare") else []))


def program(*arguments):
    """The program in a process of its own."""
    return [sys.executable, "-m", "apprenti", *arguments]


@pytest.mark.parametrize("command", [["games"], ["agents"], ["evaluate", "random", "--games", "2", "--workers", "1"]])
def test_a_reader_who_has_gone_is_one_sentence_and_exit_code_2(command):
    process = subprocess.Popen(program(*command), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdout.close()
    assert process.stderr.read() == "apprenti: the program that read the output has ended.\n"
    assert process.wait() == 2
    process.stderr.close()


@pytest.mark.parametrize(("redirection", "why"), [(">&-", "closed"), (">/dev/full", "No space left on device")])
def test_an_output_that_takes_nothing_is_one_sentence_and_exit_code_2(redirection, why):
    script = f'exec "$0" "$@" {redirection}'
    done = subprocess.run(["sh", "-c", script, *program("games")], stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert re.fullmatch(r"apprenti: .+\.\n", done.stderr)
    assert why in done.stderr


# Ctrl-C ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ("evaluate", "random", "--workers", "1", "--games", "1000000"),
        ("evaluate", "random", "--workers", "2", "--games", "1000000"),
        ("evaluate", "tetrisbot", "--size", "10x8", "--workers", "2", "--precision", "0.0001"),
        ("compare", "random", "filtering", "--workers", "1", "--games", "1000000"),
    ],
    ids=["readable", "processes", "compiled", "compare"],
)
def test_ctrl_c_prints_what_is_known_and_exits_with_130(terminal, arguments, run):
    run("evaluate", *BOT, "--games", "1")  # compile before the clock starts
    work = terminal(*arguments)
    work.wait_for_words(" games, points ")
    work.press("\x03")
    assert work.finish() == 130
    assert "interrupted: this is what was known by then." in work.output
    assert f"  {arguments[1]} " in work.output
    assert "Traceback" not in work.output
    assert work.attributes == work.before


def test_ctrl_c_while_recording_keeps_replays_that_verify(terminal, tmp_path):
    work = terminal("evaluate", "random", "--workers", "1", "--games", "1000000", "--record", str(tmp_path / "games"))
    work.wait_for_words(" games, points ")
    work.press("\x03")
    assert work.finish() == 130
    kept = sorted((tmp_path / "games").iterdir())
    assert kept
    for path in (kept[0], kept[-1]):
        assert list(read_replay(path).states())


def test_a_title_of_an_experiment_commands_no_terminal_and_a_broken_file_hides_no_other(run):
    Path("experiments").mkdir()
    title = 'title = "t\\u001b]0;x\\u0007"\nquestion = "q?"\nkind = "match"\ngame = "tictactoe"\ngames = 2\n'
    Path("experiments/mine.toml").write_text(f'{title}agents = ["mnk-random", "mnk-perfect"]\n')
    Path("experiments/deep.toml").write_text("a = " + "[" * 5000)
    code, out, err = run("reproduce")
    assert code == 0 and re.search(r"^mine +t\]0;x$", out, re.MULTILINE) and "deep.toml" in err
    code, out, _ = run("reproduce", "mine", "--short", "--workers", "1")
    assert code == 0 and "\x1b" not in out and out.startswith("t]0;x\n\n|")
