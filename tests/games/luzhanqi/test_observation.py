"""What a player knows: everything that follows, and nothing that does not."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apprenti.core.errors import ApprentiError
from apprenti.core.seeds import Stream, pick
from apprenti.games.luzhanqi import Rules, State
from apprenti.games.luzhanqi.board import START, parse_point
from apprenti.games.luzhanqi.fast.arrays import replayed, rules_array, types_of
from apprenti.games.luzhanqi.fast.primitives import begun, planes_of
from apprenti.games.luzhanqi.layout import check
from apprenti.games.luzhanqi.observation import possible
from apprenti.games.luzhanqi.pieces import COUNTS, EVERY, letters_of, type_set
from apprenti.games.luzhanqi.planes import PLANES
from apprenti.games.luzhanqi.rules import PRESETS
from tests.games.luzhanqi.games import any_rules, random_game
from tests.games.luzhanqi.test_state import army, meet, played


def replay(rules, layouts, moves):
    """The compiled game with these layouts and moves, and what was seen of each; None if a move is not legal."""
    game = begun(rules_array(rules), *map(types_of, layouts))
    return game, replayed(rules_array(rules), game, moves)


def exchanged(layout, rng):
    letters = list(layout)
    full = [slot for slot in range(25) if letters[slot] != "."]
    first, second = pick(rng, full), pick(rng, full)
    letters[first], letters[second] = letters[second], letters[first]
    return "".join(letters)


def alternatives(state, player, rng, count):
    """Other layouts of the player's enemy that everybody would have seen the same of, by a chain of exchanges."""
    moves = np.array([move[:2] for move in state.record.moves], dtype=np.int64).reshape(-1, 2)
    _, seen = replay(state.rules, state.layouts, moves)
    layouts = list(state.layouts)
    for _ in range(count):
        trial = list(layouts)
        trial[1 - player] = exchanged(trial[1 - player], rng)
        try:
            check(trial[1 - player], state.rules)
        except ApprentiError:
            continue
        game, seen_again = replay(state.rules, trial, moves)
        if seen_again is not None and (seen_again == seen).all():
            layouts = trial
            if layouts[1 - player] != state.layouts[1 - player]:
                yield tuple(layouts), game


def with_layouts(state, layouts):
    """The readable game with the same moves and other layouts."""
    return State.parse(" ".join(["/".join(layouts), *state.notation.split()[1:]]), state.rules)


def no_leak(rules, seed, moves, tries, readable=1):
    """Compare the observation under many layouts of the enemy; returns how many there were."""
    *_, state = random_game(rules, seed, moves)
    player, rng = seed % 2, Stream(seed)
    seen = state.observation(player)
    planes = seen.planes().tobytes()
    found = list(alternatives(state, player, rng, tries))
    for _, game in found:
        assert planes_of(rules_array(rules), game, player).tobytes() == planes
    for layouts, _ in found[-readable:]:
        other = with_layouts(state, layouts).observation(player)
        assert (other, hash(other), repr(other)) == (seen, hash(seen), repr(seen))
        assert (other.deduced, other.possible, other.planes().tobytes()) == (seen.deduced, seen.possible, planes)
    return len(found)


def test_no_leak_in_thousands_of_cases():
    """Whatever the enemy's pieces are, as long as everybody sees the same, the observation is byte-equal."""
    presets = list(PRESETS.values())
    assert sum(no_leak(presets[seed % len(presets)], seed, 10 + 4 * seed, tries=150) for seed in range(48)) > 2000


@given(any_rules(), st.integers(0, 10**6))
@settings(max_examples=40)
def test_no_leak_under_any_rules(rules, seed):
    no_leak(rules, seed, 60, tries=20, readable=3)


