"""Run an experiment and write its table, its picture and its numbers."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from apprenti.core.errors import BadFile, UnknownName
from apprenti.games.tetris.rules import Rules
from apprenti.lab.agents import find
from apprenti.lab.evaluate import Effort, Evaluation, evaluate
from apprenti.lab.experiments import Experiment
from apprenti.store.files import write_json, write_text
from apprenti.views.numbers import number as views_number

Report = Callable[[float, str], None]


class Stopped(Exception):
    """Ctrl-C was pressed; the table has what is known by then."""

    def __init__(self, table: str) -> None:
        super().__init__(table)
        self.table = table


@dataclass(frozen=True)
class Settings:
    """How much of an experiment to run."""

    short: bool = False
    """A few games of the first rows only, to see that it works."""
    seed: int = 1
    workers: int = 0


def _rules(row: dict[str, Any], default: Rules) -> Rules:
    """The rules of a row: a preset and changes, or the agent's own."""
    changes = {key: row[key] for key in ("randomiser", "points", "max_pieces", "preview") if key in row}
    size = row.get("size", "")
    return Rules.preset(row["rules"], size, **changes) if "rules" in row else default.changed(size, **changes)


def _effort(row: dict[str, Any], settings: Settings) -> Effort:
    if settings.short:
        return Effort(row.get("short_games", 8), settings.seed, settings.workers, seconds=row.get("short_seconds", 2.0))
    return Effort(row["games"], settings.seed, settings.workers, seconds=row.get("seconds", 0.0))


def measure(row: dict[str, Any], settings: Settings) -> Evaluation:
    """Play one row of an experiment."""
    agent = find(row["agent"])
    rules = _rules(row, agent.rules)
    if settings.short and "max_pieces" not in row:
        rules = rules.changed(max_pieces=20_000)
    return evaluate(agent, rules, _effort(row, settings))


number = partial(views_number, digits=3)
"""A number for a table."""


def _line(row: dict[str, Any], evaluation: Evaluation) -> list[str]:
    unit = row.get("unit", evaluation.unit)
    summary = evaluation.summary(unit)
    rules = evaluation.rules
    pieces = sum(game.tally.pieces for game in evaluation.games)
    return [
        evaluation.name,
        f"{rules.name} {rules.width}x{rules.height}",
        f"{summary.games} ({summary.deaths})",
        str(row.get("published", "-")),
        f"**{number(summary.mean)}** {unit}",
        f"{number(summary.ci95[0])} … {number(summary.ci95[1])}",
        f"{evaluation.seconds:,.0f} s",
        f"{evaluation.seconds * evaluation.effort.cores / max(1, pieces) * 1e6:.2f} µs",
    ]


def _table(headings: list[str], lines: list[list[str]]) -> str:
    rows = [headings, ["---"] * len(headings), *lines]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows) + "\n"


def _table_of(headings: list[str], lines: list[list[str]], interrupted: bool) -> str:
    """The table; Stopped if it is not whole."""
    table = _table(headings, lines)
    if interrupted:
        raise Stopped(table)
    return table


def scores(experiment: Experiment, settings: Settings, folder: Path, report: Report) -> str:
    """Agents, each under its rules, beside what was published."""
    rows = experiment.data["row"][: 2 if settings.short else None]
    lines, summaries, found = [], {}, []
    for done, row in enumerate(rows):
        report(done / len(rows), row["agent"])
        evaluation = measure(row, settings)
        lines.append(_line(row, evaluation))
        found.append(evaluation.to_json())
        summaries[f"{evaluation.name} {evaluation.rules.name} {evaluation.rules.width}x{evaluation.rules.height}"] = (
            evaluation.summary(row.get("unit", evaluation.unit))
        )
        write_json(folder / "results.json", found)  # what is known, also after an interruption
        if evaluation.interrupted:
            break
    from apprenti.views.plots import comparison

    comparison(summaries, rows[0].get("unit", "lines"), experiment.title, folder / "picture.png")
    headings = [
        "agent",
        "rules",
        "games (deaths)",
        "published",
        "measured",
        "95 % interval",
        "time",
        "core time a piece",
    ]
    return _table_of(headings, lines, evaluation.interrupted)


