"""Games under way. Each is a session that goes on step by step and is on disk after every move, as a replay.

The file is a replay as all others, with one more field: who plays. So it survives a refresh, a closed tab and a killed
server, and the command line can show it.
"""

import asyncio
import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from apprenti.arena.game import choices
from apprenti.core.errors import IllegalMove
from apprenti.core.protocols import OVER, CommonReason, Contributes, Game, Move, State, Steerable, Valued
from apprenti.core.seeds import Chance, Stream
from apprenti.lab.session import Session
from apprenti.store.files import write_json
from apprenti.store.replay import digest_of
from apprenti.views.view import view_of
from apprenti.web.choices import abilities, agent_for
from apprenti.web.scenes import Data, scenes_of

T = TypeVar("T")
SHOWN_MOVES = 400
"""Moves that are sent with a position."""
DISK = ThreadPoolExecutor(8, "disk")
"""Who writes games down: a disk takes its time, and no agent should wait for it."""
WAITING = 200
"""Messages that may wait for a slow page."""


class Hand:
    """A person's seat: plays the move the page has sent, sets up the army the page has sent."""

    presses_keys = True
    move: Move = None

    def choose(self, observation: Any, legal: Sequence[Any], rng: Chance) -> Move:
        """The move that was sent."""
        return self.move


class ArrangingHand(Hand):
    """A person who has set up an army."""

    def __init__(self, setup: str) -> None:
        self.setup = setup

    def arrange(self, rules: Any, rng: Chance) -> str:
        """The army."""
        return self.setup


@dataclass(frozen=True)
class Seating:
    """Who plays a game of the page, and how."""

    players: tuple[str, ...]
    """For each side the name of an agent, or nothing for the person."""
    seed: int = 0
    own_seed: bool = False
    """Whether the person chose the seed."""
    undo: bool = False
    minutes: float = 0.0
    """The person's time for the whole game; 0 for no limit."""
    standing: tuple[int, int, int] = (0, 0, 0)
    """Games of this sitting that were won, drawn and lost before."""
    page: dict[str, str] = field(default_factory=dict)
    """What the page itself wants to find again: how fast, against which other game."""
    setup: str = ""
    """The army that the person has set up; empty to leave it to the game."""

    @property
    def you(self) -> int | None:
        """The person's side; None where one only watches."""
        return self.players.index("") if "" in self.players else None

    def to_json(self) -> Data:
        """As plain data."""
        return {**self.__dict__, "players": list(self.players), "standing": list(self.standing)}

    @classmethod
    def from_json(cls, data: Data) -> "Seating":
        """What `to_json` wrote."""
        return cls(**{**data, "players": tuple(data["players"]), "standing": tuple(data["standing"])})


def seated(game: Game, seating: Seating) -> tuple[list[Any], tuple[str, ...]]:
    """The players and their names, side 0 first."""
    hand = ArrangingHand(seating.setup) if seating.setup else Hand()
    players = [agent_for(name, game.name).agent if name else hand for name in seating.players]
    alone = "human" if game.players == 1 else "you"
    return players, tuple(agent_for(name, game.name).name if name else alone for name in seating.players)


