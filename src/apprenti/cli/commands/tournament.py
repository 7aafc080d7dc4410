"""`apprenti tournament AGENT AGENT…`: everybody against everybody."""

from collections.abc import Sequence
from dataclasses import dataclass

from apprenti.cli.commands import compare
from apprenti.cli.request import Request, read_agents
from apprenti.core.errors import BadAgent, BadOption

FEW = "a tournament needs at least two agents, like: apprenti tournament sarsa-tictactoe mnk-perfect."


@dataclass(frozen=True, kw_only=True)
class Options(compare.Options):
    """Everybody against everybody: Elo, every match with Wilson's interval, how games ended, a picture.

    Every opening is played twice with the sides exchanged.
    """

    games: int = 100
    """Games for each pair."""


def read_words(words: Sequence[str]) -> Request:
    """The request."""
    return read_agents("tournament", Options, words, FEW)


def run(request: Request) -> int:
    """Let them play."""
    if len(request.options.agents) < 2:
        raise BadOption(FEW)
    if request.game.players == 1:
        name = request.agent(request.options.agents[0]).name
        raise BadAgent(f"{name} plays {request.game.name}, a game for one: use compare, or name a --game.")
    return compare.run(request)
