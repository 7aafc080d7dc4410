"""Two players of Luzhanqi in PettingZoo: each sees what it knows, and chooses among what the mask allows."""

import numpy as np

from apprenti.envs import luzhanqi_v0

rng = np.random.default_rng(1)
env = luzhanqi_v0.env(rules="casual", render_mode="ansi")
env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    if terminated or truncated:
        print(f"{agent} got {reward:+.0f} ({info['outcome']})")
        env.step(None)
        continue
    planes, legal = observation["observation"], np.flatnonzero(observation["action_mask"])
    enemies = planes[12:24].any(axis=0).sum()  # planes 12 … 23: where an enemy stands that can be of each type
    env.step(int(rng.choice(legal)))
print(f"at the end {agent} saw {enemies} enemy pieces")
print(env.render())
