"""The experiments with SARSA count what they say they count."""

import json

from apprenti.cli.main import main
from apprenti.core.seeds import Stream
from apprenti.games.mnk import Rules, State
from apprenti.games.mnk.exact import never_loses
from apprenti.games.mnk.tree import tree_of
from apprenti.lab.sarsa_boards import Results, results
from apprenti.lab.sarsa_study import Row, Way, way_of
from apprenti.learn.sarsa import Sarsa, SarsaConfig


def test_a_way_says_when_the_player_could_not_lose_and_since_when():
    config = SarsaConfig(games=12_000)
    way, learner, tree, seen = way_of(config, every=1000), Sarsa(config), tree_of(Rules()), []
    while not learner.done:
        learner.play_until(learner.played + 1000)
        seen.append(never_loses(tree, learner.best_moves(tree)))
    assert way.reached == 1000 * (seen.index(True) + 1) if any(seen) else way.reached is None
    last_bad = max((number for number, good in enumerate(seen, 1) if not good), default=0)
    assert way.stays == (1000 * (last_bad + 1) if seen[-1] else None)
    assert (way.can_lose == 0) == seen[-1]


def test_a_row_counts_seeds_and_takes_the_median_of_those_that_never_came_there_too():
    found = ((1000, 3000), (2000, None), (None, None))
    row = Row("ε", "0.1", tuple(Way(1, reached, stays, 0.0, 1.0, 0.5) for reached, stays in found))
    assert (row.middle("reached"), row.middle("stays")) == (2000, None)
    assert (row.games("reached"), row.games("stays")) == ([1000, 2000], [3000])
    assert row.cells() == ["ε", "0.1", "2 of 3", "2 000", "**1** of 3", "-", "100.0%", "0%", "50.0%"]


class First:
    """Takes the first free cell."""

    def choose(self, observation, legal, rng: Stream):
        return legal[0]


def test_results_are_counted_from_the_side_of_the_agent():
    start = State.start(Rules(2, 2, 2))  # who begins wins
    assert results(First(), First(), start, 0, 3, seed=1) == Results(3, 0, 0)
    assert results(First(), First(), start, 1, 2, seed=1) == Results(0, 0, 2)
    assert results(First(), First(), State.start(Rules(1, 2, 2)), 0, 2, seed=1) == Results(0, 2, 0)
    assert Results(1, 2, 1).share == 0.5


def test_a_full_table_ends_a_run_with_one_line_and_the_run_goes_on_with_more_room(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    options = ["--size", "4x4x4", "--games", "300", "--games-a-step", "100", "--most-entries", "900"]
    assert main(["train", "sarsa", *options, "--name", "one", "--json"]) == 2
    assert "--most-entries allows 900" in capsys.readouterr().err.splitlines()[-1]
    path = tmp_path / "runs" / "one" / "run.json"
    data = json.loads(path.read_text())
    data["config"]["most_entries"] = 100_000
    path.write_text(json.dumps(data))
    assert main(["resume", "one", "--json"]) == 0
    rows = [json.loads(line) for line in (path.parent / "metrics.jsonl").read_text().splitlines()]
    assert [row["games"] for row in rows] == [100, 200, 300] and rows[-1]["entries"] > 900
