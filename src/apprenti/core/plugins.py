"""Plug-ins: what a game adds to the laboratory, in one manifest of names and of where the things are.

A game of ours is a folder of `games/` with a `plugin.py`; a package has the same manifest under the entry point
`apprenti.plugins`. A manifest loads nothing: the things are `module:attribute`, imported when they are used.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

from apprenti.core.data import JsonMapping
from apprenti.core.errors import BadPlugin, MissingExtra, UnknownName
from apprenti.core.game import AnyGame

EXTRAS = {
    "gymnasium": "envs",
    "pettingzoo": "envs",
    "torch": "deep",
    "starlette": "web",
    "uvicorn": "web",
    "websockets": "web",
    "plotly": "web",
    "ray": "cluster",
}
"""For each module that not everybody has, the extra that brings it."""


@contextmanager
def needing(what: str) -> Iterator[None]:
    """MissingExtra if something imported inside is in an extra that is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        extra = EXTRAS.get((error.name or "").partition(".")[0])
        if extra is None:
            raise
        raise MissingExtra(what, extra) from None


T = TypeVar("T")
GROUP = "apprenti.plugins"
"""The entry point of packages: `name = "module:PLUGIN"`."""


@dataclass(frozen=True)
class Entry:
    """A thing by name: where it is, and what it is on one line."""

    where: str
    """`module:attribute`."""
    about: str = ""


@dataclass(frozen=True)
class Line(Entry):
    """An agent that a line of text describes, `PREFIX:…`, and what stands behind the colon.

    Its reader is given the arguments, and the other agent with its rules, or None if the text has none.
    """

    arguments: bool = True
    agent: bool = False
    """Whether another agent ends the line, after a comma if there are arguments."""
    program: bool = False
    """Whether it starts a program."""


@dataclass(frozen=True)
class Method(Entry):
    """A learner, and what is known of it without loading it."""

    config: str = ""
    """Where its options are, if the learner itself needs an extra."""
    minute: JsonMapping = field(default_factory=dict)
    """Options with which about a minute shows how it works: what a pupil begins with."""


@dataclass(frozen=True)
class Older:
    """How the options of a method were written in older runs, so that these can still be gone on with."""

    names: Mapping[str, str] = field(default_factory=dict)
    """What options were called in version 0.1, and are called now; empty for one that never had a use."""
    added: JsonMapping = field(default_factory=dict)
    """Options that older runs did not have, with what they did."""
    divided: tuple[str, str] = ("", "")
    """Where there was a number of games and a way to divide it, now iterations of some episodes each: both names."""
    papers: Mapping[str, str] = field(default_factory=dict)
    """The names of the method's own report, which its readers may use on the command line, and ours."""
    counted_from_0: Mapping[str, str] = field(default_factory=dict)
    """The same, of numbers that are one less there."""


@dataclass(frozen=True)
class Command(Entry):
    """A command of one game; `where` is its module."""


Entries = Mapping[str, Entry]


@dataclass(frozen=True, kw_only=True)
class Plugin:
    """The manifest of a game or a package: for each part of the laboratory what it adds, by name."""

    place: int = 100
    """Among all manifests; the first game of the first one is played where none is named."""
    games: Entries = field(default_factory=dict)
    agents: Entries = field(default_factory=dict)
    """Agents that need no description."""
    agent_kinds: Entries = field(default_factory=dict)
    """Kinds of agent, as they are stored."""
    lines: Mapping[str, Line] = field(default_factory=dict)
    """Agents that a line of text describes, by what stands before the colon."""
    small_game: str = ""
    """The game that methods for any game learn, and environments of any game play, where nothing else is asked for."""
    learners: Mapping[str, Method] = field(default_factory=dict)
    older: Mapping[str, Older] = field(default_factory=dict)
    """For a method what its options were."""
    from_games: Entries = field(default_factory=dict)
    """How an agent goes on learning from games it has played, by its kind."""
    views: Entries = field(default_factory=dict)
    """How a family of games is shown as text and as a drawing."""
    scenes: Entries = field(default_factory=dict)
    """How a family of games is shown on the page."""
    environments: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """For Gymnasium: where the environment is and, if there is one, that of many games at once."""
    all_players: Mapping[str, str] = field(default_factory=dict)
    """For PettingZoo: modules with `env` and `raw_env`, by the names under which `apprenti.envs` has them."""
    kinds: Entries = field(default_factory=dict)
    """Kinds of experiment."""
    solvers: Entries = field(default_factory=dict)
    """How a family of games is solved exactly, if not by value iteration."""
    pictures: Entries = field(default_factory=dict)
    """What a learner has to show beyond curves and weights: drawn into the folder of its run."""
    at_a_terminal: Entries = field(default_factory=dict)
    """What a family of games adds to `play` and `watch`."""
    commands: Mapping[str, Command] = field(default_factory=dict)
    bench: Sequence[str] = ()
    """Figures of speed: functions of whether a rough look is enough."""
    exercises: Sequence[str] = ()
    """Exercises of the course: where tuples of them are."""
    experiments: str = ""
    """The package whose folder has the experiments' files."""
    zoo: str = ""
    """The package whose folder has the agents' files."""
    page: str = ""
    """The package whose folder has JavaScript and styles of the page."""
    french: str = ""
    """The package whose folder has the French of its texts, `fr.json`."""
    own: bool = False
    """Whether it is ours: no other plug-in can take its names."""


FORMER = {"games": "games", "agents": "agents", "learners": "learners", "views": "views", "web": "scenes",
          "kinds": "kinds", "cli": "at_a_terminal"}  # fmt: skip
