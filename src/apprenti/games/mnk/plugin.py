"""The m,n,k-games, tic-tac-toe and gomoku among them, as the laboratory finds them."""

from apprenti.core.plugins import Entry, Method, Older, Plugin

_HERE = "apprenti.games.mnk"

PLUGIN = Plugin(
    place=2,
    games={
        "tictactoe": Entry(f"{_HERE}.game:TICTACTOE", "three in a row on 3 by 3"),
        "gomoku": Entry(f"{_HERE}.game:GOMOKU", "five in a row on 15 by 15"),
        "mnk": Entry(f"{_HERE}.game:MNK", "K in a row on any board, like --size 5x5x4"),
    },
    agent_kinds={
        "table": Entry(f"{_HERE}.agents.learned:TableAgent", "a learned table of an m,n,k-game"),
        "perfect": Entry(f"{_HERE}.agents.simple:PerfectAgent", "the perfect player of small m,n,k-games"),
        "one-ply": Entry(f"{_HERE}.agents.simple:OnePlyAgent", "wins if it can, blocks if it must, else any cell"),
        "threats": Entry(f"{_HERE}.agents.threats:ThreatAgent", "alpha-beta and runs of threats, m,n,k-games"),
        "n-tuple": Entry(f"{_HERE}.agents.learned:NTupleAgent", "learned tables over the lines of an m,n,k-board"),
    },
    learners={
        "sarsa": Method(
            f"{_HERE}.learn.sarsa:Sarsa", "SARSA by self-play on m,n,k-games, with tables (Amar 2020)",
            minute={"iterations": 20, "episodes": 500},
        ),
        "n-tuple": Method(
            f"{_HERE}.learn.n_tuple:NTuple", "TD(λ) by self-play on m,n,k-games, tables over lines (Lucas 2008)",
            minute={"iterations": 20, "episodes": 200},
        ),
    },
    older={
        "sarsa": Older(
            names={
                "discount": "gamma", "learning_schedule": "learning_rate_schedule", "win": "win_reward",
                "loss": "loss_reward", "draw_first": "draw_reward_first", "draw_second": "draw_reward_second",
                "initial": "initial_value", "most_entries": "max_entries",
            },
            added={"report_symmetries": False, "names": ["first", "second"]},
            divided=("games", "games_a_step"),
        ),
    },
    small_game="tictactoe",
    from_games={"table": Entry(f"{_HERE}.learn.sarsa:learned", "a table goes on with SARSA")},
    views={"mnk": Entry(f"{_HERE}.views.view:VIEW", "a board of marks")},
    scenes={"mnk": Entry(f"{_HERE}.scene.scene:SCENES", "a board of marks")},
    kinds={
        "training/unbeatable": Entry(f"{_HERE}.kinds.training:Unbeatable", "SARSA's games until no opponent can win"),
        "training/boards": Entry(f"{_HERE}.kinds.training:Boards", "SARSA on boards of several sizes"),
    },
    exercises=(f"{_HERE}.exercises:EXERCISES",),
    experiments=f"{_HERE}.experiments",
    zoo=f"{_HERE}.zoo",
    page=f"{_HERE}.scene",
    french=_HERE,
)  # fmt: skip
