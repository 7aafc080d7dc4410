"""The wheel in an empty environment, by pip, with every command of the README as it is printed. `make soak PART=wheel`.

PYTHON names another Python than the one that runs this.
"""

import os
import subprocess
import sys

import pytest

from tests.test_wheel import COMMANDS, PYTHON, ROOT, built, check_command, said_by


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    folder = tmp_path_factory.mktemp("empty")
    base, pip = os.environ.get("PYTHON", sys.executable), ["-m", "pip", "install", "--quiet"]
    subprocess.run([base, "-m", "venv", folder / "venv"], check=True)
    command = [str(folder / "venv" / "bin" / "python")]
    wheel = f"apprenti[web] @ {built(folder).as_uri()}"
    subprocess.run([*command, *pip, "-c", ROOT / "constraints.txt", wheel], check=True)
    return command, {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_a_command_of_the_readme(python, words, tmp_path):
    check_command(python, words, tmp_path)


def test_the_python_of_the_readme_and_what_needs_an_extra(python, tmp_path):
    assert said_by(python, "-c", PYTHON[0], folder=tmp_path)
    assert "pip install 'apprenti[deep]'" in said_by(python, "-m", "apprenti", "doctor", folder=tmp_path)
