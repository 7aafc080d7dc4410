"""Pairs of agents of a game for two, both sides of every opening, and what all their games say of their strength."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import combinations
from pathlib import Path

import numpy as np

from apprenti.arena.statistics import Rating, elo_of
from apprenti.core.data import JsonData
from apprenti.core.errors import BadFile, BadOption
from apprenti.core.game import AnyGame
from apprenti.core.plugins import GAMES
from apprenti.core.protocols import AnyRules
from apprenti.lab.agents import NamedAgent
from apprenti.lab.kinds.fields import REST, blaming, rules_of
from apprenti.lab.kinds.kind import Finding, Kind, Part, markdown
from apprenti.lab.kinds.scores import Amount, short_rules
from apprenti.lab.match import match
from apprenti.lab.results import Effort, GamesFile
from apprenti.views.plots import ladder


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two agents, and what differs from the other pairs."""

    agent: str
    against: str
    games: int = 0
    rules: JsonData = field(default_factory=dict, metadata=REST)


@dataclass(frozen=True, kw_only=True)
class File:
    """Which game, how much of it, under which rules: a `[[row]]` for each match, or `agents`, all against all."""

    game: str
    row: tuple[Pair, ...] = ()
    agents: tuple[str, ...] = ()
    """Who meets everybody else; the first named has Elo 0."""
    games: int = 100
    """Of a match, unless it says otherwise."""
    zero: str = ""
    """Who has Elo 0, once it has met somebody; else the second of the first match, or the first of `agents`."""
    rules: JsonData = field(default_factory=dict, metadata=REST)
    """Options of the game's rules; what is left open is as the first agent of a pair is used to."""

    def __post_init__(self) -> None:
        if bool(self.row) == bool(self.agents):
            raise BadOption("matches have either a row for each or agents, who all meet.")
        if self.agents and (len(self.agents) < 2 or len(set(self.agents)) < len(self.agents)):
            raise BadOption("agents are at least two, and none is named twice.")

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """The matches; those of a tournament in the order of `apprenti tournament`."""
        return self.row or tuple(Pair(agent=one, against=other) for one, other in combinations(self.agents, 2))


def play_match(
    game: AnyGame, rules: AnyRules, agents: Sequence[NamedAgent], effort: Effort, stored: GamesFile | None = None
) -> Finding:
    """The games of two agents as plain data."""
    played = match(game, rules, agents, effort, stored=stored)
    if not played.records and not played.interrupted:  # there was no time for a game: the first is waited for
        played = match(game, rules, agents, replace(effort, games=1, workers=1, seconds=0.0))
    if not played.records:
        raise KeyboardInterrupt
    return dict(played.to_json())


def ratings_of(findings: Sequence[Finding], anchor: str) -> list[Finding]:
    """Elo from all matches by Bradley and Terry's model, the strongest first.

    The anchor has 0; who cannot be compared with it is left out.
    """
    names = list(dict.fromkeys([anchor, *(one[side] for one in findings for side in ("agent", "against"))]))
    points, games = np.zeros((len(names), len(names))), np.zeros((len(names), len(names)))
    for one in findings:
        i, j = names.index(one["agent"]), names.index(one["against"])
        for row, column, share in ((i, j, one["share"]), (j, i, 1 - one["share"])):
            points[row, column] += share * one["games"]
            games[row, column] += one["games"]
    total, share = games.sum(axis=1), points.sum(axis=1) / games.sum(axis=1)
    ratings = [
        {"agent": name, "elo": one.elo, "error": one.error, "games": int(total[i]), "share": float(share[i])}
        for i, (name, one) in enumerate(zip(names, elo_of(points, games), strict=True))
        if math.isfinite(one.error)
    ]
    return sorted(ratings, key=lambda one: -one["elo"])


class Match(Kind[File]):
    """A line for each pair, and Elo for everybody."""

    File = File
    headings = (
        "who", "against", "rules", "games", "won / drawn / lost", "share of the points", "95 % (Wilson)",
        "how the games ended",
    )  # fmt: skip

    def divide(self) -> list[Part]:
        with blaming(self.where):
            game = GAMES.load(self.plan.game)
            self._zero = self.find(self.plan.zero, game).name if self.plan.zero else ""
        if game.players != 2:
            raise BadFile(f"{self.where}: {game.name} is a game for {game.players}, and a match needs a game for two.")
        pairs = enumerate(self.settings.first(self.plan.pairs), 1)
        return [self._part(game, pair, f"match {number} of {self.where}") for number, pair in pairs]

    def _part(self, game: AnyGame, pair: Pair, where: str) -> Part:
        options = {**self.plan.rules, **pair.rules}
        with blaming(where):
            agents = [self.find(name, game) for name in (pair.agent, pair.against)]
            effort = Amount(games=pair.games or self.plan.games).effort(self.settings)
            rules = rules_of(game, agents[0].rules, options, where, (Pair, self.File))
            for agent in agents:
                agent.check(game, rules)
        key = {"game": game.name, **asdict(pair), "games": effort.games, "rules": options}
        name = f"{agents[0].name} against {agents[1].name}"
        return Part(name, key, partial(play_match, game, rules, agents, effort, self.games_of(name, key)))

    def cells(self, finding: Finding) -> list[str]:
        low, high = finding["ci95"]
        counts, game = [str(finding[name]) for name in ("won", "drawn", "lost")], GAMES.load(finding["game"])
        ends = [f"{game.reason(code)} {times / finding['games']:.0%}" for code, times in finding["reasons"].items()]
        return [
            finding["agent"], finding["against"], short_rules(finding), str(finding["games"]), " / ".join(counts),
            f"**{finding['share']:.1%}**", f"{100 * low:.1f} … {100 * high:.1f}", ", ".join(ends),
        ]  # fmt: skip

    def ratings(self) -> list[Finding]:
        """Elo of everybody whom a chain of games leads to from the anchor."""
        met = {one[side] for one in self.findings for side in ("agent", "against")}
        first = self.findings[0]["agent" if self.plan.agents else "against"]
        return ratings_of(self.findings, self._zero if self._zero in met else first)

    def table(self) -> str:
        lines = [
            [
                one["agent"],
                f"{one['elo']:.0f}",
                f"{Rating(one['elo'], one['error']).half:.0f}",
                str(one["games"]),
                f"{one['share']:.1%}",
            ]
            for one in self.ratings()
        ]
        matches = markdown(self.headings, [self.cells(one) for one in self.findings])
        return matches + "\n" + markdown(("player", "Elo", "± (95 %)", "games", "share of the points"), lines)

    def numbers(self) -> list[Finding]:
        return [*self.findings, {"ratings": self.ratings()}]

    def draw(self, path: Path) -> None:
        strengths = {one["agent"]: Rating(one["elo"], one["error"]) for one in self.ratings()}
        ladder(strengths, self.experiment.title, path)

    @classmethod
    def score(cls, finding: Finding) -> Finding | None:
        if "share" not in finding:
            return None
        interval = [round(bound, 3) for bound in finding["ci95"]]
        same = {name: finding[name] for name in ("against", "games", "seed")}
        return {"mean": round(finding["share"], 4), "ci95": interval, "unit": "share of points", **same}
