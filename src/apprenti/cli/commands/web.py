"""`apprenti web`: the page in the browser."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Options:
    """Play, watch, replay and understand games in the browser, on this machine only; Ctrl-C ends it."""

    port: int = 8765
    """Where the page is served, on 127.0.0.1; 0 for any port that is free."""
    no_browser: bool = False
    """Only say the address, and open no browser."""
    folder: Path = Path("replays")
    """Where games are stored; replays in it can be watched."""


def run(options: Options) -> None:
    """Serve the page."""
    from apprenti.cli.replays import check_writable
    from apprenti.web.server import serve

    check_writable(options.folder)
    serve(options.folder, options.port, not options.no_browser)
