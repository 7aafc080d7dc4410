"""What every agent of one game has: which game that is, and a word for rules it cannot play."""

from typing import ClassVar

from apprenti.core.protocols import Rules


class AgentBase:
    """An agent that plays one family of games, under any rules unless it says otherwise."""

    plays: ClassVar[tuple[str, ...]]

    def check(self, rules: Rules) -> None:
        """BadAgent, with the reason, for rules it cannot play."""
