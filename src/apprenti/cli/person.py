"""A person who plays: with cursor and typed moves or with the keys of a game at a terminal, with lines elsewhere."""

import sys
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, NoReturn

from apprenti.arena.game import choices
from apprenti.cli.page import page
from apprenti.cli.session import Person, Quit, Resign, Session, Undo, title_of
from apprenti.cli.terminal import END, Terminal, in_colour
from apprenti.core.errors import ApprentiError, BadNotation, IllegalMove
from apprenti.core.protocols import Move, Valued
from apprenti.core.seeds import Stream
from apprenti.views.view import Look, View

ARROWS = ("up", "down", "left", "right")
ENTER, BACKSPACE = ("\n", "\r"), ("\x7f", "\b")


def hint_of(session: Session, side: int) -> tuple[Mapping[Any, float], str]:
    """The value of each move in an agent's eyes; from one that knows no values, what it would play itself."""
    for name, agent in zip(session.names, session.agents, strict=True):
        if not isinstance(agent, Person):
            seen = session.state.observation(side)
            if isinstance(agent, Valued):
                return agent.values(seen), ""
            luck = Stream.named(len(session.moves), "hint")
            move = agent.choose(seen, choices(agent, session.state), luck)
            return {}, f"{name} would play {session.game.write_move(move)}."
    raise IllegalMove("nobody else plays here whom one could ask for a hint.")


@dataclass
class Player(Person):
    """What all persons have in common."""

    view: View
    side: int = 0
    standing: str = ""
    """How the games so far went."""
    hints: Mapping[Any, float] = field(default_factory=dict)
    said: str = ""
    """What has to be said beside the board."""

    def again(self, session: Session) -> bool:
        """Show how a game ended; whether the person wants another one."""
        raise NotImplementedError

    def read(self, session: Session, text: str) -> Move:
        """A legal move from what was typed; None after a hint; Quit, Resign or Undo for those words."""
        word = text.strip().lower()
        if word in ("hint", "?"):
            self.hints, self.said = hint_of(session, self.side)
            return None
        if word in ("quit", "q", "exit"):
            raise Quit
        if word == "resign" and session.game.players > 1:
            raise Resign
        if word == "undo":
            self.take_back(session)
        return self.checked(session, session.game.read_move(session.state, text))

    def take_back(self, session: Session) -> NoReturn:
        """Undo, if that was agreed upon."""
        if not session.undo:
            raise IllegalMove("moves are not taken back in this game: begin it with --undo.")
        self.hints = {}
        raise Undo

    def checked(self, session: Session, move: Move) -> Move:
        """The move, if it is legal."""
        session.state.play(move)
        self.hints = {}
        return move

    def look(self, session: Session, colour: bool, cursor: int | None = None, chosen: int | None = None) -> Look:
        """How the person sees the position."""
        last = self.view.points(session.moves[-1]) if session.moves else ()
        return Look(self.side, colour, cursor, chosen, last, self.hints, by_keys=bool(self.view.keys))

    def words(self, session: Session) -> list[str]:
        """What can be said instead of a move, beside the word for leaving."""
        alone, undo = session.game.players == 1, ["undo"] if session.undo else []
        return undo if alone else ["hint", *undo, "resign"]


@dataclass
class LinePerson(Player):
    """Says its moves in lines of text.

    Where a game is played key by key a line has many, and a wrong one ends a program's game; elsewhere a wrong move is
    explained and asked for again, as it always is for a person.
    """

    line: int = 0
    waiting: deque[str] = field(default_factory=deque)
    """What has been said and not been played yet."""

    def ask(self, session: Session) -> Move:
        """The next move."""
        due = True
        while True:
            if not self.waiting:
                if due:
                    self._show(session)
                self._listen()
                due = bool(self.view.keys)  # there a line is answered with the board, even an empty one
                continue
            try:
                move = self.read(session, self.waiting.popleft())
            except ApprentiError as error:  # also a hint that cannot be given
                self._refuse(error)
                continue
            if move is not None:
                return move
            due = True

    def _listen(self) -> None:
        """Read the next line."""
        text = sys.stdin.readline()
        if not text:
            raise Quit
        self.line += 1
        self.waiting.extend(text.split() if self.view.keys else filter(None, [text.strip()]))

    def _refuse(self, error: ApprentiError) -> None:
        """Say what is wrong; whatever else the line says was meant for another position."""
        self.waiting.clear()
        where = f"line {self.line}: " if self.view.keys else ""
        if self.view.keys and not sys.stdin.isatty():
            raise BadNotation(f"{where}{error}") from None
        print(f"apprenti: {where}{error}", file=sys.stderr, flush=True)

    def _show(self, session: Session) -> None:
        self._show_board(session)
        if self.said:
            print(self.said)
        if not self.view.keys:
            you = f"you are {session.game.sides[self.side]}; " if session.game.players > 1 else ""
            print(f"{you}{self.view.how(session.state)}; or {', '.join([*self.words(session), 'quit'])}", flush=True)
        self.said = ""

    def _show_board(self, session: Session) -> None:
        """The board, after the moves that the others made."""
        later = list(
            takewhile(lambda move: move[0] != self.side, zip(session.movers[::-1], session.moves[::-1], strict=True))
        )
        for mover, move in reversed(later):
            print(f"{session.names[mover]}: {move}")
        board = self.view.screen(session.state, self.look(session, colour=False))
        print(board, end="\n\n" if self.view.keys else "\n", flush=True)

    def again(self, session: Session) -> bool:
        """Show how the game ended; whoever writes lines plays one game."""
        if session.state.outcome:
            self._show_board(session)
        return False


