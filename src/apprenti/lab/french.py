"""Pictures of docs/ in French: the words of an SVG are translated, what is drawn stays.

`python -m apprenti.lab.published` writes NAME.fr.svg beside every NAME.svg. A picture with words that have no French
(`core/french.py`) is refused: add them.
"""

import re
from collections.abc import Collection
from pathlib import Path

from apprenti.core.errors import BadFile
from apprenti.core.french import FILE, in_french
from apprenti.store.files import write_text

TEXT = re.compile(r"(<text\b[^>]*>)([^<]+)(?=</text>)")
OPTION = re.compile(r"[a-z_]+: \S+")
AGENT = re.compile(r"([a-z\d-]+)(?:, [a-z]+ \d+x\d+)?")
"""An agent, and its rules and board."""


def picture_in_french(svg: str, agents: Collection[str]) -> str:
    """A picture with French words; the names of agents stay."""
    return TEXT.sub(lambda text: text[1] + _translated(text[2], agents), svg)


def _translated(text: str, agents: Collection[str]) -> str:
    """One text of a picture; an option stays as it is typed."""
    if french := in_french(text):
        return french
    if OPTION.fullmatch(text) or ((named := AGENT.fullmatch(text)) and named[1] in agents):
        return text
    raise BadFile(f"{text!r} has no French in any {FILE}: add it there.")


def translate(docs: Path, agents: Collection[str]) -> None:
    """Write NAME.fr.svg beside every picture."""
    for path in sorted(docs.glob("**/*.svg")):
        if not path.name.endswith(".fr.svg"):
            french = picture_in_french(path.read_text(encoding="utf-8"), agents)
            write_text(path.with_suffix(".fr.svg"), french)
