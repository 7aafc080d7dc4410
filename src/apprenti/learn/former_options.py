"""Options under names they no longer have: in the folders of older runs, and on the command line of the report's."""

from typing import Any

from apprenti.core.errors import BadFile

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
