"""The learners by their names on the command line; each is loaded only when it is used."""

from dataclasses import fields
from typing import Any

from apprenti.core.errors import BadFile, BadOption
from apprenti.core.options import check_types
from apprenti.core.plugins import Method, Registry, load

METHODS: Registry[Any] = Registry(
    "method",
    "learners",
    {
        "tabular": Method(
            "apprenti.learn.tabular_q_learning:TabularQLearning",
            "Q-learning by self-play with a table, for any game (Watkins 1989)",
            minute={"iterations": 20, "episodes": 500},
        ),
    },
)

FROM_GAMES: Registry[Any] = Registry("agent that learns from games", "from_games")
"""For each kind of agent a function of an agent, its decisions in a game (observation and move) and its score, 1, ½ or
0. It returns the agent that has learned from that game; the one that played stays as it was."""


def learner_class(method: str) -> Any:
    """The class of a method; MissingExtra if it needs one that is not installed."""
    return METHODS.load(method)


def config_class(method: str) -> Any:
    """The class of the options of a method, which is its command line; nothing heavy is loaded for it."""
    where = getattr(METHODS.get(method), "config", "")
    return load(where) if where else learner_class(method).Config


MOST = 10**9
"""Larger than any whole number has to be."""
HUGE = 1e12
"""Larger than any option has to be."""


def _refuse_unless(fits: bool, config: object, name: str, wanted: str) -> None:
    if not fits:
        raise BadOption(f"--{name.replace('_', '-')} {wanted}, not {getattr(config, name)!r}.")


def within_limits(config: object) -> None:
    """Refuse values of another type, and whole numbers that no run could have use of; a seed may be any."""
    check_types(type(config), vars(config))
    for one in fields(config):  # type: ignore[arg-type]
        value = getattr(config, one.name)
        numbers = value if isinstance(value, tuple) else (value,)
        large = any(isinstance(number, int) and abs(number) > MOST for number in numbers)
        _refuse_unless(one.name == "seed" or not large, config, one.name, f"is at most {MOST}")
        _refuse_unless(not isinstance(value, str) or _is_text(value), config, one.name, "is text")


def _is_text(value: str) -> bool:
    """Whether it can be stored: what is typed in another encoding than the system's is no text."""
    return not any("\ud800" <= character <= "\udfff" for character in value)


def positive(config: object, *names: str) -> None:
    """Refuse options that must be at least 1."""
    for name in names:
        _refuse_unless(getattr(config, name) >= 1, config, name, "must be at least 1")


def above_0(config: object, *names: str) -> None:
    """Refuse options that must be above 0."""
    for name in names:
        _refuse_unless(0 < getattr(config, name) <= HUGE, config, name, "must be above 0")


def at_least_0(config: object, *names: str) -> None:
    """Refuse options below 0, and numbers that nothing can be computed with."""
    for name in names:
        _refuse_unless(0 <= getattr(config, name) <= HUGE, config, name, f"must be from 0 to {HUGE:g}")


def finite(config: object, *names: str) -> None:
    """Refuse numbers that nothing can be computed with, whatever their sign."""
    for name in names:
        _refuse_unless(abs(getattr(config, name)) <= HUGE, config, name, f"must be a number up to {HUGE:g}")


def share(config: object, *names: str) -> None:
    """Refuse options that must be between 0 and 1."""
    for name in names:
        _refuse_unless(0 <= getattr(config, name) <= 1, config, name, "must be between 0 and 1")


_WORDS: dict[type[object], dict[str, tuple[object, ...]]] = {}
"""The words that options take, as far as they were checked."""


def one_of(config: object, name: str, *known: object) -> None:
    """Refuse what is none of the words an option takes."""
    _WORDS.setdefault(type(config), {})[name] = known
    listed = f"{', '.join(map(str, known[:-1]))} or {known[-1]}"
    _refuse_unless(getattr(config, name) in known, config, name, f"is {listed}")


def allowed(config: type[object]) -> dict[str, tuple[object, ...]]:
    """For options that take certain words only: these words."""
    config()  # it checks itself, and so says what it takes
    return _WORDS.get(config, {})


