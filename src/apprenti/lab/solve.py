"""Solve any small game for one exactly, and keep the result as an agent."""

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol, TypeVar

from apprenti.agents.base import QValuesAgent, Table, packed_table
from apprenti.core.data import AnyFunction, JsonData, JsonObject
from apprenti.core.errors import BadFile, BadOption
from apprenti.core.game import AnyGame
from apprenti.core.plugins import Registry
from apprenti.core.protocols import AnyRules, HasArrays, Storable
from apprenti.lab.agents import zoo
from apprenti.lab.kinds.fields import rules_of
from apprenti.lab.so_far import OnRow
from apprenti.learn.value_iteration import Policy, ValueConfig, Values, explore, policy_values, value_iteration
from apprenti.store.agentfile import AgentFile, write_agent
from apprenti.store.files import write_json
from apprenti.store.runs import ROOT, Run, check_name


class TableAgent(Storable, HasArrays, Protocol):
    """An agent whose table is stored beside its file."""


class Solution(ABC):
    """What is known of a solved game, and the agent that plays by it."""

    game: AnyGame
    rules: AnyRules

    @property
    @abstractmethod
    def title(self) -> str:
        """What the agent is, in its file."""

    @property
    @abstractmethod
    def source(self) -> str:
        """Where the agent comes from, in its file."""

    @property
    def measured(self) -> tuple[JsonData, ...]:
        """Scores of the agent, in its file."""
        return ()

    @abstractmethod
    def agent(self) -> TableAgent:
        """Who plays by the values."""

    @abstractmethod
    def to_json(self) -> JsonObject:
        """Everything that belongs beside the value."""


@dataclass(frozen=True)
class GameSolution(Solution):
    """The values of a game: of the best policy or, after `of_policy`, of another."""

    game: AnyGame
    rules: AnyRules
    solved: Values
    seconds: float = 0.0

    @property
    def value(self) -> float:
        """What a game from the start is worth."""
        return float(self.solved.v[0])

    @property
    def converged(self) -> bool:
        """Whether the residual is as small as was asked for."""
        return self.solved.residual <= self.solved.config.residual

    @property
    def states(self) -> int:
        """How many states there are."""
        return len(self.solved.v) - 1

    @property
    def values(self) -> dict[str, float]:
        names = list(self.solved.model.states)
        return {name: float(value) for name, value in zip(names, self.solved.v, strict=True) if name}

    @property
    def q(self) -> Table:
        """Q: what each move is worth in each state."""
        return self.solved.model.table(self.solved.q)

    @property
    def policy(self) -> dict[str, str]:
        """In each state the move that is worth most, the first of equals."""
        return {name: max(row, key=lambda move: round(row[move], 9)) for name, row in self.q.items()}

    def of_policy(self, policy: Policy | None = None) -> "GameSolution":
        """The same game with the values V^π and Q^π of a policy; without one, of choosing by lot."""
        names = {name: list(row) for name, row in self.q.items()}
        by_lot: Policy = lambda name: dict.fromkeys(names[name], 1 / len(names[name]))  # noqa: E731
        values = policy_values(self.solved.model, policy or by_lot, self.solved.config.gamma)
        return GameSolution(self.game, self.rules, values)

    @property
    def title(self) -> str:
        return f"the optimal player of {self.game.describe(self.rules)}"

    @property
    def source(self) -> str:
        return f"value iteration, γ = {self.solved.config.gamma:g} (apprenti solve)"

    def agent(self) -> QValuesAgent:
        return QValuesAgent(self.game.name, self.game.rules_to_json(self.rules), packed_table(self.q))

    def to_json(self) -> JsonObject:
        values = self.solved
        return {
            "game": self.game.name, "rules": self.game.rules_to_json(self.rules), "states": self.states,
            "value": self.value, "unit": self.game.unit(self.rules), "iterations": values.iterations,
            "residual": values.residual, "converged": self.converged, "seconds": self.seconds,
            **{f"wanted_{name}" if name != "gamma" else name: value for name, value in asdict(values.config).items()},
            "values": self.values, "q": self.q,
        }  # fmt: skip


