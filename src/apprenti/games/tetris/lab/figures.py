"""The figures that explain Tetris and the genetic algorithm, each from data of a real game, population or network."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from apprenti.core.errors import BadAgent, BadOption, UnknownName
from apprenti.core.protocols import AnyAgent
from apprenti.core.seeds import Stream, below
from apprenti.games.tetris.agents.network import NetworkAgent
from apprenti.games.tetris.agents.q_network import QNetworkAgent
from apprenti.games.tetris.game import GAME
from apprenti.games.tetris.learn import genetic_algorithm as ga
from apprenti.games.tetris.placement import Placement
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import State
from apprenti.games.tetris.views import figures as genetics
from apprenti.games.tetris.views.figures import Layer, Step, board_steps, network
from apprenti.lab.agents import find_own
from apprenti.lab.kinds.runs import learner_of
from apprenti.store.runs import find_run

LONGEST = 200
"""Pieces in which a line is removed for sure by a player of any skill."""


@dataclass(frozen=True)
class Source:
    """Where the data of a figure comes from."""

    agent: str = ""
    run: str = ""
    """A run of the genetic algorithm, whose population is taken; without one, a small one is bred."""
    seed: int = 1


Draw = Callable[[Source, Path], None]


# The game -------------------------------------------------------------------------------------------------------------


def draw_drop(source: Source, path: Path) -> None:
    """A piece falls, comes to rest, and full lines are removed: from a game of an agent."""
    known = find_own(source.agent or "dellacherie", GAME)
    rules = GAME.rules(known.rules, size="10x10")
    known.check(GAME, rules)
    state, placement = line_removed(known.agent, rules, source.seed)
    rested = state.board.with_cells(placement.cells, placement.piece)
    after = state.play(placement)
    empty = list(state.board.rows)
    falling = _with(empty, [(row + len(empty) - placement.top, column) for row, column in placement.cells], placement)
    full = rested.full_rows
    steps = [
        Step(f"piece {placement.piece} is dealt:\n{placement} is chosen", falling, shadow=placement.cells),
        Step("it falls straight down\nand comes to rest", rested.rows),
        Step(f"full: row {', '.join(map(str, full))}", rested.rows, full),
        Step(f"removed: {len(full)};\nwhat is above comes down", after.board.rows),
    ]
    name, seed = known.name, source.seed
    board_steps(steps, f"A drop, piece {state.tally.pieces + 1} of a game of {name} (seed {seed})", path)


def line_removed(agent: AnyAgent, rules: Rules, seed: int) -> tuple[State, Placement]:
    """The first position of a game, once something lies on the board, in which a placement removes a line."""
    rng = Stream.named(seed, "drop")
    state = GAME.start(rules, rng)
    for _ in range(LONGEST):
        state = state.deal(rng)
        if state.outcome:
            break
        move = agent.choose(state.observation(), state.legal_moves(), rng)
        later = state.play(move)
        if isinstance(move, Placement) and later.tally.lines > state.tally.lines:
            return state, move
        if later.outcome:
            break
        state = later
    raise BadAgent("this agent removed no line in its game: choose another one, or another --seed.")


def _with(rows: Sequence[str], cells: Sequence[tuple[int, int]], placement: Placement) -> list[str]:
    """Rows with a piece in the air."""
    drawn = [list(row) for row in rows]
    for row, column in cells:
        drawn[row][column] = placement.piece
    return ["".join(row) for row in drawn]


# The genetic algorithm ------------------------------------------------------------------------------------------------


def bred(source: Source, encoding: str) -> ga.GeneticAlgorithm:
    """The learner of a run, or a small one after three generations."""
    if source.run:
        run = find_run(source.run)
        if run.about()["method"] != "ga":
            raise BadOption(f"--run is a run of the genetic algorithm (apprenti train ga), and {run.name} is not.")
        learner: ga.GeneticAlgorithm = learner_of(run)
        if not learner.population:
            raise BadOption(f"run {run.name} has no generation yet.")
        return learner
    config = ga.GeneticConfig(
        population=12, iterations=3, games=2, max_pieces=60, nb_bits=8, percentage_for_tournament=0.4,
        vector_encoding=encoding, seed=source.seed, size="10x10",
    )  # fmt: skip
    learner = ga.GeneticAlgorithm(config)
    while not learner.done:
        learner.step()
    return learner


def _about(learner: ga.GeneticAlgorithm, source: Source) -> str:
    whose = f"run {source.run}" if source.run else f"a small population (seed {source.seed})"
    return f"generation {learner.iteration - 1} of {whose}"


def draw_roulette(source: Source, path: Path) -> None:
    """Two parents by the wheel."""
    learner, rng = bred(source, "float"), Stream.named(source.seed, "roulette")
    population = learner.population[:20]
    drawn = [Stream(rng.state).random()]
    parents = [ga.wheel(population, rng)]
    drawn.append(Stream(rng.state).random())
    parents.append(ga.wheel(population, rng))
    chosen = [population.index(parent) for parent in parents]
    words = f"Roulette: parents {chosen[0] + 1} and {chosen[1] + 1} of {_about(learner, source)}"
    genetics.roulette([one.fitness for one in population], drawn, chosen, words, path)


def draw_tournament(source: Source, path: Path) -> None:
    """Two parents by a tournament."""
    learner, rng = bred(source, "float"), Stream.named(source.seed, "tournament")
    population, share = learner.population[:30], learner.config.percentage_for_tournament
    left, again = list(range(len(population))), Stream(rng.state)
    entered = [left.pop(below(again, len(left))) for _ in range(max(2, round(share * len(population))))]
    won = [population.index(parent) for parent in ga.tournament(population, share, rng)]
    assert set(won) <= set(entered), "the same stream draws the same individuals"
    words = f"Tournament: the two best of {len(entered)} drawn, {_about(learner, source)}"
    unit = "points" if learner.config.evaluation_criteria == "scores" else "lines"
    genetics.tournament([one.fitness for one in population], entered, won, unit, words, path)


def draw_crossover(source: Source, path: Path) -> None:
    """Two children of two parents: bits cross over."""
    learner, rng = bred(source, "bin"), Stream.named(source.seed, "crossover")
    mother, father = _two(learner)
    again = Stream(rng.state)
    cuts = [1 + below(again, len(gene)) for gene in mother]
    first, second = ga.crossed_bits(mother, father, rng)
    assert first[0] == ga.cut(mother[0], father[0], cuts[0])[0], "the same stream cuts at the same places"
    ours, theirs = genetics.FIRST, genetics.SECOND
    rows = [
        _bits("mother", mother, [[ours] * len(gene) for gene in mother]),
        _bits("father", father, [[theirs] * len(gene) for gene in father]),
        _bits("first child", first, [[ours] * k + [theirs] * (len(mother[0]) - k) for k in cuts]),
        _bits("second child", second, [[theirs] * k + [ours] * (len(mother[0]) - k) for k in cuts]),
    ]
    notes = [_vector(one) for one in (mother, father, first, second)]
    words = f"Crossover after bits {', '.join(map(str, cuts))}: {_about(learner, source)}"
    genetics.genes(rows, _names(learner), notes, words, path)


def draw_mutation(source: Source, path: Path) -> None:
    """Some bits of a vector are turned over."""
    learner, rng = bred(source, "bin"), Stream.named(source.seed, "mutation")
    before, _ = _two(learner)
    share = max(0.1, learner.config.proba_mutation)
    after = before
    while after == before:
        after = ga.mutated_bits(before, share, rng)
    colours = [
        [genetics.CHANGED if a != b else "white" for a, b in zip(*pair, strict=True)]
        for pair in zip(before, after, strict=True)
    ]
    white = [["white"] * len(gene) for gene in before]
    rows = [_bits("before", before, white), _bits("after", after, colours)]
    words = f"Mutation, each bit with probability {share:g}: {_about(learner, source)}"
    genetics.genes(rows, _names(learner), [_vector(before), _vector(after)], words, path)


def _two(learner: ga.GeneticAlgorithm) -> tuple[Any, Any]:
    """The two best individuals that differ."""
    genomes = list(dict.fromkeys(one.genome for one in learner.population))
    if learner.config.vector_encoding != "bin":
        raise BadOption("this figure shows bits: give a run made with --vector-encoding bin.")
    if len(genomes) < 2:
        raise BadOption("all individuals of this run are the same: give another one.")
    return genomes[0], genomes[1]


def _names(learner: ga.GeneticAlgorithm) -> list[str]:
    return [label.replace("_", " ") for label in learner.objective.layout.labels()]


def _bits(name: str, genome: Any, colours: Sequence[Sequence[str]]) -> genetics.Row:
    return name, [list(map(str, gene)) for gene in genome], colours


def _vector(genome: Any) -> str:
    return "= (" + ", ".join(f"{value:.3f}" for value in ga.vector_of(genome)) + ")"


# The network ----------------------------------------------------------------------------------------------------------


def draw_network(source: Source, path: Path) -> None:
    """The layers of a trained network and its weights."""
    known = find_own(source.agent or "dqn-board", GAME)
    network(layers_of(known.agent), f"{known.name}: {known.file.title if known.file else 'a network'}", path)


def layers_of(agent: AnyAgent) -> list[Layer]:
    """The layers of an agent's network, from what it sees to what it says."""
    if isinstance(agent, NetworkAgent):
        return _of_criteria(agent) if agent.inputs == "criteria" else _of_board(agent)
    if isinstance(agent, QNetworkAgent):
        arrays = agent.arrays()
        chain = [arrays[str(layer)] for layer in range(len(arrays) // 2)]
        return [Layer(len(chain[0]), "cells"), *(Layer(w.shape[1], f"{w.shape[1]} units", w) for w in chain)]
    raise BadAgent("this figure shows a network: give an agent that has one, like dqn-board or dqn-criteria.")


def _of_criteria(agent: NetworkAgent) -> list[Layer]:
    arrays = agent.arrays()
    names = [name.replace("_", " ") for name in agent.criteria]
    seen = Layer(len(arrays["linear"]), "criteria of the board", names=names)
    if not len(arrays["second"]):
        return [seen, Layer(1, "value: a weighted sum", np.asarray(arrays["linear"])[:, None])]
    return [seen, Layer(len(arrays["second"]), "rectified units", arrays["first"]), _value(arrays["second"])]


def _of_board(agent: NetworkAgent) -> list[Layer]:
    """The first kind of window, and what is made of the sums."""
    arrays, window = agent.arrays(), agent.windows.split(",")[0]
    first, second = arrays["0.first"], arrays["0.second"]
    return [
        Layer(len(first), f"cells of a window,\n{window}"),
        Layer(first.shape[1], "rectified\nunits", first),
        Layer(second.shape[1], "what a window\nsays", second),
        Layer(len(arrays["first"]), "sums over\nthe board"),
        Layer(arrays["first"].shape[1], "rectified\nunits", arrays["first"]),
        _value(arrays["second"]),
    ]


def _value(weights: Any) -> Layer:
    return Layer(1, "value", np.asarray(weights)[:, None])


FIGURES: dict[str, tuple[str, Draw]] = {
    "drop": ("a piece falls and full lines are removed, step by step", draw_drop),
    "roulette": ("parents are drawn in proportion to their fitness", draw_roulette),
    "tournament": ("parents are the two best of some drawn at random", draw_tournament),
    "crossover": ("two vectors of bits cross over", draw_crossover),
    "mutation": ("bits of a vector are turned over", draw_mutation),
    "network": ("the layers and weights of a trained network", draw_network),
}


def draw(name: str, source: Source, paths: Sequence[Path]) -> None:
    """Draw a figure into files."""
    if name not in FIGURES:
        raise UnknownName("figure", name, FIGURES)
    for path in paths:
        FIGURES[name][1](source, path)
