"""The laboratory in a real browser: learn, pause, a killed server, measure, compare, reproduce; both languages."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import expect

from apprenti.cli.main import main
from tests.web.test_browser import browser, go, pytestmark  # noqa: F401
from tests.web.test_laboratory import TABULAR

SLOW = 180_000


class House:
    """A server in a process of its own, which can be killed, and a browser that is opened on it."""

    def __init__(self, folder, browser):  # noqa: F811
        self.folder, self.wrong = folder, []
        self.context = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 900})
        self.context.set_default_timeout(SLOW)
        expect.set_options(timeout=SLOW)
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: None if GONE in str(error) else self.wrong.append(str(error)))
        self.page.on("console", lambda said: self.wrong.append(said.text) if is_mistake(said) else None)
        self.start()

    def start(self):
        words = [sys.executable, "-m", "apprenti.cli.main", "web", "--no-browser", "--port", "0"]
        self.server = subprocess.Popen(words, cwd=self.folder, stdout=subprocess.PIPE, text=True)
        address = re.search(r"http://\S+", self.server.stdout.readline())[0]
        self.page.goto(address)

    def kill(self):
        os.kill(self.server.pid, signal.SIGKILL)
        self.server.wait()
        self.server.stdout.close()

    def close(self):
        self.context.close()
        for job in self.folder.glob("jobs/*/process.json"):
            try:
                os.kill(json.loads(job.read_text())["pid"], signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.kill()


GONE = "Failed to fetch"
"""A server was killed, or the page was left, while it was asked."""


def is_mistake(said):
    """What a script did wrong, or what the page's policy forbids; not a server that is gone."""
    return said.type == "error" and not re.search(r"150|ERR_|403|Failed to load resource", said.text)


@pytest.fixture(scope="module")
def house(browser, tmp_path_factory):  # noqa: F811
    made = House(tmp_path_factory.mktemp("house"), browser)
    yield made
    made.close()
    assert not made.wrong


def made(house, name):
    """A run of this name: tests that look at one may be alone in their worker."""
    if not (house.folder / "runs" / name / "checkpoint.json").exists():
        options = {**TABULAR, "iterations": 150, "test_games": 0}
        words = [word for option, value in options.items() for word in (f"--{option.replace('_', '-')}", str(value))]
        command = [sys.executable, "-m", "apprenti.cli.main", "train", "tabular", *words, "--name", name]
        subprocess.run(command, cwd=house.folder, check=True, capture_output=True)


def fill(page, options):
    for name, value in options.items():
        page.locator(f"#train-{name}").fill(str(value))


