"""Boards as pictures; a game as a moving picture: a frame a piece, what its player thinks, and nothing is fetched."""

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

import apprenti
from apprenti.core.protocols import CHANCE
from apprenti.core.seeds import Stream, below
from apprenti.games.tetris import Rules, deal, place, start
from apprenti.games.tetris.views.pictures import SECONDS, SIDE, Frame, board_svg, moving_svg
from apprenti.views.thoughts import thoughts_of
from tests.helpers import rules as some_rules

SVG = "{http://www.w3.org/2000/svg}"


def squares(picture):
    """(x, y) → opacity of the squares with a piece in them."""
    rects = ElementTree.fromstring(picture).findall(f"{SVG}rect")
    return {
        (float(rect.get("x")), float(rect.get("y"))): float(rect.get("opacity"))
        for rect in rects
        if rect.get("rx") and rect.get("fill") != "#1b232d"
    }


@given(some_rules(), st.integers(0, 1000), st.integers(0, 40), st.text(st.characters(codec="ascii", min_codepoint=32)))
def test_every_position_is_well_formed_xml_inside_its_frame(rules, seed, steps, caption):
    rng, state = Stream.named(seed, "svg"), start(rules)
    for _ in range(steps):
        if state.outcome:
            break
        state = deal(state, rng) if state.turn == CHANCE else place(state, state.legal[below(rng, len(state.legal))])
    picture = board_svg(state, caption)
    root = ElementTree.fromstring(picture)
    width, height = float(root.get("width")), float(root.get("height"))
    assert width == rules.width * SIDE
    assert all(0 < x < width and 0 < y < height for x, y in squares(picture))
    assert [text.text or "" for text in root.findall(f"{SVG}text")] == ([caption] if caption else [])


def test_a_picture_has_a_square_for_each_cell_and_a_pale_one_for_each_of_the_shadow():
    rules = Rules.preset("tetrisbot", "6x6", randomiser="sequence:OT")
    state = deal(place(deal(start(rules), Stream(1)), deal(start(rules), Stream(1)).legal[0]), Stream(1))
    opacities = sorted(squares(board_svg(state)).values())
    assert opacities == [0.25] * 4 + [1] * (4 + 4)  # the shadow of the T; the O at rest and the T in the air


PIECES = 3


@pytest.fixture(scope="module")
def frames():
    tetris, player = apprenti.game("tetris"), apprenti.agent("dellacherie", "tetris")
    rng, state, found = apprenti.Stream(1), None, []
    state = tetris.start(tetris.rules(size="6x8"), rng)
    for _ in range(PIECES):
        state = state.deal(rng)
        found.append(Frame(state, thoughts_of(player, state.observation(0))))
        state = state.play(found[-1].thoughts.moves[0].move)
    return found


def test_every_piece_has_its_frame_with_score_and_terms(frames):
    root = ElementTree.fromstring(moving_svg(frames, "a < b"))
    shown = [one for one in root.iter(f"{SVG}g") if one.get("class") == "frame"]
    assert [one.get("style") for one in shown] == [f"animation-delay:{SECONDS * number:g}s" for number in range(PIECES)]
    for number, one in enumerate(shown):
        words = [text.text for text in one.iter(f"{SVG}text")]
        assert words[:4] == ["lines", "0", "pieces", str(number)]
        assert "row transitions" in words
    assert "a < b" in [text.text for text in root.iter(f"{SVG}text")]


def test_the_best_placement_is_outlined(frames):
    (best,) = [
        part for part in ElementTree.fromstring(moving_svg(frames[:1], "x")).iter() if part.get("class") == "best"
    ]
    assert best.get("d").count("M") == 4


def test_it_stands_still_for_who_wants_that_and_fetches_nothing(frames):
    picture = moving_svg(frames, "x")
    assert "prefers-reduced-motion" in picture
    assert "href" not in picture and "url(" not in picture
