"""Monte-Carlo tree search for every game: UCT with uniform random playouts (Kocsis and Szepesvári 2006).

A node is what the searching player knows (`State.observation`). Where nothing is hidden that is the state itself. Where
something is, every playout is played in a state drawn from the player's beliefs (`Determinises`), and all of them share
one tree (Cowling, Powley, Whitehouse 2012). Turns of chance are drawn by their law.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, repeat
from math import inf, log, sqrt

from apprenti.agents.base import check_number
from apprenti.core.data import JsonObject
from apprenti.core.errors import BadAgent
from apprenti.core.game import AnyGame, Determinises
from apprenti.core.protocols import CHANCE, OVER, AnyAgent, AnyMove, AnyObservation, AnyRules, AnyState, State
from apprenti.core.seeds import Chance, Stream, pick


@dataclass(slots=True)
class Edge:
    """A move at a node: how often it was made, and what its maker got, all playouts together."""

    visits: int = 0
    total: float = 0.0


Node = dict[AnyMove, Edge]


@dataclass
class Search:
    """The tree of one decision."""

    game: AnyGame
    player: int
    c: float
    length: int
    rng: Chance
    nodes: dict[AnyObservation, Node] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.low, self.high = (0.0, 1.0) if self.game.players > 1 else (inf, -inf)

    def playout(self, state: AnyState) -> None:
        """Down the tree by UCB to a move that is new there, on at random, and the scores back up."""
        path: list[tuple[Edge, int]] = []
        new = False
        for _ in range(self.length):
            while state.turn == CHANCE:
                state = state.deal(self.rng)
            if state.turn == OVER:
                break
            legal = state.legal_moves()
            if new:
                move = pick(self.rng, legal)
            else:
                move, edge = self._select(self.nodes.setdefault(state.observation(self.player), {}), legal)
                new = not edge.visits
                path.append((edge, state.turn))
            state = state.play(move)
        self._back_up(path, self._scores(state))

    def _select(self, node: Node, legal: Sequence[AnyMove]) -> tuple[AnyMove, Edge]:
        """A move that was never made, if there is one; otherwise the best by UCB1."""
        edges = [(move, node.setdefault(move, Edge())) for move in legal]
        new = [(move, edge) for move, edge in edges if not edge.visits]
        if new:
            return pick(self.rng, new)
        explore = self.c * sqrt(log(sum(edge.visits for _, edge in edges)))
        low, span = self.low, self.high - self.low or 1.0
        return max(edges, key=lambda e: (e[1].total / e[1].visits - low) / span + explore / sqrt(e[1].visits))

    def _scores(self, state: AnyState) -> tuple[float, ...]:
        """What each player got; of a game cut short, what has been counted so far, or a draw."""
        if state.outcome:
            return state.outcome.scores
        if self.game.players > 1:
            return (1 / self.game.players,) * self.game.players
        counted = self.game.measures(state)[self.game.unit(state.rules)]
        assert not isinstance(counted, tuple), "the unit of a score is one number"
        return (counted,)

    def _back_up(self, path: list[tuple[Edge, int]], scores: tuple[float, ...]) -> None:
        if self.game.players == 1:  # what is much is only known from what has been seen
            self.low, self.high = min(self.low, scores[0]), max(self.high, scores[0])
        for edge, player in path:
            edge.visits += 1
            edge.total += scores[player]


@dataclass(frozen=True)
class MctsAgent:
    """Plays the move it has tried most."""

    playouts: int = 200
    c: float = 0.7
    """How much UCB explores: scores are between 0 and 1, those of a game for one by the range seen so far."""
    length: int = 200
    """Moves of a playout, at most."""
    game: AnyGame | None = None

    def __post_init__(self) -> None:
        if not all(type(number) is int and number > 0 for number in (self.playouts, self.length)):
            raise BadAgent(f"a tree search has 1 playout of 1 move or more, not {self.playouts} of {self.length}.")
        check_number("c", self.c, 0, 1e9)

    def for_game(self, game: AnyGame) -> "MctsAgent":
        return replace(self, game=game)

    def choose(self, observation: AnyObservation, legal: Sequence[AnyMove], rng: Chance) -> AnyMove:
        if len(legal) == 1:
            return legal[0]
        tried, _ = self._searched(observation, rng)
        edges = [tried.get(move, Edge()) for move in legal]
        best = max(range(len(legal)), key=lambda i: (edges[i].visits, edges[i].total))
        return legal[best]

    def values(self, observation: AnyObservation) -> Mapping[AnyMove, float]:
        tried, legal = self._searched(observation, Stream(0))
        mean = sum(edge.total for edge in tried.values()) / max(1, sum(edge.visits for edge in tried.values()))
        edges = {move: tried.get(move, Edge()) for move in legal}
        return {move: edge.total / edge.visits if edge.visits else mean for move, edge in edges.items()}

    def _searched(self, observation: AnyObservation, rng: Chance) -> tuple[Node, Sequence[AnyMove]]:
        """What is known of the moves after all playouts, and the legal ones."""
        if self.game is None:
            raise BadAgent("a tree search has to know its game: make it with game=…, or name it mcts:PLAYOUTS.")
        worlds = _worlds(self.game, observation, rng)
        state = next(worlds)
        if state.turn < 0:
            return {}, ()
        search = Search(self.game, state.turn, self.c, self.length, rng)
        for world in islice(worlds, self.playouts):
            search.playout(world)
        return search.nodes[state.observation(state.turn)], state.legal_moves()

    def describe(self) -> tuple[str, JsonObject]:
        return "mcts", {"playouts": self.playouts, "c": self.c, "length": self.length}


def _worlds(game: AnyGame, observation: AnyObservation, rng: Chance) -> Iterator[AnyState]:
    """States that fit what a player knows."""
    if isinstance(game, Determinises):
        return game.worlds(observation, rng)
    if not isinstance(observation, State):
        raise BadAgent(
            f"{game.name} hides something and draws no worlds to search: it needs `worlds`, or states that have all "
            "that a State has, `rules` too."
        )
    return repeat(observation)


def read_mcts(text: str, inner: None) -> tuple[AnyAgent, str, AnyRules]:
    """`PLAYOUTS` or `PLAYOUTS,C`."""
    playouts, _, c = text.partition(",")
    try:
        return MctsAgent(int(playouts), float(c or MctsAgent.c)), "", None
    except ValueError:
        raise BadAgent(
            f"a tree search is mcts:PLAYOUTS or mcts:PLAYOUTS,C, like mcts:400,0.7, not {text!r:.20}."
        ) from None
