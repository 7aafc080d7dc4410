"""One manifest a game: taking a folder away takes only its game away; a package's manifest has all parts."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

import apprenti
from apprenti.core.plugins import GAMES as KNOWN

PACKAGE = Path(apprenti.__file__).parent
EXAMPLES = Path(__file__).parents[2] / "examples"
OURS = sorted(path.parent.name for path in PACKAGE.glob("games/*/plugin.py"))

EVERYTHING = """
    import importlib, pkgutil, sys
    import apprenti
    from apprenti.core.plugins import GAMES, plugins

    for module in pkgutil.walk_packages(apprenti.__path__, "apprenti."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    from apprenti.cli.main import main
    from apprenti.lab.agents import zoo
    from apprenti.lab.experiments import known
    from apprenti.learn.methods import METHODS, config_class
    from apprenti.web.app import Page

    for name in GAMES:
        GAMES.load(name)
    for method in METHODS:
        config_class(method)
    assert main(["games"]) == 0 and main(["agents"]) == 0 and known() is not None and zoo() is not None
    offered = Page(__import__("pathlib").Path("replays")).offered()
    print("OFFERED", *(each["name"] for each in offered))
"""


def run(folder, script, *paths):
    """Run a script in a process of its own, where these folders are searched first; what it printed."""
    known = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths)), "NUMBA_CACHE_DIR": str(folder / "compiled")}
    (folder / "script.py").write_text(dedent(script))
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=folder, env=known, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("gone", OURS)
def test_without_its_folder_a_game_is_gone_and_everything_else_works(gone, tmp_path):
    copy = tmp_path / "src" / "apprenti"
    shutil.copytree(PACKAGE, copy)
    shutil.rmtree(copy / "games" / gone)
    printed = run(tmp_path, EVERYTHING, copy.parent)
    offered = next(line for line in printed.splitlines() if line.startswith("OFFERED")).split()[1:]
    theirs = {name for name, entry in KNOWN.items() if f".games.{gone}." in entry.where}
    assert theirs and set(offered) == set(KNOWN) - theirs


PARTS = """
    from dataclasses import dataclass
    from apprenti.core.plugins import Command, Entry, Line, Method, Plugin
    from apprenti.learn.tabular_q_learning import TabularQLearning
    from apprenti.lab.kinds.scores import Scores
    from apprenti.web.scenes import Scenes


    class Centre:
        '''Drops its discs as near to the centre as it can.'''

        plays = ("connect-four",)

        def check(self, rules):
            pass

        def choose(self, observation, legal, rng):
            return min(legal, key=lambda column: abs(column - observation.rules.columns // 2))

        def describe(self):
            return "centre", {}


    def read_near(arguments, other):
        return Centre(), "connect-four", None


    class Drawn(Scenes):
        module = "generic"

        def scene(self, seen, eyes):
            return {"text": "drawn by the package"}


    DRAWN = Drawn()


    @dataclass(frozen=True)
    class Options:
        '''Say how many columns there are.'''

        columns: int = 7
        '''Columns.'''


    def run_command(options):
        print("columns", options.columns)


    PLUGIN = Plugin(
        agents={"centre": Entry("parts:Centre", "near the centre")},
        agent_kinds={"centre": Entry("parts:Centre", "near the centre")},
        lines={"near": Line("parts:read_near", "near:COLUMN")},
        learners={"stranger": Method("parts:TabularQLearning", "a stranger's learner", minute={"iterations": 2})},
        scenes={"connect-four": Entry("parts:DRAWN", "a sentence")},
        kinds={"marks": Entry("parts:Scores", "scores by another name")},
        commands={"columns": Command("columns_command", "how many columns")},
        experiments="more", zoo="more",
    )
"""

EXPERIMENT = """
title = "How long it lasts"
question = "Is the centre better?"
kind = "marks"

[[row]]
agent = "random"
game = "2048"
games = 2
"""


def install(site, package, module):
    """What `pip install` leaves behind of a package with one entry point."""
    about = site / f"{package}-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[apprenti.plugins]\n{package} = {module}:PLUGIN\n")


def test_two_packages_add_everything_by_the_one_manifest(tmp_path):
    site = tmp_path / "site"
    install(site, "four", "connect_four")
    install(site, "parts", "parts")
    shutil.copy(EXAMPLES / "connect_four.py", site)
    (site / "parts.py").write_text(dedent(PARTS))
    (site / "columns_command.py").write_text("from parts import Options, run_command as run\n")
    (site / "more").mkdir()
    (site / "more" / "__init__.py").write_text("")
    (site / "more" / "lasting.toml").write_text(EXPERIMENT)
    agent = {"format": 1, "name": "heart", "title": "The centre", "game": "connect-four", "kind": "centre",
             "config": {}, "rules": "", "source": "2026"}  # fmt: skip
    (site / "more" / "heart.json").write_text(json.dumps(agent))
    printed = run(
        tmp_path,
        """
        from pathlib import Path
        import apprenti
        from apprenti.cli.main import main
        from apprenti.lab.experiments import known
        from apprenti.learn.methods import METHODS
        from apprenti.web.scenes import scenes_of

        assert "connect-four" in apprenti.games() and "lasting" in known() and "stranger" in METHODS
        for name in ("centre", "near:3", "heart"):
            assert apprenti.match(name, "random", game="connect-four", games=4, workers=1).games == 4
        state = apprenti.game("connect-four").start(apprenti.game("connect-four").rules(), None)
        assert scenes_of(apprenti.game("connect-four")).scene(state, None) == {"text": "drawn by the package"}
        assert main(["columns", "--columns", "5"]) == 0
        assert main(["watch", "heart", "--record", "watched.json"]) == 0
        assert main(["replay", "watched.json", "--verify"]) == 0
        assert main(["columns", "--rows", "5"]) == 2
        """,
        site, PACKAGE.parent,
    )  # fmt: skip
    assert "columns 5" in printed


def test_a_manifest_that_is_none_is_left_out_with_a_sentence(tmp_path):
    site = tmp_path / "site"
    install(site, "broken", "broken")
    install(site, "missing", "nowhere")
    (site / "broken.py").write_text("PLUGIN = 7\n")
    run(
        tmp_path,
        """
        import contextlib, io
        from apprenti.core.plugins import GAMES

        words = io.StringIO()
        with contextlib.redirect_stderr(words):
            assert "tictactoe" in GAMES
        lines = words.getvalue().splitlines()
        assert sorted(line.split()[3] for line in lines) == ["broken", "missing"], lines
        assert all(line.startswith("apprenti: the plug-in ") and line.endswith(".") for line in lines)
        """,
        site, PACKAGE.parent,
    )  # fmt: skip
