"""What every kind of experiment must do; that each experiment runs is tested in `tests/lab/test_reproduce.py`."""

import copy
import re

import pytest

from apprenti.core.errors import ApprentiError, BadFile, UnknownName
from apprenti.lab.experiments import Experiment, known, read
from apprenti.lab.kinds.kind import Kind, Settings
from apprenti.lab.kinds.registry import KINDS
from apprenti.lab.reproduce import reproduce

EXPERIMENTS = {name: read(name) for name in known()}
NEEDS = [(kind, need) for kind in KINDS for need in KINDS.load(kind).needs]
every_kind = pytest.mark.parametrize("name", KINDS)


def example(kind):
    """The first experiment of a kind."""
    return next(experiment for experiment in EXPERIMENTS.values() if experiment.kind == kind)


def unlike(experiment, **changes):
    """The same experiment with other words in its file."""
    fields = {key: getattr(experiment, key) for key in ("name", "title", "question", "kind", "data")}
    return Experiment(**{**fields, **changes})


def never(part, words):
    raise AssertionError("nothing may be run")


@every_kind
def test_it_has_a_file_of_its_own_and_says_on_one_line_what_it_is(name):
    assert KINDS[name].where == f"apprenti.lab.kinds.{name}:{name.capitalize()}"
    assert KINDS[name].about.isprintable() and KINDS[name].about
    assert issubclass(KINDS.load(name), Kind)


@every_kind
def test_some_experiment_is_of_this_kind(name):
    assert example(name).kind == name


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_is_of_a_kind_and_has_what_it_needs(name, tmp_path):
    experiment = EXPERIMENTS[name]
    kind = KINDS.load(experiment.kind)(experiment, Settings(), tmp_path)
    assert kind.found == [] and not kind.interrupted


@pytest.mark.parametrize(("name", "need"), NEEDS)
def test_a_file_that_lacks_what_its_kind_needs_is_refused_by_name_before_anything_runs(name, need, tmp_path):
    data = copy.deepcopy(example(name).data)
    key, _, inner = need.partition(".")
    if inner:
        del data[key][-1][inner]
    else:
        del data[key]
    with pytest.raises(BadFile, match=re.escape(f"of kind {name}, which needs {need}.")):
        reproduce(unlike(example(name), data=data), Settings(), tmp_path, never)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("rows", [[], {}, 3, "some", [3]])
def test_rows_that_are_no_rows_are_refused(rows, tmp_path):
    experiment = unlike(example("scores"), data={"row": rows})
    with pytest.raises(ApprentiError) as caught:
        reproduce(experiment, Settings(), tmp_path, never)
    assert "\n" not in str(caught.value)


def test_an_unknown_kind_is_one_sentence_with_the_nearest(tmp_path):
    experiment = unlike(example("scores"), kind="score")
    with pytest.raises(UnknownName, match="no kind of experiment called 'score': did you mean scores"):
        reproduce(experiment, Settings(), tmp_path, never)
