"""Options that learners of Luzhanqi share."""

from dataclasses import dataclass

from apprenti.core.data import JsonObject
from apprenti.core.errors import BadRules
from apprenti.games.luzhanqi.rules import Rules
from apprenti.learn.learner import LearnerConfig, at_least_0


@dataclass(frozen=True, kw_only=True)
class LuzhanqiConfig(LearnerConfig):
    """What is played."""

    rules: str = "ccgc"
    """ccgc, western, casual, training, mini or micro."""
    army: str = ""
    """A smaller army for quick study: how many of each type a to l, twelve digits; empty for all 25 pieces."""

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least_0(self, "seed")
        self.game()

    def game(self) -> Rules:
        """The rules."""
        rules = Rules.preset(self.rules, **({"army": self.army} if self.army else {}))
        if rules.repetition:
            raise BadRules(f"--rules {self.rules} count repetitions, which the compiled game does not.")
        return rules

    @property
    def made_for(self) -> JsonObject:
        return self.game().to_json()
