"""Learn Tetris with dominoes by MaskablePPO of sb3-contrib, in a few seconds: pip install sb3-contrib"""

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

OPTIONS = {"size": "4x8", "pieces": "domino", "piece_bonus": 0.1, "max_pieces": 200}


def mean_pieces(envs, choose, games=40):
    """Pieces a game, over the first games of as many environments at a time."""
    lengths: list[int] = []
    observations = envs.reset()
    while len(lengths) < games:
        masks = np.stack(envs.env_method("action_masks"))
        observations, _, ended, infos = envs.step(choose(observations, masks))
        lengths += [info["pieces"] for info, over in zip(infos, ended, strict=True) if over]
    return np.mean(lengths)


torch.set_num_threads(1)
rng = np.random.default_rng(1)
envs = make_vec_env("apprenti.envs:apprenti/Tetris-v0", n_envs=8, seed=1, env_kwargs=OPTIONS)
at_random = mean_pieces(envs, lambda _, masks: np.array([rng.choice(np.flatnonzero(mask)) for mask in masks]))
print(f"at random: {at_random:.0f} pieces a game")
learner = MaskablePPO("MultiInputPolicy", envs, n_steps=128, batch_size=256, learning_rate=1e-3, gamma=0.97, seed=1)
learner.learn(10_000)
learned = mean_pieces(envs, lambda seen, masks: learner.predict(seen, action_masks=masks)[0])
print(f"after {learner.num_timesteps} steps: {learned:.0f} pieces a game")
assert learned > 2 * at_random
