"""How fast Luzhanqi is: the compiled game, the readable one, beliefs, decisions, the environment."""

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from time import perf_counter
from typing import Any

import numpy as np

from apprenti.core.seeds import Stream, pick
from apprenti.games.luzhanqi.state import State
from apprenti.lab.agents import load_agent

REPEATS = 5
LAYOUTS = ("diahcbgkkfiecfigjhedjljhg", "bicgcakdgifgeekjfhjjihhld")


def _best(work: Callable[[], int], repeats: int) -> float:
    """Things done a second, best of a few runs; the first one compiles and does not count."""
    work()
    best = 0.0
    for _ in range(repeats):
        began = perf_counter()
        best = max(best, work() / (perf_counter() - began))
    return best


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
    """A position after some random moves."""
    state, rng = State.start(*LAYOUTS), Stream(1)
    for _ in range(moves):
        if state.outcome:
            break
        state = state.play(pick(rng, state.legal_moves()))
    return state


def _readable(moves: int) -> int:
    """Random moves by the readable rules."""
    state, rng = State.start(*LAYOUTS), Stream(1)
    for _ in range(moves):
        if state.outcome:
            state = State.start(*LAYOUTS)
        state = state.play(pick(rng, state.legal_moves()))
    return moves


def _decisions(name: str, state: State, times: int) -> int:
    """Decisions of a player on one position."""
    agent, seen, legal = load_agent(name), state.observation(state.to_move), state.legal_moves()
    for number in range(times):
        agent.choose(seen, legal, Stream(number))
    return times


def _environment(steps: int) -> int:
    """Steps of the PettingZoo environment, random legal actions."""
    from apprenti.envs.luzhanqi import env

    game: Any = env()
    game.reset(seed=1)
    rng = Stream(1)
    for _ in range(steps):
        if not game.agents or game.terminations[game.agent_selection] or game.truncations[game.agent_selection]:
            game.reset(seed=1)
        mask = game.observe(game.agent_selection)["action_mask"]
        game.step(int(pick(rng, np.flatnonzero(mask).tolist())))
    return steps


def luzhanqi_figures(quick: bool) -> Iterator[tuple[str, float, str]]:
    """Name, value and unit of each figure."""
    from apprenti.games.luzhanqi.fast.beliefs import Beliefs

    repeats, scale = (1, 10) if quick else (REPEATS, 1)
    yield "luzhanqi, random moves, kernel, one core", _best(lambda: _random_moves(1000 // scale), repeats), "moves/s"
    yield "luzhanqi, random moves, readable rules", _best(lambda: _readable(1000 // scale), repeats), "moves/s"
    yield "luzhanqi, legal moves generated (perft 3)", _best(_lines_of_play, repeats), "moves/s"
    middle = _middle(40)
    beliefs = Beliefs.of(middle.observation(middle.to_move))
    rate = _best(lambda: len(beliefs.sample(Stream(1), 20_000 // scale)), repeats)
    yield "luzhanqi, enemy layouts drawn from the beliefs", rate, "samples/s"
    for name in ("luzhanqi-expected", "luzhanqi-monte-carlo"):
        times = 2 if quick else 10
        rate = _best(lambda name=name, times=times: _decisions(name, middle, times), repeats)  # type: ignore[misc]
        yield f"{name}, decisions", rate, "moves/s"
    if find_spec("pettingzoo"):  # of the extra `envs`
        yield "luzhanqi, PettingZoo environment", _best(lambda: _environment(1000 // scale), repeats), "steps/s"
