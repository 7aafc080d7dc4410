"""Worlds that a player of Luzhanqi cannot tell apart: nothing that is shown or decided does. `make soak PART=leaks`.

A case is one position, one player, one other layout of the enemy that fits all that player has seen, and one way to
look. What takes microseconds, the compiled game, is looked at in a million worlds; what takes longer in fewer.
"""

import asyncio
import json
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import islice

import numpy as np
import pytest

from apprenti.core.plugins import GAMES
from apprenti.core.seeds import Stream
from apprenti.games.luzhanqi.agents.known_layouts import TRUST, beliefs_with
from apprenti.games.luzhanqi.agents.players import InformedPlayer
from apprenti.games.luzhanqi.agents.search import InformedMonteCarloPlayer, LearnedSearchAgent, MonteCarloPlayer
from apprenti.games.luzhanqi.envs.game import Game as EnvGame
from apprenti.games.luzhanqi.envs.sides import LuzhanqiAEC, LuzhanqiEnv
from apprenti.games.luzhanqi.fast.arrays import replayed, rules_array, types_of
from apprenti.games.luzhanqi.fast.beliefs import Beliefs
from apprenti.games.luzhanqi.fast.primitives import begun, legal_all, planes_of
from apprenti.games.luzhanqi.layout import BOOK, book
from apprenti.games.luzhanqi.pieces import EMPTY, LETTERS
from apprenti.games.luzhanqi.rules import PRESETS, Rules
from apprenti.lab.agents import find
from apprenti.lab.session import Session
from apprenti.web.live import LiveGame, Seating, seated
from apprenti.web.school import School
from tests.games.luzhanqi.games import random_game
from tests.soak.campaign import MINUTES, campaign

GAME = GAMES.load("luzhanqi")
RULES = [
    *(rules for rules in PRESETS.values() if not rules.repetition),  # the compiled game does not count them
    GAME.rules(Rules.preset("mini"), flag="carried", headquarters="free"),
    Rules(show_fights=True), Rules(flag="mines"), Rules(reveal_flag=False, headquarters="free", mine="dies"),
]  # fmt: skip
SHIPPED = ("random", "attacks", "greedy", "expected", "learned", "magnet", "monte-carlo", "ismcts", "learned-search")
MANY, FEW = 500, 6
"""Worlds compared with each position: where a look is quick, and where it is not."""


def position(rules, rng):
    """A position somewhere in a random game, which is not over."""
    game = random_game(rules, rng.randrange(2**32), rng.randrange(200))
    return [state for state in game if state.outcome is None][-1]


def positions(seed, rules=RULES):
    """Positions and players, for ever."""
    rng = random.Random(seed)
    while True:
        state = position(rng.choice(rules), rng)
        for player in range(2):
            yield state, player, Stream(rng.randrange(2**32))


# The compiled game ----------------------------------------------------------------------------------------------------


def compiled(state, player):
    """A function of layouts: what was seen of every move with them, and what the player is given as numbers."""
    rules, legal = rules_array(state.rules), np.zeros((1, state.rules.actions), np.bool_)
    moves = np.array([move[:2] for move in state.record.moves], np.int64).reshape(-1, 2)

    def shown(layouts):
        game = begun(rules, *layouts)
        seen = replayed(rules, game, moves)
        if state.turn == player:
            legal_all(rules, game[None], legal)
        return None if seen is None else seen.tobytes() + planes_of(rules, game, player).tobytes() + legal.tobytes()

    return shown


def worlds_of_the_compiled_game(seed):
    """The game from its beginning with other layouts: each move is legal there and shows the same."""
    for state, player, rng in positions(seed):
        layouts, shown = [types_of(layout) for layout in state.layouts], compiled(state, player)
        truth = shown(layouts)
        for theirs in Beliefs.of(state.observation(player)).sample(rng, MANY):
            layouts[1 - player] = theirs
            same = shown(layouts) == truth
            if same or possible(state, player, theirs):
                yield "" if same else f"player {player}, {theirs.tolist()}: {GAME.write_state(state)}"


def possible(state, player, theirs):
    """Whether the game can have come here with this layout of the enemy; `Beliefs` say nothing of who cannot move."""
    layouts = list(state.layouts)
    layouts[1 - player] = "".join((LETTERS + EMPTY)[kind] for kind in theirs)
    return bool(replace(state, layouts=tuple(layouts)).legal_moves())


# Whatever else shows or decides ---------------------------------------------------------------------------------------


