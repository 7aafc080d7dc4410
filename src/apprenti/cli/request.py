"""The words of a command that plays, read in two steps: first which game it is, then all options there are for it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, make_dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import tyro

from apprenti.cli.options import BadUsage, Text, option_name, parse
from apprenti.core.data import JsonData
from apprenti.core.errors import BadOption, BadPlugin
from apprenti.core.game import AnyGame
from apprenti.core.plugins import GAMES, Registry
from apprenti.core.protocols import AnyRules, Arranges
from apprenti.lab.agents import Find, NamedAgent, find_first, find_own
from apprenti.views.view import AnyView


@dataclass(frozen=True, kw_only=True)
class NoOptions:
    """Nothing more can be chosen."""


@dataclass(frozen=True)
class Extras:
    """What a game adds."""

    Options: type[Any] = NoOptions
    """More options of `play`."""
    about: str = ""
    """How a person plays, as far as it is not as everywhere."""
    usual_rules: AnyRules = None
    """What a person plays when nothing else is asked for; None to leave it to the game."""
    unwatched: Callable[[AnyRules], AnyRules] = lambda rules: rules
    """Rules under which a game ends when it is not watched."""
    view: Callable[[Any], AnyView] | None = None
    """How a person with these options sees the game, if not as everybody."""
    setup: Callable[[AnyRules, Any], Arranges | None] = lambda rules, options: None
    """How a person with these options sets up an army, where there is one."""


EXTRAS: Registry[Extras] = Registry("addition to the command line", "at_a_terminal")


def extras_of(game: AnyGame) -> Extras:
    """What a game adds."""
    return EXTRAS.load(game.family) if game.family in EXTRAS else Extras()


if TYPE_CHECKING:
    from _typeshed import DataclassInstance

MORE = """
`apprenti {command} AGENT --help`, or --game NAME --help, shows the options of the game too."""


@dataclass(frozen=True)
class Request:
    """What a command was asked for."""

    options: Any
    """The options of the command."""
    game: AnyGame
    changes: JsonData
    """What was said of the rules."""
    first: NamedAgent | None = None
    """The agent that was named first."""
    first_text: str = ""
    """How it was named."""
    find: Find = find_own
    """How agents are found."""
    words: tuple[str, ...] = ()
    """The command line."""

    def rules(self, usual: AnyRules = None) -> AnyRules:
        """The rules to play: the usual ones, with what was asked for changed."""
        return self.game.rules(usual, **self.game.typed(self.changes))

    def agent(self, text: str) -> NamedAgent:
        return self.first if self.first and text == self.first_text else self.find(text, self.game)

    def players(self, text: str, against: str) -> tuple[list[NamedAgent], AnyRules]:
        """An agent, who has the other sides, and the rules: the agent's own, with what was asked for changed."""
        game, first = self.game, self.agent(text)
        rules = self.rules(first.rules)
        if against and game.players == 1:
            raise BadOption(f"--against is for games for two, and {first.name} plays {game.name}: use compare.")
        others = [self.agent(against or game.opponent(rules))] * (game.players - 1) if game.players > 1 else []
        for agent in (first, *others):
            agent.check(game, rules)
        return [first, *others], rules


def read_agents(
    own: "type[DataclassInstance]",
    command: str,
    words: Sequence[str],
    several: str = "",
    find: Find = find_own,
) -> Request:
    """A request to let agents play: the game is the one that is named, or that of the first agent that has one.

    `several` is said where it is no agent that is missing on the command line, but several.
    """
    plain, given = scan(words, own)
    game = GAMES.load(given["game"]) if given.get("game") else None
    if not plain and game is None:
        parse(own, command, words, MORE.format(command=command))
        raise BadUsage(several)
    others = [given["against"]] if given.get("against") else []
    first = find_first([*plain, *others], game, find) if plain else None
    if game is None:
        assert first is not None
        game = first.game
    options, changes = _read(command, own, words, given, game, first.rules if first else None)
    return Request(options, game, changes, first, plain[0] if plain else "", find, (command, *words))


