"""The command line: finds the command, loads only that, and turns errors into one sentence."""

import os
import sys
from collections.abc import Sequence

from apprenti import __version__

COMMANDS = {
    "games": ("catalogue:LIST_GAMES", "what can be played, and under which rules"),
    "agents": ("catalogue:LIST_AGENTS", "who plays: the zoo, with published and measured scores"),
    "play": ("play:PLAY", "play yourself, in the terminal"),
    "watch": ("play:WATCH", "watch an agent play"),
    "explain": ("solve:EXPLAIN", "what an agent thinks of one position: every move, and why"),
    "web": ("machine:WEB", "all of it in the browser: play, watch, learn, measure, reproduce"),
    "evaluate": ("measure:EVALUATE", "measure an agent over many games, with intervals"),
    "compare": ("measure:COMPARE", "measure several agents: one table, one picture"),
    "tournament": ("tournament:TOURNAMENT", "agents of a game for two, everybody against everybody"),
    "ladder": ("catalogue:LADDER", "how people did against agents, in games they agreed to have rated"),
    "train": ("train:TRAIN", "learn a player from nothing, by any of the methods"),
    "solve": ("solve:SOLVE", "the optimal player of a small board or world, by dynamic programming"),
    "runs": ("train:RUNS", "what has been learned here"),
    "show": ("train:SHOW", "curves and weights of a run"),
    "resume": ("train:RESUME", "go on with a run after a crash or an interruption"),
    "replay": ("play:REPLAY", "show a recorded game and verify it"),
    "reproduce": ("reports:REPRODUCE", "run a published experiment again"),
    "bench": ("machine:BENCH", "measure the speed of this machine"),
    "doctor": ("machine:DOCTOR", "what this machine has, what is missing, and what to do about it"),
    "exercise": ("reports:EXERCISE", "the exercises of the course, and what is right in a file of answers"),
    "clean": ("machine:CLEAN", "remove compiled code of earlier versions"),
    "completion": ("machine:COMPLETION", "a script with which bash, zsh or fish completes these words"),
}
"""Where each command is in this folder, and what it is on one line; only the one that is asked for is loaded."""

HELP = """apprenti: a laboratory in which machines learn to play games.

usage: apprenti [--language fr] COMMAND [options]

{commands}

  apprenti COMMAND --help    all options of a command
  apprenti --version         the version

try:
  apprenti watch dellacherie                     the famous player of 2003
  apprenti evaluate bcts --size 10x10            how many lines, how sure
  apprenti compare random filtering tetrisbot    three ways to play
  apprenti train ce --criteria dt                learn a player in a minute
  apprenti play tictactoe                        your turn
"""


def commands() -> dict[str, tuple[str, str]]:
    """Where every command is, and what it is on one line: ours, then those of games."""
    from apprenti.core.plugins import plugins

    of_games = {name: (each.where, each.about) for one in plugins() for name, each in one.commands.items()}
    ours = {name: (f"apprenti.cli.{where}", about) for name, (where, about) in COMMANDS.items()}
    return {**ours, **{name: command for name, command in of_games.items() if name not in ours}}


def help_text() -> str:
    """The first screen."""
    from apprenti.cli.language import worded

    listed = "\n".join(f"  {name:<12} {worded(about)}" for name, (_, about) in commands().items())
    return worded(HELP).format(commands=listed)


def run(arguments: Sequence[str]) -> int:
    """Run a command; return its exit code."""
    from apprenti.cli.language import listen
    from apprenti.core.errors import UnknownName
    from apprenti.core.plugins import load, needing

    arguments = listen(arguments, os.environ)
    if len(arguments) > 1 and arguments[0] == "help":
        arguments = [*arguments[1:], "--help"]
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(help_text(), end="")
        return 0
    if arguments[0] == "--version":
        print(f"apprenti {__version__}")
        return 0
    name, *rest = arguments
    if name not in COMMANDS and name not in commands():
        raise UnknownName("command", name, commands())
    command = load(f"apprenti.cli.{COMMANDS[name][0]}" if name in COMMANDS else commands()[name][0])
    from apprenti.cli.options import parse

    read = getattr(command, "read", parse)
    with needing(f"this form of apprenti {name}"):
        return command.run(read(command.Options, name, rest)) or 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line. Errors of the user: one sentence and 2; Ctrl-C: 130."""
    from apprenti.cli.language import worded
    from apprenti.core.errors import exit_code
    from apprenti.core.machine import always_heard

    if sys.stdout is None:  # closed by the program that started us
        print("apprenti: standard output is closed.", file=sys.stderr)
        return 2
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115, PTH123
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")  # bytes that are no text are a wrong move, not an end
    with always_heard():
        return exit_code(lambda: _run(sys.argv[1:] if arguments is None else arguments), worded)


def _run(arguments: Sequence[str]) -> int:
    try:
        code = run(arguments)
        sys.stdout.flush()
        return code
    except SystemExit as stop:
        if stop.code != 1:
            raise
        raise BrokenPipeError from None  # rich leaves with 1 when its table meets a closed pipe


if __name__ == "__main__":
    sys.exit(main())
