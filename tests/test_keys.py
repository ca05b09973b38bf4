"""Equal wishes have equal fingerprints; a policy is a plain function of an attempt."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osfhelpers.engine.keys import (
    Attempt,
    Event,
    NoCanonicalForm,
    canonical,
    fingerprint,
    new_key_after_conflict,
    new_key_per_call,
    same_key_on_retry,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(st.characters(codec="utf-8")),
    lambda part: st.lists(part, max_size=3) | st.dictionaries(st.text(max_size=3), part, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=4), JSON, max_size=5))
def test_the_order_of_names_does_not_change_a_fingerprint(arguments):
    turned = dict(reversed(arguments.items()))
    assert fingerprint("tool", arguments) == fingerprint("tool", turned)


def test_key_and_version_are_not_part_of_the_intent():
    wish = {"note_id": "n", "label": "Q3"}
    sent = {**wish, "idempotency_key": "a", "expected_version": 1}
    again = {**wish, "idempotency_key": "b", "expected_version": 2}
    assert fingerprint("create_note_tab", sent) == fingerprint("create_note_tab", again)
    assert fingerprint("create_note_tab", wish) != fingerprint("edit_note_tab", wish)
    assert fingerprint("create_note_tab", wish) != fingerprint("create_note_tab", {**wish, "label": "Q4"})


def test_canonical_json_is_that_of_rfc_8785():
    assert canonical({"b": 1.0, "a": "é"}) == '{"a":"é","b":1}'.encode()


@pytest.mark.parametrize("value", [math.nan, math.inf, 2**53 + 1, "\ud800", {1, 2}])
def test_a_value_without_canonical_form_is_refused(value):
    with pytest.raises(NoCanonicalForm, match="canonical"):
        canonical({"value": value})


@pytest.mark.parametrize(
    ("policy", "keys"),
    [
        (new_key_per_call, ["k1", "k2", "k3", "k4"]),
        (same_key_on_retry, ["k1", "k1", "k1", "k1"]),
        (new_key_after_conflict, ["k1", "k1", "k2", "k2"]),
    ],
)
def test_each_policy_chooses_its_keys(policy, keys):
    fresh = iter(["k1", "k2", "k3", "k4"])
    previous, chosen = None, []
    for event in (Event.FIRST, Event.NO_REPLY, Event.CONFLICT, Event.NO_REPLY):
        previous = policy(Attempt({}, event, previous, lambda: next(fresh)))
        chosen.append(previous)
    assert chosen == keys
