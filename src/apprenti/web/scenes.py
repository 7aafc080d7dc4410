"""What the page is sent of a position: a scene for each family of games, and one that does for any game.

A scene is plain data, drawn by the `scene.js` of a manifest's `page`. It is made of what a player knows (an
observation), or of the open state where a game is watched openly or has ended, and of nothing else.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from apprenti.core.data import JsonData, JsonMapping
from apprenti.core.errors import BadPlugin
from apprenti.core.game import AnyGame
from apprenti.core.plugins import Registry, folder_of, plugins
from apprenti.core.protocols import AnyAgent, AnyObservation, AnyRules
from apprenti.core.seeds import Chance


class Scenes:
    """What the page needs to know of a family of games. A family says how it is drawn, and what it can do better."""

    module: ClassVar[str] = "generic"
    """The family whose `scene.js` draws it."""

    adviser: ClassVar[str] = ""
    """The agent that is proposed to be asked or watched; empty for the game's usual opponent."""
    examples: ClassVar[Mapping[str, tuple[Mapping[str, str], str]]] = {}
    """For games of the family options and a position, as the game writes it, to show what it looks like; else any."""

    small: ClassVar[Mapping[str, str] | None] = None
    """Options of a game that is solved exactly, with values of one that is solved at once; None for every option."""
    bench: ClassVar[JsonMapping] = {}
    """For `apprenti bench web`: a new game as the page asks for it, and the `keys` that are pressed if it has any."""

    def scene(self, seen: AnyObservation, eyes: int | None) -> JsonData:
        """A position as plain data. `seen` is an observation, or the open state; `eyes` is who sits at the bottom."""
        raise NotImplementedError

    def choices(self) -> Mapping[str, Sequence[str]]:
        """For options of the game, values to offer; any other can be typed."""
        return {}

    def usual_rules(self) -> AnyRules:
        """What a person plays when nothing else is asked for; None to leave it to the game."""
        return None

    def details(self, seen: AnyObservation) -> JsonData:
        """More of a position, which takes longer and is sent when the page asks for it."""
        return {}

    def quick(self, agent: AnyAgent, rules: AnyRules) -> Any:
        """An agent that makes the same choices faster, where there is one; it need not say why."""
        return agent

    def setup(self, rules: AnyRules, side: int, text: str, rng: Chance) -> JsonData | None:
        """What is needed to set up an army; `text` is what the person has set up, empty for a proposal."""
        return None


@dataclass(frozen=True)
class AnyScenes(Scenes):
    """A game that has no scenes of its own: its notation; moves are buttons and can be typed."""

    game: AnyGame

    def scene(self, seen: AnyObservation, eyes: int | None) -> JsonData:
        return {"text": self.game.write_state(seen) if eyes is None else self.game.write_observation(seen)}


SCENES: Registry[Scenes] = Registry("scenes", "scenes")


def scenes_of(game: AnyGame) -> Scenes:
    """The scenes of a game: its family's, or those that do for any game."""
    return SCENES.load(game.family) if game.family in SCENES else AnyScenes(game)


def page_folders() -> dict[str, Path]:
    """The folders with files of the page, by the family they draw; of a manifest without scenes, by its games."""
    by_name: dict[str, Path] = {}
    for each in plugins():
        with suppress(BadPlugin):  # a broken package takes no other game away
            for name in (each.scenes or each.games) if each.page else ():
                by_name.setdefault(name, folder_of(each.page))
    return by_name
