"""What a learner is, its options, and what more one can do."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar, runtime_checkable

from apprenti.arena.statistics import summarise, wilson
from apprenti.core.data import Arrays, JsonData, JsonObject, SavedState, Shape, Varies, check_types, shape_of
from apprenti.core.errors import ApprentiError, BadOption
from apprenti.core.machine import free_memory, in_words
from apprenti.core.protocols import AnyAgent, Storable

Metrics = dict[str, float]
"""What can be said of a step."""


class Diverged(ApprentiError):
    """Weights that have grown beyond all bounds."""


@dataclass(frozen=True, kw_only=True)
class LearnerConfig:
    """The options of a learner: a field is an option of its command line, the docstring below it the help."""

    iterations: int = 100
    """Steps of the run; what was learned is stored after each."""
    seed: int = 1
    """Root of all random streams."""

    may_change = frozenset({"workers", "iterations"})
    """Options that may be changed when a run has begun: what it has learned so far does not depend on them."""

    def __post_init__(self) -> None:
        within_limits(self)
        positive(self, "iterations")

    @property
    def memory(self) -> int:
        """Bytes that a step takes at least, as far as the options say."""
        counts = {"population", "games", "max_games", "episodes", "samples", "test_games"}
        return sum(200 * getattr(self, option.name) for option in fields(self) if option.name in counts)

    @property
    def steps(self) -> int:
        """How many steps a run has."""
        return self.iterations

    @property
    def made_for(self) -> JsonObject:
        """The rules its agents are made for, as agent files have them."""
        raise NotImplementedError


ConfigT = TypeVar("ConfigT", bound=LearnerConfig, covariant=True)  # noqa: PLC0105  (a config is only read)


class Learner(Generic[ConfigT]):
    """What makes agents. It owns exploration and chance, counts its steps, and knows nothing of files or screens.

    N steps are, to the bit, the same as k steps, `state`, `restore` into a new learner made from the same config, and
    N − k steps. A step takes from a fraction of a second to half a minute: the state is stored after every step.
    """

    game: str = ""
    """The game it learns; empty if its options say which."""
    Config: ClassVar[type[LearnerConfig]]
    scales: ClassVar[bool] = False
    """Whether most of its work is independent games, which a cluster can play."""

    def __init__(self, config: ConfigT) -> None:
        if config.memory > free_memory():
            needed, free = in_words(config.memory), in_words(free_memory())
            raise BadOption(
                f"these options take at least {needed} of memory, and {free} are free: choose smaller ones."
            )
        self.config, self.iteration = config, 0

    @property
    def made_for(self) -> JsonObject:
        """The rules its agents are made for, as agent files have them: `name`, `size`, and what is different."""
        return self.config.made_for

    def warm_up(self) -> None:
        """Compile what will be needed; nothing is learned."""

    def step(self) -> Metrics:
        """Learn a little, count `iteration` up; return what can be said of it."""
        raise NotImplementedError

    def state(self) -> SavedState:
        """All that the next step depends on, as plain data, and under `arrays` what is large."""
        raise NotImplementedError

    def shape(self) -> Shape:
        """What a saved state looks like, which is checked before `restore` gets it: as that of a new learner."""
        return shape_of(self.state(), self.varies())

    def varies(self) -> Varies:
        """The parts of a state that grow, or have a range of their own."""
        return {}

    def restore(self, state: JsonData) -> None:
        """Go on from a saved state."""
        raise NotImplementedError

    def agent(self) -> Storable:
        """The agent so far."""
        raise NotImplementedError

    @property
    def done(self) -> bool:
        """Whether all steps are done."""
        return self.iteration >= self.config.steps

    @property
    def steps(self) -> tuple[int, int]:
        """Steps done, and all of them."""
        return self.iteration, self.config.steps


AnyLearner: TypeAlias = Learner[Any]
BaseLearner = Learner
"""Its name in packages written for version 0.2."""


@runtime_checkable
class BeginsAs(Protocol):
    """A learner that can begin with what an agent has learned, which its config names as `begins_as`."""

    def begin_as(self, arrays: Arrays) -> None:
        """Take what is large in that agent; BadOption if it does not fit."""


@runtime_checkable
class PlaysAgainst(Protocol):
    """A learner with a frozen opponent, which its config names as `against`; empty for none."""

    def play_against(self, agent: AnyAgent) -> None:
        """Have this agent on the other side from now on; BadOption if it cannot be."""


@runtime_checkable
class HasPlayers(Protocol):
    """A learner of several players, each with a name and a policy of its own."""

    def players(self) -> Mapping[str, Storable]:
        """All of them by their names; `agent` is the first."""


@runtime_checkable
class HasPopulation(Protocol):
    """A learner that tries many players in a generation."""

    @abstractmethod
    def candidate_agents(self) -> list[AnyAgent]:
        """The newest generation; where a learner draws a new one for each step, the one it draws next."""


@runtime_checkable
class DrawsFromGaussian(Protocol):
    """A learner that draws its candidates from a Gaussian, which it moves."""

    @abstractmethod
    def mean_and_deviation(self) -> tuple[list[float], list[float]]:
        """Mean and standard deviation of every weight, as they are now."""


@runtime_checkable
class HasParents(HasPopulation, Protocol):
    """A learner whose candidates come from those of the generation before."""

    @abstractmethod
    def parents(self) -> list[list[int]]:
        """For each candidate the ranks, from 1, of those it came from; its own former rank alone if it lived on."""


def share_of_points(name: str, share: float, games: int) -> Metrics:
    """A share of the points as a metric, with Wilson's interval of 95 %."""
    low, high = wilson(share * games, games)
    return {name: share, f"{name}_low": low, f"{name}_high": high}


