"""`apprenti games`: what can be played."""

import json
from dataclasses import dataclass

from apprenti.games.catalogue import GAMES_FOR_TWO
from apprenti.games.tetris.pieces import PIECE_SETS
from apprenti.games.tetris.rules import PRESETS


@dataclass(frozen=True)
class Options:
    """What can be played, and under which rules."""

    json: bool = False
    """Print one JSON object and nothing else."""


def run(options: Options) -> None:
    """List the games."""
    if options.json:
        rules = {name: preset.to_json() for name, preset in PRESETS.items()}
        two = {name: {"players": 2, "about": entry.about} for name, entry in GAMES_FOR_TWO.items()}
        print(json.dumps({"tetris": {"rules": rules, "pieces": list(PIECE_SETS)}, **two}, ensure_ascii=False))
        return
    print("tetris")
    for name, preset in PRESETS.items():
        print(f"  --rules {name:<11} {preset.description.partition(', ')[2]}")
    print(f"  --pieces {', '.join(PIECE_SETS)}, or a text file of shapes")
    print("  --size 10x20 or any other; the compiled engine plays 4 to 16 columns and 4 to 30 rows")
    for name, entry in GAMES_FOR_TWO.items():
        print(f"{name}\n  for two: {entry.about}; {GAMES_FOR_TWO.load(name).options}")
