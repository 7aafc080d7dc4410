"""`apprenti bench`, `doctor`, `clean`, `completion` and `web`: this machine and this installation."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import tyro

from apprenti.cli.options import Cluster, CommandLine, check_writable, options_in
from apprenti.cli.progress import progress
from apprenti.core.errors import BadOption, UnknownName
from apprenti.core.machine import in_words
from apprenti.core.plugins import GAMES, load, usual_game
from apprenti.lab.bench.machine import Figure, as_json, machine
from apprenti.lab.doctor import clean, examine
from apprenti.views.numbers import number


@dataclass(frozen=True)
class BenchOptions:
    """Measure the speed of this machine; let nothing else run meanwhile."""

    what: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="[web]")] = ""
    """`web` measures the page's server alone; nothing said: everything else."""
    json: bool = False
    """Print one JSON object and nothing else."""
    quick: bool = False
    """A rough look in a few seconds."""
    cluster: Cluster = ""
    """Measure what a Ray cluster costs instead, like local:2, beside as many threads of this machine."""


def shown(figure: Figure) -> str:
    """A measurement in a few characters."""
    return f"{figure.value:.2f}" if figure.unit in ("s", "ms", "times", "cores", "%") else number(figure.value)


def _figures(options: BenchOptions) -> Iterator[Figure]:
    """What was asked for."""
    if options.what not in ("", "web"):
        raise BadOption(f"bench measures this machine or, as `bench web`, the page: not {options.what!r}.")
    if options.what and options.cluster:
        raise BadOption("bench measures the page or a cluster: leave out web or --cluster.")
    if not options.what:
        from apprenti.lab.bench import bench

        return bench(options.quick, options.cluster)
    from apprenti.web.bench import figures

    return figures(options.quick)


def run_bench(options: BenchOptions) -> None:
    """Measure and report."""
    from apprenti.cli.tables import print_table

    figures: list[Figure] = []
    with progress("bench", quiet=options.json) as report:
        for figure in _figures(options):
            figures.append(figure)
            report(min(1.0, len(figures) / 60), figure.name)
    if options.json:
        print(as_json(figures))
        return
    rows = [(figure.name, shown(figure), figure.unit) for figure in figures]
    print_table(("what", "speed", "unit"), rows)
    print(" · ".join(f"{key} {value}" for key, value in machine().items() if value))


@dataclass(frozen=True)
class DoctorOptions:
    """Look at this machine: versions, extras, cores, memory, compiled code, and what to do about what is missing."""

    json: bool = False
    """Print one JSON object and nothing else."""


def doctor(options: DoctorOptions) -> None:
    """Print what was found."""
    findings = examine()
    if options.json:
        print(json.dumps({"findings": [asdict(finding) for finding in findings]}))
        return
    for finding in findings:
        print(f"{finding.what:<14} {finding.found}" + (f"\n{'':<14} → {finding.mend}" if finding.mend else ""))


@dataclass(frozen=True)
class CleanOptions:
    """Remove compiled code of earlier versions. Runs, results and replays are left alone."""

    all: bool = False
    """Remove the compiled code of this version, too: the next start compiles anew."""


def run_clean(options: CleanOptions) -> None:
    """Remove it, and say how much it was."""
    removed, size = clean(options.all)
    print(f"removed {len(removed)} folders of compiled code, {in_words(size)}.")


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
class CompletionOptions:
    """Print a script that completes what is typed after `apprenti`; docs/install.md says where it goes."""

    shell: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="SHELL")]
    """bash, zsh or fish."""


def completion(options: CompletionOptions) -> None:
    """Print the script."""
    shells = {"bash": bash, "zsh": lambda table: ZSH + bash(table), "fish": fish}
    if options.shell not in shells:
        raise UnknownName("shell", options.shell, shells)
    print(shells[options.shell](dict(table())))


def table() -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """Words that were typed, and what may come next; those with more words first."""
    from apprenti.cli.main import commands
    from apprenti.lab.agents import zoo
    from apprenti.lab.experiments import known
    from apprenti.learn.methods import METHODS

    names = {"train": METHODS, "play": GAMES, "reproduce": known(), "completion": ("bash", "zsh", "fish")}
    names |= dict.fromkeys(("watch", "explain", "evaluate", "compare", "tournament", "exploit"), zoo())
    for method in METHODS if "train" in commands() else ():
        yield ("train", method), options_of("train", method)
    for command in commands():
        yield (command,), [*names.get(command, ()), *options_of(command)]
    yield (), [*commands()]


def options_of(*words: str) -> list[str]:
    """The options of a command, or of a method of `train`."""
    from apprenti.cli.main import commands
    from apprenti.cli.train import method_options
    from apprenti.lab.solve import solver_of

    name, *method = words
    if method:
        options = method_options(*method)
    else:
        own = solver_of(GAMES.load(usual_game())).command if name == "solve" else ""
        options = load(own or commands()[name][0]).Options
    return sorted({each.name for each in options_in(options) if not each.positional})


def bash(completions: dict[tuple[str, ...], list[str]]) -> str:
    """For bash, and for zsh with its bashcompinit."""
    cases = (f'        "{" ".join(words)} "*) words="{" ".join(more)}" ;;' for words, more in completions.items())
    return BASH.format(cases="\n".join(cases))


def fish(completions: dict[tuple[str, ...], list[str]]) -> str:
    """For fish."""
    seen = "__fish_seen_subcommand_from"
    lines = []
    for words, more in completions.items():
        when = "; and ".join(f"{seen} {word}" for word in words) or "__fish_use_subcommand"
        lines.append(f"complete -c apprenti -n '{when}' -a '{' '.join(more)}'")
    return "\n".join(lines)


@dataclass(frozen=True)
class WebOptions:
    """Play, watch, learn, measure and reproduce in the browser, on this machine only; Ctrl-C ends it.

    Runs and measurements that were begun there go on by themselves.
    """

    port: int = 8765
    """Where the page is served, on 127.0.0.1; 0 for any port that is free."""
    no_browser: bool = False
    """Only say the address, and open no browser."""
    folder: Path = Path("replays")
    """Where games are stored; replays in it can be watched."""
    class_: Annotated[Path | None, tyro.conf.arg(name="class", metavar="FILE", help_behavior_hint="")] = None
    """A class file (.toml): which pages, agents and learners a class sees, in which language, and its pupils."""


def web(options: WebOptions) -> None:
    """Serve the page."""
    from apprenti.web.server import serve

    check_writable(options.folder)
    serve(options.folder, options.port, not options.no_browser, options.class_)


BENCH = CommandLine(BenchOptions, run_bench)
DOCTOR = CommandLine(DoctorOptions, doctor)
CLEAN = CommandLine(CleanOptions, run_clean)
COMPLETION = CommandLine(CompletionOptions, completion)
WEB = CommandLine(WebOptions, web)
