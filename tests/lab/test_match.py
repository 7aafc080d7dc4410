"""Matches and tournaments: counted from the right side, kept when interrupted, refused before anything starts."""

import json
from dataclasses import dataclass, field

import pytest

from apprenti.agents.base import RandomAgent
from apprenti.arena.many import play_many
from apprenti.core.errors import BadAgent, BadFile, BadOption
from apprenti.core.seeds import pick
from apprenti.games.mnk import Rules
from apprenti.games.mnk.agents.learned import TableAgent
from apprenti.games.mnk.game import MNK, TICTACTOE
from apprenti.lab.agents import NamedAgent, find
from apprenti.lab.match import match, tournament
from apprenti.lab.results import Effort, GamesFile
from apprenti.store.replay import read_replay
from tests import three_players

ALONE = Effort(games=20, seed=5, workers=1)


@dataclass
class Interrupted:
    """Presses Ctrl-C instead of its next move but so many."""

    after: int
    asked: int = field(default=0)

    def choose(self, observation, legal, rng):
        self.asked += 1
        if self.asked > self.after:
            raise KeyboardInterrupt
        return legal[0]


@dataclass(frozen=True)
class Last:
    """Takes the last free cell."""

    def choose(self, observation, legal, rng):
        return legal[-1]


@dataclass(frozen=True)
class Winner:
    """Makes a row where it can, and any move elsewhere."""

    def choose(self, observation, legal, rng):
        wins = [cell for cell in legal if (end := observation.play(cell).outcome) and end.winner is not None]
        return wins[0] if wins else pick(rng, legal)


def known(name, agent=None, rules=None):
    """An agent under a name."""
    return NamedAgent(name, agent or RandomAgent(), MNK, rules or Rules())


ROW = Rules(1, 2, 1)
"""Whoever moves first wins at once."""


def test_a_match_counts_for_the_first_named_on_whichever_side():
    result = match(MNK, ROW, (known("a"), known("b")), ALONE)
    assert result.counts == (10, 0, 10)
    assert (result.counts_as(0), result.counts_as(1)) == ((10, 0, 0), (0, 0, 10))
    assert (result.points, result.share) == (10, 0.5)
    assert result.reasons == {"row": 20}


def test_the_other_way_round_the_same_match_has_the_other_result():
    ahead = match(MNK, Rules(), (known("a", Last()), known("b")), ALONE)
    assert ahead.counts != ahead.counts[::-1]
    low, high = ahead.interval
    assert low < ahead.share < high
    by_hand = [game.points for game in play_many(MNK, Rules(), (Last(), RandomAgent()), 20, root=5)]
    assert ahead.points == sum(by_hand)
    assert sum(ahead.counts) == 20
    assert ahead.counts == tuple(map(sum, zip(ahead.counts_as(0), ahead.counts_as(1), strict=True)))


def test_its_json_is_plain_and_says_everything_that_belongs_beside_a_result():
    result = match(MNK, Rules(), (known("a"), known("b", Last())), ALONE)
    data = json.loads(json.dumps(result.to_json(), allow_nan=False))
    assert (data["agent"], data["against"], data["game"], data["seed"], data["workers"]) == ("a", "b", "mnk", 5, 1)
    assert (data["won"], data["drawn"], data["lost"]) == result.counts
    assert [data["won"], data["drawn"], data["lost"]] == [
        sum(both) for both in zip(data["moving_first"], data["moving_second"], strict=True)
    ]
    assert data["rules"] == {"size": "3x3x3"}
    assert data["description"] == "tictactoe 3x3x3: three in a row on 3 by 3"
    assert sum(data["reasons"].values()) == data["games"] == 20
    assert data["moves_per_game"] == sum(len(game.moves) for game in result.records) / 20
    assert data["interrupted"] is False