def known(state, player):
    """What the readable game says that a player knows, in every form, and what follows by counting and from priors."""
    state = GAME.read_state(state.rules, GAME.write_state(state))  # played again, with these layouts
    seen = state.observation(player)
    moves = tuple(state.legal_moves()) if state.turn == player else ()
    expected = book(state.rules)  # the usual layouts, which take seconds to draw, are for `decided`
    beliefs = [Beliefs.of(seen), *([beliefs_with(seen, TRUST, " ".join(expected))] if expected else [])]
    drawn = [(each.sample(Stream(3), 4).tobytes(), each.marginals().tobytes()) for each in beliefs]
    return seen, hash(seen), repr(seen), GAME.write_observation(seen), seen.planes().tobytes(), moves, drawn


def in_environments(state, player):
    """What both environments give, with both kinds of actions."""
    said = []
    for actions in ("flat", "two_stage"):
        game = EnvGame(LuzhanqiEnv(rules=state.rules, actions=actions).options, tuple(state.layouts))
        for move in state.record.moves:
            game.move(move.origin, move.target)
        both, alone = LuzhanqiAEC(rules=state.rules, actions=actions), LuzhanqiEnv(rules=state.rules, actions=actions)
        both.reset(seed=1), alone.reset(seed=1)
        both.game = alone.game = game
        alone.player = player
        both.look()
        seen = both.observe(f"player_{player}")
        said += [seen["observation"].tobytes(), seen["action_mask"].tobytes(), alone.drawn(False)]
        said += [game.planes(player).tobytes(), both.infos[f"player_{player}"]["action_mask"].tobytes()]
        said += [alone.info()["action_mask"].tobytes()] if state.turn == player else []
    return said


def on_the_page(state, player):
    """Every message that the page can be sent now."""
    players = tuple("" if side == player else "luzhanqi-random" for side in range(2))
    seating = Seating(players, seed=1)
    session = Session.new(GAME, state.rules, *seated(GAME, seating, School()), 1)
    session.state = state
    live = LiveGame("key", session, seating, _POOL, None)
    said = [live.view(eyes) for eyes in (0, 1, None)]
    said += [asyncio.run(live.details(eyes)) for eyes in (0, 1, None)]
    return json.dumps(
        said + ([asyncio.run(live.hint("luzhanqi-expected"))] if state.turn == player else []), default=str
    )


_POOL = ThreadPoolExecutor(1)


@cache
def agents():
    """Everybody who is shipped or knows layouts, those that search with a few worlds."""
    arrays, book = find("luzhanqi-learned-search").agent.arrays(), " ".join(BOOK)
    few = {"learned-search": LearnedSearchAgent(moves=3, worlds=2, arrays=arrays, prior=0.5),
           "monte-carlo": MonteCarloPlayer(worlds=2), "informed": InformedPlayer(known=book),
           "informed-monte-carlo": InformedMonteCarloPlayer(known=book, worlds=2)}  # fmt: skip
    return {**{name: find(f"luzhanqi-{name}").agent for name in SHIPPED}, **few}


def decided(state, player):
    """What each agent decides, thinks and says, if it is this player's turn."""
    if state.turn != player:
        return []
    seen, said = state.observation(player), []
    for name, agent in agents().items():
        values = agent.values(seen) if hasattr(agent, "values") else {}
        told = agent.explain(seen) if hasattr(agent, "explain") else ""
        said.append((name, agent.choose(seen, state.legal_moves(), Stream(5)), values, told))
    return said


def worlds_for(look, seed, rules=RULES):
    """Other worlds, through the eyes of a player."""
    for state, player, rng in positions(seed, rules):
        truth = look(state, player)
        for world in islice(GAME.worlds(state.observation(player), rng), FEW if truth else 0):
            same = look(world, player) == truth
            yield "" if same else f"{look.__name__} of player {player}: {GAME.write_state(state)}"


def leaks(look, seed, most=None, minutes=MINUTES):
    """The campaign of one way to look."""
    by_compiled_game = look is compiled
    found = worlds_of_the_compiled_game(seed) if by_compiled_game else worlds_for(look, seed, RULES_OF.get(look, RULES))
    campaign(f"leaks: {look.__name__.replace('_', ' ')}", found, most, minutes)


RULES_OF = {decided: RULES[:1]}
"""Agents that have learned, or know layouts, know them for the board of the championship."""
LOOKS = (known, in_environments, on_the_page, decided)


def test_nothing_leaks_in_a_million_worlds():
    leaks(compiled, 1, 10**6, 2 * MINUTES)


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.__name__)
def test_nothing_leaks(look):
    leaks(look, 1, minutes=MINUTES / len(LOOKS))
