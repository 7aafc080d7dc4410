"""Luzhanqi, army chess with hidden pieces, as the laboratory finds it."""

from apprenti.core.plugins import Command, Entry, Line, Method, Older, Plugin

_HERE = "apprenti.games.luzhanqi"


def _agent(where: str, about: str) -> Entry:
    return Entry(f"{_HERE}.agents.{where}", about)


PLUGIN = Plugin(
    place=3,
    games={"luzhanqi": Entry(f"{_HERE}.game:GAME", "army chess with hidden pieces")},
    agent_kinds={
        "luzhanqi-random": _agent("players:RandomPlayer", "any move"),
        "luzhanqi-attacks": _agent("players:AttackingPlayer", "attacks if it can"),
        "luzhanqi-greedy": _agent("players:GreedyPlayer", "the best of one move"),
        "luzhanqi-expected": _agent("players:ExpectedValuePlayer", "one move, with beliefs"),
        "luzhanqi-monte-carlo": _agent("search:MonteCarloPlayer", "sampled worlds"),
        "luzhanqi-informed": _agent("players:InformedPlayer", "knows the enemy's layouts"),
        "luzhanqi-informed-monte-carlo": _agent(
            "search:InformedMonteCarloPlayer", "sampled worlds, knows the enemy's layouts"
        ),
        "luzhanqi-ismcts": _agent("search:IsmctsPlayer", "a tree over information sets"),
        "luzhanqi-network": _agent("network:PolicyNetworkAgent", "a policy network"),
        "luzhanqi-learned-search": _agent("search:LearnedSearchAgent", "sampled worlds with a policy network"),
        "luzhanqi-actor": _agent("actor:ActorAgent", "the report's actor"),
    },
    lines={
        "layouts": Line(f"{_HERE}.agents.players:read_layouts", "layouts:uniform,NAME", agent=True),
        "engine": Line(f"{_HERE}.agents.engine.player:read_engine", "engine:PROGRAM", program=True),
    },
    learners={
        "actor-critic": Method(
            f"{_HERE}.learn.actor_critic:ActorCritic", "actor-critic with traces, as the LuJunQi report proposes it",
            minute={"rules": "mini", "iterations": 10, "episodes": 5},
        ),
        "ppo": Method(
            f"{_HERE}.learn.deep.ppo:Ppo", "proximal policy optimisation by self-play, for luzhanqi",
            f"{_HERE}.learn.config:PpoConfig",
            {"rules": "mini", "iterations": 5, "parallel_games": 16},
        ),
        "best-response": Method(
            f"{_HERE}.learn.deep.best_response:BestResponse", "PPO against one frozen network of luzhanqi",
            f"{_HERE}.learn.config:BestResponseConfig", {"seconds": 40.0, "tests": 1, "test_games": 50},
        ),
    },
    older={
        "actor-critic": Older(
            names={
                "lambda_theta": "lam_actor", "lambda_w": "lam_critic", "alpha_theta": "learning_rate_actor",
                "alpha_w": "learning_rate_critic", "twice": "softmax_twice",
            },
            added={"recurrent": False},
            divided=("episodes", "episodes_a_step"),
        ),
        "ppo": Older(
            names={
                "imitate": "imitation_iterations", "imitation_rate": "learning_rate_imitation",
                "softness": "imitation_temperature", "games": "parallel_games", "memory": "gru_units",
                "advised": "residual_policy", "minibatch": "batch_size", "entropy": "entropy_weight",
                "material": "material_reward", "past": "past_share", "pool": "pool_size", "ladder": "opponent_share",
                "random_layouts": "random_layout_share", "placement": "placement_share",
                "placement_rate": "learning_rate_placement", "placement_entropy": "entropy_weight_placement",
                "practice": "practice_moves", "first": "initial_weights", "rungs": "test_opponents",
            },
            added={
                "features": False, "magnet_weight": 0.0, "magnet_rate": 0.02, "learned_part": 1.0,
                "take_back_cost": 0.0, "prior": 0.0, "lstm_units": 0, "win_draw_loss": False,
            },
        ),
    },
    views={"luzhanqi": Entry(f"{_HERE}.views:VIEW", "a board of roads and railways")},
    scenes={"luzhanqi": Entry(f"{_HERE}.scene.scene:SCENES", "two armies on roads and railways")},
    environments={"apprenti/Luzhanqi-v0": (f"{_HERE}.envs.sides:LuzhanqiEnv",)},
    all_players={"luzhanqi_v0": f"{_HERE}.envs.sides"},
    kinds={
        "match/exploit": Entry(f"{_HERE}.kinds.match:Exploit", "what knowing an agent's layouts is worth"),
        "match/best-response": Entry(f"{_HERE}.kinds.match:BestResponse", "what best responses to networks win"),
        "training/rates": Entry(f"{_HERE}.kinds.training:Rates", "the actor-critic with one option changed at a time"),
    },
    pictures={"layouts": Entry(f"{_HERE}.lab.layouts:draw_layouts", "layouts")},
    at_a_terminal={"luzhanqi": Entry(f"{_HERE}.cli.setup:EXTRAS", "a person's army")},
    commands={
        "exploit": Command(f"{_HERE}.cli.exploit", "what somebody wins who knows the habits of an agent of luzhanqi"),
        "engine": Command(f"{_HERE}.cli.engine", "an agent of luzhanqi as an engine that other programs can use"),
        "referee": Command(f"{_HERE}.cli.referee", "two engines of luzhanqi, ours or any other program"),
    },
    bench=(f"{_HERE}.bench:figures",),
    experiments=f"{_HERE}.experiments",
    zoo=f"{_HERE}.zoo",
    page=f"{_HERE}.scene",
    french=_HERE,
)  # fmt: skip
