"""Put the results of experiments where people read them: the zoo's measured scores and docs/results.md.

    apprenti reproduce players-10x10 --out results
    python experiments/publish.py results

Only what is in the folder is replaced; everything else stays as it was.
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ZOO, PAGE = ROOT / "src/apprenti/zoo", ROOT / "docs/results.md"


def measured_by(results: Path) -> dict[str, list[dict]]:
    """Agent → scores, from the experiments that measure agents of the zoo."""
    found: dict[str, list[dict]] = {}
    for path in sorted(results.glob("*/results.json")):
        for row in json.loads(path.read_text()):
            if "size" in row:
                continue  # a sweep over sizes has its table; it would swamp the agent's file
            if (ZOO / f"{row.get('agent')}.json").exists() and row["deaths"]:
                unit = "points" if "points by classic" in row["rules"] else "lines"
                rules, size = re.match(r"(\w+) rules, (\d+x\d+)", row["rules"]).groups()
                statistics = row["statistics"][unit]
                found.setdefault(row["agent"], []).append({
                    "mean": round(statistics["mean"], 1), "ci95": [round(x, 1) for x in statistics["ci95"]],
                    "unit": unit, "rules": rules, "size": size, "games": row["games"], "deaths": row["deaths"],
                    "seed": row["seed"], "experiment": path.parent.name,
                })  # fmt: skip
    return found


def update_zoo(results: Path) -> None:
    """Write the measured scores into the agent files; a newer score replaces one of the same rules and size."""
    for name, scores in measured_by(results).items():
        path = ZOO / f"{name}.json"
        data = json.loads(path.read_text())
        fresh = {(score["rules"], score["size"]): score for score in scores}
        kept = {(score["rules"], score["size"]): score for score in data["measured"]}
        data["measured"] = [score for _, score in sorted((kept | fresh).items())]
        path.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def update_page(results: Path) -> None:
    """Replace the sections of docs/results.md whose experiments were run."""
    text = PAGE.read_text()
    for path in sorted(results.glob("*/table.md")):
        name = path.parent.name
        title, _, body = path.read_text().removeprefix("# ").partition("\n")
        section = (
            f"<!-- begin {name} -->\n## {title}\n{body.rstrip()}\n\n`apprenti reproduce {name}`\n<!-- end {name} -->"
        )
        pattern = rf"<!-- begin {name} -->.*?<!-- end {name} -->"
        replaced = re.sub(pattern, lambda _, s=section: s, text, flags=re.S)
        text = replaced if re.search(pattern, text, flags=re.S) else f"{text.rstrip()}\n\n{section}\n"
    PAGE.write_text(text)


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        sys.exit("give the folder of results, like: python experiments/publish.py results")
    update_zoo(Path(sys.argv[1]))
    update_page(Path(sys.argv[1]))
