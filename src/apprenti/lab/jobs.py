"""What a job does: the use-cases of the laboratory as data, each with the command that does the same.

A job is data and nothing else: it names a use-case and its options, no words of a command line. What it names is read
by type, and no text in it can start a program (`agents/description.py`). `lab/queue.py` stores and begins jobs. This
module, run with the folder of a job, is the process of one.
"""

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Protocol

from apprenti.core.data import JsonData, JsonMapping, JsonObject
from apprenti.core.errors import BadOption, exit_code
from apprenti.core.game import AnyGame
from apprenti.core.machine import always_heard
from apprenti.core.plugins import GAMES
from apprenti.core.protocols import AnyRules
from apprenti.lab.agents import NamedAgent, find
from apprenti.lab.evaluate import evaluate
from apprenti.lab.experiments import known, read
from apprenti.lab.forms import config_from, option_words, words_of
from apprenti.lab.kinds.fields import read as read_fields
from apprenti.lab.kinds.fields import rules_of
from apprenti.lab.kinds.kind import Settings
from apprenti.lab.match import match, tournament
from apprenti.lab.rare_events import evaluate_rare
from apprenti.lab.reproduce import reproduce
from apprenti.lab.results import Effort, compared, each_until_interrupted
from apprenti.lab.so_far import CurveSoFar, SoFar
from apprenti.lab.solve import solver_of
from apprenti.lab.train import resume, train
from apprenti.store.files import read_json, write_json
from apprenti.store.runs import ROOT, Run, check_name

SO_FAR, OUT = "so-far.json", "out.json"
RESULTS = Path("results")
SHORT = RESULTS / "short"
"""Where short runs of experiments are stored, so that they do not take the place of a result."""


class UseCase(Protocol):
    """Something that the laboratory does, with its options."""

    kind: ClassVar[str]
    """What the page lists it under."""

    @property
    def name(self) -> str:
        """What it is about."""

    def command(self) -> list[str]:
        """The command line that does the same."""

    def perform(self, folder: Path) -> JsonObject:
        """Do it; what is known on the way is written into the folder. Ctrl-C keeps what is known."""


@dataclass(frozen=True, kw_only=True)
class Train:
    """A new run."""

    kind: ClassVar[str] = "train"
    method: str
    config: JsonData
    run: str

    @property
    def name(self) -> str:
        """The run."""
        return self.run

    def command(self) -> list[str]:
        """Options that are as usual are left out."""
        return ["apprenti", *words_of(self.method, config_from(self.method, self.config), self.run)]

    def perform(self, folder: Path) -> JsonObject:
        """Learn to the end."""
        return train(self.method, config_from(self.method, self.config), self.run).summary()


@dataclass(frozen=True, kw_only=True)
class Resume:
    """A run that goes on, perhaps longer than it was begun for."""

    kind: ClassVar[str] = "train"
    run: str
    iterations: int = 0

    @property
    def name(self) -> str:
        """The run."""
        return self.run

    def command(self) -> list[str]:
        """The command line that does the same."""
        return ["apprenti", "resume", self.run, *(["--iterations", str(self.iterations)] if self.iterations else [])]

    def perform(self, folder: Path) -> JsonObject:
        """Learn to the end."""
        say = lambda words: print(f"apprenti: {words}", file=sys.stderr)  # noqa: E731
        return resume(Run(ROOT / check_name(self.run)), None, say, self.iterations).summary()


@dataclass(frozen=True, kw_only=True)
class Measure:
    """Games of one agent or of several: how many are named decides whether they are evaluated, compared or matched."""

    kind: ClassVar[str] = "measure"
    game: str
    agents: tuple[str, ...]
    against: str = ""
    options: JsonData = field(default_factory=dict)
    """What is asked of the rules; the rest is as the first agent's."""
    games: int = 100
    seed: int = 1
    precision: float = 0.0
    rare: bool = False

    @property
    def name(self) -> str:
        """The agents."""
        return ", ".join(self.agents)

    def command(self) -> list[str]:
        """The command line that does the same."""
        game = GAMES.load(self.game)
        several = "compare" if game.players == 1 else "tournament"
        words = ["apprenti", "evaluate" if len(self.agents) == 1 else several, *self.agents, "--game", self.game]
        words += ["--against", self.against] if self.against else []
        words += [*rule_words(game, self.options), "--games", str(self.games), "--seed", str(self.seed)]
        return [*words, *(["--precision", str(self.precision)] if self.precision else []), *["--rare"] * self.rare]

    def perform(self, folder: Path) -> JsonObject:
        """Play, and tell what is known about twice a second."""
        game, agents, rules = self._players()
        effort, so_far = Effort(self.games, self.seed, 0, self.precision), SoFar(folder / SO_FAR)
        if self.rare or game.players == 1:
            results = each_until_interrupted(agents, lambda agent: self._alone(agent, rules, effort, so_far))
            return compared(results) if len(self.agents) > 1 else results[0].to_json()
        if len(self.agents) == 1:
            played = match(game, rules, agents, effort, so_far.watcher(effort.games))
            played.tells_games = True
            return played.to_json()
        pairs = len(agents) * (len(agents) - 1) // 2
        met = tournament(game, rules, agents, effort, so_far.watcher(pairs * effort.games))
        for one in met.matches.values():
            one.tells_games = True
        return met.to_json()

    def _players(self) -> tuple[AnyGame, list[NamedAgent], AnyRules]:
        game = GAMES.load(self.game)
        agents = [find(name, game) for name in self.agents]
        rules = rules_of(game, agents[0].rules, self.options, "this measurement")
        if game.players > 1 and len(agents) == 1:
            agents.append(find(self.against or game.opponent(rules), game))
        for agent in agents:
            agent.check(game, rules)
        return game, agents, rules

    def _alone(self, agent: NamedAgent, rules: AnyRules, effort: Effort, so_far: SoFar) -> Any:
        watch = so_far.watcher(effort.games)
        if self.rare:
            return evaluate_rare(agent, rules, effort, lambda result: so_far.tell(result.part_done, result), watch)
        result = evaluate(agent, rules, effort, watch)
        result.tells_games = True
        so_far.tell(1.0, result, last=True)
        return result


