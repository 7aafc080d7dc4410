"""What a game is, with most of it ready, so that a new one is its rules, its state and little else.

class ConnectFour(Game[Rules, State, int, State]):
    name, sides = "connect-four", ("red", "yellow")
    RulesType, StateType, Reasons = Rules, State, End
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, ClassVar, Generic, Protocol, Self, TypeAlias, TypeVar, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from apprenti.core.data import JsonData, JsonMapping, JsonObject, check_types
from apprenti.core.errors import BadNotation, BadRules, IllegalMove
from apprenti.core.protocols import (
    OVER,
    Agent,
    AnyAgent,
    AnyRules,
    AnyState,
    CommonReason,
    Fast,
    Measures,
    MoveT,
    Observation_contra,
    Outcome,
    Reason,
)
from apprenti.core.seeds import Chance

RulesT = TypeVar("RulesT")
StateT = TypeVar("StateT", bound=AnyState)
ObservationT = TypeVar("ObservationT")
State_co = TypeVar("State_co", bound=AnyState, covariant=True)
State_contra = TypeVar("State_contra", bound=AnyState, contravariant=True)
Move_contra = TypeVar("Move_contra", contravariant=True)


class RulesBase:
    """Rules of plain values as data and as words. A frozen dataclass extends it; every field has a default."""

    @property
    def description(self) -> str:
        """The rules on one line."""
        return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in self.to_json().items())

    def to_json(self) -> JsonObject:
        """The rules as plain data."""
        return asdict(self)  # type: ignore[call-overload, no-any-return]

    @classmethod
    def from_json(cls, data: JsonMapping) -> Self:
        """The rules that `to_json` wrote; what is missing is as usual."""
        kinds = {field.name: type(field.default) for field in fields(cls)}  # type: ignore[arg-type]
        for name, value in data.items():
            if name not in kinds or type(value) is not kinds[name]:
                raise BadRules(f"these are not rules as this version writes them ({name}: {value!r}).")
        return cls(**data)


@dataclass(frozen=True)
class OneRule(RulesBase):
    """The rules of a game that has only these: there is nothing to choose."""


class StateBase(Generic[MoveT, ObservationT]):
    """A state without secrets, and without chance unless it says so. A frozen dataclass extends it."""

    rules: AnyRules
    outcome: Any
    to_move: Any  # these two are fields here and properties there

    @property
    def turn(self) -> int:
        """Whose turn it is, or OVER."""
        return OVER if self.outcome else int(self.to_move)

    def chances(self) -> Sequence[tuple[MoveT, float]]:
        """Nothing is left to chance."""
        return ()

    def play(self, move: MoveT) -> Self:
        """The state after a move."""
        raise NotImplementedError

    def deal(self, rng: Chance) -> Self:
        """The state after one of `chances`, drawn by its probability."""
        law = self.chances()
        if not law:
            raise IllegalMove("nothing is left to chance here: a player has to move, or the game is over.")
        drawn = rng.random()
        for move, probability in law:
            drawn -= probability
            if drawn < 0:
                return self.play(move)
        return self.play(law[-1][0])

    def observation(self, player: int) -> ObservationT:
        """What a player knows: everything."""
        return cast("ObservationT", self)

    def refuse_if_over(self) -> None:
        """IllegalMove if the game has ended."""
        if self.outcome:
            raise IllegalMove(f"the game is over: {self.outcome.reason}.")


class Game(Generic[RulesT, StateT, MoveT, ObservationT]):
    """A family of rules and all that is needed to play under them.

    As it stands here: for two players, rules that are a frozen dataclass of plain values, positions with a `notation`.
    """

    name: str
    """What people call it."""
    players: int = 2
    """How many play."""
    sides: tuple[str, ...] = ("first", "second")
    """What the players are called; player 0 moves first."""
    RulesType: ClassVar[type[Any]] = OneRule
    StateType: ClassVar[type[Any]]
    Reasons: ClassVar[type[Reason]] = CommonReason
    score: ClassVar[str] = "score"
    """What the score of a game for one is called."""
    exponential: bool = False
    """Whether scores are close to exponential, as lifetimes are: then games cut short can be reckoned with."""

    @property
    def family(self) -> str:
        """The name in the files of agents: an agent of a family plays every game of it, if the board is its own."""
        return self.name

    @property
    def Options(self) -> type[Any]:  # noqa: N802  (it is a class)
        """A dataclass: what can be chosen, here the rules. Its fields are the command line, their docstrings help."""
        return self.RulesType

    @property
    def length_option(self) -> str:
        """The option that limits the length of a game; empty if there is none."""
        return next((one.name for one in fields(self.Options) if one.name.startswith("max_")), "")

    def rules(self, usual: RulesT | None = None, **options: object) -> RulesT:
        """The rules that fields of `Options` ask for; what is left open is as in `usual`, or as most people play."""
        known = {field.name for field in fields(self.Options)}
        for name in options:
            if name not in known:
                there = f"there is {', '.join(sorted(known))}" if known else "there are none"
                raise BadRules(f"{self.name} has no option {name!r}: {there}.")
        check_types(self.Options, options)
        return self._chosen(usual, options)

    def typed(self, options: JsonMapping) -> JsonData:
        """Options as a user has typed them, at a terminal or in a script: only these may name files."""
        return dict(options)

    def _chosen(self, usual: RulesT | None, options: JsonData) -> RulesT:
        chosen: RulesT = replace(usual if usual is not None else self.RulesType(), **options)  # type: ignore[type-var]
        return chosen

    def rules_to_json(self, rules: RulesT) -> JsonObject:
        """Rules as plain data."""
        data: JsonObject = dict(rules.to_json())  # type: ignore[attr-defined]
        return data

    def rules_from_json(self, data: JsonMapping) -> RulesT:
        """Rules from plain data; BadRules if they are none."""
        return cast("RulesT", self.RulesType.from_json(data))

    def describe(self, rules: RulesT) -> str:
        """The rules on one line, for people."""
        return str(rules.description) or self.name  # type: ignore[attr-defined]

    def opponent(self, rules: RulesT) -> str:
        """The agent that is met when none is named: the best that answers at once."""
        return "random"

    def start(
        self, rules: RulesT, rng: Chance | Sequence[Chance], agents: Sequence[Agent[ObservationT, MoveT]] = ()
    ) -> StateT:
        """The first state. Who sets up an army does it here: agents that can, with their own chance; others by lot."""
        return cast("StateT", self.StateType.start(rules))

    def opening(self, state: StateT) -> str:
        """The first state as text: with the rules, all that is needed to begin again."""
        return self.write_state(state)

    def reopen(self, rules: RulesT, opening: str) -> StateT:
        """The first state from its text."""
        return self.read_state(rules, opening)

    def read_move(self, state: StateT, text: str) -> MoveT:
        """A move from text, here one of the legal ones; BadNotation if it is none."""
        text = text.strip()
        legal: dict[str, MoveT] = {self.write_move(move): move for move in state.legal_moves()}
        for written in (legal, {known.lower(): move for known, move in legal.items()}):  # as people type
            if text in written:
                return written[text]
            text = text.lower()
        raise BadNotation(f"a move here is one of {' '.join(legal) or 'none'}, not {text[:20]!r}.")

    def write_move(self, move: MoveT) -> str:
        """A move as text, without spaces."""
        return str(move)

    def read_state(self, rules: RulesT, text: str) -> StateT:
        """A position from text; BadNotation if it is none."""
        return cast("StateT", self.StateType.parse(rules, text))

    def write_state(self, state: StateT) -> str:
        """A position on one line."""
        return str(state.notation)  # type: ignore[attr-defined]

    def write_observation(self, observation: ObservationT) -> str:
        """What a player knows on one line: equal knowledge, equal text; here that is the position."""
        return self.write_state(cast("StateT", observation))

    def reason(self, code: str) -> Reason:
        """A reason from its code, or from its words, as older files have them; BadNotation if it is none."""
        known: list[Reason] = [*self.Reasons, *CommonReason]
        for member in known:
            if code in (member.code, member.words):
                return member
        raise BadNotation(f"no game of {self.name} ends by {code!r}.")

    def unit(self, rules: RulesT) -> str:
        """What a score counts, one of the measures."""
        return self.score

    def measures(self, state: StateT) -> Measures:
        """What is counted in a game, by name, the most usual first; here the score of a game for one."""
        return {self.score: float(state.score)} if self.players == 1 else {}  # type: ignore[attr-defined]

    def fast(self, rules: RulesT, agents: Sequence[Agent[ObservationT, MoveT]]) -> Fast | None:
        """The compiled form, or None where the readable rules have to play."""
        return None

    def note(self, rules: RulesT) -> str:
        """What has to be known beside a score, such as how ties are broken; empty if nothing."""
        return ""

    def forfeited(self, player: int) -> Outcome:
        """The end of a game in which a player could not go on: a loss."""
        if self.players == 1:
            return Outcome(CommonReason.FORFEIT, scores=(0.0,))
        scores = tuple(0.0 if side == player else 1.0 / (self.players - 1) for side in range(self.players))
        return Outcome(CommonReason.FORFEIT, 1 - player if self.players == 2 else None, scores=scores)


AnyGame: TypeAlias = Game[Any, Any, Any, Any]
GameBase = Game
"""Its name in packages written for version 0.2."""


@runtime_checkable
class Determinises(Protocol[Observation_contra, State_co]):
    """A game whose observations are not its states: it draws states that one player cannot tell from the true one."""

    def worlds(self, observation: Observation_contra, rng: Chance) -> Iterator[State_co]:
        """Without end, states that fit what a player knows, each as likely as that player has to believe it is."""


@runtime_checkable
class Encodes(Protocol[State_contra, Move_contra, Observation_contra]):
    """A game that says how it is put into numbers. Of others, environments give the text and number the legal moves."""

    def actions(self, rules: AnyRules) -> int:
        """How many actions there are."""

    def action_of(self, state: State_contra, move: Move_contra) -> int:
        """The number of a legal move, as the player to move sees it."""

    def planes(self, observation: Observation_contra, player: int) -> NDArray[np.number]:
        """What a player knows as numbers from 0 to 1; under the same rules always of the same shape."""


@runtime_checkable
class KnowsGame(Protocol):
    """An agent of every game that has to be told which one it plays: it searches it, or reads its positions."""

    def for_game(self, game: AnyGame) -> AnyAgent:
        """The same agent, for this game."""
