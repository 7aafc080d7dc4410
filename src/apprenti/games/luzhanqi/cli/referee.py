"""`apprenti referee A B`: two engines play, and all they said can be logged."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Annotated

import tyro

from apprenti.cli.options import Text, check_writable
from apprenti.cli.progress import progress
from apprenti.cli.screen import leaving_tidily
from apprenti.cli.tables import result_in_words
from apprenti.core.errors import BadFile, BadOption, printable
from apprenti.core.machine import in_words
from apprenti.games.luzhanqi.agents.engine.referee import Limits, Log
from apprenti.games.luzhanqi.lab.engine_match import EngineMatch, contender, play_match
from apprenti.lab.results import Effort
from apprenti.store.replay import write_replay

LONGEST_LOG = 10**8
"""Characters after which nothing more is written down, whatever an engine complains of."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """Let two engines play Luzhanqi: agents of ours by name, or any program that speaks the protocol.

    A program is a command line in quotes, or follows engine: if it is a single word, like engine:./mine. Each engine is
    started anew for every game, and they move first in turn. Who is out of time, ends, sets up or moves against the
    rules, or says anything else than it was asked for, loses the game. docs/luzhanqi-engines.md has the protocol.
    """

    engines: Annotated[tuple[str, ...], tyro.conf.Positional, tyro.conf.arg(metavar="A B", help_behavior_hint="")]
    """Two engines: names from the zoo (apprenti agents), files, or command lines."""
    games: int = 2
    """How many games."""
    time: int = 1800
    """Seconds each engine has for all its moves of a game; they are told."""
    move_time: float = 60.0
    """Seconds it has for one move; the protocol does not tell them."""
    start_time: float = 60.0
    """Seconds it has to say its name, and again to set up."""
    rules: Text = ""
    """A set of rules by name: ccgc (default), western, casual, training."""
    seed: int = 1
    """Agents of ours get their chance in game i from this and i alone."""
    log: Text = ""
    """Write all that was said to this text file, line by line while it is said."""
    record: Text = ""
    """Store every game as a replay in this folder."""
    json: bool = False
    """Print one JSON object and nothing else."""


def run(options: Options) -> int:
    """Let them play, and report."""
    from apprenti.games.luzhanqi.game import GAME

    if len(options.engines) != 2:
        raise BadOption(f"a referee needs two engines, not {len(options.engines)}: put a command line into quotes.")
    rules = GAME.rules(rules=options.rules)
    pair = [contender(text, rules) for text in options.engines]
    limits = Limits(options.time, options.move_time, options.start_time)
    effort = Effort(options.games, options.seed, 1)
    if options.record:
        check_writable(Path(options.record))
    title = printable(f"{pair[0].name} against {pair[1].name}")

    def watch(so_far: EngineMatch) -> None:
        report(len(so_far.games) / effort.games, result_in_words(so_far.match))

    with leaving_tidily(), logging(options.log) as log, progress(title, quiet=options.json) as report:
        played = play_match(rules, pair, effort, limits, log, watch)
    if not played.games:
        raise KeyboardInterrupt
    replays = store_replays(played, options.record)
    if options.json:
        print(json.dumps(played.to_json(), ensure_ascii=False))
    else:
        show(played, options, len(replays))
    return 130 if played.match.interrupted else 0


@contextmanager
def logging(path: str) -> Iterator[Log]:
    """A way to write down what is said, at once: a log is for games that went wrong, too."""
    if not path:
        yield lambda line: None
        return
    check_writable(Path(path).parent)
    if Path(path).is_dir():
        raise BadFile(f"the log goes to a file, and {path} is a folder.")
    lock, left = Lock(), LONGEST_LOG
    with Path(path).open("w", encoding="utf-8", buffering=1) as file:

        def log(line: str) -> None:
            nonlocal left
            with lock:  # the engines' complaints come from threads of their own
                if 0 < left <= len(line):
                    file.write(f"# the log ends here: it holds {in_words(LONGEST_LOG)}\n")
                elif left > 0:
                    file.write(line + "\n")
                left -= len(line) + 1

        yield log


def store_replays(played: EngineMatch, folder: str) -> list[Path]:
    """Write the games as replays, if that was asked for."""
    if not folder:
        return []
    seed = played.match.effort.seed
    paths = {index: Path(folder) / f"luzhanqi-engines-{seed}-{index + 1:04}.json" for index in played.replays()}
    for index, replay in played.replays().items():
        write_replay(paths[index], replay)
    return list(paths.values())


def show(played: EngineMatch, options: Options, replays: int) -> None:
    """The result in a few lines."""
    match = played.match
    print(printable(f"{match.names[0]} against {match.names[1]}: {result_in_words(match)}"))
    print("ends: " + ", ".join(f"{reason} {number}" for reason, number in match.reasons.items()))
    for foul in played.fouls:
        print(
            printable(
                f"game {foul['game']}: {foul['engine']} ({foul['side']}) lost: {foul['reason']}: {foul['detail']}"
            )
        )
    print(f"rules: {match.game.describe(match.rules)}; seed {match.effort.seed}")
    if options.log:
        print(f"log: {options.log}")
    if replays:
        print(f"{replays} replays in {options.record}")
    if match.interrupted:
        print("interrupted: this is what was known by then.")
