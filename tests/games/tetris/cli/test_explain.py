"""What an agent thinks of a position, on the command line."""

import json

import pytest

pytestmark = pytest.mark.usefixtures("elsewhere")
POSITION = "####....../###....... T"


def test_every_placement_has_its_value_and_what_each_criterion_adds(run):
    code, out, _ = run("explain", "dellacherie", "--size", "10x8", POSITION)
    assert code == 0
    assert sum(line.strip().startswith("P:") for line in out.splitlines()) == 34
    assert "landing height" in out and "cumulative wells" in out
    assert "1111" in out  # the best placement is drawn on the board
    assert "0 1 2 3 4 5 6 7 8 9" in out  # and the columns are numbered


def test_it_is_plain_data_too_and_adds_up(run):
    code, out, _ = run("explain", "tetrisbot", *POSITION.split(), "--json")
    data = json.loads(out)
    assert (code, data["agent"], data["game"], len(data["moves"])) == (0, "tetrisbot", "tetris", 34)
    for one in data["moves"]:
        assert sum(one["contributions"].values()) == pytest.approx(one["value"], abs=1e-6)
    values = [one["value"] for one in data["moves"]]
    assert values == sorted(values, reverse=True)
    assert run("explain", "tetrisbot", data["position"], "--json")[1] == out  # what it writes it reads


def test_it_serves_every_game_whose_agents_can_tell(run):
    code, out, _ = run("explain", "sarsa-tictactoe", "X.O/.../... x", "--json")
    assert code == 0
    assert len(json.loads(out)["moves"]) == 7
    assert run("explain", "filtering", POSITION)[1].rstrip().endswith("lines: 1 left")


def test_without_a_position_it_is_the_first_of_a_game(run):
    assert run("explain", "bcts", "--size", "10x8", "--seed", "3", "--json")[1].count('"move"') >= 9


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["random", "--game", "tetris", POSITION], "explain is for agents that can say what they think"),
        (["dellacherie", "####...... -"], "nobody is to move in this position"),
        (["dellacherie", "no board at all"], "a position is board, piece, next piece"),
        (["dellacherie", "####.... T"], "this board is 8x20, and 10x20 is played"),
        (["dellacherie", "####...... X"], "there is no piece called 'X'"),
        (["nobody", POSITION], "nobody"),
    ],
)
def test_what_cannot_be_explained_is_one_sentence(run, words, why):
    code, out, err = run("explain", *words)
    assert (code, out) == (2, "")
    assert why in err and err.count("\n") == 1


def test_watching_with_explanations_says_why_before_every_piece(run):
    code, out, _ = run("watch", "dellacherie", "--size", "10x8", "--seed", "1", "--max-pieces", "2", "--explain",
                       "--numbers", "--statistics")  # fmt: skip
    assert code == 0
    assert out.count("landing height") == 2
    assert "11" in out and "22" in out
    assert out.count("columns 0 0 0 0 0 0 0 0 0 0") >= 1  # of the empty board
    assert "L 0  H 4  T 0  B" in out
    assert "s a move" in out


def test_a_person_may_see_numbers_and_statistics(run, monkeypatch):
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("P:0:0\n"))
    code, out, _ = run("play", "tetris", "--size", "10x8", "--seed", "1", "--numbers", "--statistics",
                       "--max-pieces", "1")  # fmt: skip
    assert code == 0
    assert " 9┆" in out and " 0│" in out
    assert "L 0  H 0  T 0  B 0" in out