def test_a_run_is_begun_watched_paused_survives_the_server_and_ends_as_on_the_command_line(house, monkeypatch):
    page, folder = house.page, house.folder
    for run in ("mine", "twin"):
        shutil.rmtree(house.folder / "runs" / run, ignore_errors=True)
    go(page, "runs")
    page.locator("#new-run").click()
    page.locator("a[href='#/train/tabular']").click()
    many = {**TABULAR, "iterations": 150, "test_games": 0}
    fill(page, many)
    page.locator("#run-name").fill("mine")
    expect(page.locator(".command")).to_contain_text("--iterations 150")
    page.locator("#begin").click()
    expect(page.locator("#steps")).to_be_visible()
    expect(page.locator("#pause")).to_be_visible()
    house.kill()  # the run goes on by itself
    seen = len((folder / "runs/mine/metrics.jsonl").read_text().splitlines())
    deadline = time.monotonic() + 60
    while len((folder / "runs/mine/metrics.jsonl").read_text().splitlines()) <= seen < 150:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    house.start()
    go(page, "run/mine")
    pause = page.locator("#pause")
    page.locator("#pause, #go-on, #extend").first.wait_for()
    if pause.count():
        pause.click()
        expect(page.locator(".state-paused, .state-done").first).to_be_visible()
    if page.locator("#go-on").count():
        page.locator("#go-on").click()
    expect(page.locator(".state-done").first).to_be_visible()
    expect(page.locator("#steps")).to_have_text("Step 150 of 150")
    expect(page.locator(".js-plotly-plot .scatterlayer .trace").first).to_be_visible()
    monkeypatch.chdir(folder)
    words = [word for name, value in many.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    assert main(["train", "tabular", *words, "--name", "twin"]) == 0
    ours, theirs = (json.loads((folder / f"runs/{run}/checkpoint.json").read_text()) for run in ("mine", "twin"))
    assert ours["state"] == theirs["state"]


def test_curves_over_each_other_other_axes_and_exports(house):
    made(house, "mine")
    made(house, "twin")
    page = house.page
    go(page, "runs")
    for run in ("mine", "twin"):
        page.locator(f"tr[data-run='{run}'] input").check()
    page.locator("#over").click()
    expect(page.locator(".legend button, .annotation-text").filter(has_text="twin").first).to_be_visible()
    page.locator("#by").select_option("games")
    page.locator("#log").check()
    for kind, begins in (("svg", b"<svg"), ("png", b"\x89PNG"), ("csv", b"run,"), ("json", b"[")):
        with page.expect_download() as download:
            page.locator(f"[data-export='{kind}']").first.click()
        assert Path(download.value.path()).read_bytes().startswith(begins)


SCORES = ("best", "mean", "elite", "test")


def copied(house, name, of, factor):
    """A run whose curves are those of another, higher and with more of them."""
    shutil.rmtree(house.folder / "runs" / name, ignore_errors=True)
    shutil.copytree(house.folder / "runs" / of, house.folder / "runs" / name)
    path = house.folder / "runs" / name / "metrics.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    changed = ({**row, **dict.fromkeys(SCORES, factor * row["generation"])} for row in rows)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in changed))


BOXES = """() => {
  const box = (each) => each.getBoundingClientRect();
  const [plot, list] = [box(document.querySelector(".js-plotly-plot")), box(document.querySelector(".legend"))];
  return { apart: list.top >= plot.bottom, inside: list.right <= innerWidth, high: list.height };
}"""


@pytest.mark.parametrize("width", [1280, 360])
def test_many_runs_have_their_names_outside_the_curves_and_what_is_done_is_done_to_the_chosen_one(house, width):
    made(house, "mine")
    names = ["one", "two", "three", "four"]
    for factor, name in enumerate(names):
        copied(house, name, "mine", 1 + factor)
    page = house.page
    page.set_viewport_size({"width": width, "height": 800})
    go(page, "run/one?with=two,three,four")
    expect(page.locator(".legend").first.locator("button")).to_have_count(16)
    expect(page.locator(".legendtext")).to_have_count(0)
    boxes = page.evaluate(BOXES)
    assert boxes["apart"] and boxes["inside"] and boxes["high"] < 160
    expect(page.locator("h1")).to_have_text("one · two · three · four")
    shown = page.locator(".js-plotly-plot").first.locator(".scatterlayer .trace:has(path)")
    expect(shown).to_have_count(16)
    page.locator(".legend button").first.click()
    expect(shown).to_have_count(15)
    page.locator("#which").select_option("three")
    expect(page.get_by_role("heading", name="three", exact=False).last).to_contain_text("command line · three")
    expect(page.locator(".command")).to_contain_text("--name three")
    page.locator("#remove").click()
    expect(page.locator("dialog")).to_contain_text("Remove three")
    page.locator("#yes").click()
    expect(page.locator("h1")).to_have_text("one · two · four")
    assert {name for name in names if (house.folder / "runs" / name).exists()} == {"one", "two", "four"}
    for name in ("one", "two", "four"):
        shutil.rmtree(house.folder / "runs" / name)
    page.set_viewport_size({"width": 1280, "height": 900})


def test_few_curves_are_named_at_their_ends_and_no_two_names_meet(house):
    made(house, "mine")
    copied(house, "level", "mine", 1)  # all four curves are one
    page = house.page
    go(page, "run/level")
    names = page.locator(".annotation")
    expect(names).to_have_count(4)
    expect(page.locator(".legend").first).to_be_hidden()
    tops = sorted(names.nth(at).bounding_box()["y"] for at in range(4))
    assert all(later - sooner >= 12 for sooner, later in pairwise(tops))
    shutil.rmtree(house.folder / "runs/level")


def test_a_copy_with_other_options_and_what_the_learner_says_against_them_beside_the_field(house):
    made(house, "mine")
    page = house.page
    go(page, "run/mine")
    page.locator("#copy").click()
    expect(page.locator("#train-iterations")).to_have_value("150")
    page.locator("#train-iterations").fill("0")
    expect(page.locator("[data-field='iterations'] .wrong")).to_have_text("--iterations must be at least 1, not 0.")
    page.locator("#train-iterations").fill("many")
    expect(page.locator("[data-field='iterations'] .wrong")).to_contain_text("a whole number, not 'many'")
    page.locator("#train-iterations").fill("3")
    expect(page.locator("[data-field='iterations'] .wrong")).to_have_text("")
    page.locator("#run-name").fill("mine")
    page.locator("#begin").click()
    expect(page.locator(".wrong").filter(has_text="called mine already")).to_be_visible()


def test_the_agent_of_an_earlier_step_is_watched(house):
    made(house, "mine")
    page = house.page
    go(page, "run/mine")
    page.locator("#step").select_option("80")
    expect(page.locator("#watch")).to_have_attribute("href", re.compile("mine%4080"))
    page.locator("#watch").click()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#count")).to_contain_text(re.compile("[1-9]"))


def test_a_world_is_solved_and_its_residual_drawn(house):
    page = house.page
    go(page, "measure?game=gridworld")
    page.locator("#solve").click()
    page.locator("#gamma").fill("0.9")
    page.locator("#solve-name").fill("walker")
    page.locator("#begin").click()
    expect(page.locator(".js-plotly-plot .scatterlayer .trace").first).to_be_visible()
    page.locator("#agent").click()
    expect(page.locator("h1")).to_have_text("walker")


def test_a_run_is_removed_after_it_was_asked(house):
    made(house, "twin")
    page = house.page
    go(page, "run/twin")
    page.locator("#remove").click()
    page.locator("dialog button").first.click()
    assert (house.folder / "runs/twin").exists()
    page.locator("#remove").click()
    page.locator("#yes").click()
    expect(page.locator("h1")).to_have_text("What is learned here")
    expect(page.locator("tr[data-run='twin']")).to_have_count(0)
    assert not (house.folder / "runs/twin").exists()


def test_a_tournament_by_clicking_with_matrix_and_ladder(house):
    page = house.page
    go(page, "measure?game=tictactoe")
    for name in ("mnk-perfect", "mnk-random", "mnk-one-ply"):
        page.locator(f"input[value='{name}']").check()
    page.locator("#games").fill("20")
    page.locator("#begin").click()
    expect(page.locator("#results tbody tr")).to_have_count(3)
    expect(page.locator(".state-done").first).to_be_visible()
    expect(page.locator(".heatmaplayer image, .heatmaplayer path").first).to_be_attached()
    expect(page.get_by_role("heading", name="Elo with its 95 % interval")).to_be_visible()
    with page.expect_download() as saved:
        page.locator("figure:has(.chart[aria-label^='Elo']) [data-export='json']").click()
    rows = {row["agent"]: row for row in json.loads(Path(saved.value.path()).read_text())}
    assert set(rows) == {"mnk-perfect", "mnk-random", "mnk-one-ply"} and rows["mnk-perfect"]["elo"] == 0
    assert rows["mnk-random"]["ci95_low"] < rows["mnk-random"]["elo"] < rows["mnk-random"]["ci95_high"]
    with page.expect_download() as saved:
        page.locator("figure:has(.chart[aria-label^='Elo']) [data-export='svg']").click()
    assert "Elo, with the 95 % interval" in Path(saved.value.path()).read_text()
    expect(page.locator("#standings tbody tr").first).to_contain_text("1. mnk-perfect")
    expect(page.locator(".command")).to_contain_text("apprenti tournament mnk-perfect mnk-random mnk-one-ply")


def test_cut_games_have_a_mean_below_the_maximum_and_an_estimated_whole_game_beside_it(house):
    page = house.page
    go(page, "measure?game=tetris&agents=random,filtering")
    page.locator("summary").first.click()
    page.locator("#option-max_pieces").fill("14")
    page.locator("#games").fill("30")
    page.locator("#begin").click()
    expect(page.locator(".state-done").first).to_be_visible()
    expect(page.locator("#results th", has_text="estimated whole game")).to_be_visible()
    expect(page.locator("tr[data-agent='filtering'] .estimated")).to_contain_text("(")
    with page.expect_download() as saved:
        page.locator("figure:has(.chart[aria-label^='Mean']) [data-export='json']").click()
    rows = {row["agent"]: row for row in json.loads(Path(saved.value.path()).read_text())}
    assert rows["filtering"]["deaths"] < rows["filtering"]["games"] == 30
    assert rows["filtering"]["ci95_low"] <= rows["filtering"]["mean"] <= rows["filtering"]["ci95_high"]


def test_a_form_shows_the_rules_that_are_played_and_says_what_an_agents_own_change(house):
    page = house.page
    go(page, "watch?game=tetris")
    page.locator("summary").first.click()
    page.locator("#agent-0").select_option("random")
    expect(page.locator("#option-preview")).to_be_checked()
    expect(page.locator("#rules-changed")).to_have_count(0)
    page.locator("#agent-0").select_option("dellacherie")
    expect(page.locator("#rules-changed")).to_contain_text("dellacherie plays by its own rules: ")
    expect(page.locator("#rules-changed")).to_contain_text("Size 10x22 → 10x20")
    expect(page.locator("#rules-changed")).to_contain_text("Next piece known yes → no")
    expect(page.locator("#option-preview")).not_to_be_checked()
    page.locator("#agent-0").select_option("random")
    expect(page.locator("#option-preview")).to_be_checked()
    page.locator("#option-preview").uncheck()
    expect(page.locator("#rules-said")).to_contain_text("next piece unknown")


def test_a_tournament_says_why_a_program_forfeited(house):
    page, command = house.page, [sys.executable, "-m", "apprenti.cli.main", "tournament", "--page", "--workers", "1"]
    for name, move in (("anna", "legal[0]"), ("cleo", "99")):
        (house.folder / f"{name}.py").write_text(f"def choose(observation, legal, rng):\n    return {move}\n")
    words = [*command, "anna.py", "cleo.py", "--game", "tictactoe", "--games", "4"]
    subprocess.run(words, cwd=house.folder, check=True, capture_output=True)
    go(page, "measure")
    page.locator("a", has_text="anna, cleo").first.click()
    expect(page.locator("#forfeits")).to_contain_text(
        "cleo forfeited games: 4. The first one, because: cleo.py chose 99"
    )


def test_the_zoo_an_agent_and_an_experiment_in_short_form(house):
    page = house.page
    go(page, "zoo")
    page.locator("#find").fill("dellacherie's player")
    page.locator("#zoo a").first.click()
    expect(page.locator("h1")).to_have_text("dellacherie")
    expect(page.locator(".weights")).to_contain_text("holes")
    go(page, "reproduce")
    page.locator("a[href='#/experiment/tictactoe-tournament']").click()
    page.locator("#short").click()
    expect(page.locator("#short-result img")).to_be_visible()
    expect(page.locator("#short-result")).to_contain_text("no result")


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("runs", "Ce qui s'apprend ici"),
        ("train", "Comment doit-elle apprendre ?"),
        ("run/mine", "Prolonger"),
        ("measure", "Mesurer et comparer"),
        ("zoo", "Publié"),
        ("reproduce", "Chercher une expérience"),
    ],
)
def test_every_page_of_the_laboratory_speaks_french_and_fits_a_phone(house, place, words):
    made(house, "mine")
    page = house.page
    page.set_viewport_size({"width": 360, "height": 740})
    page.evaluate("localStorage.setItem('apprenti.language', '\"fr\"')")
    go(page, "")
    page.reload()
    go(page, place)
    expect(page.locator("#main")).to_contain_text(words) if place != "reproduce" else expect(
        page.get_by_placeholder(words)
    ).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.evaluate("localStorage.setItem('apprenti.language', '\"en\"')")  # for whoever comes next
    page.set_viewport_size({"width": 1280, "height": 900})
    page.reload()