"""The groups of entry points of version 0.2, each `apprenti.NAME`, and what they add to."""


_REGISTERED: list[Plugin] = []


@contextmanager
def registered(plugin: Plugin) -> Iterator[None]:
    """Have a manifest beside those that are installed, for a while: of a game that a script or a test has made."""
    _REGISTERED.append(replace(plugin, own=False))
    plugins.cache_clear()
    try:
        yield
    finally:
        _REGISTERED.pop()
        plugins.cache_clear()


@cache
def plugins() -> tuple[Plugin, ...]:
    """Every manifest: ours in their order, then those of packages. One that cannot be loaded is told, and left out."""
    ours = sorted(_ours(), key=lambda each: each.place)
    return (*ours, *_installed(), *_former(), *_REGISTERED)


def _ours() -> Iterator[Plugin]:
    """The folders of games that are there."""
    for path in sorted(Path(__file__).parents[1].glob("games/*/plugin.py")):
        yield replace(import_module(f"apprenti.games.{path.parent.name}.plugin").PLUGIN, own=True)


def _installed() -> Iterator[Plugin]:
    for point in entry_points(group=GROUP):
        try:
            plugin = point.load()
            if not isinstance(plugin, Plugin):
                raise TypeError(f"it is {plugin!r:.40}, not a Plugin")
            yield replace(plugin, own=False, place=100)
        except Exception as error:  # whatever a stranger's module does wrong is to be told with its name
            print(f"apprenti: the plug-in {point.name} is left out: {point.value} ({error!r:.200}).", file=sys.stderr)


def _former() -> Iterator[Plugin]:
    """What packages for version 0.2 add."""
    for group, part in FORMER.items():
        for point in entry_points(group=f"apprenti.{group}"):
            entry = (Method if part == "learners" else Entry)(point.value, _about(point))
            for each in (part, "agent_kinds") if part == "agents" else (part,):
                yield replace(Plugin(), **{each: {point.name: entry}})  # type: ignore[arg-type]
    for point in entry_points(group="apprenti.experiments"):
        yield Plugin(experiments=point.value)


def _about(point: EntryPoint) -> str:
    return f"from the package {point.dist.name}" if point.dist else "from a package"


def folders(part: str) -> list[Path]:
    """The folders of data of one kind, `experiments`, `zoo` or `page`; ours are the last."""
    return [folder_of(package) for each in reversed(plugins()) if (package := getattr(each, part))]


def folder_of(package: str) -> Path:
    """The folder of a package; it is found, not run."""
    try:
        spec = find_spec(package)
    except ModuleNotFoundError:  # of the package it is in
        spec = None
    if spec is None or not spec.submodule_search_locations:
        raise BadPlugin(f"a plug-in says that {package} is a package with files, and there is no such package.")
    return Path(next(iter(spec.submodule_search_locations)))


class Registry(Mapping[str, Entry], Generic[T]):
    """What all plug-ins add of one kind, by name, after what the laboratory itself has; `load` imports one.

    A name of our own cannot be taken. `check` raises if what a stranger adds is not what it should be.
    """

    def __init__(
        self, what: str, part: str = "", entries: Entries | None = None, check: Callable[[str, T], None] | None = None
    ) -> None:
        self.what, self.part, self.check, self._generic = what, part, check, dict(entries or {})
        self._of: tuple[Plugin, ...] = ()
        self._own: dict[str, Entry] = {}
        self._all: dict[str, Entry] = {}

    @property
    def _entries(self) -> dict[str, Entry]:
        """All of them, put together once."""
        if self._of is not plugins() or not self._of:
            self._of = plugins()
            self._own = {**self._generic, **self._union(own=True)}
            self._all = {**self._own, **{n: e for n, e in self._union(own=False).items() if n not in self._own}}
        return self._all

    def _union(self, own: bool) -> dict[str, Entry]:
        return {n: e for each in self._of if each.own is own for n, e in getattr(each, self.part, {}).items()}

    def __getitem__(self, name: str) -> Entry:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def load(self, name: str) -> T:
        """The thing itself; UnknownName, with the names there are, if there is none."""
        if name not in self._entries:
            raise UnknownName(self.what, name, self._entries)
        where = self._entries[name].where
        if name in self._own:
            with needing(f"{self.what} {name}"):
                return cast("T", load(where))
        try:
            thing = cast("T", load(where))
            if self.check:
                self.check(name, thing)
        except Exception as error:  # whatever a stranger's module does wrong is to be told with its name
            module = where.partition(":")[0]
            raise BadPlugin(f"the plug-in {self.what} {name} cannot be loaded from {module} ({error!r}).") from error
        return thing


def load(where: str) -> Any:
    """What is at `module:attribute`; the module alone, if there is no attribute."""
    module, _, attribute = where.partition(":")
    return getattr(import_module(module), attribute) if attribute else import_module(module)


def _check(name: str, game: AnyGame) -> None:
    """Refuse a plug-in that is no game, or would not be found again by the name in its replays."""
    if game.name != name or not game.describe(game.rules()):
        raise ValueError(f"the game there is called {game.name!r}")


GAMES: Registry[AnyGame] = Registry("game", "games", check=_check)


def usual_game() -> str:
    """What is played where neither the user nor an agent says what: the first game."""
    return next(iter(GAMES), "")


def small_game() -> str:
    """What is learned where nothing else is asked for: a game that takes seconds."""
    return next((each.small_game for each in plugins() if each.small_game), usual_game())
