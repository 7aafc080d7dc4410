"""A program as an agent: it is told what the protocol tells, it plays as it would play directly, and it may fail."""

import gc
import pickle
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from apprenti.agents.process import EngineProcess
from apprenti.arena.game import play_game, seeds_of_game
from apprenti.arena.many import play_many
from apprenti.core.errors import BadAgent, Forfeit
from apprenti.core.protocols import CommonReason
from apprenti.core.seeds import Stream
from apprenti.games.luzhanqi import Rules, State
from apprenti.games.luzhanqi.agents.engine.player import EngineAgent, Limits, engine_agent
from apprenti.games.luzhanqi.agents.engine.referee import referee
from apprenti.games.luzhanqi.agents.players import AttackingPlayer, GreedyPlayer
from apprenti.games.luzhanqi.game import GAME
from apprenti.games.luzhanqi.layout import BOOK
from apprenti.games.luzhanqi.play import End
from tests.games.luzhanqi.agents.engine.engines import QUICK, assert_all_ended, is_running

EXAMPLE = Path(__file__).parents[5] / "examples" / "luzhanqi_engine.py"


def ours(seed):
    """The command line of our own greedy player."""
    agent = "layouts:book,luzhanqi-greedy"
    return (sys.executable, "-m", "apprenti", "engine", "luzhanqi", "--agent", agent, "--seed", str(seed))


def begin(agents, rules=Rules(), rng=None):  # noqa: B008
    """The first position, with the layouts of two agents that are told their sides."""
    rng = rng or Stream(1)
    layouts = [
        agent.arrange_as(side, rules, rng) if isinstance(agent, EngineAgent) else agent.arrange(rules, rng)
        for side, agent in enumerate(agents)
    ]
    return State.start(*layouts, rules)


def play(agents, rng=None):
    """The states of a game."""
    rng = rng or Stream(2)
    state = begin(agents, rng=rng)
    while not state.outcome:
        yield state
        side = state.to_move
        state = state.play(agents[side].choose(state.observation(side), state.legal_moves(), rng))
    yield state


def pids(folder):
    return (folder / "pids").read_text().split()


# It plays -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [0, 1])
def test_any_program_plays_a_whole_game(side):
    program = engine_agent(f"engine:'{sys.executable}' '{EXAMPLE}' engine")
    agents = (program, GreedyPlayer()) if side == 0 else (GreedyPlayer(), program)
    *_, end = play(agents)
    assert len(end.record.moves) > 10
    program.close()


@pytest.mark.parametrize("side", [0, 1])
def test_our_own_program_makes_the_moves_of_the_agent_that_it_is(side):
    program, same, chance = EngineAgent(ours(7)), GreedyPlayer("book"), Stream.named(7, "engine", 0)
    agents = (program, AttackingPlayer()) if side == 0 else (AttackingPlayer(), program)
    states = list(play(agents))
    assert states[0].layouts[side] == same.arrange(Rules(), chance)
    for before, after in pairwise(states):
        if before.to_move == side:
            seen = before.observation(side)
            move = after.notation.split()[-1]
            assert move == same.choose(seen, seen.legal_moves(), chance)
    assert len(states) > 30
    program.close()


def test_it_is_told_what_the_referee_tells(monkeypatch):
    said = {}
    say = EngineProcess.say
    monkeypatch.setattr(
        EngineProcess, "say", lambda self, line: (said.setdefault(self, []).append(line), say(self, line))
    )
    commands = [ours(5), ours(6)]  # in this game move 24, which is north's, costs both marshals
    game = referee(Rules(), commands, Limits())
    by_referee = list(said.values())
    said.clear()
    agents = [EngineAgent(command) for command in commands]
    *_, end = play(agents)
    assert end.notation.split()[1:] == game.moves
    by_agents = list(said.values())
    for told, lines in zip(by_referee, by_agents, strict=True):
        assert told[-1].startswith("END ")
        assert told[:-1] in (lines, [*lines, told[-2]])  # who made the last move is not told what came of it
    assert by_agents[0][25:27] == ["RESULT 1 00", "GO F1F4 2 A1"]  # the flag is shown by the second of these moves
    for agent in agents:
        agent.close()


