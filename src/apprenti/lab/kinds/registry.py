"""The kinds of experiment by the names their files use; each is loaded only when it is run."""

from typing import Any

from apprenti.core.plugins import Entry, Registry
from apprenti.lab.kinds.kind import Kind

KINDS: Registry[type[Kind[Any]]] = Registry(
    "kind of experiment",
    "kinds",
    {
        "scores": Entry("apprenti.lab.kinds.scores:Scores", "agents, each under its rules, beside what was published"),
        "coverage": Entry("apprenti.lab.kinds.coverage:Coverage", "intervals by splitting against played games"),
        "match": Entry("apprenti.lab.kinds.match:Match", "pairs of agents at a game for two, and their strengths"),
        "tournament": Entry("apprenti.lab.kinds.tournament:Tournament", "everybody against everybody, and Elo"),
        "training": Entry("apprenti.lab.kinds.training:Training", "runs of a learner, and fresh games with each"),
        "curves": Entry("apprenti.lab.kinds.curves:Curves", "learning curves of several runs, point by point"),
        "metrics": Entry("apprenti.lab.kinds.metrics:Metrics", "what learners say of themselves on the way"),
        "cluster": Entry("apprenti.lab.kinds.cluster:Cluster", "a model of many cores, by the length of a task"),
    },
)