@given(any_rules(), st.integers(0, 10**6))
@settings(max_examples=30)
def test_what_is_deduced_is_true(rules, seed):
    for state in list(random_game(rules, seed, 150))[::9]:
        for player in (0, 1):
            seen = state.observation(player)
            for slot, letter in enumerate(state.layouts[1 - player]):
                if letter != ".":
                    assert letter in letters_of(seen.possible[slot])
                    assert seen.possible[slot] & ~seen.deduced[slot] == 0


def knows(state, player, point):
    """The letters an enemy piece can have, by the name of the point it began on."""
    slot = START[1 - player].index(parse_point(point))
    return letters_of(state.observation(player).deduced[slot])


FIRST, SECOND = "diahcbgkkfiecfigjhedjljhg", "bicgcakdgifgeekjfhjjihhld"


def test_at_the_beginning_only_the_setup_is_known():
    state = State.start(FIRST, SECOND)
    assert knows(state, 0, "F2") == "abcdefghi"  # a front-row piece is no bomb, mine or flag
    assert knows(state, 0, "E0") == "abcdefghik"
    assert knows(state, 0, "B0") == "abcdefghijk"
    assert knows(state, 0, "A1") == "abcdefghijkl"


def test_who_moved_is_no_mine_and_no_flag():
    state = played(State.start(FIRST, SECOND), "G2H1", "B3C3")
    assert knows(state, 0, "B3") == "abcdefghik"
    assert knows(state, 1, "G2") == "abcdefghi"


def test_who_turns_on_rails_is_an_engineer():
    south = army(H0="i", K0="k", L1="l")
    state = meet(south, south).play("H0G0")
    assert knows(state, 1, "H0") == "abcdefghik"
    turned = played(meet(south, south), "H0F1")
    assert knows(turned, 1, "H0") == "i"
    assert knows(played(meet(south, south, bombs_turn=True), "H0F1"), 1, "H0") == "ik"


def test_who_wins_died_or_fell_together_tells_its_rank():
    south = army(G0="e", G2="c", K4="k", K0="i", L1="l")
    north = army(G4="c", G2="e", K4="k", K0="i", L1="l")
    state = meet(south, north)
    died = state.play("G0F0")  # a colonel runs into a major general
    assert knows(died, 0, "F0") == "abcd"
    assert knows(died, 1, "G0") == "defghi"
    won = played(state, "G2F2")  # a major general takes a colonel
    assert knows(won, 0, "F2") == "defghi"
    assert knows(won, 1, "G2") == "abcd"
    both = played(won, "F0F2")
    assert both.last_result == "both_died"
    assert knows(both, 0, "F0") == "c"  # no bomb begins in the front row
    assert knows(both, 1, "G2") == "c"


def test_a_marshals_death_tells_and_so_does_silence():
    south = army(H0="k", K0="a", K4="g", L1="l")
    north = army(G4="a", K4="k", K0="g", L1="l")
    state = played(meet(south, north), "H0F0")
    assert state.last_result == "both_died"
    assert knows(state, 0, "F0") == "a"
    assert knows(state, 0, "A3") == "l"
    assert knows(state, 1, "H0") == "k"  # north knows its own marshal: only a bomb, or the marshal, which shows itself
    silent = played(meet(south, army(G4="g", K4="k", K0="a", L1="l")), "H0F0")
    assert knows(silent, 0, "F0") == "bcdefghi"
    hidden = played(meet(south, north, reveal_flag=False), "H0F0")
    assert knows(hidden, 0, "F0") == "abcdefghi"
    assert knows(hidden, 1, "H0") == "ak"


def test_who_runs_into_a_mine_and_who_clears_it():
    south = army(G0="e", G1="i", L1="l", L3="j")
    north = army(G0="e", G1="i", L1="l", K4="j")
    state = played(meet(south, north), "G0B0")
    assert state.last_result == "died"
    assert knows(state, 0, "B0") == "abcdj"
    assert knows(state, 1, "G0") == "bcdefgh"  # no flag was shown: not the marshal
    cleared = played(meet(south, north), "G1B0")
    assert knows(cleared, 0, "B0") == "j"
    assert knows(cleared, 1, "G1") == "i"
    assert knows(played(meet(south, north, mine="dies"), "G0B0"), 0, "B0") == "ejk"