@dataclass(frozen=True, kw_only=True)
class Solve:
    """The best that can be done in a small game for one, exactly."""

    kind: ClassVar[str] = "solve"
    game: str
    options: JsonData = field(default_factory=dict)
    gamma: float = 1.0
    residual: float = 1e-6
    agent: str = ""
    """The name under which the table is stored; empty for none, or for the usual one."""

    @property
    def name(self) -> str:
        """The game and the agent."""
        return f"solve {self.game} {self.agent}".strip()

    def command(self) -> list[str]:
        """The command line that does the same."""
        rules = rule_words(GAMES.load(self.game), self.options)
        numbers = ["--gamma", f"{self.gamma:g}", "--residual", f"{self.residual:g}"]
        return [
            "apprenti",
            "solve",
            "--game",
            self.game,
            *rules,
            *numbers,
            *(["--name", self.agent] * bool(self.agent)),
        ]

    def perform(self, folder: Path) -> JsonObject:
        """Solve, and tell the residual of every iteration."""
        game, curve = GAMES.load(self.game), CurveSoFar(folder / SO_FAR)
        solution = solver_of(game).as_asked(game, self.options, self.gamma, self.residual, self.agent, curve.add)
        curve.write()
        return solution


@dataclass(frozen=True, kw_only=True)
class Reproduce:
    """An experiment."""

    kind: ClassVar[str] = "reproduce"
    experiment: str
    short: bool = False

    @property
    def name(self) -> str:
        """The experiment."""
        return self.experiment

    def command(self) -> list[str]:
        """The command line that does the same."""
        return ["apprenti", "reproduce", self.experiment, *["--short"] * self.short]

    def perform(self, folder: Path) -> JsonObject:
        """Run it, into the folder of results."""
        if self.experiment not in known():
            raise BadOption(f"there is no experiment {self.experiment!r:.60}: `apprenti reproduce` lists them.")
        place = (SHORT if self.short else RESULTS) / self.experiment
        reproduce(read(self.experiment), Settings(self.short), place, lambda part, words: None)
        numbers = json.loads((place / "results.json").read_text(encoding="utf-8"))
        return {"experiment": self.experiment, "results": numbers}


USE_CASES: Mapping[str, type[Any]] = {
    "train": Train,
    "resume": Resume,
    "measure": Measure,
    "solve": Solve,
    "reproduce": Reproduce,
}


def to_json(use: UseCase) -> JsonObject:
    """A use-case as a job file has it."""
    name = next(name for name, each in USE_CASES.items() if type(use) is each)
    return {"use": name, "options": asdict(use)}  # type: ignore[call-overload]


def from_json(data: JsonMapping, where: str) -> UseCase:
    """The use-case of a job file, read by type; refused with a sentence if it is none."""
    if str(data.get("use")) not in USE_CASES:
        raise BadOption(f"{where} does none of {', '.join(USE_CASES)}.")
    use_case: UseCase = read_fields(USE_CASES[data["use"]], data.get("options"), where)
    return use_case


def rule_words(game: AnyGame, options: JsonData) -> list[str]:
    """What is asked of the rules, as it is typed."""
    usual = asdict(game.Options())
    asked = {name: value for name, value in options.items() if value != usual.get(name) or value is False}
    return [word for name, value in asked.items() for word in option_words(name, value)]


def main(folder: Path) -> int:
    """The process of a job."""
    use = from_json(read_json(folder / "job.json", "a job"), f"job {folder.name}")
    write_json(folder / OUT, use.perform(folder), None)
    return 0


if __name__ == "__main__":
    import signal

    signal.signal(signal.SIGINT, signal.default_int_handler)  # a server in the background may not have listened to it
    with always_heard():
        sys.exit(exit_code(lambda: main(Path(sys.argv[1]))))
