"""Train: the one place where a learner, its run folder and its display come together."""

import platform
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any

from apprenti import __version__
from apprenti.core.data import JsonData, check
from apprenti.core.errors import ApprentiError, BadFile, BadOption, bounded, printable
from apprenti.core.game import AnyGame
from apprenti.core.plugins import GAMES
from apprenti.core.protocols import AnyMove, AnyObservation, HasArrays, Storable
from apprenti.lab.agents import NamedAgent, find, from_file, zoo
from apprenti.lab.kinds.fields import read
from apprenti.lab.session import Session
from apprenti.learn.learner import BeginsAs, HasPlayers, Learner, LearnerConfig, PlaysAgainst
from apprenti.learn.methods import FROM_GAMES, METHODS, config_class, learner_class, renamed
from apprenti.store.agentfile import AgentFile, write_agent
from apprenti.store.runs import ROOT, Checkpoint, Run, RunAbout, check_name, fresh_run

CURVE_EVERY = 20.0
"""Seconds between two pictures of the curve."""
LARGEST_PAST = 4_000_000
"""Bytes of an agent that is stored for past generations too."""


@dataclass(frozen=True)
class Progress:
    """A run at one moment."""

    run: Run
    method: str
    done: int
    steps: int
    seconds: float
    history: list[dict[str, float]]


OnProgress = Callable[[Progress], None]


def versions(method: str = "") -> dict[str, str]:
    """What a result may depend on."""
    deep = method in METHODS and ".learn.deep." in METHODS[method].where
    names = ("numpy", "numba", "scipy", "cmaes", *(("torch",) if deep else ()))
    parts = {name: version(name) for name in names}
    return {"apprenti": __version__, "python": platform.python_version(), **parts}


def build_config(method: str, stored: JsonData) -> LearnerConfig:
    """The options in a run folder; those of another version are named."""
    cls = config_class(method)
    stored = renamed(method, stored)
    known = {field.name for field in fields(cls)}
    if set(stored) != known:
        more, less = sorted(set(stored) - known), sorted(known - set(stored))
        parts = [f"{what} {', '.join(names)}" for what, names in (("unknown:", more), ("missing:", less)) if names]
        text = "; ".join(parts)
        raise BadFile(f"this run was made with other options than {method} has now ({text}): start it anew.")
    config: LearnerConfig = read(cls, stored, f"the options of this run of {method}")
    return config


def build_learner(method: str, stored: JsonData) -> Learner[LearnerConfig]:
    """A learner from the options in a run folder."""
    learner: Learner[LearnerConfig] = learner_class(method)(build_config(method, stored))
    return learner


def train(method: str, config: Any, name: str = "", root: Path = ROOT, watch: OnProgress | None = None) -> Run:
    """Begin a run and go on to its end."""
    learner, taken = prepared(method, config)  # refuses impossible options before a folder is made
    if name in zoo():
        raise BadOption(f"--name {name} is an agent of the zoo: choose another, or it would be taken for that one.")
    run = Run(root / check_name(name)) if name else fresh_run(method, root)
    _begin(run, method, learner, taken, watch)
    return run


def train_in(run: Run, method: str, config: Any, watch: OnProgress | None = None) -> None:
    """Begin a run in a folder that may be anywhere, and go on to its end."""
    _begin(run, method, *prepared(method, config), watch)


def prepared(method: str, config: Any) -> tuple[Learner[LearnerConfig], bool]:
    """A learner before its first step, and whether it has taken something from another agent."""
    learner: Learner[LearnerConfig] = learner_class(method)(config)
    return learner, begin(learner)


def _begin(run: Run, method: str, learner: Learner[LearnerConfig], taken: bool, watch: OnProgress | None) -> None:
    config = asdict(learner.config)
    with run.locked():
        run.begin(method, config, versions(method))
        if taken:
            run.keep(checkpoint_of(learner, 0.0, config))
        go_on(run, run.about(), learner, 0.0, watch)


def agents_named(config: LearnerConfig) -> dict[str, str]:
    """The agents that a learner plays against or begins as, by the options that name them; none for an empty text."""
    names = {"against": getattr(config, "against", ""), "initial_weights": getattr(config, "begins_as", "")}
    return {option: name for option, name in names.items() if name}


