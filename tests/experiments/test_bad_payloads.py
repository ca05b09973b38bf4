"""Bad payloads: the published verdicts, and keywords counted in three independent ways."""

import itertools
import json

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from osfhelpers.engine.parameters import ParameterError
from osfhelpers.engine.snapshot import tool, tools
from osfhelpers.engine.validator import keep_keywords
from osfhelpers.experiments import bad_payloads
from osfhelpers.measuring.comparison import compare
from osfhelpers.measuring.evidence import published
from osfhelpers.models.eight_payloads import eight_payloads
from osfhelpers.models.mistakes import CLOSED, KEYWORDS, WHOLE, calls, passing, refused


def keywords_at_fault(call):
    """Return the keywords that jsonschema itself names on the untouched schema: the plain twin."""
    validator = jsonschema.Draft202012Validator(tool(call.tool).input_schema)
    return {error.validator for error in validator.iter_errors(call.arguments)}


FAULTS = [keywords_at_fault(call) for call in calls()]


def test_the_replay_returns_all_eight_published_verdicts():
    figures = published("bad_payloads")
    assert len(figures) == 8
    assert {figure.key: figure.value for figure in figures} == bad_payloads.replay()
    assert compare(bad_payloads).agrees


def test_cell_by_cell_the_two_validators_part_at_the_maximum_only():
    cells = eight_payloads()
    assert all(cell.published == cell.small_validator_here for cell in cells)
    parted = [cell for cell in cells if (cell.published == "ok") != (cell.full_schema == "ok")]
    [hole] = parted
    assert hole.payload == "list_note_attachments: kind sources, limit 100"
    assert hole.full_schema == "refused"


@pytest.mark.parametrize(
    "struck", [(), *itertools.combinations(KEYWORDS, 1), *itertools.combinations(KEYWORDS, 2)]
)
def test_a_mistake_passes_exactly_when_all_keywords_at_fault_are_struck_out(struck):
    kept = WHOLE - set(struck)
    assert list(refused(kept)) == [bool(faults & kept) for faults in FAULTS]


@given(st.sets(st.sampled_from(KEYWORDS)))
def test_any_set_of_keywords_refuses_what_its_members_refuse(kept):
    single = [refused(frozenset({keyword})) for keyword in kept]
    assert refused(frozenset(kept)) == tuple(map(any, zip(*single, [False] * len(FAULTS), strict=True)))


@given(st.sets(st.sampled_from(KEYWORDS)), st.sampled_from(KEYWORDS))
def test_one_more_keyword_never_lets_more_through(kept, more):
    before, after = refused(frozenset(kept)), refused(frozenset(kept | {more}))
    assert all(late or not early for early, late in zip(before, after, strict=True))


def test_alone_several_and_none_add_up_to_the_list():
    result = bad_payloads.measure(bad_payloads.Params())
    alone = {tally.keyword: tally.alone for tally in result.tallies}
    assert alone == {keyword: sum(faults == {keyword} for faults in FAULTS) for keyword in KEYWORDS}
    shared = {tally.keyword: tally.shared for tally in result.tallies}
    assert shared == {k: sum(k in faults and len(faults) > 1 for faults in FAULTS) for k in KEYWORDS}
    several = sum(len(faults) > 1 for faults in FAULTS)
    assert sum(alone.values()) + several + len(passing()) == len(calls())


def test_every_keyword_of_the_schemas_is_on_the_list_and_can_be_struck_out():
    standing = set()
    for each in tools().values():
        bare = json.dumps(keep_keywords(each.input_schema, ()))
        standing |= {keyword for keyword in KEYWORDS if f'"{keyword}": ' in bare}
        assert keep_keywords(each.input_schema, KEYWORDS) == each.input_schema
    assert standing == {CLOSED}  # `files` leads on to a schema for its values; only `false` is a check


def test_a_property_that_has_the_name_of_a_keyword_stays():
    schema = {"properties": {"enum": {"enum": [1]}, "required": {"type": "string"}}, "required": ["enum"]}
    assert keep_keywords(schema, {"type"}) == {"properties": {"enum": {}, "required": {"type": "string"}}}


def test_no_right_call_is_refused_whatever_is_struck_out():
    for removed in (bad_payloads.NOTHING, *KEYWORDS):
        assert not any(bad_payloads.measure(bad_payloads.Params(removed)).right_refused)


def test_wrong_meaning_passes_every_keyword():
    assert [call.kind for call, faults in zip(calls(), FAULTS, strict=True) if not faults].count(
        "wrong meaning"
    ) == len(tools())


def test_what_is_said_is_what_was_counted():
    whole = bad_payloads.measure(bad_payloads.Params())
    through = refused(WHOLE).count(False)
    assert f"let {through} of {len(calls())} mistaken calls through" in bad_payloads.say(whole)
    assert f"and {through} by none" in bad_payloads.say_keywords(whole)
    without = bad_payloads.measure(bad_payloads.Params("enum"))
    more = sum(faults == {"enum"} for faults in FAULTS)
    assert f"{more} more than with all keywords" in bad_payloads.say(without)
    both = bad_payloads.measure(bad_payloads.Params("enum", "enum"))
    assert bad_payloads.say(both) == bad_payloads.say(without)


def test_the_ledger_row_counts_the_three_keywords_of_the_phrase():
    row = bad_payloads.ledger_row()
    phrase = set(bad_payloads.PHRASE)
    assert row.without_per_100 == pytest.approx(
        100 * sum(faults <= phrase for faults in FAULTS) / len(FAULTS)
    )
    assert row.with_per_100 == pytest.approx(100 * sum(not faults for faults in FAULTS) / len(FAULTS))


@pytest.mark.parametrize("field", ["removed", "also_removed"])
def test_an_unknown_keyword_is_refused_by_name(field):
    with pytest.raises(ParameterError, match=f"{field} must be one of nothing, .* but it is 'pattern'"):
        bad_payloads.Params(**{field: "pattern"})
