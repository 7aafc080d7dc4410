"""Learn a player by cross-entropy, without a run folder: the learner is a plain object."""

from apprenti.learn.tetris.cross_entropy import CrossEntropy, CrossEntropyConfig

learner = CrossEntropy(CrossEntropyConfig(criteria="dellacherie", size="10x8", iterations=6, population=40))
learner.warm_up()
while not learner.done:
    metrics = learner.step()
    print(f"iteration {metrics['generation']}: best {metrics['best']:.0f}, mean vector {metrics['test']:.0f} lines")
for name, weight in learner.agent().weights.items():
    print(f"{name:<20} {weight:+.3f}")