def begin(learner: Learner[LearnerConfig]) -> bool:
    """Whether a learner that has not made a step has taken something from the agents that its options name.

    What it takes is in its first checkpoint: the run does not look for these agents again.
    """
    agents = agents_named(learner.config)
    rival, first = agents.get("against"), agents.get("initial_weights")
    if rival and isinstance(learner, PlaysAgainst):
        learner.play_against(find(rival, GAMES.load(learner.game)).agent)
    if first and isinstance(learner, BeginsAs):
        known = find(first, GAMES.load(learner.game))
        if not isinstance(known.agent, HasArrays):
            raise BadOption(f"--initial-weights: {known.name} has learned nothing that a network could begin with.")
        learner.begin_as(known.agent.arrays())
    return bool(agents)


def checkpoint_of(learner: Learner[LearnerConfig], seconds: float, config: JsonData) -> Checkpoint:
    """All that its next step depends on."""
    return Checkpoint(learner.steps[0], dict(learner.state()), seconds, config)


def resume(
    run: Run, watch: OnProgress | None = None, say: Callable[[str], None] = lambda _: None, iterations: int = 0
) -> Run:
    """Go on with a run from its newest checkpoint, to the bit as if nothing had happened.

    With `iterations` it has that many in all from now on, if its learner allows that. What is said quotes the run's
    files: it is printable and has an end.
    """

    def tell(words: str) -> None:
        say(bounded(words))

    about = run.about()
    with run.locked():
        if iterations:
            about["config"] = {**renamed(about["method"], about["config"]), "iterations": iterations}
        learner = build_learner(about["method"], about["config"])
        about["config"] = renamed(about["method"], about["config"])
        for what, now in versions(about["method"]).items():
            began = about["versions"].get(what, now)
            if began != now:
                tell(f"this run began with {what} {began}, now it is {now}: the rest may differ.")
        checkpoint = run.take_up()
        if checkpoint:
            _check_longer(checkpoint.generation, iterations)
            _restore(learner, checkpoint, about, tell)
            save_agent(run, about, learner)  # the process may have ended just before it could
        elif begin(learner):
            run.keep(checkpoint_of(learner, 0.0, about["config"]))
        if iterations:
            run.describe(about)
        run.trim_metrics(checkpoint.generation if checkpoint else 0)
        go_on(run, about, learner, checkpoint.seconds if checkpoint else 0.0, watch)
    return run


def _check_longer(done: int, iterations: int) -> None:
    """Refuse to end a run before the step it has come to."""
    if 0 < iterations < done:
        raise BadOption(f"--iterations are all of the run, and it has done {done}: name more, not {iterations}.")


def _restore(
    learner: Learner[LearnerConfig], checkpoint: Checkpoint, about: RunAbout, say: Callable[[str], None]
) -> None:
    """Go on from a checkpoint, if it was made with these options; say what is different."""
    if checkpoint.warning:
        say(checkpoint.warning)
    config, began = about["config"], renamed(about["method"], checkpoint.config)
    changed = {name: then for name, then in began.items() if config.get(name) != then}
    text = ", ".join(f"{name} was {then!r} and is {config.get(name)!r}" for name, then in changed.items())
    if not set(changed) <= learner.config.may_change:
        raise BadFile(f"options were changed after generation {checkpoint.generation} ({text}): put them back.")
    if changed:
        say(f"options were changed after generation {checkpoint.generation}: {text}.")
    check(learner.shape(), checkpoint.state, f"the checkpoint after generation {checkpoint.generation}")
    restored(learner, checkpoint.state)
    if learner.steps[0] != checkpoint.generation:
        raise BadFile(f"the checkpoint says generation {checkpoint.generation}, its state {learner.steps[0]}.")


def restored(learner: Learner[LearnerConfig], state: JsonData) -> None:
    """Give a learner a state of the shape it declares; BadFile for one whose parts do not fit together."""
    try:
        learner.restore(state)
    except (LookupError, TypeError, ValueError, ArithmeticError, RuntimeError, ApprentiError) as error:
        reason = str(error).removesuffix(".") if isinstance(error, ApprentiError) else repr(error)
        raise BadFile(f"the checkpoint is not one of this learner ({reason}): start the run anew.") from None


