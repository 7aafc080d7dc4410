"""Worlds that a player of Luzhanqi cannot tell apart: nothing that is shown or decided does. `make soak PART=leaks`."""

import json
import random
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import islice

from apprenti.agents.luzhanqi.learned_search import LearnedSearchAgent
from apprenti.agents.luzhanqi.monte_carlo import MonteCarloPlayer
from apprenti.core.seeds import Stream, pick
from apprenti.envs.luzhanqi.game import Game as EnvGame
from apprenti.envs.luzhanqi.options import Options
from apprenti.games.catalogue import GAMES
from apprenti.games.luzhanqi.fast.beliefs import Beliefs
from apprenti.games.luzhanqi.layout import uniform_layout
from apprenti.games.luzhanqi.rules import Rules
from apprenti.lab.agents import find
from apprenti.lab.session import Session
from apprenti.web.live import LiveGame, Seating, seated
from apprenti.web.scenes import scenes_of
from tests.soak.campaign import campaign

GAME = GAMES.load("luzhanqi")
RULES = [
    Rules.preset("ccgc"), Rules.preset("mini"), GAME.rules(Rules.preset("mini"), flag="carried", headquarters="free"),
    Rules(show_fights=True),
]  # fmt: skip
QUICK = ("luzhanqi-random", "luzhanqi-attacks", "luzhanqi-greedy", "luzhanqi-expected", "luzhanqi-learned")
WORLDS = 6
"""Compared with each position."""


@cache
def agents():
    """Everybody who is shipped, those that search with a few worlds."""
    learned = find("luzhanqi-learned-search").agent
    few = {"luzhanqi-monte-carlo": MonteCarloPlayer(worlds=2),
           "luzhanqi-learned-search": LearnedSearchAgent(moves=3, worlds=2, arrays=learned.arrays())}  # fmt: skip
    return {**{name: find(name).agent for name in QUICK}, **few, "luzhanqi-ismcts": find("luzhanqi-ismcts").agent}


def position(rules, rng):
    """A position after some random moves, and these."""
    stream = Stream(rng.randrange(2**32))
    state = GAME.reopen(rules, "/".join(uniform_layout(rules, stream) for _ in range(2)))
    for _ in range(rng.randrange(160)):
        going_on = [move for move in state.legal_moves() if state.play(move).outcome is None]
        if not going_on:
            break
        state = state.play(pick(stream, going_on))
    return state


def known(state, player):
    """What the game says that a player knows, in every form, and what follows by counting."""
    seen = state.observation(player)
    moves = tuple(state.legal_moves()) if state.turn == player else ()
    drawn = Beliefs.of(seen).sample(Stream(3), 4) if seen.record else ()
    return seen, hash(seen), GAME.write_observation(seen), moves, [str(layout) for layout in drawn]


def in_numbers(state, player):
    """What the environment gives."""
    game = EnvGame(Options(rules=state.rules), tuple(state.layouts))
    for move in state.record.moves:
        game.move(move.origin, move.target)
    return game.planes(player).tobytes(), game.mask.tobytes() if state.turn == player else b""


def on_the_page(state, player):
    """Every message that the page can be sent now."""
    players = tuple("" if side == player else "luzhanqi-random" for side in range(2))
    seating = Seating(players, seed=1)
    session = Session.new(GAME, state.rules, *seated(GAME, seating), 1)
    session.state = state
    live = LiveGame("key", session, seating, _POOL, None)
    said = [live.view(eyes) for eyes in (0, 1, None)]
    said += [scenes_of(GAME).details(live._seen(eyes)) for eyes in (0, 1, None)]
    return json.dumps(said + ([live._hint("luzhanqi-expected")] if state.turn == player else []), default=str)


_POOL = ThreadPoolExecutor(1)


def decided(name):
    """What an agent decides, thinks and says."""

    def by(state, player):
        agent, seen = agents()[name], state.observation(player)
        move = agent.choose(seen, state.legal_moves(), Stream(5))
        values = agent.values(seen) if hasattr(agent, "values") else {}
        return move, values, agent.explain(seen) if hasattr(agent, "explain") else ""

    return by


def looks(state, player, rng):
    """What is compared for this position; what takes long only now and then."""
    yield "observation", known
    if rng.random() < 0.2:
        yield "page", on_the_page
    if state.rules == RULES[0]:
        yield "environment", in_numbers
        if state.turn == player:
            name = rng.choice([*QUICK * 4, *agents()])
            yield name, decided(name)


def cases(seed):
    """Positions, and other worlds that the player cannot tell from them."""
    rng = random.Random(seed)
    while True:
        state = position(rng.choice(RULES), rng)
        for player in range(2):
            seen = state.observation(player)
            others = list(islice(GAME.worlds(seen, Stream(rng.randrange(2**32))), WORLDS))
            for what, look in looks(state, player, rng):
                truth = look(state, player)
                for world in others:
                    yield (
                        "" if look(world, player) == truth else f"{what} of player {player}: {GAME.write_state(state)}"
                    )


def test_nothing_leaks():
    campaign("leaks", cases(1), most=10**6)