def test_shown_fighters_are_known():
    south = army(G0="e", K0="a", L1="l")
    state = meet(south, army(G4="a", K0="e", L1="l"), show_fights=True).play("G0F0")
    assert knows(state, 0, "F0") == "a"
    assert knows(state, 1, "G0") == "e"


def brute_force(masks, counts):
    """For each slot the types of all assignments that fit, by trying all of them."""
    result = [0] * len(masks)

    def extend(slot, left, chosen):
        if slot == len(masks):
            for at_, kind in enumerate(chosen):
                result[at_] |= 1 << kind
            return
        for kind in range(12):
            if masks[slot] >> kind & 1 and left[kind]:
                left[kind] -= 1
                extend(slot + 1, left, [*chosen, kind])
                left[kind] += 1

    extend(0, list(counts), [])
    return tuple(result)


@given(st.data())
def test_counts_bound_the_rest_exactly(data):
    kinds = data.draw(st.lists(st.sampled_from([0, 1, 2, 3, 9, 11]), min_size=1, max_size=6))
    masks = [data.draw(st.integers(0, EVERY)) & type_set("abcdjl") | 1 << kind for kind in kinds]
    counts = [kinds.count(kind) for kind in range(12)]
    assert possible(masks, counts) == brute_force(masks, counts)


def test_what_nobody_else_can_be():
    masks = [type_set("ab"), type_set("ab"), type_set("abc"), *[EVERY] * 22]
    known = possible(masks, COUNTS)
    assert letters_of(known[2]) == "c"
    assert letters_of(known[3]) == "cdefghijkl"


def test_planes_are_seen_from_the_own_side():
    state = State.start(FIRST, SECOND)
    south, north = (state.observation(player).planes() for player in (0, 1))
    assert south.shape == (PLANES, 12, 5)
    assert south.dtype == np.float32
    assert south[3, 6, 0] == 1  # south's d on G0
    assert north[1, 6, 0] == 1  # north's b on F4, which it sees at G0
    assert (south[51:] == north[51:]).all()
    turned = State.start(SECOND, FIRST).observation(0).planes()
    assert (turned == north).all()


def test_planes_tell_the_last_move_the_clocks_and_the_facts():
    south, north = army(G0="e", K0="a", L1="l"), army(G4="a", K0="e", L1="l")
    state = meet(south, north).play("G0F0")
    planes = state.observation(1).planes()
    assert planes[44, 5, 4] == 1  # from G0, which north sees at F4
    assert planes[45, 6, 4] == 1  # to F0; the piece that moved died
    assert planes[38, 6, 4] == 1  # north's marshal there survived
    assert planes[36].sum() == 0  # and has not moved
    assert planes[49].max() == 0
    assert planes[50, 0, 0] == np.float32(1 / 1550)
    assert planes[24:36, 5, 4].tolist() == [float(letter == "e") for letter in "abcdefghijkl"]  # what fell from G0


def test_setting_up_shows_only_the_own_pieces():
    state = State.setup().play(FIRST).play("b")
    seen = state.observation(0)
    assert seen.layout == FIRST
    assert seen.placed == (25, 1)
    assert "b" not in repr(seen.record)
    assert state.observation(1).layout == "b"
    assert State.setup().play(FIRST).play("i").observation(0) == seen
    assert seen.planes()[:12].sum() == 25
    assert seen.legal_moves() == ()
    assert state.observation(1).legal_moves() == state.legal_moves()


@pytest.mark.parametrize("name", PRESETS)
def test_the_mover_knows_its_own_moves(name):
    for state in random_game(Rules.preset(name), 5, 60):
        assert state.observation(state.to_move).legal_moves() == state.legal_moves()
        assert state.observation(1 - state.to_move).legal_moves() == ()
