"""What can be chosen on the page: games with their options, and agents. A name from the page never becomes a path."""

import re
from contextlib import suppress
from dataclasses import fields
from functools import cache, lru_cache
from pathlib import Path

from apprenti.agents.description import ANY_GAME, arguments_in, names_in, parse
from apprenti.core.data import JsonData, JsonMapping, help_of
from apprenti.core.errors import ApprentiError, BadAgent, BadFile, BadOption
from apprenti.core.game import AnyGame, Game
from apprenti.core.plugins import GAMES
from apprenti.core.protocols import (
    CHANCE,
    AnyAgent,
    AnyRules,
    AnyState,
    CommonReason,
    Contributes,
    Explains,
    Steerable,
    Valued,
)
from apprenti.core.seeds import Stream, pick
from apprenti.lab.agents import NamedAgent, find, full_name, game_of_run, is_step, zoo, zoo_of
from apprenti.lab.kinds.fields import read
from apprenti.store.agentfile import read_agent
from apprenti.store.files import is_there
from apprenti.store.runs import ROOT, Run, all_runs, check_name
from apprenti.web.scenes import scenes_of
from apprenti.web.school import School

LONGEST = 200
"""Characters of an option."""


@cache
def about_game(name: str) -> JsonData:
    """A game as the page offers it."""
    game = GAMES.load(name)
    scenes = scenes_of(game)
    usual = game.rules(scenes.usual_rules())
    start = game.start(usual, Fixed())
    return {
        "name": game.name,
        "family": game.family,
        "about": GAMES[game.name].about,
        "players": game.players,
        "sides": list(game.sides),
        "module": scenes.module,
        "options": options_of(game),
        "description": game.describe(usual),
        "opponent": game.opponent(usual) if game.players > 1 else "",
        "adviser": scenes.adviser or game.opponent(usual),
        "steered": isinstance(start, Steerable),
        "small": small_of(game),
        "example": scenes.scene(example(game, usual, start), None),
        "has_setup": scenes.setup(usual, 0, "", Fixed()) is not None,
    }


def small_of(game: AnyGame) -> JsonData:
    """The options of a game that is solved exactly, with values to begin with; a limit of moves is none of them."""
    usual = {each.name: each.default for each in fields(game.Options) if each.name not in ("rules", game.length_option)}
    return dict(scenes_of(game).small or usual)


def example(game: AnyGame, rules: AnyRules, state: AnyState) -> AnyState:
    """A position to show what a game looks like: a few moves on."""
    if game.name in (examples := scenes_of(game).examples):
        options, text = examples[game.name]
        shown: AnyState = game.read_state(game.rules(rules, **options), text)
        return shown
    chance = Stream(7)
    for _ in range(9):
        while state.turn == CHANCE:
            state = state.deal(chance)
        if state.outcome is None:
            later = state.play(pick(chance, state.legal_moves()))
            state = state if later.outcome else later
    return state


@cache
def reasons_of(game: str) -> dict[str, str]:
    """How a game can end, in words; none for a game that is not here any more, or that does not list its reasons."""
    with suppress(ApprentiError):
        if isinstance(loaded := GAMES.load(game), Game):
            return {reason.code: reason.words for reason in (*loaded.Reasons, *CommonReason)}
    return {}


class Fixed:
    """Chance for an example."""

    def random(self) -> float:
        """Always the same."""
        return 0.5


def options_of(game: AnyGame) -> list[JsonData]:
    """The options of a game: name, kind, what it is when nothing is said, its help, and values to offer."""
    offered, helps = scenes_of(game).choices(), help_of(game.Options)
    return [
        {
            "name": each.name,
            "kind": type(each.default).__name__,
            "default": each.default,
            "help": helps[each.name],
            "choices": list(offered.get(each.name, ())),
        }
        for each in fields(game.Options)
    ]


