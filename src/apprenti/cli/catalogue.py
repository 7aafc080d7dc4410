"""`apprenti games`, `agents` and `ladder`: what is played, who plays it, and how people did."""

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import tyro

from apprenti.agents.description import DESCRIBED
from apprenti.arena.statistics import counted, wilson
from apprenti.cli.language import say
from apprenti.cli.options import CommandLine, Text, option_name
from apprenti.cli.request import working_games
from apprenti.cli.tables import LONG, print_table
from apprenti.core.data import JsonData, JsonMapping, help_of
from apprenti.core.errors import BadFile, UnknownName
from apprenti.core.game import AnyGame
from apprenti.core.plugins import GAMES
from apprenti.lab.agents import zoo
from apprenti.lab.people import FOLDER, Rated, meetings, rated_games, standings
from apprenti.store.agentfile import AgentFile, read_agent

NUMBERS = ("nobody", "one", "two", "three", "four")


@dataclass(frozen=True)
class GamesOptions:
    """What can be played, and under which rules."""

    json: bool = False
    """Print one JSON object and nothing else."""


def about(game: AnyGame) -> JsonData:
    """A game: what it is, its usual rules, and what can be chosen."""
    rules = game.rules()
    return {
        "players": game.players,
        "about": GAMES[game.name].about,
        "sides": list(game.sides),
        "rules": game.rules_to_json(rules),
        "description": game.describe(rules),
        "options": {option_name(name): words for name, words in help_of(game.Options).items()},
    }


def list_games(options: GamesOptions) -> None:
    """List the games."""
    games = {game.name: about(game) for game in working_games()}
    if options.json:
        print(json.dumps(games, ensure_ascii=False))
        return
    for name, game in games.items():
        number = NUMBERS[game["players"]] if game["players"] < len(NUMBERS) else game["players"]
        say(f"{name}\n  for {number}: {game['about']}")
        for option, words in game["options"].items():
            say(f"  {option:<14} {words}")
    say("`apprenti play GAME` plays one; `apprenti agents --game GAME` shows who plays it.")


HEADINGS = ("name", LONG, "published", "measured here")


@dataclass(frozen=True)
class AgentsOptions:
    """Who plays: the zoo, with published and measured scores."""

    game: Text = ""
    """Only those who play this game or others of its family."""
    json: bool = False
    """Print one JSON object and nothing else."""


def score(entry: JsonMapping) -> str:
    """A published or measured score in a few characters."""
    if "against" in entry:  # a game for two: the share of points against somebody
        low, high = entry["ci95"]
        return f"{entry['mean']:.0%} ({low:.0%}–{high:.0%}) against {entry['against']}"
    mean = entry["mean"]
    short = f"{mean / 1e6:.3g} M" if mean >= 1e6 else f"{mean:,.0f}".replace(",", " ")
    interval = entry.get("ci95")
    spread = f" ±{(interval[1] - interval[0]) / 2 / mean:.0%}" if interval and mean else ""
    rules = "" if entry["rules"] == "simplified" else f" {entry['rules']}"
    estimated = ", estimated" if entry.get("deaths", 0) < entry.get("games", 0) else ""
    return f"{short}{spread} {entry['unit']} ({entry['size']}{rules}{estimated})"


def row(agent: AgentFile) -> tuple[str, str, str, str]:
    """The line of an agent."""
    published, measured = ("\n".join(map(score, entries)) or "-" for entries in (agent.published, agent.measured))
    return agent.name, agent.title, published, measured


def list_agents(options: AgentsOptions) -> None:
    """List the zoo."""
    families = list(dict.fromkeys(game.family for game in working_games()))
    wanted = [GAMES.load(options.game).family] if options.game else families
    agents = [agent for agent in map(read_agent, zoo().values()) if agent.game in wanted]
    if options.json:
        plain = [{name: value for name, value in agent.__dict__.items() if name != "arrays"} for agent in agents]
        print(json.dumps({"agents": plain}, ensure_ascii=False))
        return
    for family in wanted:
        if rows := [row(agent) for agent in agents if agent.game == family]:
            print_table(HEADINGS, rows, f"agents who play {family} (intervals: 95 %)", width=130)
    if not agents:
        say(f"nobody in the zoo plays {options.game}.")
    others = [f".{family}." for family in families if family not in wanted]  # the folders of what serves one game only
    lines = [entry.about for entry in DESCRIBED.values() if not any(other in entry.where for other in others)]
    described = f", a Python file, or described on one line: {' · '.join(lines)}" if lines else " or a Python file"
    say(f"An agent is also a run, a file{described}.")


@dataclass(frozen=True, kw_only=True)
class LadderOptions:
    """How people did against agents: their rated games, shares with Wilson's interval, and Elo.

    apprenti play GAME --rated --name NAME adds to it, and so does the page (apprenti web) for who ticks it. The games
    stay on this machine, in people/NAME/.
    """

    what: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="people")] = "people"
    """Whose ladder: people."""
    folder: Path = FOLDER
    """Where the games are, a folder for each person."""
    json: bool = False
    """Print one JSON object and nothing else."""


def ladder(options: LadderOptions) -> None:
    """Read the games, and report; what does not count is said, too."""
    if options.what != "people":
        raise UnknownName("ladder", options.what, ["people"])
    if options.folder != FOLDER and not options.folder.is_dir():
        raise BadFile(f"{options.folder} is not a folder of rated games.")
    games, wrong = rated_games(options.folder)
    for sentence in wrong:
        say(f"not counted: {sentence}", file=sys.stderr)
    by_game = {name: [each for each in games if each.game == name] for name in sorted({each.game for each in games})}
    if options.json:
        print(json.dumps({name: as_json(some) for name, some in by_game.items()}, ensure_ascii=False))
    elif not games:
        say("no rated games yet: apprenti play luzhanqi --rated --name NAME makes one.")
    for name, some in by_game.items() if not options.json else ():
        show(name, some)
    if wrong:
        raise BadFile(f"files in {options.folder} that were not counted, as said above: {len(wrong)}.")


def show(name: str, games: list[Rated]) -> None:
    """The meetings of a game, then everybody's Elo."""
    say(f"{name}:")
    for (person, agent), points in meetings(games).items():
        won, drawn, lost = counted(points)
        low, high = wilson(sum(points), len(points))
        share = sum(points) / len(points)
        say(f"  {person} against {agent}: won {won}, drew {drawn}, lost {lost}; {share:.0%} ({low:.0%} … {high:.0%})")
    for player, rating in standings(games).items():
        error = "" if rating.error == 0 else f" ± {1.96 * rating.error:.0f}"
        say(f"  {rating.elo:5.0f}{error:<7} {player}")


def as_json(games: list[Rated]) -> dict[str, object]:
    """The same as plain data."""
    return {
        "games": [asdict(game) for game in games],
        "elo": {name: [rating.elo, 1.96 * rating.error] for name, rating in standings(games).items()},
    }


LIST_GAMES = CommandLine(GamesOptions, list_games)
LIST_AGENTS = CommandLine(AgentsOptions, list_agents)
LADDER = CommandLine(LadderOptions, ladder)
