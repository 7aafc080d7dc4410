"""Packages that add games and agents: found by their entry points, used like our own, and broken ones told apart."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"

CENTRE = '''
class Centre:
    """Drops its discs as near to the centre as it can."""

    plays = ("connect-four",)

    def check(self, rules):
        """Any board will do."""

    def choose(self, observation, legal, rng):
        return min(legal, key=lambda column: abs(column - observation.rules.columns // 2))
'''


def install(site, package, games="", agents="", **modules):
    """What `pip install` leaves behind: modules, and a folder that says what they are."""
    about = site / f"{package.replace('-', '_')}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[apprenti.games]\n{games}\n[apprenti.agents]\n{agents}\n")
    for name, text in modules.items():
        (site / f"{name}.py").write_text(text)


@pytest.fixture
def site(tmp_path):
    """A folder of installed packages: two good ones, and one with everything that can go wrong."""
    site = tmp_path / "site"
    site.mkdir()
    for example in ("connect_four", "game_2048"):
        shutil.copy(EXAMPLES / f"{example}.py", site)
    install(site, "toy-connect-four", "connect-four = connect_four:GAME", "centre = centre:Centre", centre=CENTRE)
    install(site, "toy-2048", "2048 = game_2048:GAME")
    install(
        site, "broken",
        "missing = no_such_module:GAME\ncrashes = crashes:GAME\nempty = crashes_not:GAME\nnumber = crashes_not:SEVEN\n"
        "other = connect_four:GAME\ntetris = crashes:GAME",
        "crash = crashes:AGENT", crashes="1 / 0", crashes_not="SEVEN = 7",
    )  # fmt: skip
    return site


def run(site, script, **environment):
    """Run a script where the packages are installed; what it printed."""
    paths = [str(site), str(Path(__file__).parents[2] / "src")]
    known = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **environment}
    (site.parent / "script.py").write_text(dedent(script))
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=site.parent, env=known, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_installed_games_and_agents_are_used_like_our_own(site):
    said = run(
        site,
        """
        from pathlib import Path
        import apprenti, gymnasium, apprenti.envs
        from apprenti.envs import any_game

        assert {"connect-four", "2048", "tetris"} <= set(apprenti.games())
        found = apprenti.match("centre", "random", games=20, seed=3, workers=2)
        assert found.game.name == "connect-four" and found.share > 0.5, found.share
        searched = apprenti.match("mcts:20", "centre", game="connect-four", games=2, workers=2, rows=5)
        paths = searched.write_replays(Path("replays"))
        *_, end = apprenti.load_replay(paths[0]).states()
        assert end.outcome == searched.records[0].outcome and end.rules.rows == 5
        scored = apprenti.evaluate("random", game="2048", games=4, workers=2)
        assert scored.mean == apprenti.evaluate("random", game="2048", games=4, workers=1).mean > 0
        env = gymnasium.make("apprenti/Game-v0", game="2048")
        assert env.reset(seed=1)[1]["action_mask"].any()
        assert any_game.env(game="connect-four").possible_agents == ["player_0", "player_1"]
        from apprenti.cli.main import main
        assert main(["watch", "mcts:2", "--game", "2048", "--size", "2", "--record", "watched.json"]) in (0, None)
        assert main(["replay", "watched.json", "--verify"]) in (0, None)
        print(apprenti.game("connect-four").describe(searched.rules), apprenti.game("tetris").name)
        """,
    )
    assert "nothing can be pushed any more" in said
    assert said.endswith("\nrows 5, columns 7, connect 4 tetris\n")


def test_an_agent_of_a_package_is_also_a_kind_for_files(site):
    run(
        site,
        """
        from pathlib import Path
        import apprenti
        from apprenti.store.agentfile import AgentFile, write_agent

        write_agent(Path("mine.json"), AgentFile("mine", "To the centre", "connect-four", "centre", {}, "", "2026"))
        assert type(apprenti.agent("mine.json")).__name__ == "Centre"
        """,
    )


@pytest.mark.parametrize(
    ("name", "why"),
    [("missing", "no_such_module"), ("crashes", "ZeroDivisionError"), ("empty", "GAME"), ("number", "int"),
     ("other", "connect-four")],
)  # fmt: skip
def test_a_broken_game_is_one_sentence_and_the_others_go_on(site, name, why):
    said = run(
        site,
        f"""
        import apprenti

        try:
            apprenti.game("{name}")
        except apprenti.ApprentiError as error:
            print(error)
        assert apprenti.match("random", "random", game="connect-four", games=2, workers=1).games == 2
        assert apprenti.game("tetris").name == "tetris"  # a name of our own cannot be taken
        """,
    )
    assert said.startswith(f"the plug-in game {name} cannot be loaded from ")
    assert why in said
    assert said.endswith(".\n")
    assert said.count("\n") == 1


def test_a_broken_agent_is_one_sentence(site):
    said = run(
        site,
        """
        import apprenti

        try:
            apprenti.agent("crash", game="tetris")
        except apprenti.ApprentiError as error:
            print(error)
        """,
    )
    assert said.startswith("the plug-in agent crash cannot be loaded from crashes (ZeroDivisionError")
