"""Names that stand for things which are loaded only when they are used."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from apprenti.core.errors import UnknownName


@dataclass(frozen=True)
class Entry:
    """A thing by name: where it is, and what it is on one line."""

    where: str
    """`module:attribute`."""
    about: str


class Registry(Mapping[str, Entry]):
    """Entries by name; `load` imports one."""

    def __init__(self, what: str, entries: Mapping[str, Entry]) -> None:
        self.what = what
        self._entries = dict(entries)

    def __getitem__(self, name: str) -> Entry:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def load(self, name: str) -> Any:
        """The thing itself; UnknownName, with the names there are, if there is none."""
        if name not in self._entries:
            raise UnknownName(self.what, name, self._entries)
        module, _, attribute = self._entries[name].where.partition(":")
        return getattr(import_module(module), attribute)
