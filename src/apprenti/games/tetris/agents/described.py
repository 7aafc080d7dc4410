"""Players of Tetris that are described on one line.

`filtering:holes,lines` · `evaluation:0.5,0.5,0.6,0.2` (and `,norm1` or `,norm2`), both with `,random` for ties by
chance · `linear:holes=-4,lines=1` · `expectimax:NAME` and `preview:NAME`, the same player one piece further ·
`epsilon-greedy:0.1,NAME` and `softmax:0.5,NAME`, the same player with a part left to chance.
"""

from apprenti.core.errors import BadAgent
from apprenti.core.protocols import AnyAgent, Valued
from apprenti.games.tetris.agents.filtering import DEFAULT, FilteringAgent
from apprenti.games.tetris.agents.linear import LinearAgent, evaluation_weights
from apprenti.games.tetris.agents.lookahead import LookaheadAgent
from apprenti.games.tetris.agents.regimes import RegimesAgent
from apprenti.games.tetris.agents.stochastic import EpsilonGreedyAgent, SoftmaxAgent
from apprenti.games.tetris.agents.ties import TIES
from apprenti.games.tetris.rules import Rules

Inner = tuple[AnyAgent, Rules] | None
"""The agent that ends a line, and the rules it was made for; None if there is none."""
Described = tuple[AnyAgent, str, Rules]
"""The agent, the game it plays and the rules it was made for."""


def evaluation(a: float, b: float, c: float, d: float, norm: int = 0, ties: str = "first") -> LinearAgent:
    """The Tetris Bot's evaluation agent."""
    return LinearAgent(evaluation_weights(a, b, c, d, norm), ties)


def filtering(criteria: list[str] | tuple[str, ...] = DEFAULT, ties: str = "first") -> FilteringAgent:
    """The Tetris Bot's filtering agent."""
    return FilteringAgent(tuple(criteria), ties)


def read_filtering(text: str, inner: Inner) -> Described:
    """`filtering:holes,lines`, and `,random` or `,dellacherie` for another tie rule."""
    parts, ties = _tie_rule(_parts(text))
    return filtering(parts, ties), "tetris", Rules.preset("tetrisbot")


def read_evaluation(text: str, inner: Inner) -> Described:
    """`evaluation:0.5,0.5,0.6,0.2`, and `,norm1` or `,norm2`, and a tie rule."""
    parts, ties = _tie_rule(_parts(text))
    norm = int(parts.pop()[4:]) if parts and parts[-1] in ("norm1", "norm2") else 0
    try:
        a, b, c, d = map(float, parts)
    except ValueError:
        raise BadAgent(f"write evaluation:0.5,0.5,0.6,0.2, four numbers, not evaluation:{text}.") from None
    return evaluation(a, b, c, d, norm, ties), "tetris", Rules.preset("tetrisbot")


def read_linear(text: str, inner: Inner) -> Described:
    """`linear:holes=-4,lines=1`."""
    return LinearAgent(weights_in(text)), "tetris", Rules.preset("simplified")


def weights_in(text: str) -> dict[str, float]:
    """`holes=-4,lines=1`."""
    try:
        return {name: float(weight) for name, weight in (part.split("=") for part in _parts(text))}
    except ValueError:
        raise BadAgent(f"write linear:holes=-4,lines=1, a weight for each criterion, not linear:{text}.") from None


def read_expectimax(text: str, inner: tuple[AnyAgent, Rules]) -> Described:
    """A player with weights, with the mean over the pieces that may come."""
    agent, rules = inner
    return looking(agent, "expectimax"), "tetris", rules


def read_preview(text: str, inner: tuple[AnyAgent, Rules]) -> Described:
    """A player with weights that knows the next piece."""
    agent, rules = inner
    return looking(agent, "next_piece"), "tetris", rules.changed(preview=True)


def read_epsilon_greedy(text: str, inner: Inner) -> Described:
    """`epsilon-greedy:0.1,NAME`."""
    epsilon, agent, rules = _number_and_player(text, inner, "epsilon-greedy:0.1,dellacherie")
    return EpsilonGreedyAgent(agent, epsilon), "tetris", rules


def read_softmax(text: str, inner: Inner) -> Described:
    """`softmax:0.5,NAME`."""
    temperature, agent, rules = _number_and_player(text, inner, "softmax:0.5,dellacherie")
    if not isinstance(agent, Valued):
        raise BadAgent("softmax needs a player that values placements, like dellacherie or bcts.")
    return SoftmaxAgent(agent, temperature), "tetris", rules


def _number_and_player(text: str, inner: Inner, like: str) -> tuple[float, AnyAgent, Rules]:
    try:
        if inner is None:
            raise ValueError
        return float(text), *inner
    except ValueError:
        raise BadAgent(f"write {like}, a number and a player, not {text!r:.60}.") from None


def looking(agent: AnyAgent, look: str) -> LookaheadAgent | RegimesAgent:
    """The same weights, one more piece ahead."""
    if isinstance(agent, RegimesAgent) and agent.look == "":
        return agent.looking(look)
    if isinstance(agent, LookaheadAgent | RegimesAgent):
        raise BadAgent("this player looks ahead as it is: give one that does not, like dellacherie or bcts.")
    if not isinstance(agent, LinearAgent):
        raise BadAgent("only a player with weights can look ahead: give one like dellacherie or bcts.")
    return LookaheadAgent(agent.weights, look)


def _tie_rule(parts: list[str]) -> tuple[list[str], str]:
    """What comes before a tie rule at the end, and the rule."""
    return (parts[:-1], parts[-1]) if parts and parts[-1] in TIES else (parts, "first")


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
