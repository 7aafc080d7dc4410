"""Draw the pictures of the results: what was published beside what was measured, from the zoo's files.

    python -m apprenti.lab.published

It is run in a checkout, after `python -m apprenti.lab.publish results` has written new scores. The Elo of Luzhanqi's
players is read from the table of docs/ppo.md. Then every picture of docs/ is written in French, too.
"""

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from apprenti.arena.statistics import Rating
from apprenti.core.errors import ApprentiError, BadFile
from apprenti.lab.agents import zoo
from apprenti.lab.french import translate
from apprenti.store.files import read_json
from apprenti.views.plots.glance import at_a_glance
from apprenti.views.plots.points import ladder
from apprenti.views.plots.scores import Score, beside_published

RATING = re.compile(r"^\| `([\w-]+)` \| (-?\d+) \| (\d+) \|", re.MULTILINE)
"""A row of the table: a player, its Elo, and half the 95 % interval."""
GAMES, PERCENT = re.compile(r"(\d[\d ]*) games"), re.compile(r"± ([\d.]+) %")
"""What a note says of how a published score was measured, and how sure it is."""
LEAST = 100
"""Lines a game from which on a player is in the pictures."""
Agents = Mapping[str, Path]
"""The files of the zoo by name."""
Measured = tuple[str, Mapping[str, Any], Score]


def scores(agents: Agents) -> Iterator[Measured]:
    """Every score measured with an interval, who made it, and what was published for the same rules and size."""
    for path in agents.values():
        agent = read_json(path, "an agent file")
        for found in agent.get("measured", []):
            if "size" in found and "against" not in found and "ci95" in found and found["mean"] > LEAST:
                said = [one for one in agent.get("published", []) if _same(one, found)]
                yield agent["name"], found, Score(found["mean"], *found["ci95"], *(_said(said[0]) if said else ()))


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(one.get(key) == other.get(key) for key in ("rules", "size", "unit"))


def _said(published: Mapping[str, Any]) -> tuple[float, float]:
    """A published mean, and half its interval: as its note has it, or by the number of games and an exponential law."""
    mean, note = published["mean"], published.get("note", "")
    percent, games = PERCENT.search(note), GAMES.search(note)
    if percent:
        return mean, mean * float(percent[1]) / 100
    return mean, 1.96 * mean / int(games[1].replace(" ", "")) ** 0.5 if games else 0.0


def records(agents: Agents, size: str) -> dict[str, Score]:
    """The players measured on a board under the simplified rules, the best first."""
    played = (one for one in scores(agents) if (one[1]["rules"], one[1]["size"]) == ("simplified", size))
    return dict(sorted(((name, score) for name, _, score in played), key=lambda row: -row[1].mean))


def ratios(agents: Agents) -> dict[str, Score]:
    """Every measured score divided by the published one."""
    found = ((f"{name}, {one['rules']} {one['size']}", score) for name, one, score in scores(agents))
    return {name: score.divided_by(score.published) for name, score in found if score.published}


def ratings(page: Path) -> dict[str, Rating]:
    """The ladder of Luzhanqi."""
    rows = RATING.findall(page.read_text(encoding="utf-8"))
    return {name: Rating(float(elo), float(half) / 1.96) for name, elo, half in rows}


def draw(agents: Agents, docs: Path) -> None:
    """All pictures of the results, in both languages."""
    again, rated = ratios(agents), ratings(docs / "ppo.md")
    boards = {size: records(agents, size) for size in ("10x10", "10x20")}
    agree = f"{sum(one.agrees for one in again.values())} of {len(again)} agree"
    titles = "Records, lines a game", f"Measured again: {agree}", "Luzhanqi: the ladder"
    best = {
        size: (max(one.published or 0 for one in by.values()), next(iter(by.values()))) for size, by in boards.items()
    }
    at_a_glance(best, list(again.values()), rated, titles, docs / "results.svg")
    for size, by in boards.items():
        title = f"Players of {size}, simplified rules, one piece known"
        beside_published(by, "lines a game, with 95 % intervals", title, docs / f"results-{size}.svg")
    title = f"Published scores, measured again: {agree}"
    beside_published(again, "measured / published, with 95 % intervals", title, docs / "results-again.svg")
    ladder(rated, "Luzhanqi: the ladder", docs / "results-ladder.svg")
    translate(docs, names(agents, docs / "ppo.md"))


def names(agents: Agents, page: Path) -> set[str]:
    """What agents are called in the pictures; on the ladder without their game."""
    rated = ratings(page)
    return {*agents, *rated, *(name.split("-", 1)[-1] for name in rated)}


if __name__ == "__main__":
    try:
        if not Path("docs/ppo.md").exists():
            raise BadFile("run it in a checkout, where docs/ is: python -m apprenti.lab.published")
        draw(zoo(), Path("docs"))
    except ApprentiError as error:
        sys.exit(str(error))
