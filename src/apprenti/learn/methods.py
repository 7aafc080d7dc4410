"""The learners by their names on the command line; each is loaded only when it is used."""

from typing import Any

from apprenti.core.registry import Entry, Registry

METHODS: Registry[Any] = Registry(
    "method",
    {
        "tabular": Entry(
            "apprenti.learn.tabular_q_learning:TabularQLearning",
            "Q-learning by self-play with a table, for any game (Watkins 1989)",
        ),
        "ga": Entry(
            "apprenti.learn.tetris.genetic_algorithm:GeneticAlgorithm",
            "genetic algorithm, with every option of the Tetris Bot report",
        ),
        "ce": Entry("apprenti.learn.tetris.cross_entropy:CrossEntropy", "noisy cross-entropy (Szita and Lőrincz 2006)"),
        "cma": Entry(
            "apprenti.learn.tetris.cma_es:CmaEs", "covariance matrix adaptation (Hansen), on weights of unit length"
        ),
        "sarsa": Entry("apprenti.learn.mnk.sarsa:Sarsa", "SARSA by self-play on m,n,k-games, with tables (Amar 2020)"),
        "n-tuple": Entry(
            "apprenti.learn.mnk.n_tuple:NTuple",
            "TD(λ) by self-play on m,n,k-games, tables over lines (Lucas 2008)",
        ),
        "lambda-pi": Entry(
            "apprenti.learn.tetris.lambda_policy_iteration:LambdaPolicyIteration",
            "λ-policy iteration with a linear value function (Bertsekas and Ioffe 1996)",
        ),
        "lspi": Entry(
            "apprenti.learn.tetris.lspi:LeastSquaresPolicyIteration",
            "least-squares policy iteration (Lagoudakis, Parr and Littman 2002)",
        ),
        "avi": Entry(
            "apprenti.learn.tetris.approximate_value_iteration:ApproximateValueIteration",
            "approximate value iteration (Tsitsiklis and Van Roy 1996)",
        ),
        "cbmpi": Entry(
            "apprenti.learn.tetris.cbmpi:Cbmpi",
            "classification-based modified policy iteration (Scherrer et al. 2015)",
        ),
        "natural-gradient": Entry(
            "apprenti.learn.tetris.natural_gradient:NaturalGradient", "natural policy gradient (Kakade 2001)"
        ),
        "linear-program": Entry(
            "apprenti.learn.tetris.linear_program:LinearProgram",
            "approximate linear programming with sampled constraints (Farias and Van Roy 2006)",
        ),
        "relational": Entry(
            "apprenti.learn.tetris.relational:Relational",
            "relational reinforcement learning by kernel regression (Ramon and Driessens 2004)",
        ),
        "q-learning": Entry(
            "apprenti.learn.tetris.q_learning:QLearning",
            "Q-learning with a table, for small boards (Tetris Bot report)",
        ),
        "dqn": Entry(
            "apprenti.learn.deep.tetris.dqn:DeepQ", "deep Q-learning (Mnih 2015), on afterstates, placements or keys"
        ),
        "actor-critic": Entry(
            "apprenti.learn.luzhanqi.actor_critic:ActorCritic",
            "actor-critic with traces, as the LuJunQi report proposes it",
        ),
        "ppo": Entry("apprenti.learn.deep.luzhanqi.ppo:Ppo", "proximal policy optimisation by self-play, for luzhanqi"),
    },
    plugins="apprenti.learners",
)


_CONFIGS: Registry[Any] = Registry(
    "method",
    {
        "dqn": Entry("apprenti.learn.deep.tetris.dqn_config:DeepQConfig", ""),
        "ppo": Entry("apprenti.learn.deep.luzhanqi.ppo_config:PpoConfig", ""),
    },
)
"""Where the options of a method are, if the method itself needs torch."""


def learner_class(method: str) -> Any:
    """The class of a method; MissingExtra if it needs one that is not installed."""
    return METHODS.load(method)


def config_class(method: str) -> Any:
    """The class of the options of a method, which is its command line; nothing heavy is loaded for it."""
    return _CONFIGS.load(method) if method in _CONFIGS else learner_class(method).Config
