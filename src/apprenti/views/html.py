"""A report as one HTML page that needs nothing else: text, tables, and pictures inside it."""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

STYLE = """
body { font: 16px/1.5 sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #111; background: #fff; }
table { border-collapse: collapse; font-size: 0.85rem; margin: 1rem 0; }
th, td { border-bottom: 1px solid #bbb; padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
img { max-width: 100%; display: block; margin: 1rem 0; }
"""


@dataclass(frozen=True)
class Section:
    """A heading, and what stands below it."""

    title: str
    words: Sequence[str] = ()
    """Paragraphs."""
    table: Sequence[Sequence[str]] = ()
    """Rows of cells, the headings first."""
    pictures: Sequence[Path] = ()
    """Files (png)."""


def page(title: str, sections: Sequence[Section]) -> str:
    """The page."""
    body = "\n".join(_section(section) for section in sections)
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>'
    return f"<!doctype html>\n<html><head>{head}</head><body>\n<h1>{escape(title)}</h1>\n{body}\n</body></html>\n"


def _section(section: Section) -> str:
    parts = [f"<h2>{escape(section.title)}</h2>", *(f"<p>{escape(words)}</p>" for words in section.words)]
    if section.table:
        head, *rows = (
            "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row)
            for tag, row in (("th" if number == 0 else "td", row) for number, row in enumerate(section.table))
        )
        parts.append(f"<table><tr>{head}</tr>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>")
    parts += [_picture(path, section.title) for path in section.pictures]
    return "\n".join(parts)


def _picture(path: Path, words: str) -> str:
    data = b64encode(path.read_bytes()).decode()
    return f'<img alt="{escape(words)}" src="data:image/png;base64,{data}">'