_REPORT = "population_size:population nb_games:games max_blocks:max_pieces"
_EPSILON = "epsilon_max:epsilon epsilon_min:epsilon_end epsilon_delta:epsilon_decay"
_TABLE = {
    "ga": f"{_REPORT} nb_generations:iterations first:",
    "ce": "first:initial_weights",
    "cma": "generations:iterations most_games:max_games first:initial_weights",
    "sarsa": "discount:gamma learning_schedule:learning_rate_schedule win:win_reward loss:loss_reward "
    "draw_first:draw_reward_first draw_second:draw_reward_second initial:initial_value most_entries:max_entries",
    "lambda-pi": "games:episodes first:initial_weights",
    "lspi": "games:test_games first:initial_weights",
    "avi": "games:episodes first:initial_weights",
    "q-learning": f"{_EPSILON} alpha:learning_rate clip:max_difference max_blocks:max_pieces moves:form",
    "dqn": f"{_EPSILON} generations:iterations rounds:moves games:parallel_games sample:batch_size "
    "memory:replay_buffer fill:replay_start priority_weight:priority_correction period:target_period "
    "steps_ahead:n_step last_gamma:gamma_end last_rate:learning_rate_end clip:max_gradient_norm",
    "actor-critic": "lambda_theta:lam_actor lambda_w:lam_critic alpha_theta:learning_rate_actor "
    "alpha_w:learning_rate_critic twice:softmax_twice",
    "ppo": "imitate:imitation_iterations imitation_rate:learning_rate_imitation softness:imitation_temperature "
    "games:parallel_games memory:gru_units advised:residual_policy minibatch:batch_size entropy:entropy_weight "
    "material:material_reward past:past_share pool:pool_size ladder:opponent_share random_layouts:random_layout_share "
    "placement:placement_share placement_rate:learning_rate_placement placement_entropy:entropy_weight_placement "
    "practice:practice_moves first:initial_weights rungs:test_opponents",
}


def _pairs(text: str) -> dict[str, str]:
    return dict(pair.split(":") for pair in text.split())


FORMER: dict[str, dict[str, str]] = {method: _pairs(text) for method, text in _TABLE.items()}
"""For each method, what its options were called in version 0.1 and are called now; `first` of ga never had a use."""
ALIASES = {"ga": _pairs(f"{_REPORT} nb_games_played:games")}
"""The Tetris Bot report's own names, which its readers may use on the command line."""
COUNTED_FROM_0 = {"ga": {"nb_generations": "iterations"}}
"""The same, of numbers that are one less there: the random generation has the number 0."""


_TETRIS = ("ga", "ce", "cma", "lambda-pi", "lspi", "avi", "q-learning", "dqn")
ADDED: dict[str, dict[str, Any]] = {method: {"gravity_first": False} for method in _TETRIS}
for _method in ("ga", "ce", "cma"):
    ADDED[_method] |= {"measure": "games", "finalists": 0, "final_games": 100, "look": "none"}
ADDED["ga"] |= {"test_games": 0}
ADDED["cma"] |= {"regimes": [], "units": 0}
ADDED["q-learning"] |= {"clock": "episodes", "learning_rate_end": 0.0, "learning_rate_decay": 0.0}
ADDED["ppo"] = {
    "features": False, "magnet_weight": 0.0, "magnet_rate": 0.02, "learned_part": 1.0, "take_back_cost": 0.0,
    "prior": 0.0, "lstm_units": 0, "win_draw_loss": False,
}  # fmt: skip
ADDED["actor-critic"] = {"recurrent": False}
ADDED["cbmpi"] = {"teacher": "rollouts"}
ADDED["lambda-pi"] |= {"random_start": False}
ADDED["sarsa"] = {"report_symmetries": False, "names": ["first", "second"]}
"""For each method the options that older runs did not have, with what they did."""


def renamed(method: str, stored: dict[str, Any]) -> dict[str, Any]:
    """The options of a run folder under the names of today; what has no such name is left as it is."""
    stored = {**ADDED.get(method, {}), **stored}
    names, options = FORMER.get(method, {}), _in_iterations(method, dict(stored))
    found = {name if names.get(name) in options else names.get(name, name): value for name, value in options.items()}
    found.pop("", None)
    return found


def _in_iterations(method: str, options: dict[str, Any]) -> dict[str, Any]:
    """Some learners had a number of games and a way to divide it; now it is iterations of so many episodes each."""
    total, part = {
        "sarsa": ("games", "games_a_step"),
        "actor-critic": ("episodes", "episodes_a_step"),
        "q-learning": ("max_episodes", "generations"),
    }.get(method, ("", ""))
    if not (total in options and part in options):
        return options
    for name in (total, part):
        if type(options[name]) is not int or options[name] < 1:
            raise BadFile(f"{name} of this run is a whole number from 1 on, not {options[name]!r:.40}: put it right.")
    divisor, games = min(options.pop(part), options[total]), options.pop(total)
    quotient, rest = divmod(games, divisor)
    if rest:
        raise BadFile(
            f"this run has {total} {games} and {part} {divisor}, but iterations are equally long now: start it anew."
        )
    episodes, iterations = (quotient, divisor) if part == "generations" else (divisor, quotient)
    return {**options, "iterations": iterations, "episodes": episodes}
