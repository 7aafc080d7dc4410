"""A person who plays: with cursor and typed moves or with the keys of a game at a terminal, with lines elsewhere."""

import sys
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import NoReturn

from apprenti.arena.game import choices
from apprenti.cli.language import say
from apprenti.cli.screen import END, Terminal, in_colour, screen, wrapped
from apprenti.core.errors import ApprentiError, BadNotation, IllegalMove
from apprenti.core.game import AnyGame
from apprenti.core.protocols import AnyMove, AnyObservation, AnyRules, AnyState, Valued
from apprenti.core.seeds import Chance, Stream
from apprenti.lab.people import ADVICE
from apprenti.lab.session import Quit, Resign, Session, Undo, title_of
from apprenti.views.view import AnyView, Look

ARROWS = ("up", "down", "left", "right")
ENTER, BACKSPACE = ("\n", "\r"), ("\x7f", "\b")


WORD_OF = {"?": "help", "\t": "hint"}
"""What a key says."""
WORDS = ("Instead of a move: help, hint, undo (with --undo), resign, quit.",)
KEYS = (
    "Arrow keys and Enter make a move, or type it and press Enter.",
    "? help, this page   Tab a hint   type undo (with --undo) or resign   q quit",
)


USUAL_ROWS = 24
"""Of a terminal that is not called low: there the rules are shown at first, on two screens if need be."""


def rules_for_people(view: AnyView, game: AnyGame, rules: AnyRules) -> list[str]:
    """The rules for people."""
    return [game.describe(rules), "", *view.about(rules), ""]


@dataclass
class Person:
    """Somebody who is shown a game and asked for moves; how, is said by the two kinds below."""

    view: AnyView
    side: int = 0
    standing: str = ""
    """How the games so far went."""
    hints: Mapping[AnyMove, float] = field(default_factory=dict)
    note: str = ""
    """What stands beside the board: a hint, or what is wrong."""
    numbers: bool = False
    """Rows and columns are numbered."""
    statistics: bool = False
    """What can be counted is shown, and how long moves take."""
    rated: bool = False
    """The game counts: no hint is given."""
    session: Session = field(init=False)

    @property
    def presses_keys(self) -> bool:
        """Whether the game is played key by key."""
        return bool(self.view.keys)

    @property
    def alone(self) -> bool:
        """Whether there is no other player."""
        return self.session.game.players == 1

    def choose(self, observation: AnyObservation, legal: Sequence[AnyMove], rng: Chance) -> AnyMove:
        self.begin_turn()
        while True:
            try:
                move = self.ask()
            except ApprentiError as error:  # also a hint that cannot be given
                self.refuse(error)
                continue
            if move is not None:
                return move

    def begin_turn(self) -> None:
        """Prepare to be asked for a move."""
        raise NotImplementedError

    def ask(self) -> AnyMove:
        """Show what there is to be seen and read a line or a key; the move it makes, or None."""
        raise NotImplementedError

    def refuse(self, error: ApprentiError) -> None:
        """Say what is wrong."""
        raise NotImplementedError

    def welcome(self, game: AnyGame, rules: AnyRules) -> None:
        """Be told the rules before the first game."""

    def tell(self, game: AnyGame, rules: AnyRules) -> None:
        """Be told the rules, what the signs mean, and what can be said."""
        raise NotImplementedError

    def see(self, state: AnyState, move: str) -> None:
        """Be shown what happens while others play."""

    def again(self) -> bool:
        """Be shown how the game ended; whether the person wants another one."""
        raise NotImplementedError

    def read(self, text: str) -> AnyMove:
        """A legal move from what was typed; None after help or a hint; Quit, Resign or Undo for those words."""
        word = text.strip().lower()
        if word in ("help", "?"):
            self.tell(self.session.game, self.session.rules)
            return None
        if word == "hint":
            self._ask_for_hint()
            return None
        if word in ("quit", "q", "exit"):
            raise Quit
        if word == "resign" and not self.alone:
            raise Resign
        if word == "undo":
            self.undo()
        return self.checked(self.session.game.read_move(self.session.state, text))

    def _ask_for_hint(self) -> None:
        """The value of each move in an agent's eyes; from one that knows no values, what it would play itself."""
        if self.rated:
            raise IllegalMove(ADVICE)
        session = self.session
        name, agent = next(
            (each for each in zip(session.names, session.agents, strict=True) if each[1] is not self), ("", None)
        )
        if agent is None:
            raise IllegalMove("nobody else plays here whom one could ask for a hint.")
        seen = session.state.observation(self.side)
        if isinstance(agent, Valued):
            self.hints = agent.values(seen)
            self.note = f"What each move is worth to {name}."
            return
        move = agent.choose(seen, choices(agent, session.state), Stream.named(len(session.moves), "hint"))
        self.note = f"{name} would play {self.view.named(session.state, session.game.write_move(move))}."

    def undo(self) -> NoReturn:
        """Take the last move back, if that was agreed upon."""
        if not self.session.undo:
            raise IllegalMove("moves are not taken back in this game: begin it with --undo.")
        mine = any(moment.state.turn == self.side for moment in self.session.past)
        if not mine and not self.presses_keys:  # among keys of a program it is no mistake
            raise IllegalMove("there is no move of yours to take back.")
        self.hints = {}
        raise Undo

    def checked(self, move: AnyMove) -> AnyMove:
        """The move, if it is legal."""
        self.session.state.play(move)
        self.hints = {}
        return move

    def look(self, colour: bool, cursor: int | None = None, chosen: int | None = None) -> Look:
        """How the person sees the position."""
        last = self.view.points(self.session.moves[-1]) if self.session.moves else ()
        keyed, numbers, over = self.presses_keys, self.numbers, self.session.outcome is not None
        return Look(self.side, colour, cursor, chosen, last, self.hints, open=over, by_keys=keyed, numbers=numbers)

    def counted(self) -> list[str]:
        """What can be counted on the board, and how long moves take, if that was asked for."""
        session = self.session
        return [*self.view.statistics(session.state), session.timing(self.side)] if self.statistics else []

    def words(self) -> list[str]:
        """What can be said instead of a move, beside the word for leaving."""
        undo, hint = ["undo"] if self.session.undo else [], [] if self.rated else ["hint"]
        return ["help", *undo] if self.alone else ["help", *hint, *undo, "resign"]


