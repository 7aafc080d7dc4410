"""`apprenti show` draws where a run that learned to set up puts its pieces, and only then."""

from apprenti.cli.main import main
from apprenti.games.luzhanqi.lab.layouts import draw_layouts
from apprenti.lab.train import train
from tests.learn.tiny import config


def test_a_run_that_places_has_a_picture_of_its_layouts(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("apprenti.games.luzhanqi.lab.layouts.DRAWN", 3)
    run = train("actor-critic", config("actor-critic", placement=True), "placing", tmp_path)
    assert main(["show", str(run.folder)]) in (0, None)
    assert "layouts.png" in capsys.readouterr().out
    assert (run.folder / "layouts.png").stat().st_size > 1000
    plain = train("actor-critic", config("actor-critic"), "plain", tmp_path)
    assert draw_layouts(plain) is None


def test_watching_with_explanations_says_what_is_believed_and_wanted(capsys):
    assert main(["watch", "luzhanqi-learned", "--against", "luzhanqi-random", "--seed", "4", "--explain"]) in (0, None)
    said = capsys.readouterr().out
    assert "what north's pieces are likely to be" in said and "favourite moves" in said


def test_explanations_are_for_agents_that_can_tell(capsys):
    for game in ("tetris", "tictactoe"):
        assert main(["watch", "random", "--game", game, "--explain"]) == 2
        assert "--explain" in capsys.readouterr().err
