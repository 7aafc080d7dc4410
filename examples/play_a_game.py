"""Play a game step by step: rules, states, chance, an agent. It is the same for every game."""

import apprenti

game = apprenti.game("tetris")
rng, chance = apprenti.Stream(1), apprenti.Stream(2)
agents = [apprenti.agent("dellacherie")]
state = game.start(game.rules(size="10x10", max_pieces=30), rng, agents)
while not state.outcome:
    if state.turn == apprenti.CHANCE:
        state = state.deal(chance)
    else:
        seen, legal = state.observation(state.turn), state.legal_moves()
        state = state.play(agents[state.turn].choose(seen, legal, rng))
print(game.write_state(state).replace("/", "\n"))
print(f"{state.outcome.reason}: {game.measures(state)}")
