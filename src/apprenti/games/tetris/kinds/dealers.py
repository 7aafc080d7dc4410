"""Players before dealers: how long each of them lasts."""

import math
from dataclasses import asdict, dataclass
from pathlib import Path

from apprenti.core.errors import BadOption
from apprenti.lab.kinds.fields import blaming
from apprenti.lab.kinds.kind import Found, Kind, Part, grouped, markdown
from apprenti.lab.kinds.scores import agent_alone, summary_of, uninterrupted
from apprenti.lab.results import Effort
from apprenti.views.numbers import number
from apprenti.views.plots import dots


@dataclass(frozen=True, kw_only=True)
class Dealer:
    """A way to deal pieces, what it is called, and how many games are played; one, where nothing is left to chance."""

    name: str
    randomiser: str
    games: int = 1
    share: float = 0.0
    """The probability of a piece that it deals where all seven are as likely: then that of its games there is said."""

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise BadOption(f"share is a probability, from 0 to 1, not {self.share:g}.")


@dataclass(frozen=True, kw_only=True)
class File:
    """Every agent plays before every dealer."""

    agents: tuple[str, ...]
    dealer: tuple[Dealer, ...]
    size: str
    short_size: str
    max_pieces: int = 0
    """Stop a game after so many pieces; 0 for never."""


class Dealers(Kind[File]):
    """A line for each agent, a column for each dealer."""

    File = File

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents; of a short run two."""
        return tuple(self.settings.first(self.plan.agents))

    def divide(self) -> list[Part]:
        return [self._part(agent, dealer) for agent in self.agents for dealer in self.plan.dealer]

    def _part(self, name: str, dealer: Dealer) -> Part:
        size = self.plan.short_size if self.settings.short else self.plan.size
        options = {"size": size, "randomiser": dealer.randomiser, "max_pieces": self.plan.max_pieces}
        agent, rules = agent_alone(self.find, name, "tetris", options, self.where)
        with blaming(self.where):
            games = min(dealer.games, 4) if self.settings.short else dealer.games
            effort = Effort(games, self.settings.seed, self.settings.workers)

        def work() -> Found:
            """Play; the odds of a game under uniform pieces are its importance weight, share to the power of pieces."""
            games = uninterrupted(agent, rules, effort)
            found = {"dealer": dealer.name, **games.to_json(), "unit": games.unit, "moves": games.moves}
            if dealer.share:
                odds = [record.length * math.log10(dealer.share) for record in games.records]
                found["log10"] = max(odds) + math.log10(sum(10 ** (one - max(odds)) for one in odds) / len(odds))
            return found

        return Part(f"{name}, {dealer.name}", {"agent": name, **asdict(dealer), **options}, work)

    def table(self) -> str:
        names = [f"{dealer.name} ({dealer.games} game{'s' * (dealer.games > 1)})" for dealer in self.plan.dealer]
        return markdown(["agent", *names], [self._line(found) for found in grouped(self.found, "agent")])

    def _line(self, found: list[Found]) -> list[str]:
        return [found[0]["agent"], *(self._cell(one) for one in found)]

    def _cell(self, one: Found) -> str:
        pieces, lines = (number(summary_of({**one, "unit": unit}).mean, 3) for unit in ("pieces", "lines"))
        likely = f"; probability 10^{one['log10']:.0f}" if "log10" in one else ""
        return f"**{pieces}** pieces, {lines} lines{likely}"

    def draw(self, path: Path) -> None:
        rows = {
            group[0]["agent"]: {one["dealer"]: summary_of({**one, "unit": "pieces"}).mean for one in group}
            for group in grouped(self.found, "agent")
        }
        dots(rows, "pieces a game", self.experiment.title, path)
