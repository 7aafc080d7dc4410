"""Q-tables of small games: how large they are, how many games by them last, and what the first of them knows."""

from dataclasses import dataclass
from pathlib import Path

from apprenti.arena.statistics import from_json, wilson
from apprenti.games.tetris.views.figures import cells_known
from apprenti.lab.kinds.kind import Finding, Part
from apprenti.lab.kinds.runs import RunRow, RunsFile, TrainingKind, learner_of
from apprenti.store.runs import Run
from apprenti.views.numbers import interval, number


@dataclass(frozen=True, kw_only=True)
class Row(RunRow):
    """A table."""

    test_games: int = 0
    """Fresh games, if not as many as for the others."""


@dataclass(frozen=True, kw_only=True)
class File(RunsFile):
    """A `[[run]]` for each table."""

    run: tuple[Row, ...]
    method: str = "q-learning"
    test_games: int
    test_pieces: int
    """After which a test is over."""


class Tables(TrainingKind[File]):
    """A line for each table."""

    File = File

    @property
    def pieces(self) -> int:
        """After which a test is over."""
        return 200 if self.settings.short else self.plan.test_pieces

    def test(self, row: Row) -> Finding:
        return {"games": row.test_games or self.plan.test_games, "pieces": self.pieces}

    def measure(self, row: Row, run: Run) -> Finding:
        last = run.metrics()[-1]
        test = self.fresh_games(run, row.name, self.test(row)["games"], {"max_pieces": self.pieces})
        lasted, played = test["games"] - test["deaths"], test["games"]
        return {
            "name": row.name,
            "there": row.there,
            "config": run.about()["config"],
            **{name: last[name] for name in ("seconds", "states", "moves")},
            "episodes": last["games"],
            "lasted": [lasted / played, *wilson(lasted, played)],
            "test": test,
        }

    def divide(self) -> list[Part]:
        self.headings = (
            "game", "episodes", "states known", "time", f"games that reach {self.pieces:,} pieces",
            "share (95 % interval)", "lines of a whole game, estimated (95 % interval)", "there",
        )  # fmt: skip
        return super().divide()

    def cells(self, finding: Finding) -> list[str]:
        summary, (share, low, high) = from_json(finding["test"]["statistics"]["lines"]).whole, finding["lasted"]
        return [
            finding["name"], f"{finding['episodes']:,}", f"{finding['states']:,}", f"{finding['seconds']:.1f} s",
            f"{summary.games - summary.deaths} of {summary.games}", f"**{share:.0%}** ({low:.0%} … {high:.0%})",
            f"{number(summary.mean, 3)} ({interval(summary.ci95)})",
            finding["there"],
        ]  # fmt: skip

    def draw(self, path: Path) -> None:
        first = self.plan.run[0]
        cells = learner_of(self.run_of(first, 1).trained(self.root)).known()
        cells_known(cells, f"{self.experiment.title}: {first.name}", path)
