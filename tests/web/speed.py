"""How long a person waits, in Chromium: `python -m tests.web.speed`; let nothing else run meanwhile."""

import tempfile
from pathlib import Path
from time import perf_counter

from playwright.sync_api import sync_playwright

from tests.web.client import served
from tests.web.test_browser import CHROMIUM, FLAGS, begin

KEYS = """async () => {
  const board = document.querySelector(".board-holder");
  const times = [];
  const changed = () => new Promise((done) => new MutationObserver((_, seen) => { seen.disconnect(); done(); })
    .observe(board, { childList: true, subtree: true }));
  for (let number = 0; number < 200; number += 1) {
    const event = { key: number % 2 ? "ArrowLeft" : "ArrowRight" };
    const began = performance.now();
    const drawn = changed();
    dispatchEvent(new KeyboardEvent("keydown", event));
    await drawn;
    times.push(performance.now() - began);
    dispatchEvent(new KeyboardEvent("keyup", event));
    await new Promise((done) => setTimeout(done, 20));
  }
  return times.sort((a, b) => a - b);
}"""


def first_page(page, address):
    """Seconds until the first page is drawn in a browser that has none of it, and the bytes of its files."""
    sizes = []
    page.on("response", lambda answer: sizes.append(int(answer.headers.get("content-length", 0))))
    began = perf_counter()
    page.goto(address)
    page.locator(".card.game svg").nth(4).wait_for()
    return perf_counter() - began, sum(sizes)


def main():
    with served(Path(tempfile.mkdtemp())) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(locale="en-GB")
        print("first page: {:.2f} s, {:,} bytes".format(*first_page(page, server.address)))
        begin(page, "tetris")
        page.locator(".falling").wait_for()
        times = page.evaluate(KEYS)
        middle, high = times[len(times) // 2], times[len(times) * 95 // 100]
        print(f"Tetris, from a key to the drawn board: median {middle:.1f} ms, 95 % {high:.1f} ms of {len(times)}")
        browser.close()


if __name__ == "__main__":
    main()
