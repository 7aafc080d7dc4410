"""What every agent of one game has: which game that is, and a word for rules it cannot play."""

from typing import Any, ClassVar


class AgentBase:
    """An agent that plays one family of games, under any rules unless it says otherwise."""

    plays: ClassVar[tuple[str, ...]]

    def check(self, rules: Any) -> None:
        """BadAgent, with the reason, for rules it cannot play."""