@dataclass
class LinePerson(Person):
    """Says its moves in lines of text.

    Where a game is played key by key a line has many, and a wrong one ends a program's game; elsewhere a wrong move is
    explained and asked for again, as it always is for a person.
    """

    line: int = 0
    board_is_due: bool = True
    waiting: deque[str] = field(default_factory=deque)
    """What has been said and not been played yet."""

    def welcome(self, game: AnyGame, rules: AnyRules) -> None:
        if sys.stdin.isatty() and self.view.about(rules):
            self.tell(game, rules)

    def tell(self, game: AnyGame, rules: AnyRules) -> None:
        say("\n".join([*rules_for_people(self.view, game, rules), *WORDS]), end="\n\n", flush=True)

    def begin_turn(self) -> None:
        self.board_is_due = True

    def ask(self) -> AnyMove:
        if self.waiting:
            move = self.read(self.waiting.popleft())
            self.board_is_due = self.board_is_due or move is None
            return move
        if self.board_is_due:
            self._show()
        self._listen()
        self.board_is_due = self.presses_keys  # there a line is answered with the board, even an empty one
        return None

    def _listen(self) -> None:
        """Read the next line."""
        text = sys.stdin.readline()
        if not text:
            raise Quit
        self.line += 1
        self.waiting.extend(text.split() if self.presses_keys else filter(None, [text.strip()]))

    def refuse(self, error: ApprentiError) -> None:
        self.waiting.clear()  # whatever else the line says was meant for another position
        where = f"line {self.line}: " if self.presses_keys else ""
        if self.presses_keys and not sys.stdin.isatty():
            raise BadNotation(f"{where}{error}") from None
        say(f"apprenti: {where}{error}", file=sys.stderr, flush=True)

    def _show(self) -> None:
        self._show_board()
        if self.note:
            say(self.note)
        if not self.presses_keys:
            you = "" if self.alone else f"you are {self.session.game.sides[self.side]}; "
            say(f"{you}{self.view.how(self.session.state)}; or {', '.join([*self.words(), 'quit'])}", flush=True)
        self.note = ""

    def _show_board(self) -> None:
        """The board, after the moves that the others made."""
        moves = zip(reversed(self.session.movers), reversed(self.session.moves), strict=True)
        for mover, move in reversed(list(takewhile(lambda each: each[0] != self.side, moves))):
            say(f"{self.session.names[mover]}: {self.view.named(self.session.state, move)}")
        board = self.view.screen(self.session.state, self.look(colour=False))
        say("\n".join([board, *self.counted()]), end="\n\n" if self.presses_keys else "\n", flush=True)

    def again(self) -> bool:
        if self.session.outcome:
            self._show_board()
        return False