def solve_game(
    game: AnyGame, rules: AnyRules, config: ValueConfig | None = None, stepped: OnRow = lambda _: None
) -> GameSolution:
    """Explore and solve; `stepped` is told the row of every iteration. Nothing is written."""
    began = perf_counter()

    def tell(swept: Values) -> None:
        stepped({"iteration": swept.iterations, "residual": swept.residual, "value": float(swept.v[0])})

    values = value_iteration(explore(game, rules), config, tell)
    return GameSolution(game, rules, values, perf_counter() - began)


class SolvesGame(Protocol):
    """A use-case: solve a game with these options of its rules, store the table, return what is known as plain data."""

    def __call__(
        self, game: AnyGame, options: JsonData, gamma: float, residual: float, agent: str, stepped: OnRow
    ) -> JsonObject:
        """Without a name of an agent the solver's own, or none, is taken."""


@dataclass(frozen=True)
class Solver:
    """How a family of games is solved: for a job, for a script, and on the command line."""

    as_asked: SolvesGame
    of_options: AnyFunction
    """The solution of a game with options of its rules and of the solver."""
    command: str
    """The module with the `Options` and the `run` of `apprenti solve`."""


SOLVERS: Registry[Solver] = Registry("solver", "solvers")
"""Families of games with a solver of their own."""


def solver_of(game: AnyGame) -> Solver:
    """The solver of a game: its family's, or value iteration."""
    return SOLVERS.load(game.family) if game.family in SOLVERS else Solver(solve_as_asked, solve_of_options, "")


def solve_of_options(game: AnyGame, gamma: float = 1.0, **options: Any) -> GameSolution:
    """Value iteration, with the rules that the options ask for."""
    return solve_game(game, game.rules(**options), ValueConfig(gamma))


def solve_as_asked(
    game: AnyGame, options: JsonData, gamma: float, residual: float, agent: str, stepped: OnRow
) -> JsonObject:
    """Value iteration; the table is stored as an agent if that has a name."""
    if game.players != 1:
        raise BadOption(f"{game.name} is a game for {game.players}: games for one are solved here.")
    rules, config = rules_of(game, None, options, game.name), ValueConfig(gamma, residual)
    solution = solve_into(agent, lambda: solve_game(game, rules, config, stepped))
    return {"agent": agent or None, **solution.to_json()}


SolutionT = TypeVar("SolutionT", bound=Solution)


def solve_into(name: str, solve: Callable[[], SolutionT], root: Path = ROOT) -> SolutionT:
    """Solve, and keep the agent in a folder if it has a name; when this is interrupted nothing is there."""
    if not name:
        return solve()
    with table_folder(name, root) as run:
        solution = solve()
        keep(solution, run)
    return solution


def keep(solution: Solution, run: Run) -> None:
    """Write the agent and what is known of it."""
    agent = solution.agent()
    kind, options = agent.describe()
    file = AgentFile(
        run.name, solution.title, solution.game.name, kind, options, solution.game.rules_to_json(solution.rules),
        solution.source, measured=solution.measured, arrays=agent.arrays(),
    )  # fmt: skip
    run.agent_path.unlink(missing_ok=True)  # or for a moment an old file would be beside a new table
    write_agent(run.agent_path, file)
    write_json(run.folder / "solution.json", solution.to_json())


@contextlib.contextmanager
def table_folder(name: str, root: Path = ROOT) -> Iterator[Run]:
    """The folder of a solved player, for this process; it goes away again if nothing was kept in it."""
    run = Run(root / check_name(name))
    if run.name in zoo():
        raise BadOption(f"--name {run.name} is an agent of the zoo: choose another, or it would be taken for that one.")
    if (run.folder / "run.json").exists():
        raise BadFile(f"there is a training run in {run.folder}: choose another --name.")
    with run.locked():
        try:
            yield run
        finally:
            if {path.name for path in run.folder.iterdir()} <= {".lock"}:
                with contextlib.suppress(OSError):
                    (run.folder / ".lock").unlink(missing_ok=True)
                    run.folder.rmdir()
