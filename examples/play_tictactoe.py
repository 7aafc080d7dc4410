"""Let the shipped SARSA player meet a random one, through PettingZoo's interface."""

import numpy as np

from apprenti import load_agent
from apprenti.envs.mnk import env

chance = np.random.default_rng(1)
learned = load_agent("sarsa-tictactoe")
game = env("3x3x3", render_mode="ansi")
points = dict.fromkeys(game.possible_agents, 0.0)
for number in range(10):
    side = game.possible_agents[number % 2]
    game.reset()
    for agent in game.agent_iter():
        observation, reward, over, _, info = game.last()
        if over:
            points[side] += reward if agent == side else 0
            game.step(None)
        elif agent == side:
            game.step(learned.choose(game.position, game.position.legal_moves(), chance))
        else:
            game.step(chance.choice(np.flatnonzero(observation["action_mask"])))
print(game.render())
as_x, as_o = points.values()
print(f"won − lost in five games each: {as_x:+.0f} as X, {as_o:+.0f} as O")
