"""A person who plays against an agent: with arrow keys and typed moves at a terminal, with lines of text elsewhere."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from apprenti.cli.duels.frame import framed
from apprenti.cli.duels.session import DuelSession, Evening, Resign, Undo
from apprenti.cli.session import Quit
from apprenti.cli.terminal import END, Terminal, in_colour
from apprenti.core.errors import ApprentiError, BadNotation, IllegalMove
from apprenti.core.seeds import Stream
from apprenti.views.positions import Look, View

ARROWS = ("up", "down", "left", "right")
ENTER, BACKSPACE = ("\n", "\r"), ("\x7f", "\b")


def hint_of(session: DuelSession) -> tuple[Mapping[Any, float], str]:
    """The value of each move in the agent's eyes; from one that knows no values, what it would play itself."""
    agent, state, side = session.agent, session.state, session.side
    observation = state.observation(side)
    if hasattr(agent, "values"):
        return agent.values(observation), ""
    move = agent.choose(observation, state.legal_moves(), Stream.named(len(session.moves), "hint"))
    return {}, f"{session.names[1 - side]} would play {session.game.write_move(move)}."


@dataclass
class Seat:
    """What both kinds of person have in common."""

    view: View
    undo: bool = False
    chinese: bool = False
    setup: Callable[[Any, Any], Any] | None = None
    """How this person sets up an army, where there is one."""
    hints: Mapping[Any, float] = field(default_factory=dict)
    said: str = ""
    """What has to be said beside the board."""

    def arrange(self, rules: Any, rng: Any) -> Any:
        """The person's army."""
        assert self.setup is not None, "this game has no setup"
        return self.setup(rules, rng)

    def read(self, session: DuelSession, text: str) -> Any:
        """A legal move from what was typed; None after a hint; Quit, Resign or Undo for those words."""
        word = text.strip().lower()
        if word in ("hint", "?"):
            self.hints, self.said = hint_of(session)
            return None
        if word in ("quit", "q", "exit"):
            raise Quit
        if word == "resign":
            raise Resign
        if word == "undo":
            self._take_back()
        return self.checked(session, session.game.read_move(session.state, text))

    def _take_back(self) -> NoReturn:
        if self.undo:
            self.hints = {}
            raise Undo
        raise IllegalMove("moves are not taken back in this game: begin it with --undo.")

    def checked(self, session: DuelSession, move: Any) -> Any:
        """The move, if it is legal."""
        session.state.play(move)
        self.hints = {}
        return move

    def look(self, session: DuelSession, colour: bool, **more: Any) -> Look:
        """How the person sees the position."""
        last = self.view.points(session.game.read_move(session.state, session.moves[-1])) if session.moves else ()
        return Look(session.side, colour, last=last, hints=self.hints, chinese=self.chinese, **more)


@dataclass
class LinePerson(Seat):
    """Says its moves in lines of text; a wrong one is explained and asked for again."""

    def ask(self, session: DuelSession) -> Any:
        """The next move."""
        self._show(session)
        while True:
            line = sys.stdin.readline()
            if not line:
                raise Quit
            if not line.strip():
                continue
            try:
                move = self.read(session, line)
            except ApprentiError as error:  # also a hint that cannot be given
                print(f"apprenti: {error}", file=sys.stderr, flush=True)
                continue
            if move is not None:
                return move
            self._show(session)

    def _show(self, session: DuelSession) -> None:
        self._show_board(session)
        if self.said:
            print(self.said)
        words = "hint, undo, resign, quit" if self.undo else "hint, resign, quit"
        print(f"you are {session.game.sides[session.side]}; {self.view.how(session.state)}; or {words}", flush=True)
        self.said = ""

    def _show_board(self, session: DuelSession) -> None:
        """The board, after the move that the agent answered."""
        if session.moves and session.positions[-2].to_move != session.side:
            print(f"{session.names[1 - session.side]}: {session.moves[-1]}")
        print(self.view.screen(session.state, self.look(session, colour=False)))

    def again(self, session: DuelSession) -> bool:
        """Show how the game ended; whoever writes lines plays one game."""
        if not session.resigned:
            self._show_board(session)
        return False


@dataclass
class KeyPerson(Seat):
    """Sits at a terminal."""

    terminal: Terminal = field(default_factory=Terminal)
    evening: Evening = field(default_factory=Evening)
    typed: str = ""
    cursor: int | None = None
    chosen: int | None = None

    def ask(self, session: DuelSession) -> Any:
        """The next move."""
        if self.cursor is None:
            self.cursor = self.view.start(session.state)
        while True:
            self._draw(session)
            key = self.terminal.key() or ""
            self.said = ""
            try:
                move = self._obey(session, key)
            except ApprentiError as error:  # also a hint that cannot be given
                self.said, self.typed, self.chosen = str(error), "", None
                continue
            if move is not None:
                self.typed, self.chosen = "", None
                return move

    def _obey(self, session: DuelSession, key: str) -> Any:
        """Do what a key says; a move if it makes one."""
        assert self.cursor is not None
        if key == END or (key in ("q", "Q") and not self.typed and not self._begins_with_q(session)):
            raise Quit
        if key in ARROWS:
            self.cursor = self.view.walk(session.state, self.cursor, key, session.side)
        elif key == "?":
            return self.read(session, "hint")
        elif key in BACKSPACE:
            self.typed = self.typed[:-1]
        elif key in ENTER and self.typed:
            text, self.typed = self.typed, ""
            return self.read(session, text)
        elif key in ENTER or (key == " " and not self.typed):
            self.chosen, move = self.view.pick(session.state, self.chosen, self.cursor)
            return None if move is None else self.checked(session, move)
        elif len(key) == 1 and key.isprintable() and len(self.typed) < 20:
            self.typed += key
        return None

    def _begins_with_q(self, session: DuelSession) -> bool:
        """Whether a move may begin with q, as on a board of seventeen columns."""
        try:
            session.game.read_move(session.state, "q1")
        except BadNotation:
            return False
        return True

    def _draw(self, session: DuelSession, *words: str) -> None:
        look = self.look(session, in_colour(), cursor=self.cursor, chosen=self.chosen)
        names = [f"{side}  {name}" for side, name in zip(session.game.sides, session.names, strict=True)]
        last = f"last move: {session.moves[-1]}" if session.moves else ""
        result = getattr(session.state, "last_result", "")
        below = ["", f"{last} ({result.replace('_', ' ')})" if result and last else last]
        below += words or self._prompt(session)

        def board(small: bool) -> str:
            return self.view.screen(session.state, replace(look, small=small))

        self.terminal.draw(framed(["   ".join(names), ""], board, below, self.terminal.rows))

    def _prompt(self, session: DuelSession) -> list[str]:
        keys = "arrows and Enter, or type " + self.view.how(session.state)
        leave = "quit" if self._begins_with_q(session) else "q quit"
        more = ["? hint", *(["undo"] if self.undo else []), "resign", leave]
        more += [str(self.evening)] if self.evening.games else []
        return [self.said or f"> {self.typed}", keys, "   ".join(more)]

    def again(self, session: DuelSession) -> bool:
        """Show how the game ended, and ask for another one."""
        self.hints, self.typed, self.chosen, self.cursor = {}, "", None, None
        self._draw(session, session.result, str(self.evening), "", "play again? y n")
        while (key := (self.terminal.key() or "").lower()) not in ("y", "n", "q", END):
            pass
        return key == "y"
