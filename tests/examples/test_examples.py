"""Every example runs, as a stranger would run it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))
GAMES = ("connect_four", "game_2048")
"""Whole games, which may be longer."""
DEEPER = {"draw_a_game": "apprenti.", "draw_a_position": "apprenti.", "luzhanqi_engine": "apprenti."}
"""Examples that need more than the names of `import apprenti` and the environments."""


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs_and_says_something(example, tmp_path):
    done = subprocess.run([sys.executable, example], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example_is_short_and_needs_the_public_names_only(example):
    text = example.read_text()
    assert len(text.splitlines()) <= (170 if example.stem in GAMES else 40)
    deep = re.findall(r"^\s*(?:from|import) (apprenti\.[\w.]+)", text, re.MULTILINE)
    assert all(name.startswith(("apprenti.envs", DEEPER.get(example.stem, "apprenti.envs"))) for name in deep)
