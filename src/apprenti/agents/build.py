"""From a description to an agent: the kinds there are, and what each takes."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from apprenti.agents.mnk.perfect import PerfectAgent
from apprenti.agents.mnk.table import TableAgent
from apprenti.agents.random import RandomAgent, RandomMoves
from apprenti.agents.tetris.filtering import DEFAULT, FilteringAgent
from apprenti.agents.tetris.linear import LinearAgent, evaluation_weights
from apprenti.agents.tetris.lookahead import LookaheadAgent
from apprenti.agents.tetris.optimal import OptimalAgent
from apprenti.core.errors import BadAgent, UnknownName


def _evaluation(a: float, b: float, c: float, d: float, norm: int = 0, ties: str = "first") -> LinearAgent:
    return LinearAgent(evaluation_weights(a, b, c, d, norm), ties)


def _filtering(criteria: list[str] | tuple[str, ...] = DEFAULT) -> FilteringAgent:
    return FilteringAgent(tuple(criteria))


def _later(where: str, arrays_as: str = "") -> Callable[..., Any]:
    """A class that is imported only when an agent of it is built, and its own word for `arrays` if it has one."""

    def build_it(**config: Any) -> Any:
        module, _, name = where.partition(":")
        renamed = {arrays_as: config.pop("arrays", {})} if arrays_as else {}
        return getattr(import_module(f"apprenti.agents.{module}"), name)(**config, **renamed)

    return build_it


KINDS: dict[str, Callable[..., Any]] = {
    "random": RandomAgent,
    "random-moves": RandomMoves,
    "table": TableAgent,
    "perfect": PerfectAgent,
    "filtering": _filtering,
    "linear": LinearAgent,
    "lookahead": LookaheadAgent,
    "evaluation": _evaluation,
    "optimal": OptimalAgent.read,
    "luzhanqi-random": _later("luzhanqi.simple:RandomPlayer"),
    "luzhanqi-attacks": _later("luzhanqi.simple:AttackingPlayer"),
    "luzhanqi-greedy": _later("luzhanqi.one_ply:GreedyPlayer"),
    "luzhanqi-expected": _later("luzhanqi.one_ply:ExpectedValuePlayer"),
    "luzhanqi-monte-carlo": _later("luzhanqi.monte_carlo:MonteCarloPlayer"),
    "luzhanqi-ismcts": _later("luzhanqi.ismcts:IsmctsPlayer"),
    "network": _later("tetris.network:NetworkAgent", "weights_by_name"),
    "q-table": _later("tetris.q_table:QTableAgent", "table"),
    "q-network": _later("tetris.q_network:QNetworkAgent", "weights_by_name"),
    "luzhanqi-network": _later("luzhanqi.network:PolicyNetworkAgent"),
    "luzhanqi-learned-search": _later("luzhanqi.learned_search:LearnedSearchAgent"),
    "luzhanqi-actor": _later("luzhanqi.actor:ActorAgent"),
}


def build(kind: str, config: Mapping[str, Any], arrays: Mapping[str, Any] | None = None) -> Any:
    """An agent of a kind with its options, and its `arrays` if it has any."""
    if kind not in KINDS:
        raise UnknownName("kind of agent", kind, KINDS)
    try:
        return KINDS[kind](**config, **({"arrays": arrays} if arrays else {}))
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        raise BadAgent(f"this is not how an agent of kind {kind} is described ({error}).") from None


def parse(text: str) -> tuple[str, dict[str, Any]] | None:
    """Read an agent described on one line; None if it is no such line.

    `filtering:holes,lines` · `evaluation:0.5,0.5,0.6,0.2` (and `,norm1` or `,norm2`) · `linear:holes=-4,lines=1`
    """
    kind, colon, detail = text.partition(":")
    if not colon or kind not in ("filtering", "evaluation", "linear"):
        return None
    parts = [part.strip() for part in detail.split(",") if part.strip()]
    try:
        if kind == "filtering":
            return kind, {"criteria": parts}
        if kind == "linear":
            return kind, {"weights": {name: float(weight) for name, weight in (part.split("=") for part in parts)}}
        norm = int(parts.pop()[4:]) if parts and parts[-1] in ("norm1", "norm2") else 0
        a, b, c, d = map(float, parts)
        return kind, {"a": a, "b": b, "c": c, "d": d, "norm": norm}
    except ValueError:
        raise BadAgent(
            f"{text!r} is not an agent: write filtering:holes,lines, evaluation:0.5,0.5,0.6,0.2 or linear:holes=-4."
        ) from None


def looking(agent: Any, look: str) -> LookaheadAgent:
    """The same weights, one more piece ahead."""
    if not isinstance(agent, LinearAgent | LookaheadAgent):
        raise BadAgent("only a player with weights can look ahead: give one like dellacherie or bcts.")
    return LookaheadAgent(agent.weights, look)
