"""A learned network inside a search: its favourite moves are tried in sampled worlds and judged by its value.

The network's policy says which moves are worth a try. Layouts of the enemy are drawn from exact beliefs; in each of
these worlds each move is made, and the network says what the position is worth to the enemy, who sees it from there.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apprenti.agents.luzhanqi.learned import next_piece
from apprenti.agents.luzhanqi.material import material
from apprenti.agents.luzhanqi.network import ArmyNetworkAgent
from apprenti.core.errors import BadAgent
from apprenti.core.seeds import Chance
from apprenti.games.luzhanqi.beliefs import Beliefs
from apprenti.games.luzhanqi.board import COLUMNS, ROWS, parse_move
from apprenti.games.luzhanqi.kernel import at
from apprenti.games.luzhanqi.kernel.planes import planes_of
from apprenti.games.luzhanqi.kernel.play import apply
from apprenti.games.luzhanqi.kernel.tables import rules_array
from apprenti.games.luzhanqi.kernel.worlds import worlds_of
from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.planes import PLANES
from apprenti.games.luzhanqi.rules import Rules

Numbers = NDArray[np.int64]


class LearnedSearchAgent(ArmyNetworkAgent):
    """Tries the network's favourite moves in sampled worlds, and plays the one that comes out best."""

    def __init__(
        self,
        temperature: float = 0.5,
        moves: int = 6,
        worlds: int = 12,
        trust: float = 0.02,
        lent: float = 0.3,
        arrays: Mapping[str, NDArray[Any]] | None = None,
    ) -> None:
        """`trust`: what the logarithm of a move's probability counts beside its value; `lent`: the `--material` with
        which the network was trained, which its value leaves out.
        """
        super().__init__(temperature, arrays)
        if not (1 <= moves <= 1000 and 1 <= worlds <= 10_000):
            raise BadAgent("a learned search tries 1 to 1000 moves in 1 to 10 000 worlds.")
        if not (0 <= trust <= 100 and 0 <= lent <= 100):
            raise BadAgent("trust and lent are numbers from 0 to 100.")
        if self.memory:
            raise BadAgent("a network with a memory cannot search: what the enemy remembers is not known here.")
        self.moves, self.worlds, self.trust, self.lent = int(moves), int(worlds), float(trust), float(lent)

    def choose(self, observation: Observation, legal: Sequence[str], rng: Chance) -> str:
        """The favourite that is worth most."""
        if observation.record is None:
            return next_piece(observation, legal, rng)
        chances, _ = self.policy(observation, legal)
        favourites = np.argsort(-chances, kind="stable")[: self.moves]
        if len(favourites) == 1:
            return legal[int(favourites[0])]
        worlds = worlds_of(observation, Beliefs.of(observation).sample(rng, self.worlds))
        values = self.judged(observation.rules, worlds, [legal[int(place)] for place in favourites])
        scores = values + self.trust * np.log(np.maximum(chances[favourites], 1e-9))
        return legal[int(favourites[int(scores.argmax())])]

    def judged(self, rules: Rules, worlds: Numbers, moves: Sequence[str]) -> NDArray[np.float64]:
        """What each move is worth on average over the worlds, to the player who makes it."""
        after = np.repeat(worlds[np.newaxis], len(moves), axis=0)
        for number, move in enumerate(moves):
            for world in after[number]:
                apply(rules_array(rules), world, *parse_move(move))
        flat = after.reshape(-1, after.shape[-1])
        values = self._values(rules, flat, int(worlds[0, at.TO_MOVE])).reshape(len(moves), -1)
        return np.asarray(values.mean(axis=1))

    def _values(self, rules: Rules, games: Numbers, player: int) -> NDArray[np.float64]:
        """What games are worth to a player who has just moved in them."""
        values = np.zeros(len(games))
        going = games[:, at.OUTCOME] == at.GOING_ON
        decided = ~going & (games[:, at.WINNER] >= 0)
        values[decided] = np.where(games[decided, at.WINNER] == player, 1.0, -1.0)
        if going.any():
            planes = np.stack([planes_of(rules_array(rules), game, 1 - player) for game in games[going]])
            theirs = self.evaluate(planes.reshape(-1, PLANES, ROWS, COLUMNS))[1]
            values[going] = -(theirs + self.lent * material(rules, games[going]))
        return values

    def describe(self) -> tuple[str, dict[str, Any]]:
        """Kind and options, from which the agent can be built again."""
        own = {"moves": self.moves, "worlds": self.worlds, "trust": self.trust, "lent": self.lent}
        return "luzhanqi-learned-search", {"temperature": self.temperature, **own}
