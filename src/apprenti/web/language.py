"""What the page is told, in the language of who reads it: words are translated where they leave the server."""

from typing import Any

from starlette.requests import HTTPConnection

from apprenti.core.french import LANGUAGES, translated

COOKIE = "apprenti-language"
"""The page keeps the language that was chosen here, so that streams and live games know it, too."""
WORDS = frozenset(
    (
        "about", "description", "doing", "error", "help", "message", "note", "question", "said", "sentence", "sides",
        "text", "title", "unit", "words", "wrong", "headings",
    )
)  # fmt: skip
"""The fields of answers that people read: a text, a list of texts, or texts by name."""


def language_of(asked: HTTPConnection) -> str:
    """The language that was chosen on the page; else the first that the browser asks for."""
    chosen = asked.cookies.get(COOKIE) or asked.headers.get("accept-language", "")[:2].lower()
    return chosen if chosen in LANGUAGES else LANGUAGES[0]


def in_language(data: Any, language: str) -> Any:
    """An answer with its words in a language; names, numbers and positions stay."""
    if language == LANGUAGES[0]:
        return data
    if isinstance(data, dict):
        return {
            name: _worded(value, language) if name in WORDS else in_language(value, language)
            for name, value in data.items()
        }
    return [in_language(each, language) for each in data] if isinstance(data, list | tuple) else data


def _worded(value: Any, language: str) -> Any:
    if isinstance(value, str):
        return translated(value, language)
    if isinstance(value, dict):
        return {name: _worded(each, language) for name, each in value.items()}
    return [_worded(each, language) for each in value] if isinstance(value, list | tuple) else value
