"""Options are dataclasses: a field is an option, its docstring the help."""

import contextlib
import io
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

import tyro

from apprenti.core.errors import ApprentiError, BadFile
from apprenti.games.tetris.pieces import PIECE_SETS, PieceSet
from apprenti.games.tetris.rules import Rules

Options = TypeVar("Options")

Text = Annotated[str, tyro.conf.arg(help_behavior_hint="")]
"""An option that says nothing unless it is given."""


class BadUsage(ApprentiError):
    """Words on the command line that no command understands."""


def _one_sentence(box: str, command: str) -> str:
    """What a parser said in a box, without the box."""
    lines = [re.sub(r"[│╭╮╰╯]", "", line).strip() for line in box.splitlines()]
    lines = [line for line in lines if line and not line.startswith(("usage:", "For full"))]
    head: list[str] = []
    for line in lines[1:] or lines:
        if set(line) <= {"─"}:
            break
        head.append(line)
    near = re.search(r"Perhaps you meant:\W*\s*(--[\w-]+)", " ".join(lines))
    said = re.sub(r"\s+", " ", " ".join(head)).rstrip(". :")
    missing = re.match(r"Missing from apprenti \w+: (\S+)", said)
    if missing:
        said = f"{missing[1]} is missing"
    said = said.replace("invalid literal for int() with base 10:", "a whole number was expected, not")
    said = said.replace("could not convert string to float:", "a number was expected, not")
    hint = f"; did you mean {near[1]}?" if near else ""
    return f"{said}{hint} (apprenti {command} --help shows what there is)."


def parse(options: type[Options], command: str, arguments: Sequence[str]) -> Options:
    """Read a command's options."""
    box = io.StringIO()
    try:
        with contextlib.redirect_stderr(box):
            return tyro.cli(
                options,
                prog=f"apprenti {command}",
                args=list(arguments),
                config=(tyro.conf.FlagCreatePairsOff, tyro.conf.OmitArgPrefixes),
            )
    except SystemExit as stop:
        if stop.code in (0, None):
            sys.stdout.flush()
            sys.exit(0)
        raise BadUsage(_one_sentence(box.getvalue(), command)) from None


@dataclass(frozen=True, kw_only=True)
class RulesOptions:
    """The rules of the game, as far as they are not the agent's own."""

    rules: Text = ""
    """simplified (thesis), overflow, strict (Fahey) or tetrisbot; default: the rules the agent was made for."""
    size: Text = ""
    """Columns x rows, like 10x20."""
    randomiser: Text = ""
    """uniform, bag, weighted:S=2,Z=2,I=1 (shares) or sequence:IOTSZJL (repeated)."""
    pieces: Text = ""
    """rapid, classic, domino, or a text file of shapes."""
    points: Text = ""
    """lines, classic (40, 100, 300, 1200) or square (lines²)."""
    preview: bool = False
    """The next piece is known."""
    max_pieces: int = 0
    """Stop a game after so many pieces; 0 for never."""

    def apply(self, default: Rules) -> Rules:
        """The rules to play: a preset if one is named, else the default, with what was asked for changed."""
        changes: dict[str, Any] = {}
        if self.randomiser:
            changes["randomiser"] = self.randomiser
        if self.pieces:
            changes["pieces"] = read_pieces(self.pieces)
        if self.points:
            changes["points"] = self.points
        if self.preview:
            changes["preview"] = True
        if self.max_pieces:
            changes["max_pieces"] = self.max_pieces
        return Rules.preset(self.rules, self.size, **changes) if self.rules else default.changed(self.size, **changes)


def read_pieces(text: str) -> PieceSet | str:
    """A set of pieces by name, or from a text file of shapes."""
    if text in PIECE_SETS:
        return text
    path = Path(text)
    if path.suffix or path.exists():
        try:
            return PieceSet.parse(path.read_text(encoding="utf-8"), path.stem)
        except (OSError, UnicodeDecodeError) as error:
            raise BadFile(f"cannot read the shapes in {path} ({error}).") from None
    return text