def rules_from(game: AnyGame, given: JsonMapping, usual: AnyRules = None) -> AnyRules:
    """The rules that the options of the page ask for."""
    asked, offered = read(game.Options, dict(given), f"the options of {game.name}"), scenes_of(game).choices()
    for name, value in given.items():
        if isinstance(value, str) and value not in offered.get(name, ()):
            check_text(value)
    unsaid = {each.name: each.default for each in fields(game.Options)}
    changes = {
        name: getattr(asked, name)
        for name in given
        if getattr(asked, name) != unsaid[name] or isinstance(unsaid[name], bool)
    }
    return game.rules(scenes_of(game).usual_rules() if usual is None else usual, **changes)


def about_rules(game: AnyGame, usual: AnyRules, rules: AnyRules) -> JsonData:
    """Rules in words, the options that are on by them, and what is other than by the usual ones."""
    before, after = game.rules_to_json(usual), game.rules_to_json(rules)
    ticks = [each.name for each in fields(game.Options) if isinstance(each.default, bool)]
    return {
        "description": game.describe(rules),
        "on": {name: after[name] for name in ticks if name in after},
        "changes": [[name, before.get(name), value] for name, value in after.items() if before.get(name) != value],
    }


def check_text(text: str) -> None:
    """Refuse text that is too long or names a file."""
    if len(text) > LONGEST or not text.isprintable():
        raise BadOption(f"an option is a line of at most {LONGEST} characters.")
    if re.search(r"[/\\]|\.[A-Za-z]", text) or (text and is_there(Path(text))):
        raise BadOption(f"the page opens no files, and {text[:40]!r} looks like one: use the command line for that.")


def agents_of(game: AnyGame) -> list[JsonData]:
    """Who plays a game: the shipped agents, those of any game, and what has been learned here."""
    agents = [_about(name, game.family) for name in zoo_of(game)]
    agents += [{"name": name, "title": entry.about} for name, entry in ANY_GAME.items() if name not in zoo_of(game)]
    return agents + [{"name": name, "title": "learned here"} for name in runs_of(game)]


@cache
def _about(name: str, family: str) -> JsonData:
    return {"name": name, "title": read_agent(zoo()[name]).title, "short": name.removeprefix(f"{family}-")}


def runs_of(game: AnyGame) -> list[str]:
    """The runs here that learned this game."""
    return [run.name for run in all_runs() if game_of_run(run) in (game.name, game.family)]


def agent_for(text: str, game_name: str, school: School) -> NamedAgent:
    """An agent that the page may ask for: one that is offered, or one that a line of names and numbers describes.

    Every agent that the description names must be one that the class sees.
    """
    if len(text) > LONGEST:
        raise BadAgent(f"an agent is named in at most {LONGEST} characters.")
    description, game = parse(text), GAMES.load(game_name)
    for name in names_in(description):
        school.allow_agent(full_name(name, game))
    return offered_agent(text, game_name, max(map(_learned, names_in(description)), default=0.0))


def _learned(name: str) -> float:
    """When a run last stored its agent: a run goes on while the page is open."""
    with suppress(BadFile, OSError):
        return Run(ROOT / check_name(name.partition("@")[0])).agent_path.stat().st_mtime
    return 0.0


@lru_cache(maxsize=64)
def offered_agent(text: str, game_name: str, learned: float) -> NamedAgent:
    """The agent that such a text describes, if the page offers all it names; built once, until one of them learns."""
    game, description = GAMES.load(game_name), parse(text)
    offered = [each["name"] for each in agents_of(game)]
    for arguments in arguments_in(description):
        check_text(arguments)
        if re.search(r"(?<![\d.])\d{6}", arguments):
            raise BadAgent("the page asks no agent for more than 99,999 of anything: it would think for hours.")
    for name in names_in(description):
        run, at, step = name.rpartition("@")
        stored = at and run in offered and is_step(step) and int(step) in Run(ROOT / run).past()
        if full_name(name, game) not in offered and not stored:
            raise BadAgent(f"{name[:40]!r} is not among the agents of {game.name} that the page offers.")
    return find(text, game)


def abilities(agent: AnyAgent) -> JsonData:
    """What an agent can say of a position."""
    return {"values": isinstance(agent, Valued), "contributions": isinstance(agent, Contributes),
            "explains": isinstance(agent, Explains)}  # fmt: skip
