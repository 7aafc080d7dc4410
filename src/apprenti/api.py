"""The names of `import apprenti`: everything a script needs, and nothing deeper."""

from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from apprenti.core.errors import ApprentiError, BadNotation, BadOption, BadRules, IllegalMove, UnknownName
from apprenti.core.game import AnyGame, Game, RulesBase, StateBase
from apprenti.core.plugins import GAMES, Entry, Plugin, usual_game
from apprenti.core.protocols import CHANCE, OVER, AnyAgent, AnyRules, Outcome, Reason
from apprenti.core.seeds import Stream
from apprenti.lab.agents import NamedAgent, find_first, find_own, named
from apprenti.lab.cluster import on_cluster, training_on
from apprenti.lab.evaluate import Evaluation
from apprenti.lab.evaluate import evaluate as _evaluate
from apprenti.lab.match import Match, Tournament
from apprenti.lab.match import match as _match
from apprenti.lab.match import tournament as _tournament
from apprenti.lab.results import Effort
from apprenti.store.replay import Replay, read_replay
from apprenti.store.runs import Run

__all__ = [
    "CHANCE", "OVER", "ApprentiError", "BadNotation", "BadRules", "Entry", "Game", "GameBase", "IllegalMove", "Outcome",
    "Plugin", "Reason", "RulesBase", "StateBase", "Stream", "agent", "evaluate", "game", "games", "load_replay",
    "match", "resume", "solve", "tournament", "train",
]  # fmt: skip

GameBase = Game
"""Its name in packages written for version 0.2."""
Player = str | AnyAgent
"""An agent, or the name, file or description of one."""
Playable = str | AnyGame
"""A game, or the name of one that is installed; empty for the game of the agent."""


def games() -> list[str]:
    """The names of all games, those of installed plug-ins among them."""
    return list(GAMES)


def _game(game: Playable) -> AnyGame | None:
    if isinstance(game, str):
        return GAMES.load(game) if game else None
    if not callable(getattr(game, "rules", None)):
        raise BadOption(f"game is the name of a game or a game, not {game!r:.40}.")
    return game


def game(name: str) -> AnyGame:
    """A game by its name: `apprenti.games()` has them."""
    return GAMES.load(_text("the name of a game", name))


def _text(what: str, value: object) -> str:
    """Text that was asked for; a script may pass anything."""
    if not isinstance(value, str):
        raise BadOption(f"{what} is a text, not {value!r:.40}.")
    return value


def agent(text: str, game: Playable = "") -> AnyAgent:
    """An agent that can `choose`: a name from the zoo, a run, a file, or a description on one line."""
    own: AnyAgent = find_own(_text("the name of an agent", text), _game(game)).agent
    return own


def _named(player: Player, game: AnyGame | None) -> NamedAgent:
    """An agent with its name, its game and its rules; a user's own object is named after its class."""
    return find_own(player, game) if isinstance(player, str) else named(type(player).__name__, player, game)


def _rules(named: NamedAgent, options: dict[str, object]) -> AnyRules:
    """The rules to play: the agent's own, with what was asked for changed."""
    return named.game.rules(named.rules, **named.game.typed(options))


def evaluate(
    agent: Player,
    *,
    game: Playable = "",
    games: int = 100,
    seed: int = 1,
    workers: int = 0,
    precision: float = 0.0,
    cluster: str = "",
    **options: object,
) -> Evaluation:
    """Measure an agent of a game for one. Options are those of its rules, like `size="10x10"`.

    The result has `mean`, `interval`, `games` and `to_json()`; it does not depend on the number of workers, nor on the
    `cluster` that plays (`local:4`, `auto`, `HOST:PORT`; docs/cluster.md).
    """
    (measured,) = _all_named([agent], game)
    with on_cluster(_text("a cluster", cluster), workers):
        return _evaluate(measured, _rules(measured, options), Effort(games, seed, workers, precision))


def match(
    first: Player,
    second: Player,
    *,
    game: Playable = "",
    games: int = 100,
    seed: int = 1,
    workers: int = 0,
    cluster: str = "",
    **options: object,
) -> Match:
    """Let two agents play; every opening is played twice, with the sides exchanged.

    The result has the first one's `share` of the points, its `interval`, `games` and `to_json()`.
    """
    players = _all_named([first, second], game)
    with on_cluster(_text("a cluster", cluster), workers):
        effort = Effort(games, seed, workers)
        return _match(players[0].game, _rules(players[0], options), players, effort)


def tournament(
    agents: Sequence[Player],
    *,
    game: Playable = "",
    games: int = 100,
    seed: int = 1,
    workers: int = 0,
    cluster: str = "",
    **options: object,
) -> Tournament:
    """Everybody against everybody; the result has `ratings()`, `matches` and `to_json()`."""
    if not isinstance(agents, list | tuple) or len(agents) < 2:
        raise BadOption("a tournament needs a list of at least two agents.")
    players = _all_named(agents, game)
    with on_cluster(_text("a cluster", cluster), workers):
        return _tournament(players[0].game, _rules(players[0], options), players, Effort(games, seed, workers))


def _all_named(agents: Sequence[Player], game: Playable) -> list[NamedAgent]:
    """Agents of one game; two of the same name are told apart by a number."""
    first = find_first(agents, _game(game), _named)
    players = [first, *(_named(agent, first.game) for agent in agents[1:])]
    names = [player.name for player in players]
    twice = {name for name in names if names.count(name) > 1}
    return [
        replace(player, name=f"{player.name}-{number}") if player.name in twice else player
        for number, player in enumerate(players, 1)
    ]


def train(method: str, *, name: str = "", cluster: str = "", **config: Any) -> Run:
    """Learn a player, step by step in `runs/NAME`; options are those of the method: `train("ce", size="10x10")`."""
    from apprenti.lab.train import train as _train
    from apprenti.learn.methods import config_class

    options = config_class(_text("a method of learning", method))
    known = [field.name for field in fields(options)]
    for option in config:
        if option not in known:
            raise UnknownName(f"option of {method}", option, known)
    with training_on(_text("a cluster", cluster), method, config.get("workers", 0)):
        return _train(method, options(**config), name)


def resume(name: str, *, cluster: str = "") -> Run:
    """Go on with a run after an interruption."""
    from apprenti.lab.train import resume as _resume
    from apprenti.store.runs import find_run

    run = find_run(_text("the name of a run", name))
    with training_on(_text("a cluster", cluster), run.about()["method"]):
        return _resume(run)


def solve(size: str = "", *, game: Playable = "", **options: object) -> Any:
    """The optimal player of a small game for one, of the first game if none is named.

    `gamma` is what a reward is worth one move later; other options are those of the rules, and of the game's own solver
    if it has one (`method`, `seed`, `workers`). The solution has `value` (of the start), `converged`, `agent()` and
    `to_json()`; that of value iteration also `values`, `q`, `policy`, and `of_policy()`, the values of a policy that is
    not the best.
    """
    from apprenti.lab.solve import solver_of

    played, size = _game(game) or GAMES.load(usual_game()), _text("a size", size)
    return solver_of(played).of_options(played, **({"size": size} if size else {}), **options)


def load_replay(path: str | Path) -> Replay:
    """A recorded game; `replay.states()` plays it again, state by state, and verifies it."""
    return read_replay(path if isinstance(path, Path) else Path(_text("the path of a replay", path)))
