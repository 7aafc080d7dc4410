"""What every learner promises: options that explain themselves, plain states, and ends that no crash can change."""

import ast
import contextlib
import inspect
import itertools
import json
import signal
import subprocess
import sys
import textwrap
from dataclasses import MISSING, FrozenInstanceError, fields, is_dataclass, replace
from time import monotonic

import numpy as np
import pytest

from apprenti.agents.description import build
from apprenti.cli.main import main
from apprenti.core.data import check
from apprenti.core.errors import ApprentiError
from apprenti.core.seeds import Stream, below
from apprenti.games.tetris import Rules
from apprenti.lab.agents import load_agent
from apprenti.lab.train import build_learner, restored, resume, train
from apprenti.learn.methods import METHODS, learner_class
from apprenti.store.agentfile import packed, unpacked
from apprenti.store.runs import Run
from tests.learn.tiny import TETRIS, config, learner, words
from tests.mutations import data_damage

PATIENCE = 60.0
VARIANTS = [
    *((method, {}) for method in METHODS),
    ("ga", {"vector_encoding": "bin", "parents_selection_method": "wheel", "old_generation_policy": "elitism"}),
    ("ga", {"vector_encoding": "bin", "old_generation_policy": "none", "racing": False}),
    ("ce", {"noise": "linear", "racing": False, "test_games": 0}),
    ("cma", {"population": 0, "test_games": 0, "initial_weights": (-1.0, 1.0, -1.0, -1.0, -4.0, -1.0)}),
    ("cma", {"measure": "rare", "games": 1, "max_games": 1, "test_games": 1, "finalists": 2, "final_games": 2}),
    ("ce", {"measure": "rare", "games": 1, "test_games": 1, "finalists": 2, "final_games": 2}),
    ("ga", {"measure": "rare", "games": 1, "max_pieces": 0, "finalists": 2, "final_games": 2}),
    ("sarsa", {"shared": True, "form": "action", "symmetric": False, "epsilon_schedule": "geometric"}),
    ("sarsa", {"size": "4x4x3", "iterations": 4, "episodes": 100, "test_games": 10}),
    ("q-learning", {"backward": False, "state": "apart", "form": "placements", "rules": "simplified"}),
    ("dqn", {"inputs": "criteria", "criteria": "dellacherie", "n_step": 3, "priority": 0.6, "double": True}),
    ("dqn", {"expected": False, "n_step": 2, "updates": 2, "reward": "lines", "loss": "huber"}),
    ("dqn", {"form": "keys", "rules": "tetrisbot", "pieces": "domino", "n_step": 2}),
    ("dqn", {"form": "placements", "priority": 0.6, "reward": "square"}),
    ("actor-critic", {"placement": True, "softmax_twice": True, "capture_reward": 1.0, "initialisation": "xavier"}),
    ("actor-critic", {"recurrent": True, "placement": True}),
    ("ppo", {"lstm_units": 2, "past_share": 0.0, "imitation_iterations": 0, "residual_policy": True, "prior": 0.5}),
    ("ppo", {"gru_units": 3, "past_share": 0.0, "imitation_iterations": 1, "random_layout_share": 1.0}),
    ("ppo", {"rules": "ccgc", "army": "", "imitation_iterations": 0, "past_share": 0.5, "test_games": 0}),
    ("ppo", {"residual_policy": True, "placement_share": 0.5, "practice_moves": 40}),
    ("ppo", {"win_draw_loss": True, "material_reward": 0.0, "imitation_iterations": 1}),
    (
        "ppo",
        {
            "residual_policy": True,
            "features": True,
            "magnet_weight": 0.1,
            "magnet_rate": 0.5,
            "learned_part": 0.5,
            "take_back_cost": 0.1,
            "placement_share": 0.5,
            "practice_moves": 10,
            "practice_players": ("informed",),
            "opponent": "informed",
            "imitation_iterations": 0,
        },
    ),
]
methods = pytest.mark.parametrize("method", METHODS)
tetris_methods = pytest.mark.parametrize("method", TETRIS)
variants = pytest.mark.parametrize(("method", "changes"), VARIANTS)


def through_json(data):
    """What is left of plain data after a journey to the disk and back."""
    return json.loads(json.dumps(data))


def through_disk(state):
    """What is left of a learner's state after such a journey: arrays travel as bytes."""
    rest = through_json({name: value for name, value in state.items() if name != "arrays"})
    return {**rest, **({"arrays": unpacked(packed(state["arrays"]))} if "arrays" in state else {})}


def plain(state):
    """A state that can be compared: plain data, and its arrays as their bytes."""
    found = through_disk(state)
    arrays = {name: (str(array.dtype), array.tobytes()) for name, array in found.pop("arrays", {}).items()}
    return found, arrays


# Options --------------------------------------------------------------------------------------------------------------


