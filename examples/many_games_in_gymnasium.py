"""Play thousands of games at once in one environment, at random but legally."""

from time import perf_counter

import gymnasium
import numpy as np

import apprenti.envs  # noqa: F401  (it registers the environments)

envs = gymnasium.make_vec("apprenti/Tetris-v0", num_envs=1000, vectorization_mode="vector_entry_point", size="10x20")
observations, infos = envs.reset(seed=1)
rng, lines, began = np.random.default_rng(1), [], perf_counter()
for _ in range(100):
    masks = infos["action_mask"]
    actions = np.argmax(masks * rng.random(masks.shape, np.float32), axis=1)  # one of the legal ones, each as likely
    observations, rewards, terminations, truncations, infos = envs.step(actions)
    if terminations.any():  # those games have begun anew in the same step; their last words are in final_info
        lines += infos["final_info"]["lines"][terminations].tolist()
print(f"{len(lines)} games over, {np.mean(lines):.2f} lines a game at random")
print(f"{100 * envs.num_envs / (perf_counter() - began):.0f} placements a second")
