"""`apprenti tournament AGENT AGENT…`: everybody against everybody, or all on the same deals; a class's files, too."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from apprenti.cli.language import say
from apprenti.cli.measure import (
    CompareOptions,
    check_outputs,
    checked,
    evaluate_each,
    report_alone,
    report_tournament,
)
from apprenti.cli.options import CommandLine, parse
from apprenti.cli.request import Request, extras_of, read_agents, scan
from apprenti.core.errors import BadOption
from apprenti.core.protocols import AnyRules
from apprenti.lab.agents import NamedAgent
from apprenti.lab.cluster import on_cluster
from apprenti.lab.guarded import GuardedAgent, Limits, find_guarded
from apprenti.lab.results import Result

NAME_TWO = "a tournament needs at least two agents, like: apprenti tournament sarsa-tictactoe mnk-perfect."


@dataclass(frozen=True, kw_only=True)
class TournamentOptions(CompareOptions):
    """Everybody against everybody: Elo, every match with Wilson's interval, how games ended, a picture.

    Every opening is played twice with the sides exchanged. In a game for one all play the same deals, and are ranked by
    what they score. A Python file (class/*.py) plays in a process of its own: a crash, an illegal move or an endless
    loop loses a game. That keeps mistakes apart, not malice: do not run a file that you would not run yourself.
    """

    games: int = 100
    """Games for each pair, or for each agent where each plays alone."""
    seconds: float = Limits.seconds
    """Time of a Python file for one move."""
    game_seconds: float = Limits.game_seconds
    """Time of a Python file for all moves of a game."""
    memory: int = Limits.memory
    """Memory of a Python file in megabytes."""


def read_tournament(options: type[TournamentOptions], command: str, words: Sequence[str]) -> Request:
    """The request; no file of it is run here."""
    _, named = scan(words, options)
    given = [f"--{name.replace('_', '-')}={named[name]}" for name in vars(Limits()) if name in named]
    limits = Limits(**vars(parse(OnlyLimits, command, given))) if given else Limits()
    return read_agents(options, command, words, NAME_TWO, partial(find_guarded, limits=limits))


@dataclass(frozen=True, kw_only=True)
class OnlyLimits:
    """The limits alone, which have to be known before agents are found."""

    seconds: float = Limits.seconds
    game_seconds: float = Limits.game_seconds
    memory: int = Limits.memory


def tournament_words(request: Request) -> int:
    """Let them play."""
    options = request.options
    check_outputs(options)
    if len(options.agents) < 2:
        raise BadOption(NAME_TWO)
    agents = with_folders([request.agent(name) for name in options.agents], options.agents)
    rules, options = checked(agents, request)
    try:
        with on_cluster(options.cluster, options.workers):
            if request.game.players == 1:
                return ranked(agents, extras_of(request.game).unwatched(rules), options)
            return report_tournament(agents, rules, options, forfeits)
    finally:
        for agent in agents:
            if isinstance(agent.agent, GuardedAgent):
                agent.agent.close()


def with_folders(agents: list[NamedAgent], texts: Sequence[str]) -> list[NamedAgent]:
    """Two files of the same name are called by their folders, too."""
    names = Counter(agent.name for agent in agents)
    named = [
        replace(agent, name=str(Path(text).with_suffix("")))
        if names[agent.name] > 1 and text.endswith(".py")
        else agent
        for agent, text in zip(agents, texts, strict=True)
    ]
    if len({agent.name for agent in named}) < len(named):
        raise BadOption("an agent is named twice.")
    return named


def ranked(agents: list[NamedAgent], rules: AnyRules, options: TournamentOptions) -> int:
    """Agents of a game for one, by what they score on the same deals within the same limits."""
    if options.rare:
        raise BadOption("--rare is for compare: a tournament counts what was scored in its games.")
    results = evaluate_each(agents, rules, options)
    results.sort(key=lambda result: -result.mean)
    return report_alone(results, rules, options, forfeits)


def forfeits(results: Sequence[Result]) -> None:
    """Who lost games that were not played to their end, how many, and why at first."""
    lost: dict[str, list[str]] = {}
    for result in results:
        for name, why in result.forfeits.items():
            lost.setdefault(name, []).extend(why)
    for name, why in lost.items():
        say(f"{name} forfeited {len(why)} {'game' if len(why) == 1 else 'games'}: {why[0]}")


TOURNAMENT = CommandLine(TournamentOptions, tournament_words, read_tournament)
