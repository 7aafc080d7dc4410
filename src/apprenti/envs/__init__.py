"""The way out: Gymnasium environments. Importing this room registers them.

    import apprenti.envs, gymnasium
    env = gymnasium.make("apprenti/Tetris-v0", size="10x10")

or, in one: `gymnasium.make("apprenti.envs:apprenti/Tetris-v0")`.
"""

from apprenti.envs.registration import register

register()
