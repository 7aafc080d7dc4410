"""Several games between two engines, each of them new for every game, and moving first in turn."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from apprenti.agents.luzhanqi.engine.one_side import check_told
from apprenti.agents.luzhanqi.engine.player import PREFIX, SEED, command_line, with_seed
from apprenti.agents.luzhanqi.engine.referee import SIDES, EngineGame, Limits, Log, referee
from apprenti.agents.luzhanqi.engine.serve import practise
from apprenti.arena.duel import Duel
from apprenti.core.compiled import announcing
from apprenti.core.protocols import GameForTwo
from apprenti.core.seeds import seed_of
from apprenti.games.catalogue import GAMES_FOR_TWO
from apprenti.games.luzhanqi.rules import Rules
from apprenti.lab.agents import find_for_two
from apprenti.lab.duels import Match, check_players
from apprenti.lab.evaluate import Effort
from apprenti.store.duel_replay import DuelReplay

GAME: GameForTwo = GAMES_FOR_TWO.load("luzhanqi")
PREFIXES = (PREFIX, "cmd:")
"""What stands before the command line of a program."""


@dataclass(frozen=True)
class Contender:
    """An engine by name: one of our agents, or any program."""

    name: str
    command: tuple[str, ...]


def contender(text: str, rules: Rules) -> Contender:
    """An agent of ours by its name or file; or a program, as a command line with a space in it or after `engine:`."""
    if text.startswith(PREFIXES) or (" " in text.strip() and not Path(text).exists()):
        for prefix in PREFIXES:
            text = text.removeprefix(prefix)
        return Contender(text, command_line(text))
    known = find_for_two(text, GAME)
    check_players(GAME, rules, [known])
    check_told(rules)
    with announcing(f"the player {known.name}"):
        practise(known.agent, rules)  # compiled once, here: its engines find the result on the disk
    ours = ("-m", "apprenti", "engine", GAME.name, "--agent", text, "--rules", rules.name, "--seed", SEED)
    return Contender(known.name, (sys.executable, *ours))


@dataclass
class EngineMatch:
    """What is known of two engines against each other so far."""

    match: Match
    games: list[EngineGame] = field(default_factory=list)

    @property
    def fouls(self) -> list[dict[str, Any]]:
        """Every time an engine lost because it broke the rules of the house."""
        return [
            {
                "game": index + 1,
                "engine": self.match.names[side ^ (index % 2)],
                "side": SIDES[side],
                "reason": foul.reason,
                "detail": foul.detail,
            }
            for index, game in enumerate(self.games)
            for side, foul in sorted(game.fouls.items())
        ]

    def to_json(self) -> dict[str, Any]:
        """The match as plain data."""
        return {**self.match.to_json(), "fouls": self.fouls}

    def replays(self) -> dict[int, DuelReplay]:
        """The games as replays, by their number; one that a foul ended is left early."""
        found = {}
        for index, game in enumerate(self.games):
            if game.state is not None:
                outcome = None if game.fouls else game.state.outcome
                found[index] = DuelReplay(
                    GAME.name,
                    (self.match.names[index % 2], self.match.names[1 - index % 2]),
                    GAME.rules_to_json(game.state.rules),
                    GAME.opening(game.state),
                    tuple(game.moves),
                    outcome.winner if outcome else None,
                    outcome.reason if outcome else "",
                )
        return found


Watcher = Callable[[EngineMatch], None]


def play_match(
    rules: Rules,
    contenders: Sequence[Contender],
    effort: Effort,
    limits: Limits,
    log: Log = lambda line: None,
    watch: Watcher = lambda found: None,
) -> EngineMatch:
    """Play the games of a match; after Ctrl-C, what has been played is returned."""
    check_told(rules)
    names = contenders[0].name, contenders[1].name
    found = EngineMatch(Match(GAME, rules, names, effort))
    began = perf_counter()
    try:
        for index in range(effort.games):
            first = index % 2
            pair = (contenders[first], contenders[1 - first])
            log(f"# game {index + 1}: {SIDES[0]} {pair[0].name}, {SIDES[1]} {pair[1].name}")
            seeds = [seed_of(effort.seed, "engine", index, side) % 10**9 for side in (0, 1)]
            commands = [with_seed(one.command, seed) for one, seed in zip(pair, seeds, strict=True)]
            game = referee(rules, commands, limits, log)
            log(f"# game {index + 1}: {said(game)}")
            found.games.append(game)
            found.match.duels.append(as_duel(game, index))
            found.match.seconds = perf_counter() - began
            watch(found)
    except KeyboardInterrupt:
        found.match.interrupted = True
    return found


def said(game: EngineGame) -> str:
    """How a game ended, on one line."""
    who = "a draw" if game.winner is None else f"{SIDES[game.winner]} wins"
    if not game.fouls:
        return f"{who}: {game.reason}"
    return f"{who}: " + "; ".join(f"{SIDES[side]} {foul}" for side, foul in sorted(game.fouls.items()))


def as_duel(game: EngineGame, index: int) -> Duel:
    """A game as all matches count them."""
    opening = GAME.opening(game.state) if game.state else ""
    seconds = (game.seconds[0], game.seconds[1])
    return Duel(game.winner, game.reason, tuple(game.moves), opening, seconds, index, index % 2)
