"""An engine of Luzhanqi in a few lines, and a game of it against itself: any program can speak the protocol.

The engine, which prefers attacks, alone: python examples/luzhanqi_engine.py engine
"""

import random
import sys

from apprenti.games.luzhanqi import Rules
from apprenti.games.luzhanqi.agents.engine import protocol
from apprenti.games.luzhanqi.agents.engine.referee import Limits, referee
from apprenti.games.luzhanqi.board import parse_move
from apprenti.games.luzhanqi.layout import uniform_layout


def engine() -> None:
    side, move = None, (0, 0)
    for line in sys.stdin:
        match protocol.read_order(line, side.player if side else 0):
            case protocol.Info():
                print("NAME attacker", flush=True)
            case protocol.Start(first=first):
                side = protocol.OneSide.start(uniform_layout(Rules(), random), first, Rules())
                print("ARRAY", side.layout, flush=True)
            case protocol.Go(move=theirs, result=result, flag=flag):
                side = side.after(*theirs, result, flag) if theirs else side
                moves = [parse_move(text) for text in side.observation.legal_moves()]
                attacks = [(origin, target) for origin, target in moves if side.record.board[target] >= 0]
                move = random.choice(attacks or moves)
                print("BESTMOVE", protocol.write_move(*move, side.player), flush=True)
            case protocol.Result(result=result, flag=flag):
                side = side.after(*move, result, flag)


if sys.argv[1:] == ["engine"]:
    engine()
else:
    log: list[str] = []
    game = referee(Rules(), [[sys.executable, __file__, "engine"]] * 2, Limits(move=10), log.append)
    print("\n".join([*log[-8:], f"{len(game.moves)} moves; the winner is side {game.winner}: {game.reason}"]))
