"""Learn a player by cross-entropy in a run folder, runs/mine, and measure it: it has a name as every agent has."""

import apprenti

options = {"criteria": "dellacherie", "size": "10x8", "iterations": 6, "population": 40}
run = apprenti.train("ce", name="mine", **options)
for metrics in run.metrics():
    print(f"iteration {metrics['generation']}: best {metrics['best']:.0f}, mean vector {metrics['test']:.0f} lines")
for name, weight in apprenti.agent("mine").weights.items():
    print(f"{name:<20} {weight:+.3f}")
print(f"{apprenti.evaluate('mine', games=50).mean:.0f} lines a game")
