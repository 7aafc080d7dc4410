"""Random legal actions in the environments of PettingZoo."""

import numpy as np


def legal_action(mask, rng):
    return int(rng.choice(np.flatnonzero(mask)))


def walk(env, steps, seed=0):
    """Random legal actions; what was seen on the way."""
    rng, seen = np.random.default_rng(seed), []
    for _ in range(steps):
        observation, reward, terminated, truncated, _ = env.last()
        seen.append((env.agent_selection, observation, reward, terminated, truncated))
        if terminated or truncated:
            env.reset()
        else:
            env.step(legal_action(observation["action_mask"], rng))
    return seen
