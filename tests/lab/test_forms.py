"""The form of a learner is its command line: the same options, the same sentences."""

import pytest

from apprenti.cli.options import parse
from apprenti.cli.train import method_options
from apprenti.lab.forms import BadForm, check, config_from, form_of, words_of
from apprenti.lab.presets import presets_of
from apprenti.learn.methods import METHODS, config_class
from tests.learn.tiny import TINY


def as_typed(value):
    return list(value) if isinstance(value, tuple) else value


@pytest.mark.parametrize("method", METHODS)
def test_a_form_that_is_left_as_it_is_gives_the_usual_config(method):
    fields = form_of(method)
    assert all(field["help"] for field in fields)
    assert (
        config_from(method, {field["name"]: as_typed(field["default"]) for field in fields}) == config_class(method)()
    )


@pytest.mark.parametrize("method", METHODS)
def test_the_command_line_of_a_form_asks_for_the_same_config(method):
    config = config_from(method, {name: as_typed(value) for name, value in TINY[method].items()})
    words = words_of(method, config, "mine")
    read = parse(method_options(method), f"train {method}", words[2:])
    assert (read.config, read.name) == (config, "mine")


def test_numbers_below_zero_and_lists_are_typed_as_the_command_line_reads_them():
    config = config_from("ce", {"mean": -3.5, "initial_weights": [-1.0, 2.0, 1e-7, 0.5, -4.0, 1.0], "racing": False})
    assert parse(method_options("ce"), "train ce", words_of("ce", config)[2:]).config == config


@pytest.mark.parametrize(
    ("said", "field", "sentence"),
    [
        ({"elite": 2.0}, "elite", "--elite must be between 0 and 1, not 2.0."),
        ({"noise": "loud"}, "noise", "--noise is none, constant or linear, not 'loud'."),
        ({"population": "many"}, "population", "population of ce is a whole number, not 'many'."),
        ({"size": "0x0"}, "size", "a board is 2 to 32 columns wide and 2 to 64 rows high, not 0x0."),
        ({"initial_weights": [1.0]}, "initial_weights",
         "--initial-weights takes 6 finite weights for these criteria, and got 1."),
    ],
)  # fmt: skip
def test_what_a_learner_refuses_is_said_in_its_own_words_with_the_field(said, field, sentence):
    with pytest.raises(BadForm) as refused:
        check("ce", config_from("ce", said))
    assert (refused.value.field, str(refused.value)) == (field, sentence)


def test_fields_that_take_certain_words_name_them():
    choices = {field["name"]: field["choices"] for field in form_of("ce")}
    assert choices["noise"] == ["none", "constant", "linear"]
    assert not choices["population"]


@pytest.mark.parametrize("method", METHODS)
def test_every_learner_can_be_seen_at_work_in_a_minute(method):
    quick = presets_of(method)[0]
    assert quick["from"] == ""
    config_from(method, quick["options"])


def test_the_records_can_be_chosen_and_no_run_is_offered_twice():
    records = {preset["from"]: preset["options"] for preset in presets_of("cma")}
    assert records["record"]["criteria"] == "apprenti"
    assert (records["record"]["population"], records["record"]["iterations"]) == (120, 71)
    assert "record-10x20" in records
    options = [preset["options"] for preset in presets_of("ga")]
    assert all(options.count(each) == 1 for each in options)


def test_the_reports_examples_can_be_chosen():
    examples = [preset for preset in presets_of("ga") if preset["from"] == "ga-report"]
    assert len(examples) == 7
    assert examples[2]["options"] == {"vector_encoding": "bin"}
