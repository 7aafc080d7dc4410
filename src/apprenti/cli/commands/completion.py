"""`apprenti completion SHELL`: a script with which a shell completes commands, names and options."""

import contextlib
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import tyro

from apprenti.core.errors import UnknownName
from apprenti.core.plugins import GAMES
from apprenti.lab.agents import zoo
from apprenti.lab.experiments import known
from apprenti.learn.methods import METHODS

# zsh runs this, too, and takes a letter after a colon for a modifier: so the arithmetic
BASH = """_apprenti() {{
    local words current=${{COMP_WORDS[COMP_CWORD]}}
    case "${{COMP_WORDS[*]:1:$((COMP_CWORD - 1))}} " in
{cases}
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _apprenti apprenti"""
ZSH = "autoload -Uz compinit bashcompinit && compinit && bashcompinit\n"


@dataclass(frozen=True)
class Options:
    """Print a script that completes what is typed after `apprenti`; docs/install.md says where it goes."""

    shell: tyro.conf.Positional[Annotated[str, tyro.conf.arg(metavar="SHELL")]]
    """bash, zsh or fish."""


def run(options: Options) -> None:
    """Print the script."""
    shells = {"bash": bash, "zsh": lambda table: ZSH + bash(table), "fish": fish}
    if options.shell not in shells:
        raise UnknownName("shell", options.shell, shells)
    print(shells[options.shell](dict(table())))


def table() -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """Words that were typed, and what may come next; those with more words first."""
    from apprenti.cli.main import commands

    names = {"train": METHODS, "play": GAMES, "reproduce": known(), "completion": ("bash", "zsh", "fish")}
    names |= dict.fromkeys(("watch", "explain", "evaluate", "compare", "tournament", "exploit"), zoo())
    for method in METHODS if "train" in commands() else ():
        yield ("train", method), options_of("train", method)
    for command in commands():
        yield (command,), [*names.get(command, ()), *options_of(command)]
    yield (), [*commands()]


def options_of(*words: str) -> list[str]:
    """The options that the help of a command names."""
    from apprenti.cli.main import run as run_words

    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.suppress(SystemExit):
        run_words([*words, "--help"])
    return sorted(set(re.findall(r"(?m)^\W*(--[a-z][\w-]*)", said.getvalue())))


def bash(found: dict[tuple[str, ...], list[str]]) -> str:
    """For bash, and for zsh with its bashcompinit."""
    cases = (f'        "{" ".join(words)} "*) words="{" ".join(more)}" ;;' for words, more in found.items())
    return BASH.format(cases="\n".join(cases))


def fish(found: dict[tuple[str, ...], list[str]]) -> str:
    """For fish."""
    seen = "__fish_seen_subcommand_from"
    lines = []
    for words, more in found.items():
        when = "; and ".join(f"{seen} {word}" for word in words) or "__fish_use_subcommand"
        lines.append(f"complete -c apprenti -n '{when}' -a '{' '.join(more)}'")
    return "\n".join(lines)
