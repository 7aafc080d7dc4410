"""An agent whose army is set up from the book, the varied book or all legal layouts, whatever it would do itself."""

from collections.abc import Sequence
from dataclasses import dataclass

from apprenti.agents.base import AgentBase
from apprenti.core.errors import BadAgent, UnknownName
from apprenti.core.protocols import AnyAgent, AnyRules, PlaysSome
from apprenti.core.seeds import Chance
from apprenti.games.luzhanqi.agents.base import LAYOUTS
from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.rules import Rules as LuzhanqiRules


@dataclass(frozen=True)
class OtherLayoutsAgent(AgentBase):
    """Moves as an agent does, with layouts from elsewhere."""

    plays = ("luzhanqi",)
    agent: AnyAgent
    layouts: str

    def arrange(self, rules: LuzhanqiRules, rng: Chance) -> str:
        return LAYOUTS[self.layouts](rules, rng)

    def choose(self, observation: Observation, legal: Sequence[str], rng: Chance) -> str:
        move: str = self.agent.choose(observation, legal, rng)
        return move


def read_layouts(layouts: str, inner: tuple[AnyAgent, AnyRules] | None) -> tuple[AnyAgent, str, AnyRules]:
    """`layouts:uniform,NAME`."""
    if inner is None:
        raise BadAgent(
            f"write layouts:uniform,luzhanqi-expected, a source of layouts and a player, not {layouts!r:.60}."
        )
    if layouts not in LAYOUTS:
        raise UnknownName("source of layouts", layouts, LAYOUTS)
    agent, rules = inner
    if isinstance(agent, PlaysSome) and "luzhanqi" not in agent.plays:
        raise BadAgent("layouts are for players of luzhanqi: name one, like layouts:uniform,luzhanqi-expected.")
    return OtherLayoutsAgent(agent, layouts), "luzhanqi", rules