def test_asked_again_it_says_the_same_without_being_told_again(engine):
    agent = EngineAgent(engine())
    state = begin((agent, agent))
    seen = state.observation(0)
    assert agent.choose(seen, seen.legal_moves(), Stream(1)) == agent.choose(seen, seen.legal_moves(), Stream(2))
    agent.close()


def test_it_sets_up_piece_by_piece_where_that_is_asked(engine):
    agent, state = EngineAgent(engine()), State.setup()
    while state.record is None:
        state = state.play(agent.choose(state.observation(state.to_move), state.legal_moves(), Stream(1)))
    assert state.layouts == (BOOK[0], BOOK[0])
    assert agent.choose(state.observation(0), state.legal_moves(), Stream(1)) == "G1H1"
    agent.close()


def test_one_agent_plays_against_itself_and_in_other_processes(engine):
    agent = EngineAgent(engine())
    alone = play_game(GAME, Rules(), (agent, agent), seeds_of_game(1, 0, 2))
    assert (len(alone.moves), alone.moves[:2], alone.outcome.reason) == (31, ("G1H1", "F3E3"), End.QUIET)
    agent.close()
    elsewhere = list(play_many(GAME, Rules(), (agent, agent), 4, workers=2))
    assert [record.moves for record in elsewhere] == [alone.moves] * 4


def test_a_seed_in_the_command_line_is_another_one_for_every_game(engine):
    agent = EngineAgent((*engine(), "{seed}"))
    for number in (1, 2):
        agent.arrange(Rules(), Stream(number))
    seeds = {game.command[-1] for game in agent.games}
    assert len(seeds) == 2
    assert all(seed.isdigit() for seed in seeds)
    agent.close()


# It fails -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "at", "why"),
    [
        ("crash", "INFO", "crashed: it ended in the middle of the game"),
        ("crash", "GO", "crashed: it ended in the middle of the game"),
        ("sleep", "START", "out of time: it said nothing for 1.0 s"),
        ("stubborn", "GO", "out of time: it said nothing for 0.3 s"),
        ("hello", "GO", "no answer of the protocol: BESTMOVE was expected, not 'hello'"),
        ("flood", "GO", "no answer of the protocol"),
        ("ARRAY_abc", "START", "bad layout: a layout is 25 letters"),
        ("BESTMOVE_L1K1", "GO", "illegal move: L1K1 cannot be played: a flag does not move"),
        ("BESTMOVE_Z9", "GO", "illegal move: a move is two points"),
    ],
)
def test_whatever_it_does_wrong_it_forfeits_the_game_and_is_ended(engine, tmp_path, mode, at, why):
    agent = EngineAgent(engine(mode, at), Limits(game=20, move=0.3, start=1.0))
    with pytest.raises(Forfeit, match=f"loses the game: {why}"):
        list(play((agent, AttackingPlayer())))
    assert_all_ended(tmp_path)


def test_what_it_complained_of_before_it_ended_is_told():
    agent = EngineAgent((sys.executable, "-c", "import sys; sys.exit('no such option: --agnt')"), Limits(start=5.0))
    with pytest.raises(Forfeit, match='ended in the middle of the game, saying "no such option: --agnt"'):
        list(play((agent, AttackingPlayer())))


def test_the_time_for_all_moves_runs_out_too(engine):
    agent = EngineAgent(engine("sleep", "GO"), Limits(game=1, move=60.0, start=5.0))
    with pytest.raises(Forfeit, match="out of time"):
        list(play((agent, AttackingPlayer())))


def test_a_forfeit_is_a_forfeit_in_other_processes_too(engine):
    agent = EngineAgent(engine("crash", "GO"))
    records = list(play_many(GAME, Rules(), (agent, agent), 2, workers=2))
    assert [(record.outcome.reason, record.outcome.winner, record.points) for record in records] == [
        (CommonReason.FORFEIT, 1, 0.0),
        (CommonReason.FORFEIT, 1, 1.0),
    ]


