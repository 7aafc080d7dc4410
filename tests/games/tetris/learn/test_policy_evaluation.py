"""The exact value of players: against plain Python, against played games, against the optimum."""

import numpy as np
import pytest

from apprenti.agents.base import RandomAgent
from apprenti.arena.many import play_many
from apprenti.core.errors import BadAgent, BadRules
from apprenti.core.machine import ThreadPool
from apprenti.games.tetris import Rules
from apprenti.games.tetris.agents.optimal import OptimalAgent
from apprenti.games.tetris.fast.players import answers, drop_names
from apprenti.games.tetris.fast.reachable import every_wall, explore_walls
from apprenti.games.tetris.fast.wall_table import WallTable
from apprenti.games.tetris.game import GAME
from apprenti.games.tetris.learn.exact import ExactConfig, PolicyEvaluation, Solver, law_of
from apprenti.games.tetris.placement import entry
from apprenti.games.tetris.state import State
from apprenti.games.tetris.walls import afterstates, board_of, canonical, reachable
from apprenti.lab.agents import find

SMALL = Rules.preset("simplified", "4x3")


def space_of(rules):
    return explore_walls(rules, ThreadPool(1), mirrored=False)


def evaluated(agent, rules=SMALL):
    space = space_of(rules)
    evaluation = PolicyEvaluation(space, law_of(agent, space))
    evaluation.settle(1e-11)
    return evaluation


def solved(space):
    solver = Solver(space, ExactConfig(residual=1e-10))
    while not solver.done:
        solver.step()
    return solver


def test_the_random_player_is_worth_what_plain_python_says():
    evaluation = evaluated(RandomAgent())
    moves = {
        wall: [[(lines, after) for _, lines, after in afterstates(SMALL, wall, p)] for p in SMALL.pieces.letters]
        for wall in reachable(SMALL)
    }
    values = dict.fromkeys(moves, 0.0)
    for _ in range(40):
        values = {
            wall: np.mean(
                [np.mean([lines + values.get(after, 0.0) for lines, after in drops]) for drops in moves[wall]]
            )
            for wall in moves
        }
    found = evaluation.values[evaluation.space.places]
    assert found == pytest.approx([values[int(wall)] for wall in evaluation.space.walls], abs=1e-9)


@pytest.mark.parametrize("name", ["dellacherie", "expectimax:bcts"])
def test_a_compiled_player_answers_as_the_readable_one_chooses(name):
    rules = Rules.preset("simplified", "4x4")
    agent, walls = find(name).agent, space_of(rules).walls[::150]
    played, names = answers(rules, agent.compiled(rules), walls), drop_names(rules)
    for wall, drops in zip(walls, played, strict=True):
        for letter, drop in zip(rules.pieces.letters, drops, strict=True):
            state = State(rules, board_of(rules, int(wall)), letter, position=entry(rules, rules.pieces[letter]))
            chosen = agent.choose(state, state.legal, None)
            assert names[drop] == (letter, chosen.rotation, chosen.column)


@pytest.mark.parametrize(
    "name",
    ["dellacherie", "random", "epsilon-greedy:0.3,dellacherie", "softmax:2,dellacherie", "filtering:holes,random"],
)
def test_played_games_agree_with_the_exact_value(name):
    agent = find(name, GAME).agent
    lines = [record.measures["lines"] for record in play_many(GAME, SMALL, [agent], 500, 1, 1)]
    half = 3.3 * np.std(lines) / len(lines) ** 0.5  # one in a thousand
    assert np.mean(lines) == pytest.approx(evaluated(agent).value_of_empty_board, abs=half)


def test_the_optimal_player_is_worth_the_optimum_and_nobody_more_on_any_wall():
    space = space_of(SMALL)
    solver = solved(space)
    table = WallTable(SMALL, 1.0, space.index, solver.values[:-1].astype(np.float32), one_sided=True)
    best = evaluated(OptimalAgent(table))
    assert best.values == pytest.approx(solver.values, abs=1e-6)
    assert (evaluated(find("bcts").agent).values <= solver.values + 1e-9).all()


def test_between_greed_and_chance_there_is_epsilon():
    rules = Rules.preset("simplified", "4x4")
    for epsilon, agent in ((0, find("bcts").agent), (1, RandomAgent())):
        mixed = evaluated(find(f"epsilon-greedy:{epsilon},bcts").agent, rules)
        assert mixed.values == pytest.approx(evaluated(agent, rules).values, abs=1e-9)


def test_visits_times_lines_make_the_value():
    evaluation = evaluated(find("epsilon-greedy:0.2,dellacherie").agent, Rules.preset("simplified", "4x4"))
    law, visits = evaluation.law, evaluation.visits(1e-12)[evaluation.space.places]
    lines = np.add.reduceat(law.probabilities * (evaluation.successors >> 29), law.starts[:-1])
    assert visits @ lines == pytest.approx(evaluation.value_of_empty_board, abs=1e-8)


def test_a_player_that_draws_and_does_not_say_how_is_refused():
    class Secret:
        """Draws without a word."""

        def choose(self, observation, legal, rng):
            return legal[int(rng.random() * len(legal))]

    with pytest.raises(BadAgent, match="cannot say how likely"):
        law_of(Secret(), space_of(SMALL))


def test_too_much_memory_is_refused_before_it_is_taken():
    with pytest.raises(BadRules, match="of memory"):
        law_of(RandomAgent(), space_of(SMALL), allowed=1000)


def test_all_walls_of_a_board_have_the_solvers_values_where_play_leads():
    every, known = solved(every_wall(SMALL)), solved(explore_walls(SMALL, ThreadPool(1)))
    assert every.space.total == 2**12
    every_table, table = (WallTable(SMALL, 1.0, one.space.index, one.values[:-1]) for one in (every, known))
    for wall in reachable(SMALL):
        assert every_table.value(wall) == pytest.approx(table.value(canonical(wall, 4)), abs=1e-8)
    # A full row below is a floor: what is left is the board without it.
    lower = solved(explore_walls(Rules.preset("simplified", "4x2"), ThreadPool(1)))
    assert every_table.value(0b1111) == pytest.approx(lower.value_of_empty_board, abs=1e-8)