def documented(cls):
    """The fields of a class, and of those it builds on, that are followed by a docstring."""
    found = set()
    for part in cls.__mro__[:-1]:
        body = ast.parse(textwrap.dedent(inspect.getsource(part))).body[0].body
        for field, after in itertools.pairwise(body):
            said = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
            if isinstance(field, ast.AnnAssign) and isinstance(said, str) and said.strip():
                found.add(field.target.id)
    return found


@methods
def test_a_config_is_a_frozen_dataclass_with_a_default_and_a_docstring_for_every_field(method):
    cls = learner_class(method).Config
    assert is_dataclass(cls)
    assert {field.name for field in fields(cls)} == documented(cls)
    assert not any(field.default is MISSING and field.default_factory is MISSING for field in fields(cls))
    with pytest.raises(FrozenInstanceError):
        cls().seed = 2


@methods
def test_a_config_says_how_many_steps_there_are_and_what_may_change(method):
    options = config(method)
    assert learner(method).steps == (0, options.steps) == (0, 4)
    assert config(method, iterations=60).steps == 60
    assert "workers" in options.may_change
    assert options.may_change - {"workers"} <= {field.name for field in fields(options)}


@methods
def test_every_option_is_on_the_command_line_with_its_help(method, capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["train", method, "--help"])
    said = capsys.readouterr().out
    for field in fields(learner_class(method).Config):
        name = field.name.replace("_", "-")
        assert f"--no-{name}" in said if field.default is True else f"--{name}" in said


@methods
def test_the_config_of_a_run_folder_makes_the_same_learner(method):
    options = config(method, seed=5)
    made = build_learner(method, through_json(options.__dict__))
    assert made.config == options


@methods
def test_a_learner_has_all_the_words_of_the_protocol(method):
    made = learner(method)
    total = 4
    assert (made.done, made.steps) == (False, (0, total))
    made.warm_up()
    row = made.step()
    assert {"generation", "games", *(("best", "mean") if made.game == "tetris" else ())} <= set(row)
    assert through_json(row) == row
    assert (made.done, made.steps) == (False, (1, total))
    rows = [row]
    while not made.done:
        rows.append(made.step())
    assert made.steps == (total, total) == (rows[-1]["generation"], total)
    bounded = [(row, name.removesuffix("_low")) for row in rows for name in row if name.endswith("_low")]
    assert bounded or method == "sarsa", "no score of fresh games with its interval"  # SARSA knows its own exactly
    assert all(row[f"{name}_low"] <= row[name] <= row[f"{name}_high"] for row, name in bounded)


@methods
def test_there_is_an_agent_before_the_first_step_and_after_any(method):
    made = learner(method)
    for _ in range(2):
        agent = made.agent()
        kind, options = agent.describe()
        assert build(kind, through_json(options), agent.arrays() if hasattr(agent, "arrays") else None) == agent
        made.step()


@tetris_methods
def test_an_agent_for_tetris_has_a_weight_for_each_criterion_and_a_compiled_form(method):
    made = learner(method)
    for _ in range(2):
        agent = made.agent()
        rules = Rules.preset("simplified", "10x6") if hasattr(made, "objective") else made.rules
        if hasattr(made, "objective"):
            assert set(agent.weights) == set(made.objective.layout.names)
        assert agent.compiled(rules) is not None
        made.step()


# State ----------------------------------------------------------------------------------------------------------------


@variants
def test_n_steps_are_k_steps_a_state_on_disk_and_the_rest_to_the_bit(method, changes):
    whole = learner(method, **changes)
    states, rows = [through_disk(whole.state())], []
    while not whole.done:
        rows.append(whole.step())
        states.append(through_disk(whole.state()))
    for k, state in enumerate(states):
        restored = learner(method, **changes)
        restored.restore(state)
        assert plain(restored.state()) == plain(state)
        assert restored.steps == (k, len(rows))
        assert [restored.step() for _ in rows[k:]] == rows[k:]
        assert plain(restored.state()) == plain(states[-1])
        assert restored.agent() == whole.agent()


@variants
def test_every_state_has_the_shape_that_its_learner_declares(method, changes):
    made = learner(method, **changes)
    for _ in range(3):
        check(learner(method, **changes).shape(), through_disk(made.state()), "the state")
        made.step()


def damaged_ends(method, cases, seed=2026):
    """What comes of a learner that is given damaged states: those that end in anything but a sentence of ours."""
    rng, failures = np.random.default_rng(seed), []
    made = learner(method)
    made.step()
    state = through_disk(made.state())
    for case in range(cases):
        found, going_on = data_damage(state, rng), learner(method)
        try:
            check(going_on.shape(), found, "the state")
            restored(going_on, found)
            going_on.step()
        except ApprentiError:
            continue
        except Exception as error:
            failures.append((method, case, repr(error)))
    return failures


@methods
def test_a_damaged_state_with_a_good_digest_is_refused_in_one_sentence_or_goes_on(method):
    assert damaged_ends(method, 12) == []


