"""Games under way. Each is a session that goes on step by step and is on disk after every move, as a replay.

The file is a replay as all others, with one more field: who plays. So it survives a refresh, a closed tab and a killed
server, and the command line can show it.
"""

import asyncio
import math
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from apprenti.arena.game import choices
from apprenti.core.data import JsonData
from apprenti.core.errors import ApprentiError, BadOption, IllegalMove
from apprenti.core.game import AnyGame
from apprenti.core.protocols import (
    OVER,
    AnyAgent,
    AnyMove,
    AnyObservation,
    AnyRules,
    AnyState,
    CommonReason,
    Contributes,
    Explains,
    Steerable,
    Valued,
)
from apprenti.core.seeds import Chance, Stream
from apprenti.lab.people import ADVICE, folder_of
from apprenti.lab.session import Session
from apprenti.store.files import write_json
from apprenti.store.replay import Replay, digest_of, write_replay
from apprenti.views.view import View, view_of
from apprenti.web.choices import abilities, agent_for
from apprenti.web.messages import Advice, Position
from apprenti.web.scenes import scenes_of
from apprenti.web.school import School

T = TypeVar("T")
Do = Callable[[Any], None]
"""Begins what takes time, and does not wait for it."""
SHOWN_MOVES = 400
"""Moves that are sent with a position."""
DISK = ThreadPoolExecutor(8, "disk")
"""Who writes games down: a disk takes its time, and no agent should wait for it."""
WAITING = 200
"""Messages that may wait for a slow page."""
PROMPT = 0.03
"""Seconds within which an agent answers at once: its move is written down and shown together with the person's."""
_PAGE_WORD = re.compile(r"[\w .:@-]{0,100}")
LONGEST_SETUP = 1000
MOST_STEPS = 1000
"""Moves of a watched game between two pictures."""


class HumanSeat:
    """A person's seat: plays the move the page has sent, sets up the army the page has sent."""

    presses_keys = True
    move: AnyMove = None

    def choose(self, observation: AnyObservation, legal: Sequence[AnyMove], rng: Chance) -> AnyMove:
        return self.move


class ArrangingSeat(HumanSeat):
    """A person who has set up an army."""

    def __init__(self, setup: str) -> None:
        self.setup = setup

    def arrange(self, rules: AnyRules, rng: Chance) -> str:
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
    rated: str = ""
    """The name under which the person lets this game be counted; empty for a game that does not count."""

    def __post_init__(self) -> None:
        if not 0 <= self.seed < 2**53:
            raise BadOption("a seed is a whole number from 0 to 2⁵³ − 1.")
        if not 0 <= self.minutes <= 1000:
            raise BadOption("the time for a game is 0 (no limit) to 1000 minutes.")
        if len(self.page) > 10 or not all(isinstance(v, str) and _PAGE_WORD.fullmatch(v) for v in self.page.values()):
            raise BadOption("what the page remembers is a few short words.")
        if min(self.standing) < 0:
            raise BadOption("games are counted from 0.")
        if len(self.setup) > LONGEST_SETUP:
            raise BadOption(f"an army is written in at most {LONGEST_SETUP} characters.")
        if self.rated:
            folder_of(self.rated)

    @property
    def you(self) -> int | None:
        """The person's side; None where one only watches."""
        return self.players.index("") if "" in self.players else None

    def to_json(self) -> JsonData:
        """As plain data."""
        return {**self.__dict__, "players": list(self.players), "standing": list(self.standing)}


def seated(game: AnyGame, seating: Seating, school: School) -> tuple[list[Any], tuple[str, ...]]:
    """The players and their names, side 0 first."""
    hand = ArrangingSeat(seating.setup) if seating.setup else HumanSeat()
    known = [agent_for(name, game.name, school) if name else None for name in seating.players]
    person = seating.rated or ("human" if game.players == 1 else "you")
    return [each.agent if each else hand for each in known], tuple(each.name if each else person for each in known)


