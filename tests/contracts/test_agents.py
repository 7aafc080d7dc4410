"""What every Tetris player of the zoo must do. A new one passes all of this, or it is not shipped."""

import json
import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from apprenti.agents.tetris.linear import LinearAgent
from apprenti.agents.tetris.lookahead import LookaheadAgent
from apprenti.agents.tetris.network import NetworkPlayer
from apprenti.arena.game import play_game
from apprenti.arena.many import compiled_player
from apprenti.core.seeds import Stream
from apprenti.games.tetris import Board, Observation, legal_placements, start
from apprenti.games.tetris.fast.players import CompiledPlayer
from apprenti.games.tetris.placement import entry
from apprenti.games.tetris.rules import PRESETS, parse_size
from apprenti.games.tetris.state import COMMANDS, Tally
from apprenti.lab.agents import find, zoo
from apprenti.lab.evaluate import check_fit
from apprenti.store.agentfile import read_agent
from tests.helpers import boards

NAMES = sorted(name for name, path in zoo().items() if read_agent(path).game == "tetris")
every_agent = pytest.mark.parametrize("name", NAMES)


def playable(known):
    """Its own rules, on a board that is quickly searched where the player looks two pieces ahead."""
    rules = known.rules
    return rules.changed("6x12") if isinstance(known.agent, LookaheadAgent) else rules


def test_the_published_players_are_there():
    wanted = {
        "random", "random-moves", "filtering", "tetrisbot", "dellacherie", "dellacherie-ce", "bcts", "bdu", "thesis-27",
        "thesis-27-printed", "dt-10", "dt-20", "rv-ce", "xtris", "fahey", "boehm", "bertsekas-ioffe-start",
    }  # fmt: skip
    assert wanted <= set(NAMES)


@every_agent
def test_its_file_is_named_after_it_and_says_what_it_is_and_where_it_comes_from(name):
    file = read_agent(zoo()[name])
    assert file.name == zoo()[name].stem == name
    assert re.fullmatch(r"[a-z0-9-]+", name)
    assert len(file.title) > 5
    assert re.search(r"\b(19|20)\d\d\b", file.source)  # a publication has a year
    assert file.game == "tetris"


@every_agent
def test_its_scores_can_be_listed_and_reproduced(name):
    file = read_agent(zoo()[name])
    for score in (*file.published, *file.measured):
        assert score["mean"] >= 0
        assert score["unit"] in ("lines", "points")
        assert score["rules"] in PRESETS
        assert parse_size(score["size"])
        low, high = score.get("ci95", (score["mean"], score["mean"]))
        assert low <= score["mean"] <= high


@every_agent
def test_its_file_is_small_and_plain(name):
    text = zoo()[name].read_text(encoding="utf-8")
    assert len(text) < 10_000
    json.loads(text, parse_constant=lambda constant: pytest.fail(f"{constant} is no JSON"))


@every_agent
def test_the_rules_it_was_made_for_can_be_played(name):
    known = find(name)
    check_fit(known, known.rules)
    assert start(known.rules).waiting


@every_agent
@settings(max_examples=8)
@given(data=st.data())
def test_it_chooses_a_legal_move_on_any_board(name, data):
    known = find(name)
    rules = playable(known)
    high = data.draw(boards(rules.width, rules.height, rules.hidden))
    letter, next_piece = (data.draw(st.sampled_from(rules.pieces.letters)) for _ in "12")
    position = entry(rules, rules.pieces[letter])
    assume(rules.entry == "above" or high.is_free(position.cells(rules.pieces[letter])))
    seen = Observation(rules, high, letter, next_piece if rules.preview else None, "", 1, Tally(), position)
    legal = legal_placements(rules, high, letter) if known.agent.acts == "placements" else COMMANDS
    assert known.agent.choose(seen, legal, Stream(data.draw(st.integers(0, 100)))) in legal


@every_agent
def test_it_chooses_the_same_again_and_leaves_its_own_weights_alone(name):
    known = find(name)
    rules = playable(known)
    before = repr(known.agent)
    board = Board.empty(rules.width, rules.height, rules.hidden)
    seen = Observation(
        rules, board, "T", "S" if rules.preview else None, "", 1, Tally(), entry(rules, rules.pieces["T"])
    )
    legal = legal_placements(rules, board, "T") if known.agent.acts == "placements" else COMMANDS
    assert len({known.agent.choose(seen, legal, Stream(4)) for _ in range(3)}) == 1
    assert repr(known.agent) == before


@every_agent
def test_who_weighs_criteria_is_compiled_and_the_others_are_not(name):
    known = find(name)
    player = compiled_player(known.agent, known.rules)
    if name in ("random", "random-moves"):
        assert player is None
        return
    if getattr(known.agent, "inputs", "") == "board":
        assert isinstance(player, NetworkPlayer)
        return
    assert isinstance(player, CompiledPlayer)
    player.prepared(known.rules)  # the kernel takes these weights
    if isinstance(known.agent, LinearAgent | LookaheadAgent):
        assert player.by_name.keys() == known.agent.weights.keys()
        assert player.look == getattr(known.agent, "look", "")


@every_agent
def test_it_plays_20_pieces_with_the_readable_engine(name):
    known = find(name)
    rules = playable(known).changed(max_pieces=20)
    played = play_game(known.agent, rules, (1, 2))
    assert 1 <= played.tally.pieces <= 20
    if name not in ("random", "random-moves"):
        assert not played.died  # nobody who looks at the board loses so soon
