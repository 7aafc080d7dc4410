"""What the page is told, in the language of who reads it: words are translated where they leave the server."""

import re
from typing import Any

from starlette.requests import HTTPConnection

from apprenti.core.french import LANGUAGES, translated

COOKIE = "apprenti-language-{port}"
"""The page keeps the language that was chosen here, so that streams and live games know it, too."""
WORDS = frozenset(
    (
        "about", "description", "doing", "error", "help", "message", "note", "question", "said", "sentence", "sides",
        "text", "title", "unit", "words", "wrong", "headings", "rows", "why",
    )
)  # fmt: skip
"""The fields of answers that people read: a text, a list of texts, or texts by name."""
NAMED = frozenset(("axes", "parts", "weights"))
"""The fields with names of criteria: in a list, or over numbers."""
_NUMBERED = re.compile(r"(.*?)((?: \d+|\[.*\])?)")


def language_of(asked: HTTPConnection) -> str:
    """The language that was chosen on the page; else the first that the browser asks for."""
    chosen = (
        asked.cookies.get(COOKIE.format(port=asked.url.port or ""))
        or asked.headers.get("accept-language", "")[:2].lower()
    )
    return chosen if chosen in LANGUAGES else LANGUAGES[0]


def in_language(data: Any, language: str) -> Any:
    """An answer with its words in a language; names, numbers and positions stay."""
    if language == LANGUAGES[0]:
        return data
    if isinstance(data, dict):
        return {name: _field(name, value, language) for name, value in data.items()}
    return [in_language(each, language) for each in data] if isinstance(data, list | tuple) else data


def _field(name: str, value: Any, language: str) -> Any:
    if name in WORDS:
        return _worded(value, language)
    return _named(value, language) if name in NAMED else in_language(value, language)


def _named(value: Any, language: str) -> Any:
    if isinstance(value, dict):
        return {_name(name, language): _named(each, language) for name, each in value.items()}
    return [_named(each, language) for each in value] if isinstance(value, list | tuple) else _name(value, language)


def _name(name: Any, language: str) -> Any:
    """A criterion, which may be one of several with a number; where it is none, as it was."""
    if not isinstance(name, str):
        return name
    alone, number = _NUMBERED.fullmatch(name).groups()  # type: ignore[union-attr]
    english = alone.replace("_", " ")
    french = translated(english, language)
    return name if french == english else french + number


def _worded(value: Any, language: str) -> Any:
    if isinstance(value, str):
        return translated(value, language)
    if isinstance(value, dict):
        return {name: _worded(each, language) for name, each in value.items()}
    return [_worded(each, language) for each in value] if isinstance(value, list | tuple) else value
