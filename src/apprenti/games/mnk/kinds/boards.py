"""SARSA on boards of several sizes: how far a table goes, against the random and the perfect player."""

from dataclasses import dataclass
from pathlib import Path

from apprenti.games.mnk.fast.solver import solver_for
from apprenti.games.mnk.state import State
from apprenti.lab.agents import find
from apprenti.lab.kinds.kind import Found
from apprenti.lab.kinds.runs import RunRow, RunsFile, TrainingKind, learner_of
from apprenti.lab.match import match
from apprenti.lab.results import Effort
from apprenti.store.runs import Run
from apprenti.views.plots import strengths

VALUES = {1: "X wins", 0: "draw", -1: "O wins"}


@dataclass(frozen=True, kw_only=True)
class File(RunsFile):
    """A `[[run]]` for each board and number of games to learn from."""

    method: str = "sarsa"
    tests: int
    """Games against the perfect player on either side."""


def share(counts: list[int]) -> float:
    """Points of all there were, of games won, drawn and lost; a draw is a half."""
    won, drawn, lost = counts
    return (won + drawn / 2) / (won + drawn + lost)


class Boards(TrainingKind[File]):
    """A line for each run."""

    File = File
    headings = (
        "board", "perfect play", "games", "time", "entries", "both tables", "points against random",
        "as X against perfect (won / drawn / lost)", "as O against perfect",
    )  # fmt: skip

    def test(self, row: RunRow) -> int:
        return 4 if self.settings.short else self.plan.tests

    def measure(self, row: RunRow, run: Run) -> Found:
        learner, agent, last = learner_of(run), find(str(run.agent_path)), run.metrics()[-1]
        agents, effort = (agent, find("mnk-perfect", agent.game)), Effort(2 * self.test(row), self.settings.seed, 1)
        played = match(agent.game, agent.rules, agents, effort)
        if played.interrupted:
            raise KeyboardInterrupt
        return {
            "name": row.name,
            "size": agent.rules.size,
            "value": VALUES[solver_for(agent.rules).value(State.start(agent.rules))],
            "games": last["games"],
            "seconds": last["seconds"],
            "entries": last["entries"],
            "megabytes": (learner.keys.nbytes + learner.values.nbytes) / 1e6,
            "random": learner.tested()["against_random"],
            "as_x": list(played.counts_as(0)),
            "as_o": list(played.counts_as(1)),
        }

    def cells(self, found: Found) -> list[str]:
        games, entries = (f"{found[name]:,}".replace(",", " ") for name in ("games", "entries"))
        return [
            found["size"], found["value"], games, f"{found['seconds']:.1f} s", entries, f"{found['megabytes']:.1f} MB",
            f"{found['random']:.1%}", *(" / ".join(map(str, found[side])) for side in ("as_x", "as_o")),
        ]  # fmt: skip

    def draw(self, path: Path) -> None:
        bars = {
            one["name"]: {
                "random": one["random"], "perfect, as X": share(one["as_x"]), "perfect, as O": share(one["as_o"])
            }
            for one in self.found
        }  # fmt: skip
        strengths(bars, self.experiment.title, path)
