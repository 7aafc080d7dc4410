"""Experiments: one small file for every number we publish, and the code that runs it again."""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apprenti.core.errors import BadFile, UnknownName


@dataclass(frozen=True)
class Experiment:
    """A file of `experiments/`: what is asked, and what to run."""

    name: str
    title: str
    question: str
    kind: str
    data: dict[str, Any] = field(hash=False)


def folders() -> list[Path]:
    """Where experiments are looked for: here, and in the checkout this package runs from."""
    return [Path("experiments"), Path(__file__).resolve().parents[3] / "experiments"]


def known() -> dict[str, Path]:
    """The experiments by name."""
    return {path.stem: path for folder in reversed(folders()) for path in sorted(folder.glob("*.toml"))}


def read(text: str) -> Experiment:
    """An experiment by its name or its file."""
    path = Path(text) if text.endswith(".toml") else known().get(text)
    if path is None:
        raise UnknownName("experiment", text, known())
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        return Experiment(path.stem, data.pop("title"), data.pop("question"), data.pop("kind"), data)
    except OSError as error:
        raise BadFile(f"cannot read {path}: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError) as error:
        raise BadFile(f"{path} is not an experiment: a title, a question and a kind were expected ({error}).") from None
