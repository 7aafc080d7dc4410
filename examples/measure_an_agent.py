"""Measure a player of the zoo, and one of your own, on the same games."""

from apprenti.agents.tetris.linear import LinearAgent
from apprenti.games.tetris import Rules
from apprenti.lab.agents import Known, find
from apprenti.lab.evaluate import Effort, evaluate

rules = Rules.preset("simplified", size="10x8")
mine = Known("mine", LinearAgent({"holes": -4, "landing_height": -1, "row_transitions": -1}), rules)
for agent in (find("dellacherie"), mine):
    evaluation = evaluate(agent, rules, Effort(games=200, seed=1))
    summary = evaluation.summary("lines")
    low, high = summary.ci95
    print(f"{agent.name}: {summary.mean:.0f} lines a game, 95 % interval {low:.0f} to {high:.0f}")