@dataclass
class KeyPerson(Person):
    """Sits at a terminal."""

    terminal: Terminal = field(default_factory=Terminal)
    help: bool = True
    """Whether the keys of the game are shown."""
    typed: str = ""
    cursor: int | None = None
    chosen: int | None = None

    def welcome(self, game: AnyGame, rules: AnyRules) -> None:
        fits = len(self._rules_in_lines(game, rules)) < self.terminal.rows
        if self.view.about(rules) and (fits or self.terminal.rows >= USUAL_ROWS):
            self.tell(game, rules)

    def tell(self, game: AnyGame, rules: AnyRules) -> None:
        if not self.terminal.leaf(self._rules_in_lines(game, rules)):
            raise Quit

    def _rules_in_lines(self, game: AnyGame, rules: AnyRules) -> list[str]:
        """The rules and the keys, as they fit on the screen."""
        return [part for line in [*rules_for_people(self.view, game, rules), *KEYS, ""] for part in wrapped(line)]

    def begin_turn(self) -> None:
        if self.cursor is None:
            self.cursor = self.view.start(self.session.state)

    def ask(self) -> AnyMove:
        self._draw(self._prompt(), self._keys())
        key = self.terminal.key() or ""
        self.note = ""
        move = self._steer(key.lower()) if self.presses_keys else self._obey(key)
        if move is not None:
            self.typed, self.chosen = "", None
        return move

    def refuse(self, error: ApprentiError) -> None:
        self.note, self.typed, self.chosen = str(error), "", None

    def _steer(self, key: str) -> AnyMove:
        """The move of a key, where a game is played key by key."""
        if key in ("q", END):
            raise Quit
        if key == "?":
            self.help = not self.help
        if key == "u" and self.session.undo:
            self.undo()
        text = self.view.keys.get(key)
        return text and self.checked(self.session.game.read_move(self.session.state, text))

    def _obey(self, key: str) -> AnyMove:
        """Do what a key says; a move if it makes one."""
        if key == END or (key in ("q", "Q") and not self.typed and not self._begins_with_q()):
            raise Quit
        if key in WORD_OF and not self.typed:
            return self.read(WORD_OF[key])
        if key in BACKSPACE:
            self.typed = self.typed[:-1]
        elif key in ENTER and self.typed:
            text, self.typed = self.typed, ""
            return self.read(text)
        elif self.cursor is not None and (key in (*ARROWS, *ENTER) or (key == " " and not self.typed)):
            return self._point(key, self.cursor)
        elif len(key) == 1 and key.isprintable() and len(self.typed) < 20:
            self.typed += key
        return None

    def _ask_for_hint(self) -> None:
        self._draw([*self._last(), "looking for a hint …"])
        super()._ask_for_hint()

    def _point(self, key: str, cursor: int) -> AnyMove:
        """Walk with the cursor, or pick up what is under it."""
        if key in ARROWS:
            self.cursor = self.view.walk(self.session.state, cursor, key, self.side)
            return None
        self.chosen, move = self.view.pick(self.session.state, self.chosen, cursor)
        return None if move is None else self.checked(move)

    def see(self, state: AnyState, move: str) -> None:
        if state.turn >= 0 and state.turn != self.side:
            self._draw([*self._last(), f"{self.session.names[state.turn]} is thinking …"])

    def again(self) -> bool:
        self.hints, self.typed, self.chosen, self.cursor = {}, "", None, None
        result = self.session.result(self.side)
        lines = result.replace(": ", ":\n").split("\n") if self.view.beside else [result]
        self._draw([*self._last(), *lines, self.standing, "", "play again? y n"])
        while (key := (self.terminal.key() or "").lower()) not in ("y", "n", "q", END):
            pass
        return key == "y"

    def _draw(self, words: list[str], keys: Sequence[str] = ()) -> None:
        session, look = self.session, self.look(in_colour(), self.cursor, self.chosen)
        rules = session.game.describe(session.rules).partition(",")[0]
        title = title_of(session.game, [rules] if self.alone else session.names, f"seed   {session.seed}")
        words = [*self.counted(), *words]
        self.terminal.draw(screen(self.view, session.state, look, title, words, keys, self.terminal.rows))

    def _last(self) -> list[str]:
        """The last move, where moves are not made key by key."""
        moves = self.session.moves
        last = f"last move: {self.view.said(self.session.state, moves[-1])}" if moves else ""
        return [""] if self.presses_keys else ["", last]

    def _prompt(self) -> list[str]:
        if self.presses_keys:
            return ["", self.note] if self.note else []
        arrows = "type " if self.cursor is None else "arrows and Enter, or type "
        return [*self._last(), self.note or f"> {self.typed}", arrows + self.view.how(self.session.state)]

    def _keys(self) -> list[str]:
        """What can be pressed or said instead of a move."""
        if self.presses_keys:
            undo = ["u      take back"] if self.session.undo else []
            shown = [*self.view.key_help, *undo, "q      quit", "", "? hides the keys"]
            return shown if self.help else ["? shows the keys"]
        keys = {"help": "? help", "hint": "Tab hint"}
        words = [keys.get(word, word) for word in self.words()]
        leave = "quit" if self._begins_with_q() else "q quit"
        return [*words, leave, *([self.standing] if self.standing else [])]

    def _begins_with_q(self) -> bool:
        """Whether a move may begin with q, as on a board of seventeen columns."""
        game, state = self.session.game, self.session.state
        try:
            return bool(game.read_move(state, "q1"))
        except BadNotation:
            return any(game.write_move(move).lower().startswith("q") for move in state.legal_moves())