@dataclass
class KeyPerson(Player):
    """Sits at a terminal."""

    terminal: Terminal = field(default_factory=Terminal)
    help: bool = True
    """Whether the keys of the game are shown."""
    typed: str = ""
    cursor: int | None = None
    chosen: int | None = None

    def ask(self, session: Session) -> Move:
        """The next move."""
        if self.cursor is None:
            self.cursor = self.view.start(session.state)
        while True:
            self._draw(session, self._prompt(session), self._keys(session))
            key = self.terminal.key() or ""
            self.said = ""
            try:
                move = self._steer(session, key.lower()) if self.view.keys else self._obey(session, key)
            except ApprentiError as error:  # also a hint that cannot be given
                self.said, self.typed, self.chosen = str(error), "", None
                continue
            if move is not None:
                self.typed, self.chosen = "", None
                return move

    def _steer(self, session: Session, key: str) -> Move:
        """The move of a key, where a game is played key by key."""
        if key in ("q", END):
            raise Quit
        if key == "?":
            self.help = not self.help
        if key == "u" and session.undo:
            self.take_back(session)
        text = self.view.keys.get(key)
        return text and self.checked(session, session.game.read_move(session.state, text))

    def _obey(self, session: Session, key: str) -> Move:
        """Do what a key says; a move if it makes one."""
        if key == END or (key in ("q", "Q") and not self.typed and not _begins_with_q(session)):
            raise Quit
        if key == "?":
            return self.read(session, "hint")
        if key in BACKSPACE:
            self.typed = self.typed[:-1]
        elif key in ENTER and self.typed:
            text, self.typed = self.typed, ""
            return self.read(session, text)
        elif self.cursor is not None and (key in (*ARROWS, *ENTER) or (key == " " and not self.typed)):
            return self._point(session, key, self.cursor)
        elif len(key) == 1 and key.isprintable() and len(self.typed) < 20:
            self.typed += key
        return None

    def _point(self, session: Session, key: str, cursor: int) -> Move:
        """Walk with the cursor, or pick up what is under it."""
        if key in ARROWS:
            self.cursor = self.view.walk(session.state, cursor, key, self.side)
            return None
        self.chosen, move = self.view.pick(session.state, self.chosen, cursor)
        return None if move is None else self.checked(session, move)

    def wait(self, session: Session) -> None:
        """Show the own move while others think."""
        self._draw(session, [*self._last(session), f"{session.names[session.state.turn]} is thinking …"])

    def again(self, session: Session) -> bool:
        """Show how the game ended, and ask for another one."""
        self.hints, self.typed, self.chosen, self.cursor = {}, "", None, None
        result = session.result(self.side)
        lines = result.replace(": ", ":\n").split("\n") if self.view.beside else [result]
        self._draw(session, [*self._last(session), *lines, self.standing, "", "play again? y n"])
        while (key := (self.terminal.key() or "").lower()) not in ("y", "n", "q", END):
            pass
        return key == "y"

    def _draw(self, session: Session, said: list[str], keys: Sequence[str] = ()) -> None:
        rules = session.game.describe(session.rules).partition(",")[0]
        alone = session.game.players == 1
        title = title_of(session.game, [rules] if alone else session.names, f"seed   {session.seed}")
        look = self.look(session, in_colour(), self.cursor, self.chosen)
        self.terminal.draw(page(self.view, session.state, look, title, said, keys, self.terminal.rows))

    def _last(self, session: Session) -> list[str]:
        """The last move, where nobody presses keys."""
        last = f"last move: {self.view.said(session.state, session.moves[-1])}" if session.moves else ""
        return [""] if self.view.keys else ["", last]

    def _prompt(self, session: Session) -> list[str]:
        if self.view.keys:
            return ["", self.said] if self.said else []
        arrows = "type " if self.cursor is None else "arrows and Enter, or type "
        return [*self._last(session), self.said or f"> {self.typed}", arrows + self.view.how(session.state)]

    def _keys(self, session: Session) -> list[str]:
        """What can be pressed or said instead of a move."""
        if self.view.keys:
            undo = ["u      take back"] if session.undo else []
            return (
                [*self.view.key_help, *undo, "q      quit", "", "? hides the keys"]
                if self.help
                else ["? shows the keys"]
            )
        words = ["? hint" if word == "hint" else word for word in self.words(session)]
        leave = "quit" if _begins_with_q(session) else "q quit"
        return [*words, leave, *([self.standing] if self.standing else [])]


def _begins_with_q(session: Session) -> bool:
    """Whether a move may begin with q, as on a board of seventeen columns."""
    game, state = session.game, session.state
    try:
        return bool(game.read_move(state, "q1"))
    except BadNotation:
        return any(game.write_move(move).lower().startswith("q") for move in state.legal_moves())
