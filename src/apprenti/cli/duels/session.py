"""A game between a person and an agent, position by position, so that it can be left at any time and still be kept."""

from dataclasses import dataclass, field
from typing import Any, Protocol

from apprenti.arena.duel import seeds_of_duel
from apprenti.core.protocols import GameForTwo, Position
from apprenti.core.seeds import Stream
from apprenti.store.duel_replay import DuelReplay


class Resign(Exception):
    """The person gives up this game."""


class Undo(Exception):
    """The person takes the last move back."""


class Person(Protocol):
    """Somebody who is shown a game and asked for moves."""

    def ask(self, session: "DuelSession") -> Any:
        """A legal move; Quit, Resign or Undo."""
        ...

    def arrange(self, rules: Any, rng: Any) -> Any:
        """How the person sets up, where the game asks for it."""
        ...


@dataclass
class DuelSession:
    """A game being played. The person sits on one side, an agent on the other."""

    game: GameForTwo
    rules: Any
    names: tuple[str, str]
    """Side 0 first."""
    person: Person
    agent: Any
    side: int
    """The person's."""
    seed: int
    """What chance decides depends on this alone."""
    positions: list[Position] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)
    resigned: bool = False
    _luck: Stream = field(init=False)

    def __post_init__(self) -> None:
        seeds = seeds_of_duel(self.seed, 0)
        self._luck = Stream(seeds[1 - self.side][1])
        seats: list[Any] = [self.agent, self.agent]
        seats[self.side] = self.person
        self.positions = [self.game.begin(self.rules, seats, [Stream(opening) for opening, _ in seeds])]

    @property
    def state(self) -> Position:
        """The position now."""
        return self.positions[-1]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.resigned or self.state.outcome is not None

    def play(self) -> None:
        """Play to the end, or until the person leaves."""
        while not self.over:
            try:
                self._push(self.person.ask(self) if self.state.to_move == self.side else self._answer())
            except Resign:
                self.resigned = True
            except Undo:
                self._take_back()

    def _answer(self) -> Any:
        state = self.state
        return self.agent.choose(state.observation(1 - self.side), state.legal_moves(), self._luck)

    def _push(self, move: Any) -> None:
        self.positions.append(self.state.play(move))
        self.moves.append(self.game.write_move(move))

    def _take_back(self) -> None:
        """Back to the person's last decision, if there was one."""
        for back in range(len(self.positions) - 2, -1, -1):
            if self.positions[back].to_move == self.side:
                del self.positions[back + 1 :], self.moves[back:]
                return

    @property
    def points(self) -> float | None:
        """What the person got: 1, ½ or 0; None while it goes on."""
        if self.resigned:
            return 0.0
        outcome = self.state.outcome
        if outcome is None:
            return None
        return 0.5 if outcome.winner is None else float(outcome.winner == self.side)

    @property
    def result(self) -> str:
        """How it ended, in a few words."""
        if self.resigned:
            return "you resigned"
        outcome = self.state.outcome
        if outcome is None:
            return "left early"
        word = {1.0: "you win", 0.5: "a draw", 0.0: f"{self.names[1 - self.side]} wins"}[self.points or 0.0]
        return f"{word}: {outcome.reason}"

    def replay(self) -> DuelReplay:
        """The game so far."""
        opening = self.game.opening(self.positions[0])
        return DuelReplay.of(self.game, self.rules, self.names, opening, self.moves, self.state.outcome)


@dataclass
class Evening:
    """The score over all games of one sitting."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    def add(self, points: float | None) -> None:
        """Count a game; one that was left early does not count."""
        self.won += points == 1
        self.drawn += points == 0.5
        self.lost += points == 0

    @property
    def games(self) -> int:
        """Games that count."""
        return self.won + self.drawn + self.lost

    def __str__(self) -> str:
        return f"you won {self.won}, drew {self.drawn}, lost {self.lost}"
