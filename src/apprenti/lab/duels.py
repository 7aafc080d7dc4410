"""Matches between two agents, and tournaments among many."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from apprenti.arena.duel import Duel, play_duels
from apprenti.arena.ratings import Rating, counted, elo_of, wilson
from apprenti.core.errors import BadAgent, BadOption
from apprenti.core.protocols import GameForTwo, Outcome
from apprenti.lab.agents import KnownForTwo
from apprenti.lab.evaluate import Effort
from apprenti.store.duel_replay import DuelReplay, write_duel

Watcher = Callable[["Match"], None]


@dataclass
class Match:
    """What is known of two agents against each other so far. Points are the first one's."""

    game: GameForTwo
    rules: Any
    names: tuple[str, str]
    effort: Effort
    duels: list[Duel] = field(default_factory=list)
    seconds: float = 0.0
    interrupted: bool = False

    @property
    def points(self) -> float:
        """What the first agent got."""
        return sum(duel.points for duel in self.duels)

    @property
    def share(self) -> float:
        """The first agent's share of the points."""
        return self.points / max(1, len(self.duels))

    @property
    def ci95(self) -> tuple[float, float]:
        """Wilson's interval of the share."""
        return wilson(self.points, len(self.duels))

    @property
    def results(self) -> tuple[int, int, int]:
        """Won, drawn, lost by the first agent."""
        return counted([duel.points for duel in self.duels])

    def as_first(self, first: int) -> tuple[int, int, int]:
        """Won, drawn, lost by the first agent in the games in which it had (0) or had not (1) the first move."""
        return counted([duel.points for duel in self.duels if duel.first == first])

    @property
    def reasons(self) -> dict[str, int]:
        """How the games ended, the most frequent first."""
        return dict(Counter(duel.reason for duel in self.duels).most_common())

    def to_json(self) -> dict[str, Any]:
        """Everything that belongs beside a result."""
        moves = sum(len(duel.moves) for duel in self.duels)
        won, drawn, lost = self.results
        return {
            "game": self.game.name,
            "rules": self.game.describe(self.rules),
            "agent": self.names[0],
            "against": self.names[1],
            "games": len(self.duels),
            "won": won,
            "drawn": drawn,
            "lost": lost,
            "share": self.share,
            "ci95": list(self.ci95),
            "moving_first": list(self.as_first(0)),
            "moving_second": list(self.as_first(1)),
            "reasons": self.reasons,
            "moves_per_game": moves / max(1, len(self.duels)),
            "seconds_per_game": [
                sum(duel.time_of(player) for duel in self.duels) / max(1, len(self.duels)) for player in (0, 1)
            ],
            "seconds": self.seconds,
            "seed": self.effort.seed,
            "workers": self.effort.cores,
            "interrupted": self.interrupted,
        }

    def replay(self, duel: Duel) -> DuelReplay:
        """A game of the match as a replay."""
        players = self.names[duel.first], self.names[1 - duel.first]
        outcome = Outcome(duel.reason, duel.winner)
        return DuelReplay.of(self.game, self.rules, players, duel.opening, duel.moves, outcome)

    def record(self, folder: Path) -> list[Path]:
        """Write every game as a replay; return the files."""
        stem = re.sub(r"[^\w.-]", "-", f"{self.names[0]}-{self.names[1]}-{self.effort.seed}")
        paths = [folder / f"{stem}-{duel.index:04}.json" for duel in self.duels]
        for path, duel in zip(paths, self.duels, strict=True):
            write_duel(path, self.replay(duel))
        return paths


def check_players(game: GameForTwo, rules: Any, players: Sequence[KnownForTwo]) -> None:
    """Refuse agents that cannot play this game, before anything starts."""
    for known in players:
        if known.game.family != game.family:
            raise BadAgent(f"{known.name} plays {known.game.name}, not {game.name}.")
        if hasattr(known.agent, "check"):
            known.agent.check(rules)


def match(
    game: GameForTwo, rules: Any, players: Sequence[KnownForTwo], effort: Effort, watch: Watcher | None = None
) -> Match:
    """Play the games of a match. Ctrl-C keeps what has been played."""
    if effort.precision:
        raise BadOption("--precision is for games for one: say how many --games.")
    check_players(game, rules, players)
    found = Match(game, rules, (players[0].name, players[1].name), effort)
    began = perf_counter()
    agents = [known.agent for known in players]
    try:
        for duel in play_duels(game, rules, agents, effort.games, effort.seed, min(effort.cores, effort.games)):
            found.duels.append(duel)
            found.seconds = perf_counter() - began
            if watch:
                watch(found)
    except KeyboardInterrupt:
        found.interrupted = True
    found.seconds = perf_counter() - began
    return found


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
            points[i, j], points[j, i] = played.points, len(played.duels) - played.points
            games[i, j] = games[j, i] = len(played.duels)
        return elo_of(points, games)

    def to_json(self) -> dict[str, Any]:
        """The tournament as plain data."""
        ratings = zip(self.names, self.ratings(), strict=True)
        return {
            "agents": [{"agent": name, "elo": rating.elo, "error": rating.error} for name, rating in ratings],
            "matches": [played.to_json() for played in self.matches.values()],
            "interrupted": self.interrupted,
        }


def tournament(
    game: GameForTwo, rules: Any, players: Sequence[KnownForTwo], effort: Effort, watch: Watcher | None = None
) -> Tournament:
    """Every pair plays a match. Ctrl-C keeps what has been played."""
    if len(players) < 2:
        raise BadOption("a tournament needs at least two agents.")
    if len({known.name for known in players}) < len(players):
        raise BadOption("an agent is named twice.")
    check_players(game, rules, players)
    found = Tournament([known.name for known in players])
    for i, j in combinations(range(len(players)), 2):
        played = match(game, rules, (players[i], players[j]), effort, watch)
        if played.duels:
            found.matches[i, j] = played
        if played.interrupted:
            met = 1 + max((later for _, later in found.matches), default=0)  # the first one meets all others first
            found.names, found.interrupted = found.names[:met], True
            break
    return found
