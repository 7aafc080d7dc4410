"""Rated games of people against agents: who met whom, what came of it, and Elo from all of them.

Who plays with --rated, or ticks it on the page, agrees to it: the game is stored as a replay in people/NAME/, on this
machine and nowhere else.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from apprenti.arena.statistics import Rating, elo_of
from apprenti.core.errors import ApprentiError, BadFile, BadOption
from apprenti.core.game import AnyGame
from apprenti.store.replay import read_replay

FOLDER = Path("people")
LONGEST = 80
"""Characters of a name."""
ADVICE = "nobody is asked for advice in a rated game."


@dataclass(frozen=True)
class Rated:
    """A game between a person and an agent that was played to its end."""

    game: str
    person: str
    agent: str
    points: float
    """The person's."""


def folder_of(name: str) -> Path:
    """Where the rated games of a person are."""
    if not name.strip() or name != Path(name).name or name.startswith("."):
        raise BadOption("--rated needs --name: the name under which your games are counted, without a slash.")
    if len(name) > LONGEST or not name.isprintable():
        raise BadOption(f"the name under which your games are counted has at most {LONGEST} letters.")
    return FOLDER / name


def rated_folder(game: AnyGame, person: str, agent: str, undo: bool) -> Path:
    """Where a rated game will be stored; only a game without second thoughts is one."""
    if game.players != 2:
        raise BadOption("--rated is for games for two.")
    if undo:
        raise BadOption("--rated goes without --undo: moves are not taken back in a rated game.")
    if person == agent:
        raise BadOption(f"--name {person} is the name of your opponent: choose another one.")
    return folder_of(person)


def rated_games(folder: Path = FOLDER) -> tuple[list[Rated], list[str]]:
    """All rated games, each played again and verified; and what is wrong with those that do not count."""
    games, wrong = [], []
    for path in sorted(folder.glob("*/*.json")):
        try:
            games.append(read_rated(path))
        except ApprentiError as error:  # one damaged file does not hide the others
            wrong.append(str(error))
    return games, wrong


def read_rated(path: Path) -> Rated:
    """A rated game from its replay; the person's name is that of the folder."""
    replay, person = read_replay(path), path.parent.name
    if len(replay.players) != 2 or replay.players.count(person) != 1 or replay.outcome is None:
        raise BadFile(f"{path} is not a game for two, played to its end, in which {person} was one of the players.")
    for _ in replay.states():
        pass
    side = replay.players.index(person)
    return Rated(replay.game, person, replay.players[1 - side], replay.outcome.scores[side])


def meetings(games: Sequence[Rated]) -> dict[tuple[str, str], list[float]]:
    """The points of each person against each agent, by their names."""
    points: dict[tuple[str, str], list[float]] = {}
    for game in games:
        points.setdefault((game.person, game.agent), []).append(game.points)
    return dict(sorted(points.items()))


def standings(games: Sequence[Rated]) -> dict[str, Rating]:
    """Everybody's Elo in one game, the strongest first; the agent that was met most often has 0."""
    anchor = Counter(game.agent for game in games).most_common(1)[0][0]
    names = sorted({name for game in games for name in (game.person, game.agent)})
    points, played = np.zeros((2, len(names), len(names)))
    for game in games:
        person, agent = names.index(game.person), names.index(game.agent)
        points[person, agent] += game.points
        points[agent, person] += 1 - game.points
        played[[person, agent], [agent, person]] += 1
    ratings = zip(names, elo_of(points, played, names.index(anchor)), strict=True)
    return dict(sorted(ratings, key=lambda each: -each[1].elo))
