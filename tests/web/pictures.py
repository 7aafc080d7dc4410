"""Make the pictures of the page for README.md and docs/ again: `python -m tests.web.pictures`; needs Chromium.

`python -m tests.web.pictures FOLDER NAME…` makes some of them. NAME.fr.png is what a French reader sees.
"""

import io
import json
import re
import sys
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
from PIL import Image
from playwright.sync_api import expect, sync_playwright

from tests.web.client import Client
from tests.web.screenshots import places, somewhere
from tests.web.test_browser import CHROMIUM, FLAGS, go

LARGEST = 90_000
"""Bytes of a picture."""


def explained(page, pieces=40):
    """Dellacherie's player on a board that is a quarter full, and why it plays as it does."""
    go(page, f"watch?{urlencode({'game': 'tetris', 'players': json.dumps(['dellacherie']), 'seed': 4})}")
    page.locator("#explain").check()
    page.locator("#replay-play").click()
    while not page.locator("#count").inner_text().startswith(f"{pieces} ·"):
        one_more(page)


def one_more(page):
    """The next piece, and what the player thinks of it."""
    number = page.locator("#count").inner_text()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#count")).not_to_have_text(number)
    expect(page.locator(".parts")).to_be_visible()


def luzhanqi(page):
    """A person's game: what a piece can do, what is known."""
    go(page, "new/luzhanqi")
    page.locator("select:has(option[value='luzhanqi-random'])").select_option("luzhanqi-random")
    page.locator("summary").nth(1).click()
    page.locator("#seed").fill("5")
    page.locator("#book").click()
    page.locator("#begin").click()
    for number in range(5):
        page.locator(".luzhanqi-holder .movable").nth(number).click()
        page.locator(".target").first.click()
        page.locator(f".moves li:nth-child({2 * number + 2})").wait_for(state="attached")
        page.locator(".luzhanqi-holder .movable").first.wait_for()
    page.locator(".luzhanqi-holder .movable").nth(3).click()


def wall(page):
    """One agent on many seeds."""
    asked = {
        "game": "tetris",
        "agent": "dellacherie",
        "games": 36,
        "speed": 0,
        "seed": 1,
        "options": '{"size": "10x5"}',
    }
    go(page, f"wall?{urlencode(asked)}")
    expect(page.locator("#statistics")).to_contain_text(re.compile(r"36 \w+ 36"), timeout=120_000)


def phone(page):
    """Tetris for fingers."""
    go(page, "new/tetris")
    page.locator("#mode").select_option("turns")
    page.locator("summary").nth(1).click()
    page.locator("#seed").fill("3")
    page.locator("#begin").tap()
    for pieces, steps in enumerate((-4, 3, -2, 1), 1):
        for _ in range(abs(steps)):
            page.locator(".pad.left" if steps < 0 else ".pad.right").tap()
        page.locator(".pad.drop").tap()
        expect(page.locator("#measure-pieces")).to_have_text(str(pieces))


PICTURES = {
    "explain": (explained, {"viewport": {"width": 1160, "height": 960}}),
    "luzhanqi": (luzhanqi, {"viewport": {"width": 1160, "height": 860}, "color_scheme": "dark"}),
    "wall": (wall, {"viewport": {"width": 1160, "height": 780}}),
    "phone": (
        phone,
        {"viewport": {"width": 360, "height": 700}, "has_touch": True, "is_mobile": True},
    ),
}


LABORATORY = ("runs", "form", "run", "measured", "tournament", "solved", "zoo", "agent", "reproduce", "experiment")
"""Pages of the laboratory, as `screenshots.py` calls them."""
CHARTS = ("run", "measured", "tournament", "solved")
"""Those of them that draw charts."""
LAB = {"viewport": {"width": 1000, "height": 900}}
LANGUAGES = {"": "en-GB", ".fr": "fr-FR"}
FIRST, PIECES = 8, 14
"""Of the game of the moving picture."""


def written(shot, path, colours=128):
    """Store a picture in few colours."""
    Image.open(io.BytesIO(shot)).convert("RGB").quantize(colours, dither=Image.Dither.NONE).save(path, optimize=True)
    assert path.stat().st_size <= LARGEST, f"{path} is too large"
    print(path, path.stat().st_size)


def moving(page, path):
    """The page while an agent plays, piece by piece: the picture of README.md."""
    page.set_viewport_size({"width": 1000, "height": 740})
    explained(page, FIRST)
    shots = []
    for _ in range(PIECES):
        one_more(page)
        page.wait_for_timeout(250)
        shots.append(Image.open(io.BytesIO(page.screenshot())).convert("RGB"))
    everything = Image.fromarray(np.concatenate([np.asarray(shot)[::4] for shot in shots]))
    colours = everything.quantize(64, dither=Image.Dither.NONE)
    first, *others = (shot.quantize(palette=colours, dither=Image.Dither.NONE) for shot in shots)
    first.save(path, save_all=True, append_images=others, duration=700, loop=0, optimize=True)
    assert path.stat().st_size <= 2 * LARGEST, f"{path} is too large"
    print(path, path.stat().st_size)


def shown(page, name):
    """A page of the laboratory once it is drawn."""
    page.locator("#main h1").first.wait_for(timeout=60_000)
    if name in CHARTS:
        page.locator(".js-plotly-plot .main-svg").first.wait_for(timeout=60_000)
    if name == "run":
        page.locator(".family").wait_for(timeout=60_000)
    page.wait_for_timeout(1500)
    part = {"full_page": True, "clip": {"x": 0, "y": 360, "width": 1000, "height": 1340}} if name == "run" else {}
    return page.screenshot(**part)  # of a run, from its curves to its weights


def main(folder, names):
    with somewhere() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        everywhere = places(Client(server)) if set(names) & set(LABORATORY) else {}
        for ending, locale in LANGUAGES.items():
            for name, (make, settings) in {name: PICTURES[name] for name in names if name in PICTURES}.items():
                page = browser.new_context(**settings, locale=locale).new_page()
                page.goto(server.address)
                make(page)
                page.wait_for_timeout(500)
                written(page.screenshot(), folder / f"page-{name}{ending}.png")
            page = browser.new_context(**LAB, locale=locale).new_page()
            page.goto(server.address)
            if "watch" in names:
                moving(page, folder / f"page-watch{ending}.gif")
                page.set_viewport_size(LAB["viewport"])
            for name in (name for name in LABORATORY if name in names):
                go(page, everywhere[name])
                written(shown(page, name), folder / f"page-{name}{ending}.png", 64)
        browser.close()


if __name__ == "__main__":
    main(
        Path(sys.argv[1] if len(sys.argv) > 1 else "docs").resolve(), sys.argv[2:] or [*PICTURES, "watch", *LABORATORY]
    )