def test_every_game_is_recorded_with_its_players_on_their_sides(tmp_path):
    result = match(MNK, Rules(), (known("a/b"), known("c", Last())), ALONE)
    paths = result.write_replays(tmp_path)
    assert [path.name for path in paths[:2]] == ["a-b-c-5-0000.json", "a-b-c-5-0001.json"]
    assert sorted(tmp_path.iterdir()) == paths
    for path, game in zip(paths, result.records, strict=True):
        replay = read_replay(path)
        assert replay.players == (("a/b", "c") if game.first == 0 else ("c", "a/b"))
        assert replay.moves == game.moves
        *_, end = replay.states()
        assert end.outcome == replay.outcome == game.outcome


def test_matches_with_others_do_not_replace_each_other(tmp_path):
    for other in ("b", "c"):
        match(MNK, Rules(), (known("a"), known(other)), Effort(games=2, workers=1)).write_replays(tmp_path)
    assert len(list(tmp_path.iterdir())) == 4


def test_ctrl_c_keeps_what_has_been_played():
    result = match(MNK, ROW, (known("a", Interrupted(3)), known("b")), ALONE)
    assert result.interrupted
    assert result.games == 6  # three as the first to move, three in which the other one was
    assert result.to_json()["interrupted"] is True


def test_whoever_watches_is_told_after_every_game():
    games = []
    match(MNK, Rules(), (known("a"), known("b")), ALONE, lambda result: games.append(result.games))
    assert games == list(range(1, 21))


def test_an_agent_for_another_game_or_board_is_refused_before_anything_starts():
    learned = known("learned", TableAgent("3x3x3"))
    soldier = find("luzhanqi-greedy")
    learned.check(TICTACTOE, Rules())
    with pytest.raises(BadAgent, match="has learned 3x3x3 and cannot play 4x4x3"):
        match(MNK, Rules(4, 4, 3), (known("a", Interrupted(0)), learned), ALONE)
    with pytest.raises(BadAgent, match="luzhanqi-greedy plays luzhanqi, not tictactoe"):
        match(TICTACTOE, Rules(), (known("a", Interrupted(0)), soldier), ALONE)


def test_a_game_for_one_has_no_match():
    dellacherie = find("dellacherie")
    with pytest.raises(BadOption, match="tetris is a game for 1, and a match needs two: use evaluate or compare"):
        match(dellacherie.game, dellacherie.rules, (dellacherie, dellacherie), ALONE)


def test_where_three_play_the_second_agent_has_both_other_sides():
    game = three_players.GAME
    most, least = (
        NamedAgent("most", Last(), game, game.rules()),
        NamedAgent("least", Interrupted(99), game, game.rules()),
    )
    result = match(game, game.rules(heap=9), (most, least), Effort(6, workers=1))
    assert (result.share, result.counts, result.counts_as(0), result.counts_as(1)) == (
        1.0,
        (6, 0, 0),
        (2, 0, 0),
        (4, 0, 0),
    )
    alike = match(game, game.rules(heap=9), (least, least), Effort(3, workers=1))
    assert (alike.share, alike.counts) == (pytest.approx(1 / 3), (0, 3, 0))
    with pytest.raises(BadOption, match="Elo is for games for two, and three-players is for 3: use evaluate --against"):
        tournament(game, game.rules(), (most, least), ALONE)


def test_precision_is_refused():
    with pytest.raises(BadOption, match="--precision is for games for one"):
        match(MNK, Rules(), (known("a"), known("b")), Effort(precision=0.1, workers=1))


# Tournaments ----------------------------------------------------------------------------------------------------------


def test_everybody_meets_everybody_and_the_first_has_elo_0():
    result = tournament(MNK, Rules(), [known("a"), known("b", Last()), known("c")], ALONE)
    assert list(result.matches) == [(0, 1), (0, 2), (1, 2)]
    assert [played.names for played in result.matches.values()] == [("a", "b"), ("a", "c"), ("b", "c")]
    ratings = result.ratings()
    assert ratings[0].elo == ratings[0].error == 0
    alone = match(MNK, Rules(), (known("b", Last()), known("c")), ALONE)
    assert result.matches[1, 2].counts == alone.counts  # a match depends on nobody else


