"""Let the shipped SARSA player meet a random one, through PettingZoo's interface; any game will do."""

import numpy as np

import apprenti
from apprenti.envs import any_game

chance = np.random.default_rng(1)
learned = apprenti.agent("sarsa-tictactoe")
env = any_game.raw_env(game="tictactoe", render_mode="ansi")
points = dict.fromkeys(env.possible_agents, 0.0)
for number in range(10):
    side = env.possible_agents[number % 2]
    env.reset(seed=number)
    for agent in env.agent_iter():
        observation, reward, over, _, info = env.last()
        if over:
            points[side] += reward if agent == side else 0
            env.step(None)
        elif agent == side:
            state = env.game.state
            env.step(learned.choose(state, state.legal_moves(), chance))
        else:
            env.step(chance.choice(np.flatnonzero(observation["action_mask"])))
print(env.render())
as_x, as_o = points.values()
print(f"won − lost in five games each: {as_x:+.0f} as X, {as_o:+.0f} as O")
