"""`apprenti web`: the page in the browser."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro


@dataclass(frozen=True)
class Options:
    """Play, watch, learn, measure and reproduce in the browser, on this machine only; Ctrl-C ends it.

    Runs and measurements that were begun there go on by themselves.
    """

    port: int = 8765
    """Where the page is served, on 127.0.0.1; 0 for any port that is free."""
    no_browser: bool = False
    """Only say the address, and open no browser."""
    folder: Path = Path("replays")
    """Where games are stored; replays in it can be watched."""
    school: Annotated[Path | None, tyro.conf.arg(name="class", metavar="FILE", help_behavior_hint="")] = None
    """A class file (.toml): which pages, agents and learners a class sees, in which language, and its pupils."""


def run(options: Options) -> None:
    """Serve the page."""
    from apprenti.cli.replays import check_writable
    from apprenti.web.server import serve

    check_writable(options.folder)
    serve(options.folder, options.port, not options.no_browser, options.school)