def go_on(run: Run, about: RunAbout, learner: Learner[LearnerConfig], spent: float, watch: OnProgress | None) -> None:
    """Step until done; every step is kept before the next begins."""
    learner.warm_up()
    history = run.metrics()
    began, drawn = perf_counter() - spent, perf_counter()
    while not learner.done:
        metrics = learner.step()
        seconds = perf_counter() - began
        history.append({**metrics, "seconds": round(seconds, 3)})
        run.save(checkpoint_of(learner, seconds, about["config"]), history[-1])
        save_agent(run, about, learner)
        if watch:
            watch(Progress(run, about["method"], *learner.steps, seconds, history))
        if perf_counter() - drawn > CURVE_EVERY:
            drawn = perf_counter()
            draw_curve(run)
    draw_curve(run)


def save_agent(run: Run, about: RunAbout, learner: Learner[LearnerConfig]) -> None:
    """Write the agent so far, now and then as one of the past too, and where several players learn, each of them."""
    method, config = about["method"], about["config"]
    source = f"learned by {METHODS[method].about}, run {run.name}, generation {learner.steps[0]}, seed {config['seed']}"

    def save(agent: Storable, name: str, path: Path) -> None:
        kind, options = agent.describe()
        arrays = agent.arrays() if isinstance(agent, HasArrays) else {}
        title = f"{method} run {name}"
        write_agent(path, AgentFile(name, title, learner.game, kind, options, learner.made_for, source, arrays=arrays))

    agent, now = learner.agent(), learner.steps[0]
    save(agent, run.name, run.agent_path)
    if now and run.keeps_past(now) and _size(agent) <= LARGEST_PAST:
        save(agent, f"{run.name}@{now}", run.past_path(now))
        run.thin_past(now)
    for name, agent in learner.players().items() if isinstance(learner, HasPlayers) else ():
        save(agent, f"{run.name}/{name}", run.player_path(name))


def _size(agent: Storable) -> int:
    """Bytes of what is large in an agent."""
    return sum(array.nbytes for array in agent.arrays().values()) if isinstance(agent, HasArrays) else 0


def draw_curve(run: Run) -> None:
    """Draw the curve of a run so far."""
    from apprenti.views.plots import learning_curve

    rows = run.metrics()
    if rows:
        learning_curve(rows, f"run {run.name}", run.folder / "curve.png")


FOLDER = Path("learned")
"""Beside the folder of runs. The zoo and the runs stay as they are."""
PEOPLE = "; then from games with people"


def learned_path(name: str) -> Path:
    """Where what an agent has learned from people is."""
    return FOLDER / f"{printable(name).replace('/', '-')}.json"


def learning(named: NamedAgent) -> NamedAgent:
    """The agent as its last game with people has left it; BadOption if it is none that learns from games."""
    if not isinstance(named.agent, Storable) or named.agent.describe()[0] not in FROM_GAMES:
        raise BadOption(f"--learn is for agents with a table, like sarsa-tictactoe, and {named.name} has none.")
    path = learned_path(named.name)
    return replace(from_file(path), game=named.game) if path.exists() else named


def after(named: NamedAgent, session: Session, side: int) -> NamedAgent:
    """The agent after a game in which it had a side; it is stored. A game that was left early teaches nothing."""
    if session.outcome is None or not isinstance(named.agent, Storable):
        return named
    learn = FROM_GAMES.load(named.agent.describe()[0])
    agent = learn(named.agent, decisions(session.game, session, side), session.outcome.scores[side])
    _store(named, agent)
    return replace(named, agent=agent)


def decisions(game: AnyGame, session: Session, side: int) -> list[tuple[AnyObservation, AnyMove]]:
    """What a side knew at each of its moves, and the move; from the record, for agents remember nothing."""
    state, pairs = game.reopen(session.rules, session.opening), []
    for text in session.moves:
        move = game.read_move(state, text)
        if state.turn == side:
            pairs.append((state.observation(side), move))
        state = state.play(move)
    return pairs


def _store(named: NamedAgent, agent: Storable) -> None:
    kind, options = agent.describe()
    arrays = agent.arrays() if isinstance(agent, HasArrays) else {}
    before = named.file.source if named.file else named.name
    source, title = before.removesuffix(PEOPLE) + PEOPLE, named.file.title if named.file else named.name
    rules = named.game.rules_to_json(named.rules)
    path = learned_path(named.name)
    path.parent.mkdir(exist_ok=True)
    write_agent(path, AgentFile(named.name, title, named.game.family, kind, options, rules, source, arrays=arrays))