class LiveGame:
    """A game under way and the pages that show it."""

    def __init__(
        self,
        key: str,
        session: Session,
        seating: Seating,
        pool: ThreadPoolExecutor,
        path: Path | None,
        school: School = School(),  # noqa: B008, it is frozen
    ) -> None:
        self.key, self.session, self.seating, self.pool, self.path = key, session, seating, pool, path
        self.school = school
        self.pages: dict[asyncio.Queue[JsonData], int | None] = {}
        """A queue for each page, and whose eyes it looks through."""
        self.used = monotonic()
        self.left = seating.minutes * 60
        self._turn_since = monotonic()
        self._thought: Session | None = None
        """The copy on which an agent thinks; it becomes the game, unless the person resigns or takes back meanwhile."""
        self._stepping, self._writing = asyncio.Lock(), asyncio.Lock()
        self._changes, self._written = 1, 0
        """How often the game has changed, and up to which of these it has been written down."""

    @property
    def you(self) -> int | None:
        """The person's side."""
        return self.seating.you

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.session.outcome is not None

    @property
    def thinking(self) -> bool:
        """Whether an agent is thinking."""
        return self._thought is not None

    @property
    def busy(self) -> bool:
        """Whether something is under way that would be lost if this game were forgotten now."""
        return self.thinking or self._stepping.locked() or self._writing.locked()

    @property
    def hides(self) -> bool:
        """Whether the person must not know everything now."""
        return self.you is not None and not self.over and has_secrets(self.session.game, self.session.state)

    async def run(self, work: Callable[..., T], *words: Any) -> T:
        """Do work that takes time where it delays no other game."""
        return await asyncio.get_running_loop().run_in_executor(self.pool, work, *words)

    # what the page asks for

    def move(self, text: str, do: Do) -> None:
        """The person moves; what takes time (the others, the disk) is done by `do`, which does not wait for it."""
        self._check_turn()
        game, state = self.session.game, self.session.state
        hand: Any = self.session.agents[self.you or 0]
        hand.move = game.read_move(state, text)
        if not self._out_of_time():
            self.session.decide()  # IllegalMove, before anything is changed
        self._changes += 1
        self._turn_since = monotonic()
        if isinstance(state, Steerable) and not self.over and not self._is_others_turn():
            self.show()  # who presses keys does not wait for the disk
            do(self.save())
        else:
            do(self.go_on())

    async def go_on(self) -> None:
        """Let the others move until it is the person's turn; it is written down, then shown."""
        try:
            while self._is_others_turn() and not self.thinking:
                await self._think()
        finally:
            await self._settle()

    async def step(self, moves: int = 1) -> None:
        if self.you is not None:
            raise IllegalMove("you play this game: it goes on with your move.")
        async with self._stepping:
            later = self.session.fork()
            await self.run(_decide, later, min(moves, MOST_STEPS))
            self.session = later
        self.show()

    def resign(self, do: Do) -> None:
        """The person gives up, even while an agent thinks."""
        if self.you is None or self.over:
            raise IllegalMove("there is no game to give up.")
        self._thought = None
        self.session.outcome = replace(self.session.game.forfeited(self.you), reason=CommonReason.RESIGNED)
        self._changes += 1
        do(self._settle())

    def undo(self, do: Do) -> None:
        """The person takes the last move back, even while an agent thinks about it."""
        if not self.seating.undo or self.you is None:
            raise IllegalMove("moves are not taken back in this game.")
        if self.over and has_secrets(self.session.game, self.session.state):
            raise IllegalMove("the game is over and everything has been shown: nothing is taken back.")
        before = len(self.session.moves)
        self.session.take_back(self.you)
        self.session.outcome = self.session.state.outcome
        if len(self.session.moves) < before:
            self._thought = None
        self._turn_since = monotonic()
        self._changes += 1
        do(self.go_on())

    def flag(self, do: Do) -> None:
        """The page says that the person's time is over."""
        if self.you is not None and not self.over and self.session.state.turn == self.you and self._out_of_time():
            self._changes += 1
        do(self._settle())

    async def hint(self, name: str) -> Advice:
        """What an agent thinks of the position, from the eyes of the person or of the player to move."""
        if self.seating.rated and not self.over:
            raise IllegalMove(ADVICE)
        return await self.run(self._hint, name)

    async def details(self, eyes: int | None) -> JsonData:
        """More of the position, as the page with these eyes may know it."""
        return await self.run(lambda: scenes_of(self.session.game).details(self._seen(eyes)))

    # steps

    def _check_turn(self) -> None:
        if self.over:
            raise IllegalMove("the game is over.")
        if self.you is None or self.session.state.turn != self.you:
            raise IllegalMove("it is not your turn.")

    def _is_others_turn(self) -> bool:
        return not self.over and self.you is not None and self.session.state.turn != self.you

    async def _think(self) -> None:
        """Let an agent move; the page is told that it thinks unless it answers at once."""
        thought = self._thought = self.session.fork()
        deciding = asyncio.ensure_future(self.run(thought.decide))
        try:
            if not (await asyncio.wait([deciding], timeout=PROMPT))[0] and self._thought is thought:
                with suppress(ApprentiError):  # it is told when the answer is written down
                    await self._settle()
            await deciding
            if self._thought is thought:
                self.session = thought
                self._changes += 1
        finally:
            if self._thought is thought:
                self._thought, self._turn_since = None, monotonic()

    async def _settle(self) -> None:
        """Write the game down, then show it, unless it has changed meanwhile and somebody else does so."""
        try:
            await self.save()
        except ApprentiError:  # a disk that takes no more does not end a game
            self.show()
            raise
        if self._written == self._changes or self.path is None:
            self.show()

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

    def _hint(self, name: str) -> Advice:
        session = self.session
        state, game = session.state, session.game
        player = state.turn if self.you is None else self.you
        if player < 0 or state.turn != player:
            raise IllegalMove("there is nothing to advise now: wait for the next turn.")
        chosen = agent_for(name, game.name, self.school)
        chosen.check(game, session.rules)
        return advice(chosen.name, chosen.agent, game, state, player)

    # what is sent

    def _seen(self, eyes: int | None) -> Any:
        """What may be shown: what a player knows, or everything where one watches openly or the game has ended."""
        if self.you is not None and not self.over:
            eyes = self.you
        return self.session.state if self.over or eyes is None else self.session.state.observation(eyes)

    def view(self, eyes: int | None = None) -> JsonData:
        """Everything a page with these eyes shows."""
        session, game, state = self.session, self.session.game, self.session.state
        eyes = self.you if self.you is not None else eyes
        yours = not self.over and self.you is not None and state.turn == self.you
        steered = isinstance(state, Steerable)
        position = Position(
            id=self.key,
            game=game.name,
            family=game.family,
            module=scenes_of(game).module,
            rules=dict(game.rules_to_json(session.rules)),
            description=game.describe(session.rules),
            players=list(self.seating.players),
            names=list(session.names),
            sides=list(game.sides),
            you=self.you,
            eyes=eyes,
            turn=OVER if self.over else state.turn,
            your_turn=yours,
            thinking=self.thinking,
            number=len(session.moves),
            moves=[] if steered else session.moves[-SHOWN_MOVES:],
            movers=[] if steered else session.movers[-SHOWN_MOVES:],
            last=session.moves[-1] if session.moves else "",
            legal=[game.write_move(move) for move in state.legal_moves()] if yours and not steered else [],
            keys=list(state.legal_keys()) if yours and isinstance(state, Steerable) else [],
            scene=scenes_of(game).scene(self._seen(eyes), eyes),
            measures={name: plain(n) for name, n in game.measures(state).items()},
            outcome=self._outcome(),
            undo=self.seating.undo,
            rated=self.seating.rated,
            seed=None if self.hides and not self.seating.own_seed else self.seating.seed,
            left=self._left(yours) if self.left else None,
            standing=list(self.standing()),
            page=self.seating.page,
        )
        return position.to_json()

    def _left(self, yours: bool) -> float:
        """The person's seconds."""
        return round(max(0.0, self.left - (monotonic() - self._turn_since if yours else 0.0)), 3)

    def _outcome(self) -> JsonData | None:
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
        views: dict[int | None, JsonData] = {}
        for queue, eyes in list(self.pages.items()):
            if eyes not in views:
                views[eyes] = self.view(eyes)
            if queue.full():  # a page that reads slowly: a position is whole, so older ones can be left out
                queue.get_nowait()
            queue.put_nowait(views[eyes])

    # the disk

    def to_json(self, replay: Replay | None = None) -> JsonData:
        """The file of this game: a replay, by itself that of the game so far, and who plays."""
        data = {**(replay or self.session.replay()).to_json(), "seating": self.seating.to_json(), "left": self.left}
        return {**data, "digest": digest_of(data)}

    async def save(self) -> None:
        """Write the game down if it has changed; changes while it is being written are written once, afterwards."""
        if self.path is None:
            return
        mine = self._changes
        async with self._writing:
            if self._written < mine:
                newest = self._changes
                await asyncio.get_running_loop().run_in_executor(DISK, self._write, self.path, self.session.replay())
                self._written = newest

    def saved(self) -> None:
        """It is on disk as it is."""
        self._written = self._changes

    def _write(self, path: Path, replay: Replay) -> None:
        if self.seating.rated and replay.outcome:
            write_replay(folder_of(self.seating.rated) / path.name, replay)
        write_json(path, self.to_json(replay), None)


