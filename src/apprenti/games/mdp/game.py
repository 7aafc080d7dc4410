"""The small worlds as the rest of the project sees them."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from apprenti.core.data import JsonData
from apprenti.core.errors import BadRules
from apprenti.core.game import Game, RulesT
from apprenti.games.mdp import grid, tables
from apprenti.games.mdp.state import End, State

OWN_SLIP = -1.0


@dataclass(frozen=True)
class Options:
    """Which world."""

    world: str = ""
    """book, cliff, lake, or a map like ...G/.#.P/S... (S start, # wall, G goal, P pit, C cliff: back to S)."""
    slip: float = OWN_SLIP
    """The probability to slip, half of it to either side; -1 for the world's own."""
    rewards: str = ""
    """Of a step, of a goal and of a pit, like -0.04,1,-1."""
    max_moves: int = 1000
    """A game is cut after this number of moves."""


class SmallWorld(Game[RulesT, State, str, State]):
    """What both have in common."""

    players, sides = 1, ("player",)
    StateType, Reasons = State, End

    def write_observation(self, observation: State) -> str:
        return " ".join(filter(None, (observation.place, observation.moving)))


class GridWorld(SmallWorld[grid.Rules]):
    """A grid with a slippery floor."""

    name = "gridworld"
    RulesType = grid.Rules
    Options: ClassVar[type[Any]] = Options

    def _chosen(self, usual: grid.Rules | None, options: JsonData) -> grid.Rules:
        rules, world = usual or grid.Rules(), options.get("world", "")
        if world:
            rules = grid.WORLDS[world] if world in grid.WORLDS else replace(rules, world=world)
        if options.get("slip", OWN_SLIP) != OWN_SLIP:
            rules = replace(rules, slip=options["slip"])
        if options.get("rewards"):
            step, goal, pit = _rewards(options["rewards"])
            rules = replace(rules, step=step, goal=goal, pit=pit)
        moves = options.get("max_moves", rules.max_moves if usual else Options.max_moves)
        return replace(rules, max_moves=moves)


def _rewards(text: str) -> tuple[float, float, float]:
    try:
        step, goal, pit = map(float, text.split(","))
    except ValueError:
        raise BadRules(f"--rewards are those of a step, a goal and a pit, like -0.04,1,-1, not {text!r:.40}.") from None
    return step, goal, pit


class DecisionProcess(SmallWorld[tables.Rules]):
    """A decision process that is no grid."""

    name = "mdp"
    RulesType = tables.Rules


GRIDWORLD = GridWorld()
MDP = DecisionProcess()
