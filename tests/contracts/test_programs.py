"""Nothing that a file or a request names is ever run.

Every text of every format and of every request is replaced by every kind of program, however deep inside other
descriptions. What may be named is taken from the declared shapes, so a field that is added is tried, too.
"""

import ast
import asyncio
import contextlib
import copy
import json
import re
import sys
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from types import UnionType
from typing import get_args, get_origin, get_type_hints

import pytest
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

import apprenti
from apprenti.agents.description import DESCRIBED, parse, parse_own
from apprenti.agents.description import KINDS as AGENTS
from apprenti.core.errors import ApprentiError, BadAgent
from apprenti.core.plugins import GAMES
from apprenti.lab import agents, jobs, queue
from apprenti.lab.agents import find, find_own, from_file, zoo
from apprenti.lab.experiments import known, read
from apprenti.lab.kinds.kind import KINDS, Settings
from apprenti.lab.queue import seal_of
from apprenti.lab.train import build_config, resume
from apprenti.learn.methods import METHODS, config_class
from apprenti.store.files import write_json
from apprenti.store.replay import digest_of, read_replay
from apprenti.store.runs import Run
from apprenti.web.app import MESSAGES, MESSAGES_AT_ONCE, Conversation, Page
from apprenti.web.choices import offered_agent
from apprenti.web.guard import Bucket
from apprenti.web.messages import LIVE, NewGame
from apprenti.web.school import School, read_school

FORMATS = Path(__file__).parents[1] / "formats"
NAMED = {"game": "tictactoe", "agents": ["random"], "players": ["", "random"], "method": "sarsa", "against": "random",
         "agent": "random", "experiment": "tictactoe-tournament", "run": "run", "config": {},
         "options": {}}  # fmt: skip
