"""Write games as replays, to a file or to a folder."""

import re
import tempfile
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from apprenti.core.errors import BadFile
from apprenti.lab.session import Session
from apprenti.store.replay import write_replay


@dataclass
class ReplayWriter:
    """Where replays go. Nothing is written when no place is named."""

    where: str = ""
    """A file that ends in .json, or a folder."""
    written: list[Path] = field(default_factory=list)

    def __post_init__(self) -> None:
        place = Path(self.where)
        self._file = place if place.suffix == ".json" and not place.is_dir() else None
        self._folder = place.parent if self._file else place
        if self.where:
            check_writable(self._folder)

    def write(self, session: Session) -> None:
        """Write a game, also one that was left early; a game without a move is no game."""
        replay = session.replay()
        if self.where and replay.moves:
            path = self._path(session.names[0] if session.game.players == 1 else session.game.name, session.seed)
            write_replay(path, replay)
            self.written.append(path)

    def _path(self, who: str, seed: int) -> Path:
        """The file of a game; only a file named by the person is ever replaced, and only by the first game."""
        if self._file and not self.written:
            return self._file
        name = re.sub(r"[^\w.-]", "-", who)
        return unused(self._file or self._folder / f"{name}-{seed}.json")

    def report(self) -> None:
        """Say what has been written and how to see it."""
        for path in self.written:
            print(f"recorded: apprenti replay {path}")


def check_writable(folder: Path) -> None:
    """Refuse a folder that cannot be written now, and not after an hour of play."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except FileExistsError:
        raise BadFile(f"{folder} is not a folder: replays go to a file that ends in .json, or to a folder.") from None
    except OSError as error:
        raise BadFile(f"cannot write to {folder}: {error.strerror}.") from None


def unused(path: Path) -> Path:
    """The path, or the first of path-2, path-3 … that is not taken."""
    names = (path.with_stem(f"{path.stem}-{number}") for number in count(2))
    return next(name for name in names if not name.exists()) if path.exists() else path