@pytest.mark.parametrize(("method", "name"), [("ce", "variance"), ("cbmpi", "value"), ("lspi", "vector")])
def test_a_whole_number_beyond_64_bits_in_a_state_is_computed_with_like_any_other(method, name):
    made = learner(method)
    state = through_disk(made.state())
    state[name][0] = 2**70
    restored(made, state)
    found = made.state()[name][0]
    assert type(found) is float and found == 2.0**70


@methods
def test_a_damaged_checkpoint_is_refused_by_resume(method, tmp_path):
    run = train(method, config(method, iterations=2), "one", tmp_path)
    checkpoint = run.load()
    spoilt = {**checkpoint.state, next(iter(checkpoint.state)): "x"}
    run.save(replace(checkpoint, state=spoilt), {"generation": 2, "seconds": 1.0})
    with pytest.raises(ApprentiError, match=r"is not what it should be: \w+ is .*\.$"):
        resume(run)


@methods
def test_a_state_does_not_change_when_its_learner_goes_on(method):
    made = learner(method)
    made.step()
    state = made.state()
    before = plain(state)
    made.step()
    assert plain(state) == before


@tetris_methods
def test_what_is_learned_does_not_depend_on_the_number_of_workers(method):
    found = []
    for workers in (1, 2, 3):
        made = learner(method, workers=workers)
        found.append(([made.step() for _ in range(4)], plain(made.state())))
    assert found[0] == found[1] == found[2]


# Runs -----------------------------------------------------------------------------------------------------------------


def outcome(run):
    """All that a run has come to, but for the time it took."""
    checkpoint = run.load()
    rows = [{name: value for name, value in row.items() if name != "seconds"} for row in run.metrics()]
    return run.agent_path.read_text(), plain(checkpoint.state), checkpoint.generation, rows


@methods
def test_a_run_is_what_its_learner_does(method, tmp_path):
    run = train(method, config(method), "one", tmp_path)
    made = learner(method)
    rows = [made.step() for _ in range(4)]
    assert outcome(run)[1:] == (plain(made.state()), 4, rows)
    assert load_agent(str(run.folder)) == made.agent()


def ended(process, within):
    """Whether a process ends within some seconds."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(within)
    return process.poll() is not None


def lines_in(path):
    """How many lines there are so far."""
    return path.read_bytes().count(b"\n") if path.exists() else 0


def killed(*arguments, folder, lines, delay):
    """Start the program, kill it when its run has some more lines of metrics and a moment has passed."""
    path, deadline = folder / "runs" / "one" / "metrics.jsonl", monotonic() + PATIENCE
    wanted = lines_in(path) + lines
    process = subprocess.Popen(
        [sys.executable, "-m", "apprenti", *arguments, "--json"],
        cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    while lines_in(path) < wanted and monotonic() < deadline and not ended(process, within=0.001):
        pass
    ended(process, within=delay)
    process.kill()
    return process.wait()


STEPS = dict.fromkeys(("ppo", "best-response", "dqn", "linear-program", "cbmpi"), 12)
"""Of a run that is killed, if a step takes long; the others have 24."""


def wrong_after_kills(method, folder, rng, kills):
    """How often a run was killed until its end; and what came of it, where that is not what one without kills has."""
    steps, count, run = STEPS.get(method, 24), 0, Run(folder / "runs" / "one")
    folder.mkdir()
    arguments = ["train", *words(method, iterations=steps), "--name", "one"]
    while count < kills:
        moment = {"lines": 1 + below(rng, 3), "delay": 0.02 * rng.random()}
        if killed(*arguments, folder=folder, **moment) != -signal.SIGKILL:
            break
        count += 1
        if (run.folder / "run.json").exists():  # else it was killed before it had begun: a busy machine
            arguments = ["resume", "one"]
    begun = (run.folder / "run.json").exists()
    resumed = resume(run) if begun else train(method, config(method, iterations=steps), "one", folder / "runs")
    whole = train(method, config(method, iterations=steps), "one", folder / "whole")
    assert [row["generation"] for row in resumed.metrics()] == list(range(1, steps + 1))
    return count, [(one, other) for one, other in zip(outcome(resumed), outcome(whole), strict=True) if one != other]


@methods
def test_killed_at_a_random_moment_and_resumed_a_run_ends_as_if_nothing_had_happened(method, tmp_path):
    """Once; `make soak PART=deaths` goes on for minutes."""
    rng = Stream.named(2026, "kill", method)
    counts = 0
    for attempt in range(3):  # on a busy machine a run may have ended before it is killed
        count, wrong = wrong_after_kills(method, tmp_path / str(attempt), rng, 1)
        assert wrong == []
        counts += count
        if counts:
            break
    assert counts


def test_transitions_of_which_a_part_is_missing_are_refused():
    made = learner("dqn")
    made.step()
    state = through_disk(made.state())
    del state["arrays"]["memory/scale"]
    with pytest.raises(ApprentiError, match="memory/scale is missing"):
        restored(learner("dqn"), state)
