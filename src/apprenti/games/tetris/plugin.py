"""Tetris, as the laboratory finds it."""

from apprenti.core.plugins import Command, Entry, Line, Method, Older, Plugin

_HERE = "apprenti.games.tetris"
_SMALL = {"size": "10x6"}
_ADDED = {"gravity_first": False}
_ADDED_TO_SEARCHES = {**_ADDED, "measure": "games", "finalists": 0, "final_games": 100, "look": "none"}
_REPORT = {"population_size": "population", "nb_games": "games", "max_blocks": "max_pieces"}
_EPSILON = {"epsilon_max": "epsilon", "epsilon_min": "epsilon_end", "epsilon_delta": "epsilon_decay"}


def _agent(where: str, about: str) -> Entry:
    return Entry(f"{_HERE}.agents.{where}", about)


def _kind(where: str, about: str) -> Entry:
    return Entry(f"{_HERE}.kinds.{where}", about)


def _learner(where: str, about: str, config: str = "", **minute: object) -> Method:
    return Method(f"{_HERE}.learn.{where}", about, config and f"{_HERE}.learn.{config}", minute)


PLUGIN = Plugin(
    place=1,
    games={"tetris": Entry(f"{_HERE}.game:GAME", "falling pieces, full lines vanish")},
    agent_kinds={
        "filtering": _agent("described:filtering", "the best by one criterion after another"),
        "linear": _agent("linear:LinearAgent", "a weighted sum of criteria"),
        "regimes": _agent("linear:RegimesAgent", "other weights when the pile is higher"),
        "relu": _agent("linear:ReluAgent", "a weighted sum of criteria and rectified linear units"),
        "lookahead": _agent("linear:LookaheadAgent", "a weighted sum, one piece further"),
        "evaluation": _agent("described:evaluation", "the Tetris Bot's four criteria"),
        "optimal": _agent("optimal:read_optimal", "the optimal player of a small board"),
        "network": _agent("network:read_network", "a network on afterstates"),
        "q-table": _agent("q_table:read_q_table", "a table of a small game of Tetris"),
        "q-network": _agent("q_network:read_q_network", "a network on actions"),
    },
    lines={
        "filtering": Line(f"{_HERE}.agents.described:read_filtering", "filtering:holes,lines"),
        "evaluation": Line(f"{_HERE}.agents.described:read_evaluation", "evaluation:0.5,0.5,0.6,0.2,norm2"),
        "linear": Line(f"{_HERE}.agents.described:read_linear", "linear:holes=-4,lines=1"),
        "expectimax": Line(f"{_HERE}.agents.described:read_expectimax", "expectimax:NAME", arguments=False, agent=True),
        "preview": Line(f"{_HERE}.agents.described:read_preview", "preview:NAME", arguments=False, agent=True),
        "epsilon-greedy": Line(
            f"{_HERE}.agents.described:read_epsilon_greedy", "epsilon-greedy:0.1,NAME", agent=True
        ),
        "softmax": Line(f"{_HERE}.agents.described:read_softmax", "softmax:TEMPERATURE,NAME", agent=True),
    },
    learners={
        "ga": _learner(
            "genetic_algorithm:GeneticAlgorithm", "genetic algorithm, with every option of the Tetris Bot report",
            criteria="tetrisbot", **_SMALL, population=30, iterations=15, games=3, max_pieces=500,
        ),
        "ce": _learner(
            "cross_entropy:CrossEntropy", "noisy cross-entropy (Szita and Lőrincz 2006)",
            **_SMALL, population=60, iterations=15, games=2, test_games=50,
        ),
        "cma": _learner(
            "cma_es:CmaEs", "covariance matrix adaptation (Hansen), on weights of unit length",
            **_SMALL, iterations=15, test_games=50,
        ),
        "lambda-pi": _learner(
            "value_learners:LambdaPolicyIteration",
            "λ-policy iteration with a linear value function (Bertsekas and Ioffe 1996)",
            **_SMALL, iterations=10, episodes=30,
        ),
        "lspi": _learner(
            "value_learners:LeastSquaresPolicyIteration",
            "least-squares policy iteration (Lagoudakis, Parr and Littman 2002)",
            **_SMALL, iterations=8, samples=3000,
        ),
        "avi": _learner(
            "value_learners:ApproximateValueIteration",
            "approximate value iteration (Tsitsiklis and Van Roy 1996)",
            **_SMALL, iterations=10, episodes=30,
        ),
        "cbmpi": _learner(
            "cbmpi:Cbmpi", "classification-based modified policy iteration (Scherrer et al. 2015)",
            **_SMALL, iterations=5, states=2000, rollout=3, generations=20, test_games=20,
        ),
        "natural-gradient": _learner(
            "natural_gradient:NaturalGradient", "natural policy gradient (Kakade 2001)",
            **_SMALL, iterations=15, parallel_games=30, moves=60,
        ),
        "linear-program": _learner(
            "linear_program:LinearProgram",
            "approximate linear programming with sampled constraints (Farias and Van Roy 2006)",
            **_SMALL, iterations=8, parallel_games=100, moves=30, test_games=20,
        ),
        "relational": _learner(
            "relational:Relational",
            "relational reinforcement learning by kernel regression (Ramon and Driessens 2004)",
            **_SMALL, iterations=20, parallel_games=30, moves=30, max_examples=150,
        ),
        "q-learning": _learner(
            "q_learning:QLearning", "Q-learning with a table, for small boards (Tetris Bot report)",
            rules="tetrisbot", pieces="domino", size="4x4", iterations=20, episodes=250,
        ),
        "dqn": _learner(
            "deep.dqn:DeepQ", "deep Q-learning (Mnih 2015), on afterstates, placements or keys",
            "deep.dqn_config:DeepQConfig",
            **_SMALL, inputs="criteria", criteria="rv", hidden=0, iterations=8, moves=30, parallel_games=64,
            batch_size=128, test_games=10, test_pieces=300,
        ),
    },
    older={
        "ga": Older(
            names={**_REPORT, "nb_generations": "iterations", "first": ""},
            added={**_ADDED_TO_SEARCHES, "test_games": 0},
            papers={**_REPORT, "nb_games_played": "games"},
            counted_from_0={"nb_generations": "iterations"},  # the random generation has the number 0
        ),
        "ce": Older(names={"first": "initial_weights"}, added=_ADDED_TO_SEARCHES),
        "cma": Older(
            names={"generations": "iterations", "most_games": "max_games", "first": "initial_weights"},
            added={**_ADDED_TO_SEARCHES, "regimes": [], "units": 0},
        ),
        "lambda-pi": Older(
            names={"games": "episodes", "first": "initial_weights"}, added={**_ADDED, "random_start": False}
        ),
        "lspi": Older(names={"games": "test_games", "first": "initial_weights"}, added=_ADDED),
        "avi": Older(names={"games": "episodes", "first": "initial_weights"}, added=_ADDED),
        "cbmpi": Older(added={"teacher": "rollouts"}),
        "q-learning": Older(
            names={
                **_EPSILON, "alpha": "learning_rate", "clip": "max_difference", "max_blocks": "max_pieces",
                "moves": "form",
            },
            added={**_ADDED, "clock": "episodes", "learning_rate_end": 0.0, "learning_rate_decay": 0.0},
            divided=("max_episodes", "generations"),
        ),
        "dqn": Older(
            names={
                **_EPSILON, "generations": "iterations", "rounds": "moves", "games": "parallel_games",
                "sample": "batch_size", "memory": "replay_buffer", "fill": "replay_start",
                "priority_weight": "priority_correction", "period": "target_period", "steps_ahead": "n_step",
                "last_gamma": "gamma_end", "last_rate": "learning_rate_end", "clip": "max_gradient_norm",
            },
            added=_ADDED,
        ),
    },
    views={"tetris": Entry(f"{_HERE}.views.text:VIEW", "a board with falling pieces")},
    scenes={"tetris": Entry(f"{_HERE}.scene.scene:SCENES", "a board with falling pieces")},
    environments={
        "apprenti/Tetris-v0": (f"{_HERE}.envs.gym:TetrisEnv", f"{_HERE}.envs.gym:TetrisVectorEnv"),
        "apprenti/TetrisKeys-v0": (f"{_HERE}.envs.gym:TetrisKeysEnv", f"{_HERE}.envs.gym:TetrisKeysVectorEnv"),
    },
    kinds={
        "scores/sizes": _kind("scores:Sizes", "one agent on boards of many sizes"),
        "scores/dealers": _kind("scores:Dealers", "players before dealers, and how long they last"),
        "scores/variants": _kind("scores:Variants", "a player with other weights, signs, criteria"),
        "training/tables": _kind("training:Tables", "Q-tables of small games, how long games by them last"),
        "training/report": _kind("report:Report", "a report's agents and optimisations, ours beside theirs"),
        "recipe": _kind("recipe:Recipe", "stages of learning, each from the last one's end"),
        "solve": _kind("solve:Solve", "boards solved exactly, and what players reach of it"),
        "solve/players": _kind("solve:Players", "exact values of players, beside the optimum"),
        "solve/disagreements": _kind("solve:Disagreements", "the moves that cost a player most of the optimum"),
        "solve/iterations": _kind("solve:Iterations", "iterations that each λ needs"),
        "criteria": _kind("criteria:Criteria", "criteria chosen automatically, and how many"),
        "criteria/windows": _kind("criteria:Windows", "exact values of small windows as criteria"),
    },
    solvers={"tetris": Entry(f"{_HERE}.lab.solve:SOLVER", "sweeps over all walls")},
    pictures={"known": Entry(f"{_HERE}.lab.known:draw_known", "what is known of each cell")},
    at_a_terminal={"tetris": Entry(f"{_HERE}.cli.extras:EXTRAS", "the Tetris Bot's rules for a person")},
    commands={"draw": Command(f"{_HERE}.cli.draw", "figures that explain tetris and its learners, from real data")},
    bench=(f"{_HERE}.bench:figures",),
    exercises=(f"{_HERE}.exercises:EXERCISES", f"{_HERE}.exercises_strategies:EXERCISES"),
    experiments=f"{_HERE}.experiments",
    zoo=f"{_HERE}.zoo",
    page=f"{_HERE}.scene",
    french=_HERE,
)  # fmt: skip