def sizes(experiment: Experiment, settings: Settings, folder: Path, report: Report) -> str:
    """One agent on boards of many sizes (the thesis' figure 1.2)."""
    data = experiment.data
    widths, heights = range(data["widths"][0], data["widths"][1] + 1), range(data["heights"][0], data["heights"][1] + 1)
    if settings.short:
        widths, heights = range(4, 6), range(4, 7)
    means: dict[tuple[int, int], float] = {}
    found, cells = [], [(w, h) for w in widths for h in heights]
    for done, (width, height) in enumerate(cells):
        report(done / len(cells), f"{width}x{height}")
        evaluation = measure({**data, "size": f"{width}x{height}"}, settings)
        summary = evaluation.summary("lines")
        means[width, height] = summary.mean
        found.append({"size": f"{width}x{height}", **evaluation.to_json()})
        write_json(folder / "results.json", found)
        if evaluation.interrupted:
            break
    from apprenti.views.plots import by_size

    by_size(means, experiment.title, folder / "picture.png")
    lines = [[str(h), *(number(means[w, h]) if (w, h) in means else "-" for w in widths)] for h in heights]
    return _table_of(["rows \\ columns", *map(str, widths)], lines, evaluation.interrupted)


def training(experiment: Experiment, settings: Settings, folder: Path, report: Report) -> str:
    """Runs of a learner, with repeats, and fresh games with what each has learned."""
    from apprenti.lab.training_experiment import Trained, spread_of, train_row
    from apprenti.views.plots import training_curves

    data, unit = experiment.data, experiment.data["unit"]
    repeats = 1 if settings.short else data.get("repeats", 1)
    lines, curves, found = [], {}, []
    for done, row in enumerate(data["run"]):
        trained: list[Trained] = []
        for repeat in range(repeats):
            report((done + repeat / repeats) / len(data["run"]), f"{row['name']}, {repeat + 1} of {repeats}")
            one = train_row(experiment, row, repeat, settings.seed, settings.short, settings.workers, folder)
            trained.append(one)
            found.append(one.to_json())
            write_json(folder / "results.json", found)
        curves[row["name"]] = [one.run.metrics() for one in trained]
        seconds = sum(one.run.metrics()[-1]["seconds"] for one in trained) / repeats
        mean, low, high = spread_of(trained, unit)
        interval = trained[0].evaluation.summary(unit).ci95 if repeats == 1 else (low, high)
        tests = f"{repeats} × {len(trained[0].evaluation.games)}"
        lines.append([
            row["name"], row.get("there", "-"), tests, f"**{number(mean)}** {unit}",
            f"{number(interval[0])} … {number(interval[1])}", f"{seconds:.1f} s",
        ])  # fmt: skip
    training_curves(curves, experiment.title, folder / "picture.png")
    spread = "95 % interval" if repeats == 1 else "worst … best run"
    return _table(["run", "there", "tests", "measured on fresh games", spread, "time of a run"], lines)


def recipe(experiment: Experiment, settings: Settings, folder: Path, report: Report) -> str:
    """Learn in stages, then measure each stage's player on fresh games."""
    from apprenti.lab.recipe import test, train_stage
    from apprenti.views.plots import training_curves

    stages, lines, found, curves, run = experiment.data["stage"], [], [], {}, None
    for number_ in range(len(stages)):
        report(number_ / len(stages), f"stage {number_ + 1} of {len(stages)}")
        run = train_stage(experiment, number_, run, settings.seed, settings.workers, settings.short, folder)
        row = run.metrics()[-1]
        curves[f"stage {number_ + 1}, {run.about()['config']['size']}"] = [run.metrics()]
        found.append({"stage": number_ + 1, **row, "config": run.about()["config"], "tests": []})
        known = find(str(run.agent_path))
        found[-1]["weights"] = dict(known.agent.weights)
        for wanted in stages[number_].get("tests", experiment.data.get("tests", [])):
            score = test(known, wanted, settings.seed, settings.workers, settings.short)
            found[-1]["tests"].append(score)
            low, high = (x if x is not None else float("inf") for x in score["ci95"])
            mean = score["mean"] if score["mean"] is not None else float("inf")
            lines.append([
                f"{number_ + 1}", f"{row['seconds']:.0f} s", score["size"], f"{score['games']} ({score['deaths']})",
                wanted["record"], f"**{number(mean)}**", f"{number(low)} … {number(high)}",
            ])  # fmt: skip
            write_json(folder / "results.json", found)
    training_curves(curves, experiment.title, folder / "picture.png")
    headings = ["stage", "learning", "test board", "fresh games (deaths)", "record", "lines", "95 % interval"]
    return _table(headings, lines)


