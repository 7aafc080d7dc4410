"""The class file: which pages, agents and learners a class sees, in which language, and who its pupils are."""

import re
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import unquote

from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from apprenti.agents.description import ANY_GAME
from apprenti.core.data import JsonData
from apprenti.core.errors import ApprentiError, BadOption, UnknownName
from apprenti.core.plugins import GAMES
from apprenti.lab.agents import zoo
from apprenti.lab.kinds.fields import read
from apprenti.learn.methods import METHODS
from apprenti.store.files import read_toml

PAGES = ("play", "watch", "wall", "replays", "runs", "measure", "zoo", "reproduce")
ADDRESSES = {
    "play": r"rematch|setup|people",
    "wall": r"wall",
    "replays": r"open|positions|continue|replay",
    "runs": r"methods|command|train|runs|stream/runs",
    "measure": r"measure|measures|stream/measures",
    "zoo": r"zoo|agent",
    "reproduce": r"experiments",
}
"""What each page asks the server for, after /api/; a new game is of `play` or of `watch`."""
LANGUAGES = ("", "en", "fr")
PUPIL = "pupil"
"""Where the words of a game name the pupil who began it."""


class Nameless(BadOption):
    """Who asks has not chosen a name, where each pupil has one."""


class NotYours(ApprentiError):
    """What belongs to another pupil of the class, or to none."""


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
        """Whether an agent is shown: one that the file names, or one that was learned here."""
        return not self.agents or agent in self.agents or agent not in {*zoo(), *ANY_GAME}

    def allow_agent(self, agent: str) -> None:
        """Refuse an agent of the zoo, by its full name, that the class does not see."""
        if not self.shows(agent):
            raise UnknownName("agent", agent[:40], self.agents)

    def allow(self, page: str, game: str = "") -> None:
        """Refuse what the class does not see: a page, or a game on it."""
        if self.pages and page not in self.pages:
            raise BadOption(f"this class does not use the page {page}: the class file says which it uses.")
        if game and self.games and game not in self.games:
            raise UnknownName("game", game[:40], self.games)

    def page_of(self, path: str) -> str:
        """The page that asks for an address; empty for what every page needs."""
        return next((page for page, names in ADDRESSES.items() if re.match(rf"/api/({names})(/|$)", path)), "")

    def methods(self) -> list[str]:
        """The learners that are shown."""
        return [name for name in METHODS if not self.learners or name in self.learners]

    def method(self, name: str) -> str:
        """A learner that the page asks for."""
        if name not in self.methods():
            raise UnknownName("method", name[:40], self.methods())
        return name

    def pupil(self, name: str) -> str:
        """Who asks; empty if there are no pupils."""
        if not self.pupils:
            return ""
        if name not in self.pupils:
            raise Nameless("say who you are first: choose your name at the top of the page.")
        return name

    def who(self, asked: HTTPConnection) -> str:
        """The pupil who asks, as the page's cookie names them; empty for none, and where there are no pupils."""
        name = unquote(asked.cookies.get(f"apprenti-pupil-{asked.url.port or ''}", ""))
        return name if name in self.pupils else ""

    def owned(self, words: dict[str, str], who: str) -> dict[str, str]:
        """What is stored with a game that a pupil begins: the words of the page, and whose it is."""
        return {**words, PUPIL: self.pupil(who)} if self.pupils else words

    def owns(self, words: dict[str, str], who: str) -> bool:
        """Whether a game is of this pupil; without pupils every game is everybody's."""
        return not self.pupils or (bool(who) and words.get(PUPIL) == who)

    def check_owns(self, words: dict[str, str], who: str) -> None:
        """Refuse a game of another pupil, and one that was begun before there were pupils."""
        if not self.owns(words, who):
            self.pupil(who)
            raise NotYours("this game is not yours: each pupil of the class sees and plays own games only.")

    def to_json(self) -> JsonData:
        """What the page is told."""
        return {**asdict(self), "is_class": self.is_class}


def read_school(path: Path) -> School:
    """A class file."""
    return read(School, read_toml(path, "a class file"), str(path))


class OnlyPages:
    """Passes on what the pages of a class ask for, and refuses the rest with a sentence."""

    def __init__(self, app: ASGIApp, school: School) -> None:
        self.app, self.school = app, school

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Look at the address only: what is asked there is checked by who answers."""
        try:
            if scope["type"] == "http" and (page := self.school.page_of(scope["path"])):
                self.school.allow(page)
        except BadOption as error:
            await JSONResponse({"error": str(error)}, 403)(scope, receive, send)
        else:
            await self.app(scope, receive, send)
