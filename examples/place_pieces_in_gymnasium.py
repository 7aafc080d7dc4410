"""Play `apprenti/Tetris-v0`, a placement at a time: always the board with the fewest holes, then the lowest."""

import gymnasium
import numpy as np

import apprenti.envs  # noqa: F401  (it registers the environments)

env = gymnasium.make(
    "apprenti/Tetris-v0", size="10x10", max_pieces=60, criteria="holes,landing_height", afterstates=True,
    render_mode="ansi",
)  # fmt: skip
observation, info = env.reset(seed=1)
terminated = truncated = False
while not (terminated or truncated):
    after = info["afterstates"]  # for each action the board after it, the lines it removes, its criteria
    holes, height = after["criteria"].T
    legal = (info["action_mask"] == 1) & (after["over"] == 0)
    if not legal.any():
        legal = info["action_mask"] == 1
    action = np.flatnonzero(legal)[np.lexsort((height[legal], holes[legal]))[0]]
    observation, reward, terminated, truncated, info = env.step(action)
print(env.render())
print(f"{info['outcome']}: {info['lines']} lines with {info['pieces']} pieces")
