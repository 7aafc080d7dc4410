"""Pictures of every page of `apprenti web`, to be looked at: python -m tests.web.screenshots FOLDER.

A tiny run, a match and a short experiment are made first, in a temporary folder.
"""

import os
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.lab.test_queue import until
from tests.web.client import Client, served
from tests.web.test_browser import CHROMIUM, FLAGS

GA = {"criteria": "dellacherie", "size": "10x6", "population": 24, "iterations": 12, "games": 2, "max_pieces": 300}
LOOKS = {
    "light": {"locale": "en-GB", "viewport": {"width": 1280, "height": 860}},
    "dark-fr": {"locale": "fr-FR", "viewport": {"width": 1280, "height": 860}, "color_scheme": "dark"},
    "phone": {"locale": "en-GB", "viewport": {"width": 360, "height": 740}},
}


def places(client):
    """Every page, with something to see on it."""
    run = client.post("/api/train", {"method": "ga", "options": GA})["run"]
    asked = {"game": "tictactoe", "agents": ["mnk-perfect", "mnk-random", "mnk-one-ply"], "games": 40}
    match = client.post("/api/measure", asked)["id"]
    until(lambda: client.get(f"/api/runs/{run}").get("game"), 300)  # its agent can be measured while it learns
    alone = client.post("/api/measure", {"game": "tetris", "agents": [run], "games": 300, "options": {"size": "10x6"}})
    solved = client.post("/api/measure/solve", {"game": "gridworld", "gamma": 0.95, "name": "walker"})["id"]
    client.post("/api/experiments/tictactoe-tournament/run", {"short": True})
    until(lambda: not client.get("/api/jobs")["jobs"], 300)
    return {
        "home": "", "new": "new/luzhanqi", "watch": "watch", "wall": "wall", "replays": "replays",
        "runs": "runs", "train": "train", "form": "train/ga", "run": f"run/{run}",
        "measure": "measure?game=tetris", "measured": f"measured/{alone['id']}", "tournament": f"measured/{match}",
        "solve": "solve?game=tetris", "solved": f"measured/{solved}",
        "zoo": "zoo", "agent": "agent/dellacherie", "reproduce": "reproduce",
        "experiment": "experiment/tictactoe-tournament",
    }  # fmt: skip


@contextmanager
def somewhere():
    """A folder of its own, and a server."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            with served(Path(folder) / "replays") as server:
                yield server
        finally:
            os.chdir(before)


def main(folder):
    """Make them."""
    folder.mkdir(parents=True, exist_ok=True)
    with somewhere() as server, sync_playwright() as playwright:
        everywhere = places(Client(server))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for look, settings in LOOKS.items():
            page = browser.new_context(**settings).new_page()
            page.goto(server.address)
            for name, place in everywhere.items():
                page.goto(f"http://127.0.0.1:{server.port}/#/{place}")
                page.wait_for_timeout(2500)
                page.screenshot(path=folder / f"{name}-{look}.png", full_page=True)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path("screenshots").resolve())
