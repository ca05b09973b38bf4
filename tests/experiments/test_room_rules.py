"""Nine proposals: the Room judges them as published, and as the model without a Room does."""

import pytest

from osfhelpers.engine.parameters import ParameterError
from osfhelpers.engine.paths import broken_rule
from osfhelpers.engine.rules import RULES
from osfhelpers.engine.validator import full_problems
from osfhelpers.experiments import room_rules
from osfhelpers.experiments.room_rules import Params
from osfhelpers.measuring.comparison import compare
from osfhelpers.measuring.evidence import Key, published
from osfhelpers.models.path_catalogue import BAD_PATHS
from osfhelpers.models.path_pattern import names_schema, pattern_steps


def test_the_room_returns_all_17_published_verdicts():
    figures = published("room_rules")
    assert len(figures) == 17
    assert room_rules.replay() == {figure.key: figure.value for figure in figures}
    assert compare(room_rules).agrees


def test_the_measured_stops_are_those_of_the_room():
    stops = room_rules.measure(Params()).caught_by
    room = room_rules.replay()
    assert stops == {name: room.get(Key(name, "caught by"), "") for name in room_rules.PAYLOADS}


def test_all_rules_of_the_room_are_on_at_the_published_setting():
    assert room_rules.RULES[Params().rules] == RULES[room_rules.TOOL]


@pytest.mark.parametrize(
    ("params", "stops"),
    [
        (Params(), (4, 4, 0)),
        (Params(rules="none"), (4, 0, 4)),
        (Params(rules="entry point"), (4, 1, 3)),
        (Params(rules="paths"), (4, 3, 1)),
        (Params("struck out", "none"), (0, 0, 8)),
        (Params("with required and a pattern", "none"), (8, 0, 0)),
    ],
)
def test_each_judge_stops_what_it_is_there_for(params, stops):
    result = room_rules.measure(params)
    assert (result.bad("schema"), result.bad("server rule"), result.bad("")) == stops
    if params.schema != "struck out":
        assert result.caught_by["ok"] == ""


def test_another_judge_never_lets_more_through():
    for rules in room_rules.RULES:
        through = [room_rules.measure(Params(which, rules)).bad("") for which in room_rules.SCHEMAS]
        assert through == sorted(through, reverse=True)


def test_an_unknown_judge_is_refused_by_name():
    with pytest.raises(ParameterError, match="'none at all'"):
        Params(rules="none at all")
    with pytest.raises(ParameterError, match="'strict'"):
        Params(schema="strict")


def test_the_pattern_grows_and_lets_fewer_bad_paths_through_but_never_none():
    steps = pattern_steps()
    counts = [step.bad_paths_left for step in steps]
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] == 1
    assert [step.characters for step in steps] == sorted(step.characters for step in steps)
    stopped = ", ".join(step.stops for step in steps if step.stops).split(", ")
    assert len(stopped) == len(BAD_PATHS) - 1
    assert "SRC/app.tsx" not in stopped


def test_a_property_name_with_a_trailing_newline_does_not_slip_through_the_pattern():
    loose = {"propertyNames": {"pattern": "^[a-z]+$"}}
    for schema in (names_schema(), loose):
        assert not full_problems(schema, {"x": ""})
        assert full_problems(schema, {"x\n": ""})


def test_every_bad_path_of_the_catalogue_but_the_collision_breaks_a_rule():
    assert [path for path in BAD_PATHS if broken_rule(path) is None] == ["SRC/app.tsx"]


def test_the_ledger_counts_half_of_the_bad_proposals_without_the_rules_and_none_with_them():
    row = room_rules.ledger_row()
    assert (row.without_per_100, row.with_per_100) == (50, 0)
