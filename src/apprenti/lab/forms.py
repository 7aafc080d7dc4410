"""The options of a learner as a form: fields from its `Config`; what is filled in, as a config and as a command."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, fields
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

from apprenti.core.data import JsonData, JsonMapping, help_of
from apprenti.core.errors import ApprentiError, UnknownName
from apprenti.lab.kinds.fields import read
from apprenti.learn.learner import LearnerConfig, allowed
from apprenti.learn.methods import METHODS, config_class, learner_class


class BadForm(ApprentiError):
    """Options that a learner refuses; `field` names the one it speaks of, empty if it is none alone."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


@cache
def form_of(method: str) -> list[JsonData]:
    """The fields of a method's form, in the order of its command line: all from its `Config`."""
    if method not in METHODS:
        raise UnknownName("method", method, METHODS)
    cls = config_class(method)
    usual, helps, types = cls(), help_of(cls), get_type_hints(cls)
    choices = allowed(cls)
    return [
        {
            "name": one.name,
            "kind": kind_of(types[one.name]),
            "default": asdict(usual)[one.name],
            "help": helps[one.name],
            "choices": list(choices.get(one.name, ())),
            "may_change": one.name in usual.may_change,
        }
        for one in fields(cls)
    ]


def kind_of(wanted: Any) -> str:
    """What is typed into a field: int, float, str, bool, or a list of one of these."""
    if get_origin(wanted) is tuple:
        return f"list {get_args(wanted)[0].__name__}"
    return str(wanted.__name__)


def config_from(method: str, given: JsonMapping) -> LearnerConfig:
    """The config that a form asks for; BadForm with the learner's own sentence, and the field it is about."""
    usual = {field["name"]: field["default"] for field in form_of(method)}
    with _about_a_field(method, {**usual, **given}):
        config: LearnerConfig = read(config_class(method), dict(given), method)
    return config


def check(method: str, config: LearnerConfig) -> None:
    """Refuse what only the learner itself can refuse: it is built, and forgotten."""
    with _about_a_field(method, asdict(config)):
        learner_class(method)(config)


@contextmanager
def _about_a_field(method: str, values: JsonMapping) -> Iterator[None]:
    try:
        yield
    except ApprentiError as error:
        sentence = str(error).removeprefix(f"{method}: ")
        raise BadForm(sentence, field_of(sentence, values)) from None


def field_of(sentence: str, values: JsonMapping) -> str:
    """The field that a sentence names first: as an option (--max-pieces), as a name (size of …), or by its value."""
    for option, name in re.findall(r"--([a-z][a-z-]*)|\b(\w+) of ", sentence):
        field_name = option.replace("-", "_") or name
        if field_name in values:
            return str(field_name)
    return next((name for name, value in values.items() if isinstance(value, str) and value and value in sentence), "")


def words_of(method: str, config: LearnerConfig, name: str = "") -> list[str]:
    """The words after `apprenti` that begin the same run: what is as usual is left out."""
    usual = config_class(method)()
    words = ["train", method]
    for one in fields(config):
        value = getattr(config, one.name)
        if value != getattr(usual, one.name):
            words += option_words(one.name, value)
    return [*words, *(["--name", name] if name else [])]


def option_words(name: str, value: Any) -> list[str]:
    """An option as it is typed."""
    option = f"--{name.replace('_', '-')}"
    if isinstance(value, bool):
        return [option if value else f"--no-{option.removeprefix('--')}"]
    if isinstance(value, tuple):
        return [option, *map(str, value)]
    return [f"{option}={value}"] if str(value).startswith("-") else [option, str(value)]
