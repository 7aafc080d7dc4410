"""Several games between two engines, each of them new for every game, and moving first in turn."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from apprenti.core.children import command
from apprenti.core.compiled import announcing
from apprenti.core.data import JsonObject
from apprenti.core.protocols import CommonReason, GameRecord, Outcome
from apprenti.core.seeds import seed_of
from apprenti.games.luzhanqi.agents.engine.player import PREFIX, SEED, EngineAgent, command_line, with_seed
from apprenti.games.luzhanqi.agents.engine.protocol import check_rules
from apprenti.games.luzhanqi.agents.engine.referee import SIDES, EngineGame, Limits, Log, referee
from apprenti.games.luzhanqi.agents.engine.serve import practise
from apprenti.games.luzhanqi.game import GAME
from apprenti.games.luzhanqi.rules import Rules
from apprenti.lab.agents import NamedAgent, find_own
from apprenti.lab.match import Match
from apprenti.lab.results import Effort
from apprenti.store.replay import Replay

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
    known = find_own(text, GAME)
    known.check(GAME, rules)
    check_rules(rules)
    with announcing(f"the player {known.name}"):
        practise(known.agent, rules)  # compiled once, here: its engines find the result on the disk
    ours = ("engine", GAME.name, "--agent", text, "--rules", rules.name, "--seed", SEED)
    return Contender(known.name, tuple(command("apprenti", *ours)))


@dataclass
class EngineMatch:
    """What is known of two engines against each other so far."""

    match: Match
    games: list[EngineGame] = field(default_factory=list)

    @property
    def fouls(self) -> list[JsonObject]:
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

    def to_json(self) -> JsonObject:
        """The match as plain data."""
        return {**self.match.to_json(), "fouls": self.fouls}

    def replays(self) -> dict[int, Replay]:
        """The games as replays, by their number, as far as both armies were set up."""
        whole = {index for index, game in enumerate(self.games) if game.state is not None}
        return {record.index: self.match.replay(record) for record in self.match.records if record.index in whole}


OnGame = Callable[[EngineMatch], None]


def play_match(
    rules: Rules,
    contenders: Sequence[Contender],
    effort: Effort,
    limits: Limits,
    log: Log = lambda line: None,
    watch: OnGame = lambda made: None,
) -> EngineMatch:
    """Play the games of a match; after Ctrl-C, what has been played is returned."""
    check_rules(rules)
    agents = tuple(NamedAgent(one.name, EngineAgent(one.command, limits), GAME, rules) for one in contenders)
    made = EngineMatch(Match(GAME, rules, agents, effort))
    began = perf_counter()
    try:
        for index in range(effort.games):
            first = index % 2
            pair = (contenders[first], contenders[1 - first])
            log(f"# game {index + 1}: {SIDES[0]} {pair[0].name}, {SIDES[1]} {pair[1].name}")
            seeds = [seed_of(effort.seed, "engine", index, side) % 10**9 for side in (0, 1)]
            commands = [with_seed(one.command, seed) for one, seed in zip(pair, seeds, strict=True)]
            game = referee(rules, commands, limits, log)
            log(f"# game {index + 1}: {ending(game)}")
            made.games.append(game)
            made.match.records.append(record_of(game, index))
            made.match.seconds = perf_counter() - began
            watch(made)
    except KeyboardInterrupt:
        made.match.interrupted = True
    return made


def ending(game: EngineGame) -> str:
    """How a game ended, on one line."""
    who = "a draw" if game.winner is None else f"{SIDES[game.winner]} wins"
    if not game.fouls:
        return f"{who}: {game.reason}"
    return f"{who}: " + "; ".join(f"{SIDES[side]} {foul}" for side, foul in sorted(game.fouls.items()))


def record_of(game: EngineGame, index: int) -> GameRecord:
    """A game as all matches count them."""
    over = game.state.outcome if game.state else None
    outcome = Outcome.between_two(CommonReason.FORFEIT, game.winner) if game.fouls or over is None else over
    opening = GAME.opening(game.state) if game.state else ""
    moves = tuple(game.moves)
    return GameRecord(
        outcome, {}, moves, opening, seconds=tuple(game.seconds), length=len(moves), index=index, first=index % 2
    )  # fmt: skip
