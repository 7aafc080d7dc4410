"""A game as a moving picture: a frame a piece, what is shown is what the player thinks, and nothing is fetched."""

from xml.etree import ElementTree

import pytest

import apprenti
from apprenti.games.tetris.views.moving import SECONDS, Frame, moving_svg
from apprenti.views.thoughts import thoughts_of

SVG = "{http://www.w3.org/2000/svg}"
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