"""What makes a message or a job sensible, by the names of fields."""
DISTANCE = 4
"""Descriptions inside each other that are tried."""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with two programs that write a file, and the path of that file."""
    folder = tmp_path_factory.mktemp("given")
    (folder / "evil.py").write_text(
        f"open({str(folder / 'planted')!r}, 'w').close()\ngame = 'tictactoe'\ndef choose(*words): return words[1][0]\n"
    )
    (folder / "experiments").mkdir()
    return folder


@pytest.fixture(autouse=True)
def here(place, monkeypatch):
    """That folder is where one works, as when it was given to somebody; nothing may have been planted in the end."""
    monkeypatch.chdir(place)
    monkeypatch.setenv("XDG_STATE_HOME", str(place / "state"))
    yield
    assert not (place / "planted").exists()


def programs(place):
    """Every kind of program, alone and inside every description that has another one, up to a depth."""
    plain = ["evil.py", str(place / "evil.py"), "./evil.py", f"engine:{sys.executable} {place / 'evil.py'}"]
    around = [f"{prefix}:{'1,' if line.arguments else ''}" for prefix, line in DESCRIBED.items() if line.agent]
    around[around.index("layouts:1,")] = "layouts:uniform,"
    once = [outer + inner for outer in around for inner in (plain[0], plain[-1])]
    return plain + once + [around[0] * (DISTANCE - 1) + inner for inner in once[:4]]


def planted(data, text):
    """Copies of plain data with one text in it replaced, wherever it is."""
    if isinstance(data, str):
        yield text
    elif isinstance(data, dict | list):
        for key, one in data.items() if isinstance(data, dict) else enumerate(data):
            for other in planted(one, text):
                changed = copy.copy(data)
                changed[key] = other
                yield changed


def texts_of(shape, data, text):
    """Copies of the data of a declared shape with a text planted in each field that takes one, nested ones, too."""
    types = get_type_hints(shape)
    for each in fields(shape):
        for value in values_of(types[each.name], data.get(each.name), text):
            yield {**data, each.name: value}
        if each.metadata.get("rest"):
            yield {**data, "rules": text}


def values_of(wanted, value, text):
    """What a field of a type can be with a text planted in it."""
    if wanted is str:
        yield text
    elif is_dataclass(wanted):
        yield from texts_of(wanted, value or {}, text)
    elif get_origin(wanted) is UnionType:
        yield from values_of(get_args(wanted)[0], value, text)
    elif get_origin(wanted) is tuple:
        rows = list(value or [None])
        for first in values_of(get_args(wanted)[0], rows[0], text):
            yield [first, *rows[1:]]
            yield [*rows, first]
    elif wanted is dict or get_origin(wanted) is dict:
        yield from planted(value or {"name": ""}, text)


def refused_or_harmless(work, *words):
    """Do it; True if it was refused with a sentence."""
    try:
        work(*words)
    except ApprentiError as error:
        assert str(error).isprintable()
        return True
    return False


def test_the_programs_would_be_seen(place):
    """Who types them starts them: else nothing here could fail."""
    game = GAMES.load("tictactoe")
    for text in ("evil.py", str(place / "evil.py")):
        with contextlib.suppress(ApprentiError):
            find_own(text, game)
        assert (place / "planted").exists(), text
        (place / "planted").unlink()


def test_a_description_from_elsewhere_names_no_program_at_any_depth(place):
    for text in programs(place):
        assert str(parse_own(text)) == text
        with pytest.raises(BadAgent, match="only what you type"):
            parse(text)
        with pytest.raises(BadAgent, match="only what you type"):
            find(text, GAMES.load("luzhanqi"))


def shortest_of(kind):
    """The smallest experiment of a kind."""
    found = [path for path in known().values() if read(str(path)).kind == kind]
    return min(found, key=lambda path: path.stat().st_size)


@pytest.mark.parametrize("kind", KINDS)
def test_no_experiment_starts_a_program(kind, place):
    experiment = read(str(shortest_of(kind)))
    cls = KINDS.load(kind)
    for text in programs(place):
        for data in texts_of(cls.File, experiment.data, text):
            own = type(experiment)(experiment.name, experiment.title, experiment.question, kind, data)
            refused_or_harmless(cls, own, Settings(short=True), place / "results")


def test_an_experiment_of_a_given_folder_is_looked_at_listed_and_run_without_starting_what_it_names(place):
    (place / "experiments" / "given.toml").write_text(
        'title = "t"\nquestion = "q"\nkind = "scores"\ngame = "tictactoe"\n[[row]]\nagent = "evil.py"\n'
    )
    page = Page(place / "replays").app()
    assert ask(page, "GET", "/api/experiments/given")[0] == 200
    assert ask(page, "GET", "/api/experiments")[0] == 200
    with pytest.raises(ApprentiError, match="only what you type"):
        jobs.Reproduce(experiment="given").perform(place)


@pytest.mark.parametrize("name", jobs.USE_CASES)
def test_no_job_starts_a_program(name, place):
    use = jobs.USE_CASES[name]
    usual = {each.name: NAMED[each.name] for each in fields(use) if each.default is MISSING and each.name in NAMED}
    folder = place / "jobs" / f"{name}-0001"
    for text in programs(place):
        for options in (*texts_of(use, usual, text), {**usual, text: text}, {**usual, "words": [text]}):
            job = {"format": queue.FORMAT, "kind": "train", "name": "x", "use": name, "options": options}
            job |= {"command": ["apprenti", "evaluate", text], "words": ["evaluate", text]}
            if performs(use, options):
                write_json(folder / "job.json", {**job, "seal": seal_of(str(folder.resolve()), job)})
                refused_or_harmless(jobs.main, folder)


def performs(use, options):
    """Whether a job is refused, or would do what the usual one does: that is not done again for each program."""
    try:
        found = jobs.from_json(
            {"use": next(n for n, u in jobs.USE_CASES.items() if u is use), "options": options}, "a job"
        )
    except ApprentiError:
        return False
    return isinstance(found, jobs.Measure | jobs.Resume) or found.name not in (
        "tictactoe-tournament",
        "solve tictactoe",
    )


def test_a_queue_that_somebody_passed_on_is_shown_and_not_begun(place):
    for number, text in enumerate(programs(place)):
        folder = place / "passed-on" / "jobs" / f"{number:013}-x"
        options = {"game": "tictactoe", "agents": ["random"], "games": 1}
        job = {
            "format": queue.FORMAT,
            "kind": "measure",
            "name": text,
            "command": [text],
            "use": "measure",
            "options": options,
        }
        for seal in ("", "0" * 64, seal_of("/elsewhere", job)):
            write_json(folder / "job.json", {**job, "seal": seal})
            found = queue.Jobs(place / "passed-on" / "jobs")
            found.tick()
            assert (found.all()[-1].view()["state"], found.children) == ("failed", [])


@pytest.mark.parametrize("method", METHODS)
def test_no_run_starts_a_program(method, place):
    cls = config_class(method)
    usual = json.loads(json.dumps({each.name: getattr(cls(), each.name) for each in fields(cls)}))
    run = Run(place / "runs" / "given")
    for text in programs(place)[:: 1 if method == "ppo" else 3]:
        for config in texts_of(cls, usual, text):
            about = {"format": 1, "method": method, "config": config, "versions": {"apprenti": text}}
            write_json(run.folder / "run.json", about)
            if refused_or_harmless(build_config, method, config) or config.get("initial_weights"):
                assert refused_or_harmless(resume, run)


def test_no_agent_file_starts_a_program(place):
    for path in (*zoo().values(), *FORMATS.glob("run-*/agent.json")):
        data = json.loads(path.read_text())
        for text in programs(place)[::5]:
            for number, other in enumerate(planted(data, text)):
                if number < 60:
                    write_json(place / "agent.json", other)
                    refused_or_harmless(from_file, place / "agent.json")
    for kind in AGENTS:
        data = {"format": 1, "name": "x", "title": "x", "game": "tetris", "kind": kind, "rules": "simplified"}
        for text in programs(place):
            write_json(place / "agent.json", {**data, "config": {"agent": text, "name": text, "path": text}})
            refused_or_harmless(from_file, place / "agent.json")


def test_no_replay_and_no_game_of_the_page_starts_a_program(place):
    folder = place / "replays"
    for path in (*FORMATS.glob("replay-*.json"), *FORMATS.glob("page-*.json")):
        data = json.loads(path.read_text())
        for text in programs(place)[::3]:
            for other in planted(data, text):
                other = {**other, "digest": digest_of(other)}
                write_json(folder / "game.json", other)
                if not refused_or_harmless(read_replay, folder / "game.json"):
                    page = Page(folder)
                    refused_or_harmless(asyncio.run, page.games.get("game"))
                    ask(page.app(), "POST", "/api/open", {"id": "game"})
                    page.games.close()


def ask(app, method, path, data=None):
    """What a page answers: its status and its body."""
    name, _, query = path.partition("?")
    scope = {"type": "http", "method": method, "path": name, "raw_path": name.encode(), "query_string": query.encode(),
             "headers": [], "scheme": "http", "server": ("x", 1), "root_path": "", "http_version": "1.1"}  # fmt: skip
    sent = []

    async def receive():
        return {"type": "http.request", "body": json.dumps(data).encode(), "more_body": False}

    async def send(message):
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent)


def requests_of(app):
    """The addresses that take a message or a query, with the declared shape of it."""
    for route in app.routes:
        if hasattr(route, "shape"):
            yield route.path, next(iter(route.methods - {"HEAD"})), route.shape


def test_no_request_starts_a_program(place):
    page, before = Page(place / "replays"), {job.key for job in queue.Jobs().all()}
    app, tried = page.app(), 0
    for path, method, shape in requests_of(app):
        usual = {each.name: NAMED[each.name] for each in fields(shape) if each.name in NAMED and each.name != "run"}
        for text in programs(place):
            for data in texts_of(shape, usual, text):
                if method == "POST":
                    status, body = ask(app, "POST", path.replace("{key}", "x").replace("{name}", "x"), data)
                    assert status in (200, 400, 404), (path, data, body)
                    assert text not in str(data.get("agents", "")) or status == 400, (path, data)
                    assert text not in str(data.get("players", "")) or status == 400, (path, data)
                    tried += 1
    page.games.close()
    assert tried >= 40 * len(programs(place))
    for job in [job for job in queue.Jobs().all() if job.key not in before]:
        options = {name: value for name, value in job.asked()["options"].items() if name != "run"}  # any name will do
        assert not [text for text in programs(place) if text in json.dumps(options)], job.asked()
        job.stop()


def test_no_message_of_a_game_starts_a_program(place):
    page = Page(place / "replays")

    async def play():
        game = await page.games.new(NewGame(game="tictactoe", players=("", "random")))
        talk = Conversation(WebSocket({"type": "websocket", "path": "/", "headers": []}, None, None), game)
        for kind, shape in LIVE.items():
            for text in programs(place):
                for data in texts_of(shape, {}, text):
                    talk.bucket = Bucket(MESSAGES, MESSAGES_AT_ONCE)
                    talk.read(json.dumps({"type": kind, **data}))
                    await asyncio.gather(*talk.tasks)
                    said.append(talk.queue.get_nowait())

    said = []
    asyncio.run(play())
    page.games.close()
    assert {each["type"] for each in said} == {"refused"} and len(said) == 2 * len(programs(place))


def test_a_class_file_starts_no_program(place):
    data = {"title": "t", "agents": ["random"], "games": ["tictactoe"], "pupils": ["anna"], "pages": ["play"]}
    for text in programs(place):
        for other in texts_of(School, data, text):
            lines = (f"{name} = {json.dumps(value)}" for name, value in other.items())
            (place / "class.toml").write_text("\n".join(lines))
            refused_or_harmless(read_school, place / "class.toml")


@pytest.fixture
def loaded(monkeypatch):
    """The agents of the zoo that are read from now on."""
    names = []
    real = agents.from_file

    def noting(path):
        names.append(Path(path).stem)
        return real(path)

    monkeypatch.setattr(agents, "from_file", noting)
    return names


@pytest.mark.parametrize("game", ["tictactoe", "tetris", "luzhanqi"])
def test_a_class_meets_only_the_agents_that_its_file_names(place, loaded, game):
    """By their full names, by short ones, inside every description, in every field of every request, and as a hint."""
    offered_agent.cache_clear()
    allowed = {"tictactoe": "mnk-random", "tetris": "dellacherie", "luzhanqi": "luzhanqi-random"}[game]
    page = Page(place / "replays", School(agents=(allowed,)))
    app, family = page.app(), GAMES.load(game).family
    forbidden = [*[name for name in agents.zoo_of(GAMES.load(game)) if name != allowed][:6], "mcts"]
    names = forbidden + [name.removeprefix(f"{family}-") for name in forbidden] + ["mcts:3"]
    around = [f"{prefix}:{'0.5,' if line.arguments else ''}" for prefix, line in DESCRIBED.items() if line.agent]
    around = [each.replace("layouts:0.5", "layouts:uniform") for each in around]
    texts = names + [outer + name for outer in around for name in names] + [around[0] * 2 + name for name in names]
    usual = NAMED | {"game": game, "agents": [allowed], "against": allowed, "agent": allowed}
    usual["players"] = ["", allowed][-GAMES.load(game).players :]
    for path, method, shape in requests_of(app):
        named = {"agents", "against", "players", "agent"} & {each.name for each in fields(shape)}
        named -= {"against"} if GAMES.load(game).players == 1 else set()
        for text in texts if named and method == "POST" and "{" not in path else ():
            for name in named:
                value = [text] if name == "agents" else [*usual["players"][:-1], text] if name == "players" else text
                data = {
                    each.name: usual[each.name] for each in fields(shape) if each.name in usual and each.name != "run"
                }
                status, body = ask(app, "POST", path, {**data, name: value})
                assert status == 400, (path, name, text, body)
    assert set(loaded) <= {allowed, f"{family}-random"}, loaded
    page.games.close()


OWN = {"api.py", "agents/description.py", "lab/agents.py", "lab/guarded.py", "lab/kinds/kind.py",
       "games/luzhanqi/lab/engine_match.py", "games/tetris/lab/figures.py"}  # fmt: skip
"""Beside the command line: the API, and what takes words that were typed."""


def test_only_the_command_line_and_the_api_can_name_a_program():
    """A `Program` is made in one place, and who may ask for one is known by name."""
    root = Path(apprenti.__file__).parent
    makers, asking = set(), set()
    for path in root.rglob("*.py"):
        name = path.relative_to(root).as_posix()
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Program":
                makers.add(name)
            if isinstance(node, ast.Name) and node.id in ("find_own", "parse_own", "find_guarded"):
                asking.add(name)
    assert makers == {"agents/description.py"}
    assert {name for name in asking if not re.match(r"(games/\w+/)?cli/", name)} <= OWN


def test_every_address_that_takes_a_message_declares_its_shape():
    page = Page(Path("replays"))
    app = page.app()
    undeclared = [
        route.path for route in app.routes
        if not hasattr(route, "shape") and not isinstance(route, WebSocketRoute)
        and "POST" in (getattr(route, "methods", None) or ())
    ]  # fmt: skip
    assert not undeclared
    page.games.close()
