"""What all learners share: options that say how many steps a run has, and a count of the steps done."""

from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from apprenti.core.errors import ApprentiError
from apprenti.learn.options import positive

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
        positive(self, "iterations")

    @property
    def steps(self) -> int:
        """How many steps a run has."""
        return self.iterations

    @property
    def made_for(self) -> dict[str, Any]:
        """The rules its agents are made for, as agent files have them."""
        raise NotImplementedError


ConfigT = TypeVar("ConfigT", bound=LearnerConfig)


class BaseLearner(Generic[ConfigT]):
    """A learner that counts its steps; see `core.protocols.Learner` for what it must do besides."""

    game: str = ""
    """The game it learns; empty if its options say which."""
    Config: ClassVar[type[LearnerConfig]]
    scales: ClassVar[bool] = False
    """Whether most of its work is independent games, which a cluster can play."""

    def __init__(self, config: ConfigT) -> None:
        self.config, self.iteration = config, 0

    def warm_up(self) -> None:
        """There is nothing to compile."""

    @property
    def made_for(self) -> dict[str, Any]:
        """The rules of the games it learns from."""
        return self.config.made_for

    @property
    def done(self) -> bool:
        """Whether all steps are done."""
        return self.iteration >= self.config.steps

    @property
    def steps(self) -> tuple[int, int]:
        """Steps done, and all of them."""
        return self.iteration, self.config.steps
