"""Texts in French: the English text is the key, and what has no French stays English.

A game has its French beside what it names, in the `fr.json` of its folder, and the generic rooms have theirs in one:
tables of texts by what they are about. A text with `(.+)`, `(\\S+)` for one word, `(\\d+)` for digits or `(--\\S+)` for
an option stands for many: `\\1`, `\\2` … are its parts, each translated in turn. A list with commas has French
where each of its parts has.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from apprenti.core.plugins import folder_of, plugins

FILE = "fr.json"
_SPOKEN = ["en"]
LANGUAGES = ("en", "fr")
_PART = re.compile(r"(\((?:\.|\\d|(?:--)?\\S)\+\))")
_NUMBERS = re.compile(r"[\W\d_]*(?:\d (?:M|k|s|%))?")
_SIZE = re.compile(r"\d+(?:x\d+)+")
_FRACTION, _THOUSANDS = re.compile(r"(?<=\d)\.(?=\d)"), re.compile(r"(?<=\d),(?=\d{3}\b)")
_BEFORE, _AFTER = re.compile(r" (?=[:;?!»%])"), re.compile(r"(?<=«) ")
_BREAK = re.compile(r" *\n *")
_SPACE = "\N{NO-BREAK SPACE}"


_Patterns = tuple[tuple[re.Pattern[str], str], ...]


class _Table(NamedTuple):
    exact: Mapping[str, str]
    begun: _Patterns
    """Those that begin with letters of their own; those with the most, and the narrowest places, come first."""
    others: _Patterns


def places() -> tuple[Path, ...]:
    """The files with French texts: of the generic rooms, then of every game."""
    of_games = (folder_of(each.french) / FILE for each in plugins() if each.french)
    return (Path(__file__).parents[1] / FILE, *of_games)


def entries(place: Path) -> Iterator[tuple[str, str]]:
    """The texts of a file with their French."""
    for table in json.loads(place.read_text(encoding="utf-8")).values():
        yield from table.items()


def speak(language: str) -> None:
    """Of this process: the language of its terminal and its pictures."""
    _SPOKEN[:] = [language]


def spoken() -> str:
    """The language of this process; English unless it was told another."""
    return _SPOKEN[0]


def translated(text: str, language: str) -> str:
    """A text in a language, as a whole or line by line; what has no French stays as it is."""
    if language != "fr" or not text:
        return text
    return in_french(text) or "\n".join(map(_line, text.split("\n")))


def _line(line: str) -> str:
    """A line in French, as far in as it was."""
    text = line.lstrip(" ")
    return line[: len(line) - len(text)] + (in_french(text) or text)


def in_french(text: str) -> str | None:
    """The French of a text, whose lines may be broken anywhere; None where there is none."""
    if "\n" in text:  # a place for a part has no room for several lines
        return _read(places()).exact.get(_BREAK.sub(" ", text))
    return _french(text, places())


@lru_cache(maxsize=8192)
def _french(text: str, where: tuple[Path, ...]) -> str | None:
    table = _read(where)
    if text in table.exact:
        return table.exact[text]
    if _NUMBERS.fullmatch(text):
        return with_comma(text)
    if _SIZE.fullmatch(text):
        return text
    listed = [_french(each, where) for each in text.split(", ")] if ", " in text else [None]
    if all(listed):
        return ", ".join(filter(None, listed))
    return _of_pattern(table.begun, text, where) or _after_name(text, where) or _of_pattern(table.others, text, where)


def _of_pattern(patterns: _Patterns, text: str, where: tuple[Path, ...]) -> str | None:
    """The French of the first pattern that fits, with its parts."""
    for pattern, french in patterns:
        if match := pattern.fullmatch(text):
            parts = [_french(part, where) or part for part in match.groups()]
            return re.sub(r"\\(\d)", lambda number, parts=parts: parts[int(number[1]) - 1], french)  # type: ignore[misc]
    return None


def _after_name(text: str, where: tuple[Path, ...]) -> str | None:
    """The French of a sentence after a name and a colon, `ga: …`; `population: 100` is an option."""
    name, _, rest = text.partition(": ")
    french = _french(rest, where) if " " in rest and name and " " not in name else None
    return french and f"{_french(name, where) or name}{_SPACE}: {french}"


def with_comma(numbers: str) -> str:
    """Numbers as they are written in French: 2 640,5."""
    return _FRACTION.sub(",", _THOUSANDS.sub(_SPACE, numbers))


def with_spaces(french: str) -> str:
    """French with spaces that do not break before : ; ? ! % » and after «."""
    return _AFTER.sub(_SPACE, _BEFORE.sub(_SPACE, french))


@lru_cache(maxsize=4)
def _read(where: tuple[Path, ...]) -> _Table:
    both = {english: with_spaces(french) for place in where for english, french in entries(place)}
    patterns = [(english, french) for english, french in both.items() if _PART.search(english)]
    patterns.sort(key=lambda pair: (-len(_PART.sub("", pair[0])), pair[0].count("(.+)"), pair[0].count("(\\S+)")))
    exact = {english: french for english, french in both.items() if not _PART.search(english)}
    begun, others = (
        tuple((_pattern(english), french) for english, french in patterns if bool(_PART.match(english)) is free)
        for free in (False, True)
    )
    return _Table(exact, begun, others)


def _pattern(english: str) -> re.Pattern[str]:
    """A text with places for parts as a pattern; all else stands for itself."""
    pieces = _PART.split(english)
    return re.compile("".join(each if at % 2 else re.escape(each) for at, each in enumerate(pieces)), re.DOTALL)
