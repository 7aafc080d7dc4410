"""Measure an agent of a game for one: many games, and how sure the result is."""

from dataclasses import dataclass

from apprenti.arena.statistics import Summary, as_json, summarise
from apprenti.core.data import JsonData, JsonObject
from apprenti.core.errors import BadOption
from apprenti.core.protocols import AnyRules, CommonReason
from apprenti.lab.agents import NamedAgent
from apprenti.lab.results import Effort, OnGame, Result

MOST_GAMES = 100_000
"""A wanted precision that is not reached by then is given up: perhaps no game can end."""


@dataclass
class Evaluation(Result):
    """What is known of an agent so far."""

    quartiles: str = "linear"
    """How they are defined: see `arena.statistics.QUARTILES`."""
    _next_look: int = 30

    @property
    def name(self) -> str:
        """The agent's name."""
        return self.names[0]

    @property
    def moves(self) -> int:
        """Moves made in all games."""
        return sum(record.length for record in self.records)

    @property
    def deaths(self) -> int:
        """Games ended by the rules."""
        return sum(not record.outcome.truncated for record in self.records)

    def scores(self, unit: str = "") -> list[float]:
        """What each game counted, in the game's unit or another; nothing in one that was forfeited."""
        lost = [record.outcome.reason is CommonReason.FORFEIT for record in self.records]
        numbers = [
            0.0 if gone else record.measures[unit or self.unit] for gone, record in zip(lost, self.records, strict=True)
        ]
        return [float(number) for number in numbers if not isinstance(number, tuple)]

    def summary(self, unit: str = "") -> Summary:
        """Statistics of what is counted: the game's unit, or another; a game that was forfeited is no lifetime."""
        exponential = self.game.exponential and CommonReason.FORFEIT.code not in self.reasons
        return summarise(self.scores(unit), self.deaths, self.quartiles, exponential)

    @property
    def unit(self) -> str:
        """What these rules count."""
        return self.game.unit(self.rules)

    @property
    def mean(self) -> float:
        """The mean score of the games as they were played."""
        return self.summary().mean

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the mean."""
        return self.summary().ci95

    @property
    def estimated_mean(self) -> float:
        """The mean score of a whole game, which is estimated if some were cut short."""
        return self.summary().whole.mean

    @property
    def estimated_interval(self) -> tuple[float, float]:
        """The 95 % interval of that."""
        return self.summary().whole.ci95

    def is_precise(self) -> bool:
        """Whether the wanted precision is reached; it is computed only now and then."""
        if not self.effort.precision or self.games < self._next_look:
            return False
        self._next_look = int(self.games * 1.1) + 1
        return self.summary().half_width <= self.effort.precision

    def to_json(self) -> JsonObject:
        """Everything that belongs beside a score."""
        measures = self.records[0].measures if self.records else {}
        numbers = [name for name, value in measures.items() if not isinstance(value, tuple)]
        summaries = {name: self.summary(name) for name in numbers}
        seconds = max(self.seconds, 1e-9)
        data: JsonData = {"agent": self.name, **self.about(), "note": self.game.note(self.rules)}
        data["deaths"] = self.deaths
        for name, summary in summaries.items():
            data |= {name: int(summary.total), f"{name}_per_second": summary.total / seconds}
        for name in measures.keys() - summaries.keys():
            data[name] = [sum(column) for column in zip(*(r.measures[name] for r in self.records), strict=True)]
        if numbers:
            first = as_json(summaries[numbers[0]])
            data |= {f"mean_{numbers[0]}": first["mean"], "ci95": first["ci95"]}
            data |= {
                f"estimated_mean_{numbers[0]}": first["estimated_mean"],
                "estimated_ci95": first["estimated_ci95"],
            }
        data["seconds_per_move"] = sum(record.seconds[0] for record in self.records) / max(1, self.moves)
        data["statistics"] = {name: as_json(summary) for name, summary in summaries.items()}
        return data


def evaluate(agent: NamedAgent, rules: AnyRules, effort: Effort, on_game: OnGame | None = None) -> Evaluation:
    """Play until the number of games, or the precision, is reached. Ctrl-C keeps what has been played."""
    if agent.game.players != 1:
        raise BadOption(f"{agent.game.name} is a game for {agent.game.players}: measure {agent.name} in a match.")
    evaluation = Evaluation(agent.game, rules, (agent,), effort)
    limit = max(effort.games, MOST_GAMES) if effort.precision else effort.games
    evaluation.play(limit, on_game, evaluation.is_precise)
    return evaluation
