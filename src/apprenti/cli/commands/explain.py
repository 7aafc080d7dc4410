"""`apprenti explain AGENT POSITION`: what an agent thinks of one position."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import tyro

from apprenti.cli.options import Text
from apprenti.cli.request import Request, read_agents
from apprenti.cli.tables import print_table
from apprenti.core.errors import BadNotation, BadOption
from apprenti.core.game import AnyGame
from apprenti.core.protocols import CHANCE, OVER, AnyRules, AnyState
from apprenti.core.seeds import Stream
from apprenti.views.thoughts import finite, rows_of, thinks, thoughts_of
from apprenti.views.view import Look, view_of


@dataclass(frozen=True, kw_only=True)
class Options:
    """What an agent thinks of one position: the value of every move, and what each criterion adds to it.

    For agents that can tell: players of tetris, tables, search. At tetris a position is the board, the top row first
    ('.' empty, '/' between rows; rows that are left out are empty ones on top), and the piece, like
    "####....../###....... T". --json and `apprenti replay FILE --json` write whole positions.
    """

    agent: Annotated[str, tyro.conf.Positional, tyro.conf.arg(metavar="AGENT")]
    """A name from the zoo (apprenti agents), a run, a file, or a description like evaluation:0.5,0.5,0.6,0.2."""
    position: Annotated[
        tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="POSITION", help_behavior_hint="")
    ] = ()
    """In the game's notation, with or without quotes; default: the first position of a game."""
    game: Text = ""
    """The game (apprenti games), so that short names like random will do; default: the one the agent plays."""
    seed: int = 1
    """What chance brings where no position is given."""
    json: bool = False
    """Print one JSON object and nothing else."""


def read_words(words: Sequence[str]) -> Request:
    """The request."""
    return read_agents("explain", Options, words)


def run(request: Request) -> None:
    """Say what it thinks."""
    options, game, agent = request.options, request.game, request.agent(request.options.agent)
    rules = request.rules(agent.rules)
    agent.check(game, rules)
    state = position(game, rules, " ".join(options.position), options.seed)
    if not thinks(agent.agent):
        raise BadOption(f"explain is for agents that can say what they think, and {agent.name} cannot.")
    thoughts = thoughts_of(agent.agent, state.observation(state.turn))
    if options.json:
        moves = [one.to_json(game.write_move(one.move)) for one in thoughts.moves]
        about = {"agent": agent.name, "game": game.name, "position": game.write_state(state)}
        print(json.dumps({**about, "moves": moves, "words": thoughts.words}, ensure_ascii=False))
        return
    hints = {one.move: one.value for one in thoughts.moves if finite(one.value) is not None}
    view = view_of(game)
    print(view.screen(state, Look(state.turn, colour=False, hints=hints, numbers=True)))
    if thoughts.moves:
        print_table(*rows_of(view.named_in(state, thoughts)))
    if thoughts.words:
        print(thoughts.words)


def position(game: AnyGame, rules: AnyRules, text: str, seed: int) -> AnyState:
    """A position in which somebody is to move."""
    rng = Stream.named(seed, "explain")
    state: AnyState = game.read_state(rules, text) if text else game.start(rules, [rng] * game.players)
    while not text and state.turn == CHANCE:
        state = state.deal(rng)
    if state.turn in (CHANCE, OVER):
        raise BadNotation("nobody is to move in this position: the game is over, or chance has to deal first.")
    return state