def unbeatable(experiment: Experiment, settings: Settings, folder: Path, report: Report) -> str:
    """SARSA with many options and seeds: games until no opponent can win."""
    from apprenti.lab import sarsa_study
    from apprenti.views.plots import games_needed

    def keep(found: list[sarsa_study.Row]) -> None:
        write_json(folder / "results.json", [row.to_json() for row in found])

    rows = sarsa_study.study(experiment.data, settings.seed, settings.short, report, keep)
    drawn = [(f"{row.group}: {row.name}", row.games("reached"), row.games("stays")) for row in rows]
    for ending in ("png", "svg"):
        games_needed(drawn, len(rows[0].ways), experiment.title, folder / f"picture.{ending}")
    return _table(sarsa_study.HEADINGS, [row.cells() for row in rows])


def boards(experiment: Experiment, settings: Settings, folder: Path, report: Report) -> str:
    """SARSA on boards of several sizes, against the random and the perfect player."""
    from apprenti.lab import sarsa_boards
    from apprenti.views.plots import strengths

    def keep(found: list[sarsa_boards.OnBoard]) -> None:
        write_json(folder / "results.json", [row.to_json() for row in found])

    rows = sarsa_boards.boards(experiment.data, settings.seed, settings.short, report, keep)
    shares = {f"{row.size}, {row.games:,} games".replace(",", " "): row.shares for row in rows}
    strengths(shares, experiment.title, folder / "picture.png")
    return _table(sarsa_boards.HEADINGS, [row.cells() for row in rows])


def optima(experiment: Experiment, settings: Settings, folder: Path, report: Report) -> str:
    """Boards solved exactly, and the players of the zoo as parts of the optimum."""
    from apprenti.lab.optima import HEADINGS, Workshop, board_of, line_of, parts_of
    from apprenti.views.plots import parts_by_board

    sizes, found = experiment.data["sizes"][: 2 if settings.short else None], []
    for done, size in enumerate(sizes):

        def say(words: str, part: float = done / len(sizes), size: str = size) -> None:
            report(part, f"{size}: {words}")

        workshop = Workshop(folder / "solved", settings.seed, settings.workers, say)
        found.append(board_of(experiment.data, size, settings.short, workshop))
        write_json(folder / "results.json", found)
    parts = {board["size"]: parts_of(board) for board in found if board["players"]}
    parts_by_board(parts, experiment.title, folder / "picture.png")
    players = list(next(iter(parts.values())))
    lines = [[name, *(f"{parts[size][name]:.1%}" for size in parts)] for name in players]
    return _table(HEADINGS, [line_of(board) for board in found]) + "\n" + _table(["player", *parts], lines)


def disagreements(experiment: Experiment, settings: Settings, folder: Path, report: Report) -> str:
    """The moves of a player that cost it most of what it lacks of the optimum, with their boards."""
    from apprenti.lab.disagreements import HEADINGS, lessons, line_of
    from apprenti.lab.solve import Problem, solve
    from apprenti.views.plots import losses

    data = experiment.data
    size, games = (data["short_size"], 50) if settings.short else (data["size"], data["games"])
    problem = Problem(Rules.preset("simplified", size), check_games=0, curve_games=0, workers=settings.workers)
    report(0.0, f"solving {size}")
    solution = solve(problem)
    report(0.5, f"{data['agent']} plays")
    found = lessons(find(data["agent"]).agent, solution.agent(), games, settings.seed)
    optimum = solution.solver.value_of_empty_board
    write_json(folder / "results.json", [{"size": size, "optimum": optimum, **found.to_json(data["shown"])}])
    losses([one.loss * one.times / games for one in found.found], experiment.title, folder / "picture.png")
    shown = found.found[: data["shown"]]
    table = _table(HEADINGS, [line_of(number_, one, games) for number_, one in enumerate(shown, 1)])
    boards = "\n\n".join(
        f"{number_}  the wall, theirs, the best\n\n{one.drawn(problem.rules)}" for number_, one in enumerate(shown, 1)
    )
    told = f"All its moves together lose {found.loss:.2f} lines a game; the optimum is {optimum:.2f}."
    return f"{table}\n{told}\n\n```\n{boards}\n```\n"


