"""How fast Luzhanqi is: the compiled game, the readable one, beliefs, decisions, the environment, self-play."""

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np

from apprenti.core.seeds import Stream, pick
from apprenti.games.luzhanqi.state import State
from apprenti.lab.agents import load_agent
from apprenti.lab.bench.machine import REPEATS, Figure, best

LAYOUTS = ("diahcbgkkfiecfigjhedjljhg", "bicgcakdgifgeekjfhjjihhld")


def _random_moves(games: int) -> int:
    """Random games in the kernel; how many moves they had."""
    from apprenti.games.luzhanqi.fast.arrays import rules_array, types_of
    from apprenti.games.luzhanqi.fast.primitives import begun, playout
    from apprenti.games.luzhanqi.rules import Rules

    rules, dice = rules_array(Rules.preset("ccgc")), np.array([1], np.uint64)
    first, second = map(types_of, LAYOUTS)
    return sum(int(playout(rules, begun(rules, first, second), dice, 2000)) for _ in range(games))


def _lines_of_play() -> int:
    """All lines of three moves: legal moves are generated and nothing else."""
    from apprenti.games.luzhanqi.fast.arrays import array_of_state, rules_array
    from apprenti.games.luzhanqi.fast.primitives import perft

    state = State.start(*LAYOUTS)
    return int(perft(rules_array(state.rules), array_of_state(state), 3))


def _middle(moves: int) -> State:
    """A position after some random moves; a game that has ended begins again."""
    state, rng = State.start(*LAYOUTS), Stream(1)
    for _ in range(moves):
        if state.outcome:
            state = State.start(*LAYOUTS)
        state = state.play(pick(rng, state.legal_moves()))
    return state


def _readable(moves: int) -> int:
    """Random moves by the readable rules."""
    _middle(moves)
    return moves


def _decisions(name: str, state: State, times: int) -> int:
    """Decisions of a player on one position."""
    agent, seen, legal = load_agent(name), state.observation(state.to_move), state.legal_moves()
    for number in range(times):
        agent.choose(seen, legal, Stream(number))
    return times


def _environment(steps: int) -> int:
    """Steps of the PettingZoo environment, random legal actions."""
    from apprenti.games.luzhanqi.envs import env

    game: Any = env()
    game.reset(seed=1)
    rng = Stream(1)
    for _ in range(steps):
        if not game.agents or game.terminations[game.agent_selection] or game.truncations[game.agent_selection]:
            game.reset(seed=1)
        mask = game.observe(game.agent_selection)["action_mask"]
        game.step(int(pick(rng, np.flatnonzero(mask).tolist())))
    return steps


def _self_play(quick: bool) -> Iterator[Figure]:
    """With PPO's network of the usual size, on one core; nothing if torch is not installed."""
    if find_spec("torch") is None:
        return
    from apprenti.games.luzhanqi.learn.config import PpoConfig
    from apprenti.games.luzhanqi.learn.deep.ppo import Ppo

    learner = Ppo(PpoConfig(past_share=0.0, parallel_games=64, moves=8 if quick else 48))
    learner.warm_up()
    fastest = max(learner.self_play_speed() for _ in range(2 if quick else REPEATS))
    yield Figure("luzhanqi, self-play with the network, 64 games, one core", fastest, "moves/s")


def figures(quick: bool) -> Iterator[Figure]:
    """All of it, the self-play last."""
    from apprenti.games.luzhanqi.fast.beliefs import Beliefs

    repeats, scale, times = (1, 10, 2) if quick else (REPEATS, 1, 10)
    middle = _middle(40)
    beliefs = Beliefs.of(middle.observation(middle.to_move))
    works: dict[tuple[str, str], Any] = {
        ("luzhanqi, random moves, kernel, one core", "moves/s"): lambda: _random_moves(1000 // scale),
        ("luzhanqi, random moves, readable rules", "moves/s"): lambda: _readable(1000 // scale),
        ("luzhanqi, legal moves generated (perft 3)", "moves/s"): _lines_of_play,
        ("luzhanqi, enemy layouts drawn from the beliefs", "samples/s"): lambda: len(
            beliefs.sample(Stream(1), 20_000 // scale)
        ),
        ("luzhanqi-expected, decisions", "moves/s"): lambda: _decisions("luzhanqi-expected", middle, times),
        ("luzhanqi-monte-carlo, decisions", "moves/s"): lambda: _decisions("luzhanqi-monte-carlo", middle, times),
    }
    if find_spec("pettingzoo"):  # of the extra `envs`
        works["luzhanqi, PettingZoo environment", "steps/s"] = lambda: _environment(1000 // scale)
    for (name, unit), work in works.items():
        yield Figure(name, best(work, repeats), unit)
    yield from _self_play(quick)