def read_game(own: "type[DataclassInstance]", command: str, words: Sequence[str], game: AnyGame) -> Request:
    """A request of a person who plays a game: the options of the command, of the game, and what the game adds."""
    extras = extras_of(game)
    both = make_dataclass("Options", [], bases=(own, extras.Options), frozen=True, kw_only=True)
    both.__doc__ = f"{own.__doc__}{extras.about}"
    _, given = scan(words, both)
    other = given.get("against", "") if game.players > 1 else ""
    agent = find_own(other, game) if other else None
    options, changes = _read(command, both, words, given, game, agent.rules if agent else extras.usual_rules)
    return Request(options, game, changes, agent, other)


def _read(
    command: str,
    own: "type[DataclassInstance]",
    words: Sequence[str],
    given: dict[str, str],
    game: AnyGame,
    usual: AnyRules,
) -> tuple[Any, JsonData]:
    """The options of the command, and what was said of the rules."""
    how = game.name if command == "play" else f"--game {game.name}"
    _refuse_others(given, own, game)
    unsaid = _unsaid(game, usual)
    left_out = [each.name for each in fields(unsaid) if isinstance(each.default, bool) and f"no_{each.name}" in given]
    unsaid = replace(unsaid, **dict.fromkeys(left_out, True))  # what the rules have can be left out: --no-preview
    twice = {each.name for each in fields(own)} & {each.name for each in fields(unsaid)}
    if twice:
        raise BadPlugin(f"{game.name} calls an option --{twice.pop()}, which is one of {command} itself.")
    if not fields(unsaid):
        return parse(own, command, words, game=how), {}
    shown: Any = Annotated[type(unsaid), tyro.conf.arg(name=game.name)]  # which may be no word of Python, like 2048
    both = make_dataclass("Options", [("rules", shown, field(default=unsaid))], bases=(own,), frozen=True, kw_only=True)
    both.__doc__ = own.__doc__
    options: Any = parse(both, command, words, game=how)
    chosen = options.rules
    names = [each.name for each in fields(unsaid)]
    return options, {name: getattr(chosen, name) for name in names if getattr(chosen, name) != getattr(unsaid, name)}


def _unsaid(game: AnyGame, usual: AnyRules) -> Any:
    """The options of a game when nothing is given. Where they are the rules themselves, that is the usual rules."""
    kind = game.Options
    quiet = [(each.name, Text, field(default="")) for each in fields(kind) if each.default == ""]
    shown = make_dataclass(kind.__name__, quiet, bases=(kind,), frozen=True)  # "(default: '')" would say nothing
    shown.__doc__ = kind.__doc__
    values = usual if isinstance(usual, kind) else kind()
    return shown(**{each.name: getattr(values, each.name) for each in fields(kind)})


def _refuse_others(given: Iterable[str], own: "type[DataclassInstance]", game: AnyGame) -> None:
    """Refuse, with its name, an option that only other games have."""
    known = {each.name for options in (own, game.Options) for each in fields(options)}
    for name in given:
        owners = [owner for owner, options in _all_options() if name in {each.name for each in fields(options)}]
        if owners and name not in known and game.name not in owners:
            raise BadOption(f"{option_name(name)} is for {' and '.join(dict.fromkeys(owners))}, not for {game.name}.")


def working_games() -> Iterator[AnyGame]:
    """All games but those of a package that is broken."""
    for name in GAMES:
        with suppress(BadPlugin):
            yield GAMES.load(name)


def _all_options() -> list[tuple[str, type[Any]]]:
    """The options of all games by their names, and those that they add."""
    return [(game.name, options) for game in working_games() for options in (game.Options, extras_of(game).Options)]


def scan(words: Sequence[str], own: "type[DataclassInstance]") -> tuple[list[str], dict[str, str]]:
    """The words that are no options, and the options with their values, before it is known which options there are."""
    kinds = [own, *(options for _, options in _all_options())]
    ticks = {each.name for options in kinds for each in fields(options) if isinstance(each.default, bool)}
    flags = {"help"} | ticks | {f"no_{name}" for name in ticks}
    plain, given, rest = [], {}, iter(words)
    for word in rest:
        name, equals, value = word.removeprefix("--").partition("=")
        name = name.replace("-", "_")
        if word.startswith("--"):
            given[name] = value if equals or name in flags else next(rest, "")
        elif not word.startswith("-"):
            plain.append(word)
    return plain, given
