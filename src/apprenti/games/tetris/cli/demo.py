"""`make demo`: learn a player from nothing, measure it against the classics, and show what came out.

About half a minute of learning and measuring, after a few compilations the first time.
"""

import shutil
import subprocess
import sys
from pathlib import Path

from apprenti.cli.progress import run_progress as display
from apprenti.cli.tables import print_evaluations
from apprenti.core.children import command
from apprenti.lab.agents import find
from apprenti.lab.evaluate import Evaluation, evaluate
from apprenti.lab.results import Effort
from apprenti.lab.train import train
from apprenti.learn.methods import learner_class
from apprenti.store.replay import write_replay
from apprenti.store.runs import Run
from apprenti.views.plots import comparison

FOLDER = Path("demo")
LEARNING = learner_class("ce").Config(criteria="rv", size="10x10", iterations=20, population=100, games=2, seed=2026)
"""Enough to leave Dellacherie's hand-made player behind."""
OTHERS = ("tetrisbot", "dellacherie")


def compile_others() -> "subprocess.Popen[bytes]":
    """Have another process compile the players to compare with, while this one compiles and learns its own."""
    words = ["compare", *OTHERS, "--size", LEARNING.size, "--games", "1", "--workers", "1"]
    return subprocess.Popen(command("apprenti", *words), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def learn() -> Run:
    """Cross-entropy on a board of 10x10, from weights of 0."""
    print("1. Learning a player from nothing, by cross-entropy on 10x10 (weights of nine criteria, all 0 at first).")
    shutil.rmtree(FOLDER / "learned", ignore_errors=True)
    with display() as watch:
        run = train("ce", LEARNING, "learned", FOLDER, watch)
    row = run.metrics()[-1]
    print(f"   {row['games']} games in {row['seconds']:.1f} s; the curve is {run.folder}/curve.png")
    return run


def measure(run: Run) -> Evaluation:
    """The learned player beside those of the literature, on the same fresh games; its own result."""
    print("\n2. Measuring it on 2 000 fresh games, beside the Tetris Bot's player and Dellacherie's of 2003.")
    learned = find(str(run.agent_path))
    agents = [*map(find, OTHERS), learned]
    effort = Effort(games=2000, seed=7)
    evaluations = [evaluate(agent, learned.rules, effort) for agent in agents]
    print_evaluations(evaluations)
    summaries = {evaluation.name: evaluation.summary("lines") for evaluation in evaluations}
    comparison(summaries, "lines", learned.rules.description, FOLDER / "comparison.png")
    return evaluations[-1]


def record(evaluation: Evaluation) -> None:
    """Keep one game as a replay."""
    game = min(evaluation.records, key=lambda record: abs(record.length - 1000))
    write_replay(FOLDER / "game.json", evaluation.replay(game))


def main() -> int:
    """The demonstration."""
    others = compile_others()
    run = learn()
    others.wait()
    record(measure(run))
    print(f"\n3. Written: {FOLDER}/comparison.png, {FOLDER}/learned/curve.png, {FOLDER}/game.json. What to try next:")
    for words in (
        f"watch {run.agent_path}", f"replay {FOLDER}/game.json", "play tetris", "compare random filtering tetrisbot",
        "evaluate bcts --size 10x10 --games 10000", "train cma --criteria dt",
    ):  # fmt: skip
        print(f"   .venv/bin/apprenti {words}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