class LiveGame:
    """A game under way and the pages that show it."""

    def __init__(
        self, key: str, session: Session, seating: Seating, pool: ThreadPoolExecutor, path: Path | None
    ) -> None:
        self.key, self.session, self.seating, self.pool, self.path = key, session, seating, pool, path
        self.pages: dict[asyncio.Queue[Data], int | None] = {}
        """A queue for each page, and whose eyes it looks through."""
        self.thinking = False
        self.used = monotonic()
        self.left = seating.minutes * 60
        self._turn_since = monotonic()
        self._lock = asyncio.Lock()
        self._dirty = False
        self._saving: asyncio.Task[None] | None = None

    @property
    def you(self) -> int | None:
        """The person's side."""
        return self.seating.you

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.session.outcome is not None

    @property
    def hides(self) -> bool:
        """Whether the person must not know everything now."""
        return self.you is not None and not self.over and has_secrets(self.session.game, self.session.state)

    async def run(self, work: Callable[..., T], *words: Any) -> T:
        """Do work that takes time where it holds nobody up."""
        return await asyncio.get_running_loop().run_in_executor(self.pool, work, *words)

    # what the page asks for

    async def move(self, text: str, do: Callable[[Any], None]) -> None:
        """The person moves; the others are let move by `do`, which does not wait for them."""
        async with self._lock:
            self._check_turn()
            game, state = self.session.game, self.session.state
            hand: Any = self.session.agents[self.you or 0]
            hand.move = game.read_move(state, text)
            state.play(hand.move)  # IllegalMove, before anything is changed
            out_of_time = self._out_of_time()
            steered = isinstance(state, Steerable) and isinstance(hand.move, str)
            if not out_of_time:
                self.session.decide()
            self._turn_since = monotonic()
            if not steered:
                await self.save()
        self.show()
        if steered:
            self._save_soon()
        do(self.go_on())

    async def go_on(self) -> None:
        """Let the others move until it is the person's turn."""
        async with self._lock:
            while not self.over and self.you is not None and self.session.state.turn != self.you:
                try:
                    await self._think()
                    await self.save()
                finally:
                    self._turn_since = monotonic()
                    self.thinking = False
                    self.show()

    async def step(self, moves: int = 1) -> None:
        """Where one only watches: the next move, or several."""
        if self.you is not None:
            raise IllegalMove("you play this game: it goes on with your move.")
        async with self._lock:
            for _ in range(min(moves, 1000)):
                if self.over:
                    break
                await self.run(self.session.decide)
        self.show()

    async def resign(self) -> None:
        """The person gives up."""
        async with self._lock:
            if self.you is None or self.over:
                raise IllegalMove("there is no game to give up.")
            self.session.outcome = replace(self.session.game.forfeited(self.you), reason=CommonReason.RESIGNED)
            await self.save()
        self.show()

    async def undo(self) -> None:
        """The person takes the last move back."""
        async with self._lock:
            if not self.seating.undo or self.you is None:
                raise IllegalMove("moves are not taken back in this game.")
            if self.over and has_secrets(self.session.game, self.session.state):
                raise IllegalMove("the game is over and everything has been shown: nothing is taken back.")
            self.session.take_back(self.you)
            self.session.outcome = None
            self._turn_since = monotonic()
            await self.save()
        self.show()
        await self.go_on()

    async def flag(self) -> None:
        """The page says that the person's time is over."""
        async with self._lock:
            if self.you is not None and not self.over and self.session.state.turn == self.you and self._out_of_time():
                await self.save()
        self.show()

    async def hint(self, name: str) -> Data:
        """What an agent thinks of the position, from the eyes of the person or of whoever is to move."""
        return await self.run(self._hint, name)

    async def details(self, eyes: int | None) -> Data:
        """More of the position, as the page with these eyes may know it."""
        return await self.run(lambda: scenes_of(self.session.game).details(self._seen(eyes)))

    # steps

    def _check_turn(self) -> None:
        if self.over:
            raise IllegalMove("the game is over.")
        if self.you is None or self.session.state.turn != self.you:
            raise IllegalMove("it is not your turn.")

    async def _think(self) -> None:
        """Let an agent move; the page is told that it thinks."""
        self.thinking = True
        self.show()
        await self.run(self.session.decide)

    def _out_of_time(self) -> bool:
        """Take the person's time since the turn began; who has none left loses."""
        if not self.left or self.you is None:
            return False
        now = monotonic()
        self.left, self._turn_since = max(1e-9, self.left - (now - self._turn_since)), now
        if self.left > 1e-9:
            return False
        self.session.outcome = self.session.game.forfeited(self.you)
        return True

    def _hint(self, name: str) -> Data:
        session = self.session
        state, game = session.state, session.game
        player = state.turn if self.you is None else self.you
        if player < 0 or state.turn != player:
            raise IllegalMove("there is nothing to advise now: wait for the next turn.")
        chosen = agent_for(name, game.name)
        chosen.check(game, session.rules)
        return told(chosen.name, chosen.agent, game, state, player)

    # what is sent

    def _seen(self, eyes: int | None) -> Any:
        """What may be shown: what a player knows, or everything where one watches openly or the game has ended."""
        if self.you is not None and not self.over:
            eyes = self.you
        return self.session.state if self.over or eyes is None else self.session.state.observation(eyes)

    def view(self, eyes: int | None = None) -> Data:
        """Everything a page with these eyes shows."""
        session, game, state = self.session, self.session.game, self.session.state
        eyes = self.you if self.you is not None else eyes
        yours = not self.over and self.you is not None and state.turn == self.you
        steered = isinstance(state, Steerable)
        return {
            "type": "position",
            "id": self.key,
            "game": game.name,
            "family": game.family,
            "module": scenes_of(game).module,
            "rules": game.rules_to_json(session.rules),
            "description": game.describe(session.rules),
            "players": list(self.seating.players),
            "names": list(session.names),
            "sides": list(game.sides),
            "you": self.you,
            "eyes": eyes,
            "turn": OVER if self.over else state.turn,
            "your_turn": yours,
            "thinking": self.thinking,
            "number": len(session.moves),
            "moves": [] if steered else session.moves[-SHOWN_MOVES:],
            "movers": [] if steered else session.movers[-SHOWN_MOVES:],
            "last": session.moves[-1] if session.moves else "",
            "legal": [game.write_move(move) for move in state.legal_moves()] if yours and not steered else [],
            "keys": list(state.legal_keys()) if yours and isinstance(state, Steerable) else [],
            "scene": scenes_of(game).scene(self._seen(eyes), eyes),
            "measures": {name: plain(n) for name, n in game.measures(state).items()},
            "outcome": self._outcome(),
            "undo": self.seating.undo,
            "seed": None if self.hides and not self.seating.own_seed else self.seating.seed,
            "left": self._left(yours) if self.left else None,
            "standing": list(self.standing()),
            "page": self.seating.page,
        }

    def _left(self, yours: bool) -> float:
        """The person's seconds."""
        return round(max(0.0, self.left - (monotonic() - self._turn_since if yours else 0.0)), 3)

    def _outcome(self) -> Data | None:
        outcome = self.session.outcome
        if outcome is None:
            return None
        return {"reason": outcome.reason.code, "words": outcome.reason.words, "winner": outcome.winner,
                "scores": list(outcome.scores), "said": self.session.result(self.you)}  # fmt: skip

    def standing(self) -> tuple[int, int, int]:
        """Games won, drawn and lost in this sitting, this one included once it is over."""
        won, drawn, lost = self.seating.standing
        if self.you is None or self.session.outcome is None or self.session.game.players == 1:
            return won, drawn, lost
        score = self.session.outcome.scores[self.you]
        return won + (score == 1.0), drawn + (score == 0.5), lost + (score == 0.0)

    def show(self) -> None:
        """Send the position to every page that shows this game."""
        self.used = monotonic()
        views: dict[int | None, Data] = {}
        for queue, eyes in list(self.pages.items()):
            if eyes not in views:
                views[eyes] = self.view(eyes)
            if queue.full():  # a page that reads slowly: a position is whole, so older ones can be left out
                queue.get_nowait()
            queue.put_nowait(views[eyes])

    # the disk

    def to_json(self) -> Data:
        """The file of this game: a replay, and who plays."""
        data = {**self.session.replay().to_json(), "seating": self.seating.to_json(), "left": self.left}
        return {**data, "digest": digest_of(data)}

    async def save(self) -> None:
        """Write the game down."""
        if self.path is not None:
            data = self.to_json()
            await asyncio.get_running_loop().run_in_executor(DISK, write_json, self.path, data, None)

    def _save_soon(self) -> None:
        """Write the game down without holding up who presses keys; what comes meanwhile is written once."""
        self._dirty = True
        if self._saving is None or self._saving.done():
            self._saving = asyncio.create_task(self._save_while_dirty())

    async def _save_while_dirty(self) -> None:
        while self._dirty:
            self._dirty = False
            await self.save()


def has_secrets(game: Game, state: State) -> bool:
    """Whether players know different things of a position."""
    return game.players > 1 and state.observation(0) is not state


def plain(number: float | tuple[float, ...]) -> Any:
    """A number as JSON has it."""
    if isinstance(number, tuple):
        return list(number)
    return number if math.isfinite(number) else None


def told(name: str, agent: Any, game: Game, state: State, player: int) -> Data:
    """What an agent says of a position: its move, what moves are worth to it, what their value is made of, and why."""
    seen = state.observation(player)
    view = view_of(game)
    said: Data = {"type": "hint", "agent": name, **abilities(agent), "number": None}
    said["move"] = game.write_move(agent.choose(seen, choices(agent, state), Stream.named(0, "hint")))
    if isinstance(agent, Valued):
        said["worth"] = {game.write_move(move): plain(value) for move, value in agent.values(seen).items()}
    if isinstance(agent, Contributes):
        parts = agent.contributions(seen)
        terms = {move: {term: plain(n) for term, n in of_move.items()} for move, of_move in parts.items()}
        said["parts"] = {game.write_move(move): of_move for move, of_move in terms.items()}
    if view.explains(agent):
        said["text"] = view.explain(agent, player, state)
    return said
