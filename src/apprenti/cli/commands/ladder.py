"""`apprenti ladder people`: how people did against agents, in games that they agreed to have rated."""

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import tyro

from apprenti.arena.statistics import counted, wilson
from apprenti.core.errors import BadFile, UnknownName
from apprenti.lab.people import FOLDER, Rated, meetings, rated_games, standings


@dataclass(frozen=True, kw_only=True)
class Options:
    """How people did against agents: their rated games, shares with Wilson's interval, and Elo.

    apprenti play GAME --rated --name NAME adds to it, and so does the page (apprenti web) for who ticks it. The games
    stay on this machine, in people/NAME/.
    """

    what: tyro.conf.Positional[Annotated[str, tyro.conf.arg(metavar="people")]] = "people"
    """Whose ladder: people."""
    folder: Path = FOLDER
    """Where the games are, a folder for each person."""
    json: bool = False
    """Print one JSON object and nothing else."""


def run(options: Options) -> None:
    """Read the games, and report; what does not count is said, too."""
    if options.what != "people":
        raise UnknownName("ladder", options.what, ["people"])
    if options.folder != FOLDER and not options.folder.is_dir():
        raise BadFile(f"{options.folder} is not a folder of rated games.")
    games, wrong = rated_games(options.folder)
    for sentence in wrong:
        print(f"not counted: {sentence}", file=sys.stderr)
    by_game = {name: [each for each in games if each.game == name] for name in sorted({each.game for each in games})}
    if options.json:
        print(json.dumps({name: told(some) for name, some in by_game.items()}, ensure_ascii=False))
    elif not games:
        print("no rated games yet: apprenti play luzhanqi --rated --name NAME makes one.")
    for name, some in by_game.items() if not options.json else ():
        show(name, some)
    if wrong:
        raise BadFile(f"files in {options.folder} that were not counted, as said above: {len(wrong)}.")


def show(name: str, games: list[Rated]) -> None:
    """The meetings of a game, then everybody's Elo."""
    print(f"{name}:")
    for (person, agent), points in meetings(games).items():
        won, drawn, lost = counted(points)
        low, high = wilson(sum(points), len(points))
        share = sum(points) / len(points)
        print(f"  {person} against {agent}: won {won}, drew {drawn}, lost {lost}; {share:.0%} ({low:.0%} … {high:.0%})")
    for player, rating in standings(games).items():
        error = "" if rating.error == 0 else f" ± {1.96 * rating.error:.0f}"
        print(f"  {rating.elo:5.0f}{error:<7} {player}")


def told(games: list[Rated]) -> dict[str, object]:
    """The same as plain data."""
    return {
        "games": [asdict(game) for game in games],
        "elo": {name: [rating.elo, 1.96 * rating.error] for name, rating in standings(games).items()},
    }
