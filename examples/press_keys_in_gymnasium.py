"""Play `apprenti/TetrisKeys-v0`, a key at a time: dominoes, each pushed to the lowest column it can reach."""

import gymnasium

import apprenti.envs  # noqa: F401  (it registers the environments)

LEFT, RIGHT, DROP, CLOCKWISE, ANTICLOCKWISE, NOTHING = range(6)  # L R D H T N

env = gymnasium.make("apprenti/TetrisKeys-v0", size="6x8", pieces="domino", reward="square", render_mode="ansi")
observation, info = env.reset(seed=1)
terminated, score, steps = False, 0.0, 0
while not terminated and steps < 500:
    heights = [int(column.nonzero()[0].max(initial=-1)) for column in observation["board"].T]
    pairs = [max(heights[c : c + 2]) for c in range(5)]
    here, there = int(observation["falling"].any(axis=0).argmax()), pairs.index(min(pairs))
    key = DROP if here == there else LEFT if there < here else RIGHT
    observation, reward, terminated, truncated, info = env.step(key)
    score, steps = score + reward, steps + 1
print(env.render())
print(f"{steps} keys, {info['pieces']} pieces, {info['lines']} lines, reward {score:.0f}")
