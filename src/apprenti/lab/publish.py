"""Put the results of experiments where people read them: the zoo's measured scores, the pages of docs/, costs, ratings.

    apprenti reproduce players-10x10
    python -m apprenti.lab.publish results

It is run in a checkout. Only what is in the folder is replaced; everything else stays as it was. Short and unfinished
results are left out. A table goes between `<!-- table NAME -->` and `<!-- end NAME -->` on whatever page has these, and
into a section of its own, from `<!-- begin NAME -->` on, in docs/results.md where no page has.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from apprenti.core.data import JsonData
from apprenti.core.errors import ApprentiError, BadFile
from apprenti.lab.agents import zoo
from apprenti.lab.experiments import COSTS, PICTURES, kind_named, known
from apprenti.lab.kinds.kind import KINDS
from apprenti.store.files import read_json, write_json, write_text


def finished(results: Path) -> Iterator[tuple[Path, JsonData]]:
    """The folders whose experiments were run to their end, each with its settings."""
    for path in sorted(results.glob("*/settings.json")):
        settings = read_json(path, "the settings of an experiment")
        if settings["complete"] and not settings["short"]:
            yield path.parent, settings


def scores_of(folder: Path, settings: JsonData) -> Iterator[tuple[str, JsonData]]:
    """Agents and their scores, from an experiment that measures agents."""
    kind = KINDS.load(kind_named(settings["kind"]))
    for measured in json.loads((folder / "results.json").read_text(encoding="utf-8")):
        score = kind.score(measured)
        if score:
            about = {"rules": measured["rules"].get("name", measured["game"]), "size": measured["rules"].get("size")}
            rules = {name: value for name, value in about.items() if value}
            yield measured["agent"], {**score, **rules, "experiment": settings["experiment"]}


def what(score: JsonData) -> tuple[str, ...]:
    """What a score is of: a newer one of the same takes its place."""
    return tuple(str(score.get(name, "")) for name in ("rules", "size", "against"))


def update_zoo(results: Path, agents: Mapping[str, Path]) -> None:
    """Write the measured scores into the agent files."""
    for folder, settings in finished(results):
        for agent, score in scores_of(folder, settings):
            path = agents.get(agent)
            if path:
                data = read_json(path, "an agent file")
                scores = {what(one): one for one in [*data.get("measured", []), score]}
                write_json(path, {**data, "measured": [one for _, one in sorted(scores.items())]})


def update_costs(results: Path, experiments: Mapping[str, Path]) -> None:
    """Write what the experiments cost, on which machine and when, beside their files."""
    for folder, settings in finished(results):
        if "core_seconds" in settings and folder.name in experiments:
            path = experiments[folder.name].parent / COSTS
            costs = read_json(path, "the costs of experiments") if path.exists() else {}
            names = ("core_seconds", "seconds", "cores", "processor", "date", "commit")
            costs[folder.name] = {
                name: round(settings[name], 1) if "seconds" in name else settings[name] for name in names
            }
            write_json(path, dict(sorted(costs.items())))


def update_strengths(results: Path, experiments: Mapping[str, Path]) -> None:
    """Write the ratings that are drawn, where the matches that they are from were played."""
    for folder, _ in finished(results):
        path = experiments[folder.name].parent / PICTURES if folder.name in experiments else None
        drawn = read_json(path, "what is drawn of results") if path and path.exists() else {}
        if path and drawn.get("experiment") == folder.name:
            numbers = json.loads((folder / "results.json").read_text(encoding="utf-8"))
            ratings = next(one["ratings"] for one in numbers if "ratings" in one)
            strengths = [
                {"agent": one["agent"], "elo": round(one["elo"]), "half": round(1.96 * one["error"])} for one in ratings
            ]
            write_json(path, {**drawn, "strengths": strengths})


def replaced(text: str, mark: str, name: str, body: str) -> str | None:
    """A page with a new body between its marks; None if it has no such marks."""
    pattern = rf"<!-- {mark} {re.escape(name)} -->.*?<!-- end {re.escape(name)} -->"
    if not re.search(pattern, text, flags=re.S):
        return None
    return re.sub(pattern, lambda _: f"<!-- {mark} {name} -->\n{body}\n<!-- end {name} -->", text, flags=re.S)


def update_pages(results: Path, docs: Path) -> None:
    """Replace the tables whose experiments were run."""
    for folder, _ in finished(results):
        name, text = folder.name, (folder / "table.md").read_text(encoding="utf-8")
        title, question, table = (part.strip() for part in text.removeprefix("# ").split("\n\n", 2))
        pages = {
            page: replaced(page.read_text(encoding="utf-8"), "table", name, table) for page in docs.glob("**/*.md")
        }
        for page, changed in pages.items():
            if changed is not None:
                write_text(page, changed)
        if not any(pages.values()):
            section = f"## {title}\n\n{question}\n\n{table}\n\n`apprenti reproduce {name}`"
            update_results(docs / "results.md", name, section)


def update_results(page: Path, name: str, section: str) -> None:
    """Replace a section of the page of results, or add it."""
    text = page.read_text(encoding="utf-8")
    added = f"{text.rstrip()}\n\n<!-- begin {name} -->\n{section}\n<!-- end {name} -->\n"
    write_text(page, replaced(text, "begin", name, section) or added)


def publish(results: Path, agents: Mapping[str, Path], docs: Path, experiments: Mapping[str, Path]) -> None:
    """All of it."""
    if not results.is_dir() or not (docs / "results.md").exists():
        raise BadFile("give the folder of results, in a checkout: python -m apprenti.lab.publish results")
    update_zoo(results, agents)
    update_pages(results, docs)
    update_costs(results, experiments)
    update_strengths(results, experiments)


if __name__ == "__main__":
    try:
        publish(Path(*sys.argv[1:2] or [""]), zoo(), Path("docs"), known())
    except ApprentiError as error:
        sys.exit(str(error))
