"""The kinds of experiment by the names their files use; each is loaded only when it is run."""

from typing import Any

from apprenti.core.registry import Entry, Registry
from apprenti.lab.kinds.kind import Kind

KINDS: Registry[type[Kind[Any]]] = Registry(
    "kind of experiment",
    {
        "scores": Entry("apprenti.lab.kinds.scores:Scores", "agents, each under its rules, beside what was published"),
        "coverage": Entry("apprenti.lab.kinds.coverage:Coverage", "intervals by splitting against played games"),
        "match": Entry("apprenti.lab.kinds.match:Match", "pairs of agents at a game for two, and their strengths"),
        "tournament": Entry("apprenti.lab.kinds.tournament:Tournament", "everybody against everybody, and Elo"),
        "training": Entry("apprenti.lab.kinds.training:Training", "runs of a learner, and fresh games with each"),
        "curves": Entry("apprenti.lab.kinds.curves:Curves", "learning curves of several runs, point by point"),
        "metrics": Entry("apprenti.lab.kinds.metrics:Metrics", "what learners say of themselves on the way"),
        "sizes": Entry("apprenti.lab.kinds.tetris.sizes:Sizes", "one agent on boards of many sizes"),
        "recipe": Entry("apprenti.lab.kinds.tetris.recipe:Recipe", "stages of learning, each from the last one's end"),
        "tables": Entry(
            "apprenti.lab.kinds.tetris.tables:Tables", "Q-tables of small games, how long games by them last"
        ),
        "optima": Entry(
            "apprenti.lab.kinds.tetris.optima:Optima", "boards solved exactly, and what players reach of it"
        ),
        "disagreements": Entry(
            "apprenti.lab.kinds.tetris.disagreements:Disagreements", "the moves that cost a player most of the optimum"
        ),
        "distances": Entry(
            "apprenti.lab.kinds.tetris.distances:Distances", "exact values of players, beside the optimum"
        ),
        "iterations": Entry("apprenti.lab.kinds.tetris.iterations:Iterations", "iterations that each λ needs"),
        "windows": Entry("apprenti.lab.kinds.tetris.windows:Windows", "exact values of small windows as criteria"),
        "selection": Entry(
            "apprenti.lab.kinds.tetris.selection:Selection", "criteria chosen automatically, and how many"
        ),
        "variants": Entry(
            "apprenti.lab.kinds.tetris.variants:Variants", "a player with other weights, signs, criteria"
        ),
        "dealers": Entry("apprenti.lab.kinds.tetris.dealers:Dealers", "players before dealers, and how long they last"),
        "chapter": Entry(
            "apprenti.lab.kinds.tetris.chapter:Chapter",
            "a report's agents and optimisations, ours beside theirs",
        ),
        "unbeatable": Entry("apprenti.lab.kinds.mnk.unbeatable:Unbeatable", "SARSA's games until no opponent can win"),
        "boards": Entry("apprenti.lab.kinds.mnk.boards:Boards", "SARSA on boards of several sizes"),
        "cluster": Entry("apprenti.lab.kinds.cluster:Cluster", "a model of many cores, by the length of a task"),
        "exploited": Entry(
            "apprenti.lab.kinds.luzhanqi.exploited:Exploited", "what knowing an agent's layouts is worth"
        ),
        "practised": Entry(
            "apprenti.lab.kinds.luzhanqi.practised:Practised", "what is won by practising against one network"
        ),
        "rates": Entry("apprenti.lab.kinds.luzhanqi.rates:Rates", "the actor-critic with one option changed at a time"),
    },
    plugins="apprenti.kinds",
)