def mean_score(name: str, scores: Sequence[float], deaths: int | None = None) -> Metrics:
    """A mean score as a metric, with its interval of 95 %, and beside it the estimated whole game if some were cut.

    `deaths` says how many games were not cut short; None for scores that are no lifetimes.
    """
    summary = summarise(scores, deaths, exponential=deaths is not None)
    low, high = summary.ci95
    mean = {name: summary.mean, f"{name}_low": max(0.0, low) if min(scores) >= 0 else low, f"{name}_high": high}
    return mean | ({f"{name}_estimated": summary.estimated_mean} if deaths and summary.is_cut else {})


# What options may be -----------------------------------------------------------------------------------------------

MOST = 10**9
"""Larger than any whole number has to be."""
HUGE = 1e12
"""Larger than any option has to be."""


def _refuse_unless(fits: bool, config: object, name: str, wanted: str) -> None:
    if not fits:
        raise BadOption(f"--{name.replace('_', '-')} {wanted}, not {getattr(config, name)!r}.")


def within_limits(config: object) -> None:
    """Refuse values of another type, and whole numbers that no run could have use of; a seed may be any."""
    check_types(type(config), vars(config))
    for one in fields(config):  # type: ignore[arg-type]
        value = getattr(config, one.name)
        numbers = value if isinstance(value, tuple) else (value,)
        large = any(isinstance(number, int) and abs(number) > MOST for number in numbers)
        _refuse_unless(one.name == "seed" or not large, config, one.name, f"is at most {MOST}")
        _refuse_unless(not isinstance(value, str) or _is_text(value), config, one.name, "is text")


def _is_text(value: str) -> bool:
    """Whether it can be stored: what is typed in another encoding than the system's is no text."""
    return not any("\ud800" <= character <= "\udfff" for character in value)


def positive(config: object, *names: str) -> None:
    """Refuse options that must be at least 1."""
    for name in names:
        _refuse_unless(getattr(config, name) >= 1, config, name, "must be at least 1")


def above_0(config: object, *names: str) -> None:
    """Refuse options that must be above 0."""
    for name in names:
        _refuse_unless(0 < getattr(config, name) <= HUGE, config, name, "must be above 0")


def at_least_0(config: object, *names: str) -> None:
    """Refuse options below 0, and numbers that nothing can be computed with."""
    for name in names:
        _refuse_unless(0 <= getattr(config, name) <= HUGE, config, name, f"must be from 0 to {HUGE:g}")


def finite(config: object, *names: str) -> None:
    """Refuse numbers that nothing can be computed with, whatever their sign."""
    for name in names:
        _refuse_unless(abs(getattr(config, name)) <= HUGE, config, name, f"must be a number up to {HUGE:g}")


def share(config: object, *names: str) -> None:
    """Refuse options that must be between 0 and 1."""
    for name in names:
        _refuse_unless(0 <= getattr(config, name) <= 1, config, name, "must be between 0 and 1")


_WORDS: dict[type[object], dict[str, tuple[object, ...]]] = {}
"""The words that options take, as far as they were checked."""


def one_of(config: object, name: str, *known: object) -> None:
    """Refuse what is none of the words an option takes."""
    _WORDS.setdefault(type(config), {})[name] = known
    listed = f"{', '.join(map(str, known[:-1]))} or {known[-1]}"
    _refuse_unless(getattr(config, name) in known, config, name, f"is {listed}")


def allowed(config: type[object]) -> dict[str, tuple[object, ...]]:
    """For options that take certain words only: these words."""
    config()  # it checks itself, and so says what it takes
    return _WORDS.get(config, {})