def curves(experiment: Experiment, settings: Settings, folder: Path, report: Report) -> str:
    """Learning curves of several runs of each configuration: all of them, their means, and where these are highest."""
    from apprenti.lab.curve_experiment import HEADINGS, Curves
    from apprenti.views.plots import curve_panels

    rows = experiment.data["run"][: 2 if settings.short else None]
    found: list[dict[str, Any]] = []
    lines, drawn = [], {}
    for done, row in enumerate(rows):
        part = Curves(experiment, row)
        repeats = 1 if settings.short else row.get("repeats") or experiment.data.get("repeats", 1)
        for repeat in range(repeats):
            report((done + repeat / repeats) / len(rows), f"{row['name']}, {repeat + 1} of {repeats}")
            part.train(repeat, settings.seed, settings.short, settings.workers, folder)
            write_json(folder / "results.json", [*found, part.to_json()])
        found.append(part.to_json())
        lines.append(part.line())
        drawn[row["name"]] = part.means
    for name in ("picture.png", "picture.svg"):
        curve_panels(drawn, experiment.title, folder / name)
    return _table(HEADINGS, lines)


def tables(experiment: Experiment, settings: Settings, folder: Path, report: Report) -> str:
    """Tables of small games: how large they are, and how many games by them last."""
    from apprenti.lab.tables_experiment import cells_of, fill_table
    from apprenti.views.plots import cells_known

    rows = experiment.data["run"][: 2 if settings.short else None]
    lines, found = [], []
    for done, row in enumerate(rows):
        report(done / len(rows), row["name"])
        one = fill_table(experiment, done, settings.seed, settings.short, settings.workers, folder)
        found.append(one.to_json())
        write_json(folder / "results.json", found)
        summary, (share, low, high) = one.evaluation.summary("lines"), one.share
        lines.append([
            row["name"], f"{one.last['games']:,}", f"{one.last['states']:,}", f"{one.last['seconds']:.1f} s",
            f"{one.lasted} of {summary.games}", f"**{share:.0%}** ({low:.0%} … {high:.0%})",
            f"{number(summary.mean)} ({number(summary.ci95[0])} … {number(summary.ci95[1])})", row.get("there", "-"),
        ])  # fmt: skip
        if done == 0:
            cells_known(cells_of(one.run), f"{experiment.title}: {row['name']}", folder / "picture.png")
    pieces = 200 if settings.short else experiment.data["test_pieces"]
    headings = [
        "game", "episodes", "states known", "time", f"games that reach {pieces:,} pieces", "share (95 % interval)",
        "lines a game (95 % interval)", "there",
    ]  # fmt: skip
    return _table(headings, lines)


def rates(experiment: Experiment, settings: Settings, folder: Path, report: Report) -> str:
    """The report's actor-critic at Luzhanqi with one option changed at a time, against the random player."""
    from apprenti.lab import rates_experiment
    from apprenti.views.plots import strengths

    def keep(found: list[rates_experiment.Rated]) -> None:
        write_json(folder / "results.json", [row.to_json() for row in found])

    rows = rates_experiment.rates(experiment.data, settings.seed, settings.short, report, keep)
    strengths({row.name: {"random": row.share or 0.0} for row in rows}, experiment.title, folder / "picture.png")
    return _table(rates_experiment.HEADINGS, [row.cells() for row in rows])


KINDS: dict[str, Callable[[Experiment, Settings, Path, Report], str]] = {
    "scores": scores,
    "sizes": sizes,
    "training": training,
    "recipe": recipe,
    "unbeatable": unbeatable,
    "boards": boards,
    "optima": optima,
    "disagreements": disagreements,
    "curves": curves,
    "tables": tables,
    "rates": rates,
}


def reproduce(experiment: Experiment, settings: Settings, folder: Path, report: Report) -> str:
    """Run an experiment; return its table, which is also written with its picture and numbers."""
    if experiment.kind not in KINDS:
        raise UnknownName("kind of experiment", experiment.kind, KINDS)
    interrupted = False
    try:
        table = KINDS[experiment.kind](experiment, settings, folder, report)
    except Stopped as stopped:
        table, interrupted = f"interrupted: this is what was known by then.\n\n{stopped.table}", True
    except (KeyError, TypeError, IndexError) as error:
        raise BadFile(f"experiment {experiment.name} lacks something its kind needs ({error!r}).") from None
    size = "a short run, to see that it works: no result\n\n" if settings.short else ""
    write_text(folder / "table.md", f"# {experiment.title}\n\n{experiment.question}\n\n{size}{table}")
    if interrupted:
        raise KeyboardInterrupt
    return table