def test_its_json_has_ratings_and_matches():
    result = tournament(MNK, Rules(), [known("a"), known("b", Last())], ALONE)
    data = json.loads(json.dumps(result.to_json(), allow_nan=False))
    assert [agent["agent"] for agent in data["agents"]] == ["a", "b"]
    points = data["matches"][0]["share"] * 20
    assert (data["agents"][1]["elo"] > 0) == (points < 10)
    assert data["interrupted"] is False


def test_whoever_wins_where_it_can_is_stronger_than_who_does_not_look():
    players = [known("blind"), known("sees", Winner()), known("also blind")]
    result = tournament(MNK, Rules(), players, Effort(games=200, workers=1))
    blind, sees, also_blind = (rating.elo for rating in result.ratings())
    assert sees > max(blind, also_blind) + 100


def test_where_only_the_first_move_counts_all_are_equal():
    result = tournament(MNK, ROW, [known("a"), known("b"), known("c")], Effort(games=10, workers=1))
    assert [rating.elo for rating in result.ratings()] == [0, 0, 0]


@pytest.mark.parametrize(
    ("patience", "games", "names"), [(0, 0, ["a"]), (3, 6, ["a", "c"]), (10, 20, ["a", "c"]), (14, 28, ["a", "c", "b"])]
)
def test_ctrl_c_keeps_the_matches_so_far_and_whoever_has_met_nobody_is_left_out(patience, games, names):
    players = [known("a", Interrupted(patience)), known("c"), known("b")]
    result = tournament(MNK, ROW, players, ALONE)
    assert result.interrupted
    assert sum(played.games for played in result.matches.values()) == games
    assert result.names == names
    assert len(result.ratings()) == len(names)
    json.dumps(result.to_json(), allow_nan=False)


def test_one_agent_or_one_twice_is_no_tournament():
    with pytest.raises(BadOption, match="at least two"):
        tournament(MNK, Rules(), [known("a")], ALONE)
    with pytest.raises(BadOption, match="named twice"):
        tournament(MNK, Rules(), [known("a"), known("b"), known("a")], ALONE)


# Stored games ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Until:
    """Plays at random, and presses Ctrl-C when it has been asked so often by all games together."""

    asked: list = field(default_factory=list, compare=False)
    most: int = 10**9

    def choose(self, observation, legal, rng):
        self.asked.append(1)
        if len(self.asked) > self.most:
            raise KeyboardInterrupt
        return pick(rng, legal)


def all_but_time(result):
    """A match without its times."""
    data = result.to_json()
    return {name: data[name] for name in data if not name.startswith("seconds")}


def test_a_stored_match_goes_on_where_it_was_interrupted_and_ends_as_if_it_had_not_been(tmp_path):
    rival, file = known("random"), tmp_path / "games.json"
    whole = match(MNK, Rules(), (known("until", Until()), rival), ALONE)
    first = match(MNK, Rules(), (known("until", Until(most=30)), rival), ALONE, stored=GamesFile(file))
    assert first.interrupted and 0 < first.games < 20
    asked = Until()
    again = match(MNK, Rules(), (known("until", asked), rival), ALONE, stored=GamesFile(file))
    assert all_but_time(again) == all_but_time(whole) and again.games == 20
    assert 0 < len(asked.asked) < sum(record.length for record in whole.records) / 2, "stored games are not played"
    assert again.seconds > first.seconds
    finished = match(MNK, Rules(), (known("until", Until(most=0)), rival), ALONE, stored=GamesFile(file))
    assert all_but_time(finished) == all_but_time(whole), "nothing is left to play"


@pytest.mark.parametrize("text", ["{}", '{"games": [{}], "seconds": 1}', '{"games": [], "seconds": "soon"}', "7"])
def test_a_file_that_holds_no_games_is_refused_in_a_sentence(tmp_path, text):
    (tmp_path / "games.json").write_text(text)
    with pytest.raises(BadFile, match=r"games\.json"):
        GamesFile(tmp_path / "games.json").read(MNK)
