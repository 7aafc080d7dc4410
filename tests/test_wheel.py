"""The wheel away from the checkout; `make soak PART=wheel` runs every command of the README there, and its Python."""

import os
import re
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from apprenti.lab.experiments import known

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [words.split() for words in re.findall(r"^\.venv/bin/apprenti (.+?)(?:  .*)?$", README, re.MULTILINE)]
PYTHON = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
ENDLESS = {"web": "apprenti is at http://127.0.0.1:", "watch": "lines"}
"""Commands that go on until somebody ends them, and what they say before that."""
QUICK = ("web", "watch", "reproduce")
"""Commands that compile nothing: the others would do so in every run of the tests: the wheel is always elsewhere."""
MATCH = "import apprenti; print(apprenti.match('random', 'random', game='tictactoe', games=4, workers=1).games)"
TITLES = "from apprenti.lab.experiments import known; print(*known())"


def built(folder):
    """The wheel of this checkout."""
    words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """A Python that finds the wheel's content instead of the checkout; `make soak PART=wheel` installs it for real."""
    folder = tmp_path_factory.mktemp("wheel")
    zipfile.ZipFile(built(folder)).extractall(folder / "installed")
    return [sys.executable], {**os.environ, "PYTHONPATH": str(folder / "installed"), "NO_COLOR": "1"}


def said_by(python, *words, folder):
    """What a program prints to its end."""
    command, environment = python
    done = subprocess.run([*command, *words], cwd=folder, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout


def begins(python, *words, until, folder):
    """What a program prints that is ended once it has said something."""
    command, environment = python
    program = subprocess.Popen([*command, *words], cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
    said = ""
    for line in program.stdout:
        said += line
        if until in said:
            break
    program.send_signal(signal.SIGINT)
    program.communicate(timeout=60)
    return said


def check_command(python, words, folder):
    """Run a command of the README."""
    words = ["-m", "apprenti", *words, *(["--no-browser", "--port", "0"] if words == ["web"] else [])]
    if until := ENDLESS.get(words[2]):
        assert until in begins(python, *words, until=until, folder=folder)
    else:
        assert said_by(python, *words, folder=folder)


def test_there_are_commands_in_the_readme():
    assert len(COMMANDS) >= 5 and len(PYTHON) == 1


@pytest.mark.parametrize("words", [words for words in COMMANDS if words[0] in QUICK], ids=lambda words: words[0])
def test_a_command_of_the_readme_works_outside_the_checkout(python, words, tmp_path):
    check_command(python, words, tmp_path)


def test_a_match_from_python_works_outside_the_checkout(python, tmp_path):
    assert said_by(python, "-c", MATCH, folder=tmp_path) == "4\n"


def test_agents_experiments_pages_and_exercises_are_in_the_wheel(python, tmp_path):
    assert set(known()) <= set(said_by(python, "-c", TITLES, folder=tmp_path).split())
    installed = Path(python[1]["PYTHONPATH"]) / "apprenti"
    for part in ("games/tetris/zoo", "games/mnk/experiments", "web/static"):
        here = {path.name for path in (ROOT / "src" / "apprenti" / part).iterdir() if path.name != "__pycache__"}
        assert here <= {path.name for path in (installed / part).iterdir()}
