"""What is refused, in a sentence: JSON for the page's scripts, and for who opens an address a page in their language.

Sentences that a person meets on an address stand in the page's own `texts.json` as `refusal.WHY`.
"""

import json
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, JSONResponse, Response

from apprenti.core.errors import ApprentiError, UnknownName
from apprenti.core.french import translated
from apprenti.web.language import in_language, language_of
from apprenti.web.school import Nameless, NotYours

PAGE = """<!doctype html>
<html lang="{language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>apprenti</title></head>
<body><h1>apprenti</h1><p>{sentence}</p><p><a href="/">{again}</a></p></body>
</html>
"""


REASONS = {NotYours: "yours", Nameless: "nameless", UnknownName: "unknown"}


class Refused(Exception):
    """A request that is not answered: the status, one sentence, and a word for the reason where the page has texts."""

    def __init__(self, status: int, message: str, why: str = "") -> None:
        super().__init__(message)
        self.status, self.why = status, why


def why_of(error: ApprentiError) -> str:
    """The word for a reason of which the page has a text of its own."""
    return next((why for kind, why in REASONS.items() if isinstance(error, kind)), "")


def sentence_of(error: ApprentiError) -> dict[str, str]:
    """What the page is told of an error."""
    why = why_of(error)
    return {"error": str(error), **({"why": why} if why else {})}


def refusal(asked: HTTPConnection, refused: Refused) -> Response:
    """The answer to a request that is refused."""
    language = language_of(asked)
    if "text/html" not in asked.headers.get("accept", ""):
        why = {"why": refused.why} if refused.why else {}
        return JSONResponse(in_language({"error": str(refused), **why}, language), refused.status)
    words = {name: _texts().get(name, {}).get(language) for name in (f"refusal.{refused.why}", "line.again")}
    sentence, again = words.values()
    content = PAGE.format(
        language=language, sentence=escape(sentence or translated(str(refused), language)), again=escape(again or "/")
    )
    return HTMLResponse(content, refused.status)


@cache
def _texts() -> Any:
    return json.loads((files("apprenti.web") / "static" / "texts.json").read_text(encoding="utf-8"))
