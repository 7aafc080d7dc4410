"""Matches between two agents, and tournaments among many."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from apprenti.arena.statistics import Rating, counted, elo_of, wilson
from apprenti.core.data import JsonObject
from apprenti.core.errors import BadOption
from apprenti.core.game import AnyGame
from apprenti.core.protocols import AnyRules
from apprenti.lab.agents import NamedAgent
from apprenti.lab.results import Effort, GamesFile, OnGame, Result


class Match(Result):
    """What is known of two agents against each other so far. Points are the first one's."""

    @property
    def points(self) -> float:
        """What the first agent got."""
        return sum(record.points for record in self.records)

    @property
    def share(self) -> float:
        """The first agent's share of the points."""
        return self.points / max(1, self.games)

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval of the share."""
        return wilson(self.points, self.games)

    @property
    def counts(self) -> tuple[int, int, int]:
        """Won, drawn, lost by the first agent."""
        return counted([record.points for record in self.records])

    def counts_as(self, side: int) -> tuple[int, int, int]:
        """Won, drawn, lost by the first agent in the games in which it had the first move (0), or not (1)."""
        return counted([record.points for record in self.records if (record.first > 0) == side])

    def seconds_of(self, agent: int) -> float:
        """Seconds an agent took for a game."""
        return sum(record.time_of(agent) for record in self.records) / max(1, self.games)

    def to_json(self) -> JsonObject:
        """Everything that belongs beside a result."""
        won, drawn, lost = self.counts
        return {
            **self.about(),
            "agent": self.names[0],
            "against": self.names[1],
            "won": won,
            "drawn": drawn,
            "lost": lost,
            "share": self.share,
            "ci95": list(self.interval),
            "moving_first": list(self.counts_as(0)),
            "moving_second": list(self.counts_as(1)),
            "moves_per_game": sum(record.length for record in self.records) / max(1, self.games),
            "seconds_per_game": [self.seconds_of(agent) for agent in (0, 1)],
        }


def match(
    game: AnyGame,
    rules: AnyRules,
    agents: Sequence[NamedAgent],
    effort: Effort,
    on_game: OnGame | None = None,
    stored: GamesFile | None = None,
) -> Match:
    """Play the games of a match; where more than two play, the second agent has all other sides.

    Ctrl-C keeps what has been played, and games that were stored are gone on from.
    """
    if game.players < 2:
        raise BadOption(f"{game.name} is a game for 1, and a match needs two: use evaluate or compare.")
    if effort.precision:
        raise BadOption("--precision is for games for one: say how many --games.")
    played = Match(game, rules, (agents[0], *[agents[1]] * (game.players - 1)), effort)
    played.play(effort.games, on_game, stored=stored)
    return played


@dataclass
class Tournament:
    """Everybody against everybody."""

    names: list[str]
    """Those who have met anybody: all, unless it was ended early."""
    matches: dict[tuple[int, int], Match] = field(default_factory=dict)
    interrupted: bool = False

    def ratings(self) -> list[Rating]:
        """Elo of each; the first named has 0."""
        number = len(self.names)
        points, games = np.zeros((number, number)), np.zeros((number, number))
        for (i, j), played in self.matches.items():
            points[i, j], points[j, i] = played.points, played.games - played.points
            games[i, j] = games[j, i] = played.games
        return elo_of(points, games)

    def to_json(self) -> JsonObject:
        """The tournament as plain data."""
        ratings = zip(self.names, self.ratings(), strict=True)
        return {
            "agents": [
                {"agent": name, "elo": rating.elo, "error": rating.error, "ci95": list(rating.interval)}
                for name, rating in ratings
            ],
            "matches": [played.to_json() for played in self.matches.values()],
            "interrupted": self.interrupted,
        }


def tournament(
    game: AnyGame, rules: AnyRules, agents: Sequence[NamedAgent], effort: Effort, on_game: OnGame | None = None
) -> Tournament:
    """Every pair plays a match. Ctrl-C keeps what has been played."""
    if len(agents) < 2:
        raise BadOption("a tournament needs at least two agents.")
    if game.players > 2:
        raise BadOption(f"Elo is for games for two, and {game.name} is for {game.players}: use evaluate --against.")
    if len({agent.name for agent in agents}) < len(agents):
        raise BadOption("an agent is named twice.")
    for agent in agents:
        agent.check(game, rules)
    result = Tournament([agent.name for agent in agents])
    for i, j in combinations(range(len(agents)), 2):
        played = match(game, rules, (agents[i], agents[j]), effort, on_game)
        if played.records:
            result.matches[i, j] = played
        if played.interrupted:
            met = 1 + max((later for _, later in result.matches), default=0)  # the first one meets all others first
            result.names, result.interrupted = result.names[:met], True
            break
    return result
