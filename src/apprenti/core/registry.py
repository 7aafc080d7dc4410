"""Names that stand for things which are loaded only when they are used; installed packages can add to them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar, cast

from apprenti.core.errors import BadPlugin, UnknownName
from apprenti.core.extras import needing

T = TypeVar("T")


@dataclass(frozen=True)
class Entry:
    """A thing by name: where it is, and what it is on one line."""

    where: str
    """`module:attribute`."""
    about: str


class Registry(Mapping[str, Entry], Generic[T]):
    """Entries by name; `load` imports one.

    With `plugins`, the name of a group of entry points, installed packages add theirs: `name = "module:attribute"`. A
    name of our own cannot be taken by a plug-in. `check` raises if a plug-in is not what it should be.
    """

    def __init__(
        self, what: str, entries: Mapping[str, Entry], plugins: str = "", check: Callable[[str, T], None] | None = None
    ) -> None:
        self.what, self.plugins, self.check = what, plugins, check
        self._own = dict(entries)

    @cached_property
    def _entries(self) -> dict[str, Entry]:
        found = entry_points(group=self.plugins) if self.plugins else ()
        return {**{point.name: Entry(point.value, _about(point)) for point in found}, **self._own}

    def __getitem__(self, name: str) -> Entry:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def load(self, name: str) -> T:
        """The thing itself; UnknownName, with the names there are, if there is none."""
        if name not in self._entries:
            raise UnknownName(self.what, name, self._entries)
        module, _, attribute = self._entries[name].where.partition(":")
        if name in self._own:
            with needing(f"{self.what} {name}"):
                return cast("T", getattr(import_module(module), attribute))
        try:
            found = cast("T", getattr(import_module(module), attribute))
            if self.check:
                self.check(name, found)
        except Exception as error:  # whatever a stranger's module does wrong is to be told with its name
            raise BadPlugin(f"the plug-in {self.what} {name} cannot be loaded from {module} ({error!r}).") from error
        return found


def _about(point: EntryPoint) -> str:
    return f"from the package {point.dist.name}" if point.dist else "from a package"