def test_who_cannot_set_up_loses_without_a_move(engine):
    agents = (AttackingPlayer(), EngineAgent(engine("crash", "START")))
    record = play_game(GAME, Rules(), agents, seeds_of_game(1, 0, 2))
    assert (record.outcome.reason, record.outcome.winner, record.moves) == (CommonReason.FORFEIT, 0, ())


@pytest.mark.parametrize("text", ["", "engine:", "engine:'", "  "])
def test_a_command_line_names_a_program(text):
    with pytest.raises(BadAgent, match="command line"):
        engine_agent(text)


def test_a_program_that_cannot_be_started_is_an_error_and_no_lost_game():
    with pytest.raises(BadAgent, match="cannot start the engine"):
        engine_agent("engine:/does/not/exist --fast").arrange(Rules(), Stream(1))


def test_rules_that_cannot_be_told_are_refused():
    agent = engine_agent("engine:anything")
    agent.check(Rules())
    with pytest.raises(BadAgent, match="engines are told results and nothing else"):
        agent.check(Rules(show_fights=True))


def test_who_is_not_told_its_side_has_to_set_up_the_same_army_on_both(engine):
    agent = EngineAgent(engine())
    state = State.start(BOOK[1], agent.arrange(Rules(), Stream(1))).play("G1H1")
    assert agent.choose(state.observation(1), state.legal_moves(), Stream(1)) == "F3E3"
    agent.close()
    example = EngineAgent((sys.executable, str(EXAMPLE), "engine"))
    state = State.start(BOOK[1], example.arrange(Rules(), Stream(1))).play("G1H1")
    with pytest.raises(Forfeit, match="another army when it moves second"):
        example.choose(state.observation(1), state.legal_moves(), Stream(1))


def test_a_game_that_is_not_its_own_is_refused(engine):
    agent = EngineAgent(engine())
    state = begin((agent, agent))
    for move in ("G1H1", "F3E3", "H1G1", "E3F3"):
        state = state.play(move)
    for strange in (state, State.start(BOOK[2], BOOK[2])):
        with pytest.raises(BadAgent, match="only games that it has set up"):
            agent.choose(strange.observation(0), strange.legal_moves(), Stream(1))
    agent.close()


# It ends --------------------------------------------------------------------------------------------------------------


def test_it_is_started_anew_for_every_game(engine, tmp_path):
    agent = EngineAgent(engine(), QUICK)
    for games in (1, 2, 3):
        *_, end = play((agent, EngineAgent(engine(), QUICK)))
        assert end.outcome.reason is End.QUIET
        assert sum(map(is_running, pids(tmp_path))) == 1  # its own; the other one is forgotten, and has ended
        assert len(pids(tmp_path)) == 2 * games
    agent.close()
    assert not any(map(is_running, pids(tmp_path)))


@pytest.mark.parametrize("way", ["forgotten", "closed"])
def test_even_a_stubborn_one_ends_with_its_agent(engine, tmp_path, way):
    agent = EngineAgent(engine("stubborn", "END"), QUICK)
    agent.arrange(Rules(), Stream(1))
    assert sum(map(is_running, pids(tmp_path))) == 1
    if way == "closed":
        agent.close()
    del agent
    gc.collect()
    assert_all_ended(tmp_path)


def test_it_ends_with_python(engine, tmp_path):
    code = f"""
from apprenti.games.luzhanqi.agents.engine.player import EngineAgent
from apprenti.games.luzhanqi import Rules
from apprenti.core.seeds import Stream
agent = EngineAgent({engine()!r})
print(agent.arrange(Rules(), Stream(1)))
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert said.stdout.strip() == BOOK[0]
    assert len(pids(tmp_path)) == 1
    assert_all_ended(tmp_path)


def test_a_copy_has_a_program_of_its_own(engine, tmp_path):
    agent = EngineAgent(engine(), QUICK)
    agent.arrange(Rules(), Stream(1))
    other = pickle.loads(pickle.dumps(agent))
    assert (other.command, other.limits, other.games) == (agent.command, QUICK, [])
    other.arrange(Rules(), Stream(1))
    assert len(set(pids(tmp_path))) == 2
    agent.close()
    other.close()
