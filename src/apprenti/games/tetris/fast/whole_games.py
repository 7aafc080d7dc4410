"""Whole games of one compiled player, as the arena records them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Self

import numpy as np
from numpy.typing import NDArray

from apprenti.core.protocols import CommonReason, GameRecord, GameSeeds, Outcome
from apprenti.games.tetris.fast.players import CompiledPlayer, GameResult, OwnGames, play, stop_signal
from apprenti.games.tetris.game import measures_of
from apprenti.games.tetris.rules import Rules
from apprenti.games.tetris.state import End


@dataclass
class WholeGames:
    """Tetris in compiled form, with its player."""

    rules: Rules
    player: CompiledPlayer | OwnGames
    stop: NDArray[np.int64] = field(default_factory=stop_signal)

    @property
    def together(self) -> int:
        """Games that are best played in one call."""
        return self.player.together

    @property
    def keeps_moves(self) -> bool:
        """Whether it can write moves down."""
        return self.player.keeps_moves

    def limited(self, moves: int) -> Self:
        """The same, for games that stop after so many pieces."""
        return replace(self, rules=replace(self.rules, max_pieces=moves))

    def play(self, seeds: Sequence[GameSeeds], moves: int = 0) -> list[GameRecord]:
        """Play a game for each of the seeds."""
        began = perf_counter()
        pairs = [(seed.chance, seed.players[0]) for seed in seeds]
        results = play(self.rules, self.player, pairs, moves, self.stop)
        each = (perf_counter() - began) / max(1, sum(result.tally.pieces for result in results))
        return [self._record(result, seed, each) for result, seed in zip(results, seeds, strict=True)]

    def warm_up(self) -> None:
        play(replace(self.rules, max_pieces=1), self.player, [(1, 1)])

    def _record(self, result: GameResult, seeds: GameSeeds, seconds: float) -> GameRecord:
        tally, limit = result.tally, self.rules.max_pieces
        last = End.LAST_PIECE if limit and tally.pieces >= limit else CommonReason.STOPPED
        reason = CommonReason.BY_RULES if result.died else last
        return GameRecord(
            Outcome(reason, truncated=not result.died, scores=(float(tally.points),)),
            measures_of(tally),
            tuple(f"P:{column}:{rotation}" for _, rotation, column in result.moves),
            seed=seeds.chance,
            seconds=(seconds * tally.pieces,),
            slowest=seconds,
            length=tally.pieces,
        )
