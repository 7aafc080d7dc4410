"""What most games have in common, so that a new one is its rules, its state and little else.

class ConnectFour(GameBase):
    name, sides = "connect-four", ("red", "yellow")
    RulesType, StateType, Reasons = Rules, State, End
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, ClassVar, Self

from apprenti.core.data import JsonObject
from apprenti.core.errors import BadNotation, BadRules, IllegalMove
from apprenti.core.options import check_types
from apprenti.core.protocols import (
    OVER,
    Agent,
    CommonReason,
    Fast,
    Measures,
    Move,
    Observation,
    Outcome,
    Reason,
    Rules,
)
from apprenti.core.seeds import Chance


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
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """The rules that `to_json` wrote; what is missing is as usual."""
        kinds = {field.name: type(field.default) for field in fields(cls)}  # type: ignore[arg-type]
        for name, value in data.items():
            if name not in kinds or type(value) is not kinds[name]:
                raise BadRules(f"these are not rules as this version writes them ({name}: {value!r}).")
        return cls(**data)


@dataclass(frozen=True)
class OneRule(RulesBase):
    """The rules of a game that has only these: there is nothing to choose."""


class StateBase:
    """A state without secrets, and without chance unless it says so. A frozen dataclass extends it."""

    rules: Rules
    outcome: Any
    to_move: Any

    @property
    def turn(self) -> int:
        """Whose turn it is, or OVER."""
        return OVER if self.outcome else int(self.to_move)

    def chances(self) -> Sequence[tuple[Move, float]]:
        """Nothing is left to chance."""
        return ()

    def play(self, move: Move) -> Self:
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

    def observation(self, player: int) -> Observation:
        """What a player knows: everything."""
        return self

    def refuse_if_over(self) -> None:
        """IllegalMove if the game has ended."""
        if self.outcome:
            raise IllegalMove(f"the game is over: {self.outcome.reason}.")


class GameBase:
    """A game whose rules are a frozen dataclass of plain values, and whose positions have a `notation`."""

    name: str
    players: int = 2
    sides: tuple[str, ...] = ("first", "second")
    RulesType: ClassVar[type[Any]] = OneRule
    StateType: ClassVar[Any]
    Reasons: ClassVar[type[Reason]] = CommonReason
    score: ClassVar[str] = "score"
    """What the score of a game for one is called."""
    exponential: bool = False

    @property
    def family(self) -> str:
        """The name in the files of agents."""
        return self.name

    @property
    def Options(self) -> type[Any]:  # noqa: N802  (it is a class)
        """What can be chosen: the fields of the rules."""
        return self.RulesType

    def rules(self, usual: Rules = None, **options: object) -> Rules:
        """The usual rules with these fields changed."""
        known = {field.name for field in fields(self.Options)}
        for name in options:
            if name not in known:
                there = f"there is {', '.join(sorted(known))}" if known else "there are none"
                raise BadRules(f"{self.name} has no option {name!r}: {there}.")
        check_types(self.Options, options)
        return self._chosen(usual, options)

    def _chosen(self, usual: Rules, options: dict[str, Any]) -> Rules:
        return replace(usual if usual is not None else self.RulesType(), **options)

    def rules_to_json(self, rules: Rules) -> JsonObject:
        """Rules as plain data."""
        return dict(rules.to_json())

    def rules_from_json(self, data: Mapping[str, Any]) -> Rules:
        """Rules from plain data."""
        return self.RulesType.from_json(data)

    def describe(self, rules: Rules) -> str:
        return str(rules.description) or self.name

    def opponent(self, rules: Rules) -> str:
        """The agent that is met when none is named."""
        return "random"

    def start(self, rules: Rules, rng: Chance | Sequence[Chance], agents: Sequence[Agent] = ()) -> Any:
        """The first state."""
        return self.StateType.start(rules)

    def opening(self, state: Any) -> str:
        """The first state as text."""
        return self.write_state(state)

    def reopen(self, rules: Rules, opening: str) -> Any:
        """The first state from its text."""
        return self.read_state(rules, opening)

    def read_move(self, state: Any, text: str) -> Move:
        """The legal move that is written so."""
        text = text.strip()
        legal = {self.write_move(move): move for move in state.legal_moves()}
        for written in (legal, {known.lower(): move for known, move in legal.items()}):  # as people type
            if text in written:
                return written[text]
            text = text.lower()
        raise BadNotation(f"a move here is one of {' '.join(legal) or 'none'}, not {text[:20]!r}.")

    def write_move(self, move: Move) -> str:
        """A move as text."""
        return str(move)

    def read_state(self, rules: Rules, text: str) -> Any:
        """A position from its text."""
        return self.StateType.parse(rules, text)

    def write_state(self, state: Any) -> str:
        """A position on one line."""
        return str(state.notation)

    def write_observation(self, observation: Observation) -> str:
        """What a player knows on one line; here that is the position."""
        return self.write_state(observation)

    def reason(self, code: str) -> Reason:
        """A reason from its code, or from its words, as older files have them."""
        known: list[Reason] = [*self.Reasons, *CommonReason]
        for member in known:
            if code in (member.code, member.words):
                return member
        raise BadNotation(f"no game of {self.name} ends by {code!r}.")

    def unit(self, rules: Rules) -> str:
        """What a score counts."""
        return self.score

    def measures(self, state: Any) -> Measures:
        """What is counted: the score of a game for one, as its state has it."""
        return {self.score: float(state.score)} if self.players == 1 else {}

    def fast(self, rules: Rules, agents: Sequence[Agent]) -> Fast | None:
        """There is no compiled form."""
        return None

    def note(self, rules: Rules) -> str:
        """Nothing more has to be said beside a score."""
        return ""

    def forfeited(self, player: int) -> Outcome:
        """The end of a game in which a player could not go on: a loss."""
        if self.players == 1:
            return Outcome(CommonReason.FORFEIT, scores=(0.0,))
        scores = tuple(0.0 if side == player else 1.0 / (self.players - 1) for side in range(self.players))
        return Outcome(CommonReason.FORFEIT, 1 - player if self.players == 2 else None, scores=scores)