def _decide(session: Session, moves: int) -> None:
    """This number of decisions, or all if the game has fewer."""
    for _ in range(moves):
        if session.outcome is None:
            session.decide()


def has_secrets(game: AnyGame, state: AnyState) -> bool:
    """Whether players know different things of a position."""
    return game.players > 1 and state.observation(0) is not state


def plain(number: float | tuple[float, ...]) -> Any:
    """A number as JSON has it."""
    if isinstance(number, tuple):
        return [plain(each) for each in number]
    return number if math.isfinite(number) else None


def advice(name: str, agent: AnyAgent, game: AnyGame, state: AnyState, player: int) -> Advice:
    """What an agent says of a position: its move, what moves are worth to it, what their value is made of, and why."""
    seen = state.observation(player)
    view = view_of(game)
    worth = parts = text = None
    move = game.write_move(agent.choose(seen, choices(agent, state), Stream.named(0, "hint")))
    if isinstance(agent, Valued):
        worth = {game.write_move(move): plain(value) for move, value in agent.values(seen).items()}
    if isinstance(agent, Contributes):
        terms = {each: {term: plain(n) for term, n in of.items()} for each, of in agent.contributions(seen).items()}
        parts = {game.write_move(each): of_move for each, of_move in terms.items()}
    if view.explains(agent) and (isinstance(agent, Explains) or type(view).explain is not View.explain):
        # else its words are the values again
        text = view.explain(agent, player, state)
    return Advice(agent=name, **abilities(agent), number=None, move=move, worth=worth, parts=parts, text=text)
