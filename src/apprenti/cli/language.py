"""The language of the terminal: `--language fr` before the command, APPRENTI_LANG, or the locale; what is printed."""

from collections.abc import Mapping, Sequence
from typing import TextIO

from apprenti.core.errors import BadOption
from apprenti.core.french import LANGUAGES, speak, spoken, translated

OPTION, VARIABLE = "--language", "APPRENTI_LANG"
LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")


def say(text: str = "", end: str = "\n", file: TextIO | None = None, flush: bool = False) -> None:
    """Print a text in the language of the terminal."""
    print(translated(text, spoken()), end=end, file=file, flush=flush)


def worded(text: str) -> str:
    """A text in the language of the terminal."""
    return translated(text, spoken())


def listen(arguments: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    """Speak the language that is asked for from now on; what is left are the command and its words."""
    first, *rest = [*arguments, ""]
    name, equals, value = first.partition("=")
    if name != OPTION:
        speak(of_environment(environment))
        return [*arguments]
    asked = value if equals else rest[0]
    if asked not in LANGUAGES:
        raise BadOption(f"{OPTION} is {' or '.join(LANGUAGES)}, not {asked!r:.20}.")
    speak(asked)
    return [*arguments[1 if equals else 2 :]]


def of_environment(environment: Mapping[str, str]) -> str:
    """The language that a machine is set to: one of ours, else English."""
    wanted = next((environment[name] for name in (VARIABLE, *LOCALE) if environment.get(name)), "")
    return wanted[:2].lower() if wanted[:2].lower() in LANGUAGES else LANGUAGES[0]
