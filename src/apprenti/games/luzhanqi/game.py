"""Luzhanqi as everybody else sees it: its rules, its beginning, its notation."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from apprenti.core.data import JsonData, without_defaults
from apprenti.core.errors import BadAgent, BadNotation, Forfeit
from apprenti.core.game import Game
from apprenti.core.protocols import AnyAgent, Arranges, ArrangesAs
from apprenti.core.seeds import Chance
from apprenti.games.luzhanqi import layout as layouts_
from apprenti.games.luzhanqi.board import ACTION_OF, SLOTS, TURNED_ACTION, move_name, parse_move
from apprenti.games.luzhanqi.observation import Observation
from apprenti.games.luzhanqi.pieces import EMPTY, LETTERS
from apprenti.games.luzhanqi.play import End
from apprenti.games.luzhanqi.rules import STANDARD_ARMY, Rules
from apprenti.games.luzhanqi.state import State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Options:
    """Which rules: a set by its name, and whatever is to differ from it."""

    rules: str = ""
    """ccgc (the championship's), western, casual, training or mini (a smaller board)."""
    mine: str = ""
    """What a mine does to an attacker who is no engineer: it stays, or it dies too."""
    flag: str = ""
    """Taking the flag wins; or it has to be carried home; or it falls only after all mines are gone."""
    headquarters: str = ""
    """Pieces in headquarters never move (lock), or are free to go."""
    quiet_limit: int = -1
    """This move in a row without an attack ends the game; 0 for never; -1 for as in the rules."""
    max_moves: int = -1
    """A draw after this many moves; 0 for never; -1 for as in the rules."""
    repetition: int = -1
    """A draw when a position occurs this often; 0 for never; -1 for as in the rules."""
    army: str = ""
    """How many of each type a to l, one digit each; with fewer than 25 pieces some points start empty."""


@dataclass(frozen=True)
class Luzhanqi(Game[Rules, State, str, Observation]):
    """The game."""

    name: str = "luzhanqi"
    sides: tuple[str, ...] = ("south", "north")
    RulesType = Rules
    StateType = State
    Reasons = End
    Options: ClassVar = Options

    def _chosen(self, usual: Rules | None, options: JsonData) -> Rules:
        changes = without_defaults(Options, options)
        name = changes.pop("rules", "")
        data = (Rules.preset(name) if name or usual is None else usual).to_json()
        return Rules.from_json({**data, **changes})

    def opponent(self, rules: Rules) -> str:
        return "learned-search" if rules.board == "full" and rules.army == STANDARD_ARMY else "monte-carlo"

    def start(self, rules: Rules, rng: Chance | Sequence[Chance], agents: Sequence[AnyAgent] = ()) -> State:
        rngs = rng if isinstance(rng, Sequence) else (rng, rng)
        layouts = [_layout(rules, side, agent, rngs[side]) for side, agent in enumerate(agents or (None, None))]
        return State.start(layouts[0], layouts[1], rules)

    def opening(self, state: State) -> str:
        return "/".join(state.layouts)

    def reopen(self, rules: Rules, opening: str) -> State:
        layouts = opening.split("/")
        if len(layouts) != 2:
            raise BadNotation(f"an opening is two layouts with a / between them, not {opening!r}.")
        return State.start(layouts[0], layouts[1], rules)

    def read_state(self, rules: Rules, text: str) -> State:
        return State.parse(text, rules)

    def write_observation(self, observation: Observation) -> str:
        return observation.notation

    def worlds(self, observation: Observation, rng: Chance) -> Iterator[State]:
        """States with the own layout and one for the enemy that fits all that is known, each of these as likely."""
        seen = observation
        for theirs in _enemy_layouts(seen, rng):
            layouts = (seen.layout, theirs) if seen.player == 0 else (theirs, seen.layout)
            world = State(seen.rules, layouts, seen.record)
            if seen.outcome or world.legal_moves():  # else the game would have ended before this move
                yield world

    def actions(self, rules: Rules) -> int:
        """The (from, to) pairs there are."""
        return rules.actions

    def action_of(self, state: State, move: str) -> int:
        """The number of a move; for north the board is turned by half."""
        number = ACTION_OF[parse_move(move)]
        return TURNED_ACTION[number] if state.to_move else number

    def planes(self, observation: Observation, player: int) -> "NDArray[np.float32]":
        """The observation as numbers; `planes.py` says what each plane is."""
        planes: NDArray[np.float32] = observation.planes().clip(max=1)  # counters go on where no rule ends the game
        return planes

    def read_move(self, state: State, text: str) -> str:
        text = text.strip()
        if state.record is None:
            if len(text) in (1, SLOTS):
                return text.lower()
            raise BadNotation(f"a placement is one letter a to l or a whole layout, not {text!r}.")
        return move_name(*parse_move(text))


def _enemy_layouts(seen: Observation, rng: Chance) -> Iterator[str]:
    """Layouts the enemy may have; while armies are set up, as far as it has placed its own."""
    while seen.record is None:
        yield layouts_.uniform_layout(seen.rules, rng)[: seen.placed[1 - seen.player]]
    from apprenti.games.luzhanqi.fast.beliefs import Beliefs  # compiled code, which takes a while to import

    beliefs = Beliefs.of(seen)
    while True:
        yield "".join((LETTERS + EMPTY)[kind] for kind in beliefs.sample(rng, 1)[0])


def _arranged(rules: Rules, side: int, agent: AnyAgent | None, rng: Chance) -> str:
    if isinstance(agent, ArrangesAs):
        return agent.arrange_as(side, rules, rng)
    return agent.arrange(rules, rng) if isinstance(agent, Arranges) else layouts_.book_layout(rules, rng)


def _layout(rules: Rules, side: int, agent: AnyAgent | None, rng: Chance) -> str:
    """What a player sets up."""
    try:
        layout: object = _arranged(rules, side, agent, rng)
    except Forfeit as forfeit:
        forfeit.side = side
        raise
    if not isinstance(layout, str):
        raise BadAgent(f"an agent arranges its army as 25 letters, not as {layout!r}.")
    return layout


GAME = Luzhanqi()
