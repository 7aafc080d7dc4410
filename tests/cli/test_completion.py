"""Completion: a shell is told the commands, the names and every option of a command, as they are now."""

import re
import shutil
import subprocess

import pytest

from apprenti.cli import main as program


@pytest.fixture
def few(monkeypatch):
    """Three commands: the help of all of them takes seconds."""
    known = program.commands()
    monkeypatch.setattr(program, "commands", lambda: {name: known[name] for name in ("runs", "solve", "completion")})


def offered(script, words):
    """What bash offers after some words."""
    line = f"COMP_WORDS=(apprenti {words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _apprenti; echo ${{COMPREPLY[@]}}"
    return subprocess.run(
        ["bash", "-c", f"{script}\n{line}"], capture_output=True, text=True, check=True
    ).stdout.split()


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash")
def test_bash_completes_commands_names_and_options(run, few):
    code, script, _ = run("completion", "bash")
    assert code == 0
    assert offered(script, "''") == ["runs", "solve", "completion"]
    assert offered(script, "so") == ["solve"]
    assert offered(script, "completion f") == ["fish"]
    assert offered(script, "solve --si") == ["--size"]
    assert "--json" in offered(script, "runs --")


def test_zsh_uses_the_same_and_fish_has_a_line_for_each_command(run, few):
    script = run("completion", "bash")[1]
    assert run("completion", "zsh")[1].endswith(script)
    assert not re.search(r":[A-Za-z]", script.partition("case")[2].partition(" in")[0])  # zsh takes it for a modifier
    lines = run("completion", "fish")[1].splitlines()
    assert "complete -c apprenti -n '__fish_use_subcommand' -a 'runs solve completion'" in lines
    assert len(lines) == 4


def test_an_unknown_shell_is_refused(run):
    assert run("completion")[2].startswith("apprenti: SHELL is missing")
    assert run("completion", "tcsh")[::2] == (
        2,
        "apprenti: there is no shell called 'tcsh': there is bash, zsh, fish.\n",
    )
