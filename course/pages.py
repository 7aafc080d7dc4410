"""Write the notebooks as pages of the site: `python course/pages.py FOLDER [--run]`.

`marimo export html` makes pages of 28 MB of JavaScript that browsers load from a server only, without the site's
navigation, search and languages. Here a lesson is Markdown like every other page. With --run its cells are run in
order, and what they print, draw and return is shown under them.
"""

import ast
import contextlib
import io
import os
import pprint
import re
import sys
import tempfile
from pathlib import Path
from textwrap import dedent
from typing import Any, NamedTuple

from apprenti.course import in_language

COURSE = Path(__file__).parent
FORMULA = re.compile(r"```.*?```|`[^`\n]*`|(\$\$?)(.+?)\1", re.DOTALL)
EITHER = re.compile(r'either\(\s*(f?"[^"]*"),\s*(f?"[^"]*"),?\s*\)')
LANGUAGES = {"en": (".md", "README.md"), "fr": (".fr.md", "LISEZMOI.md")}
NOTEBOOK = {"en": "As a notebook, to change the code:", "fr": "En carnet, pour changer le code :"}


class Cell(NamedTuple):
    """A cell of a notebook: words, or code that is shown or hidden."""

    code: str
    words: str | None
    hidden: bool


def cells(notebook: Path, language: str) -> list[Cell]:
    """What a notebook has in one language, without running it. The language is chosen here, not by the reader."""
    text = notebook.read_text(encoding="utf-8")
    found = [cell(node, text, language) for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    return [each for each in found if not re.search(r"\btongue\b", each.code)]


def cell(node: ast.FunctionDef, text: str, language: str) -> Cell:
    """One function of the file; its words are those of `show(ENGLISH, FRENCH)`."""
    body = [statement for statement in node.body if not isinstance(statement, ast.Return)]
    code = dedent("\n".join(text.splitlines()[body[0].lineno - 1 : body[-1].end_lineno]))
    first = body[0].value if isinstance(body[0], ast.Expr) else None
    both = first.args if isinstance(first, ast.Call) and code.startswith("show(") else None
    words = ast.literal_eval(both[list(LANGUAGES).index(language)]) if both else None
    return Cell(code, dedent(words).strip() if words else None, "hide_code" in ast.unparse(node.decorator_list[0]))


def run(code: str, names: dict[str, Any]) -> tuple[str, Any]:
    """What a cell prints, and its last value."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "lesson", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "lesson", "eval"), names) if last else None
    return printed.getvalue(), value


def shown(printed: str, value: Any, picture: Path) -> str:
    """The output of a cell in Markdown; a figure of matplotlib is written to a file."""
    if hasattr(value, "savefig"):
        value.savefig(picture, bbox_inches="tight", metadata={"Date": None})
        return f"![figure]({picture.name})"
    if hasattr(value, "_repr_markdown_"):
        return value._repr_markdown_()
    if hasattr(value, "_repr_html_"):
        printed, value, html = printed.rstrip(), None, f"<div>{value._repr_html_()}</div>"
        return f"```text\n{printed}\n```\n\n{html}" if printed else html
    text = printed + (
        value if isinstance(value, str) else "" if value is None else pprint.pformat(value, width=100, sort_dicts=False)
    )
    return f"```text\n{text.rstrip()}\n```" if text.strip() else ""


def with_formulas(markdown: str) -> str:
    """LaTeX between dollars as MathML, which browsers draw by themselves."""
    from latex2mathml.converter import convert

    def mathml(found: re.Match[str]) -> str:
        if not found[1]:
            return found[0]
        display = "block" if found[1] == "$$" else "inline"
        formula = convert(found[2], display=display).replace("*", "&#x2A;")
        return f"<div>{formula}</div>" if display == "block" else formula

    return FORMULA.sub(mathml, markdown)


def lesson(notebook: Path, language: str, folder: Path, running: bool) -> None:
    """One lesson in one language. The cell that checks a pupil's functions is left out: there are none here."""
    number = notebook.stem.removeprefix("lesson_")
    parts, names = [], {"__name__": "lesson", "language": language, "either": in_language(language)}
    for place, (code, words, hidden) in enumerate(cells(notebook, language)):
        if words is not None:
            parts.append(with_formulas(words))
        elif "course.check(" not in code:
            output = run(code, names) if running else ("", None)
            ask = "course.ask(" in code  # what it asks for is for reading, how it is asked is not
            plain = EITHER.sub(lambda both: both[1 + list(LANGUAGES).index(language)], code)
            parts.append("" if hidden or ask else f"```python\n{plain}\n```")
            parts.append(shown(*output, folder / f"lesson-{number}-{language}-{place}.svg"))
    command = f"`marimo edit course/{notebook.name}`"
    title, _, text = "\n\n".join(part for part in parts if part).partition("\n")
    page = f"{title}\n\n*{NOTEBOOK[language]}* {command}\n{text}\n"
    (folder / f"lesson-{number}{LANGUAGES[language][0]}").write_text(page, encoding="utf-8")


def write(folder: Path, running: bool = False) -> None:
    """The course: a page about it and a page for each lesson, in both languages."""
    for language, (ending, about) in LANGUAGES.items():
        text = (COURSE / language / about).read_text(encoding="utf-8")
        text = re.sub(r"\(\.\./lesson_(\d\d)\.py\)", r"(lesson-\1.md)", text).replace("(../../docs/", "(")
        (folder / f"course{ending}").write_text(text, encoding="utf-8")
        for notebook in sorted(COURSE.glob("lesson_*.py")):
            lesson(notebook, language, folder, running)


def main() -> None:
    """Run the notebooks in an empty folder, where their runs are left."""
    os.environ["MPLBACKEND"] = "agg"
    folder = Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as empty, contextlib.chdir(empty):
        write(folder, "--run" in sys.argv)


if __name__ == "__main__":
    main()
