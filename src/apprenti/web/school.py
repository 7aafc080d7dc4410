"""The class file: which pages, agents and learners a class sees, in which language, and who its pupils are."""

import re
import tomllib
from dataclasses import asdict, dataclass
from pathlib import Path

from apprenti.core.errors import BadFile, BadOption, UnknownName
from apprenti.games.catalogue import GAMES
from apprenti.lab.agents import zoo
from apprenti.lab.kinds.fields import read
from apprenti.learn.methods import METHODS
from apprenti.web.scenes import Data

PAGES = ("play", "watch", "wall", "replays", "runs", "measure", "zoo", "reproduce")
LANGUAGES = ("", "en", "fr")


@dataclass(frozen=True)
class School:
    """What a class sees; a list that is empty leaves everything open."""

    title: str = ""
    """What is said at the top of the page."""
    language: str = ""
    """en or fr; empty to leave it to the browser."""
    pages: tuple[str, ...] = ()
    games: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    learners: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    """Options of learners that are shown; the others are as usual."""
    pupils: tuple[str, ...] = ()
    """Names to choose from; each has games and runs of their own."""
    at_once: int = 0
    """How many runs and measurements go on at once; 0 to leave it to the page."""

    def __post_init__(self) -> None:
        if self.language not in LANGUAGES:
            raise BadOption(f"language is en or fr, not {self.language!r:.20}.")
        if not 0 <= self.at_once <= 16:
            raise BadOption(f"at_once is 1 to 16, not {self.at_once}.")
        for what, names, known in (
            ("page", self.pages, PAGES),
            ("game", self.games, GAMES),
            ("learner", self.learners, METHODS),
        ):
            for name in names:
                if name not in known:
                    raise UnknownName(what, name, known)
        for name in self.pupils:
            if not re.fullmatch(r"\w[\w-]{0,39}", name):
                raise BadOption(f"a pupil is named with letters, digits and dashes, not {name!r:.40}.")

    @property
    def is_class(self) -> bool:
        """Whether there is a class file at all."""
        return self != School()

    def shows(self, agent: str) -> bool:
        """Whether an agent is shown: one of the zoo that is named, or one that was learned here."""
        return not self.agents or agent in self.agents or agent not in zoo()

    def methods(self) -> list[str]:
        """The learners that are shown."""
        return [name for name in METHODS if not self.learners or name in self.learners]

    def method(self, name: str) -> str:
        """A learner that the page asks for."""
        if name not in self.methods():
            raise UnknownName("method", name[:40], self.methods())
        return name

    def pupil(self, name: str) -> str:
        """Who asks; nobody if there are no pupils."""
        if not self.pupils:
            return ""
        if name not in self.pupils:
            raise BadOption("say who you are first: choose your name at the top of the page.")
        return name

    def to_json(self) -> Data:
        """What the page is told."""
        return {**asdict(self), "is_class": self.is_class}


def read_school(path: Path) -> School:
    """A class file."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadFile(f"cannot read {path}: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadFile(f"{path} is not a class file: it is not TOML ({error}).") from None
    return read(School, data, str(path))
