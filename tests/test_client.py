"""The client sends until a write is settled, and its record says what happened."""

import itertools
import random

import pytest

from osfhelpers.engine.client import GaveUp, RetrySchedule, deliver, lossy, scripted
from osfhelpers.engine.keys import new_key_after_conflict, new_key_per_call, same_key_on_retry
from osfhelpers.engine.note import Note
from osfhelpers.engine.parameters import ParameterError
from osfhelpers.engine.store import Order


def send(policy, network, order=Order.KEY_THEN_VERSION, **more):
    note = Note(order=order)
    note.open_to("agent")
    keys = (f"key-{number:06}" for number in itertools.count())
    intent = {"note_id": note.place_id, "tab_type": "slides"}
    delivery = deliver(
        "create_note_tab", intent, on=note, policy=policy, network=network, fresh=lambda: next(keys), **more
    )
    return delivery, note


def test_a_resend_carries_the_version_from_before_the_lost_commit():
    delivery, _ = send(same_key_on_retry, scripted([True]))
    assert [exchange.expected_version for exchange in delivery.exchanges] == [1, 1]
    assert [exchange.answer.replayed for exchange in delivery.exchanges] == [False, True]


def test_a_lost_request_reaches_no_server_and_costs_one_call():
    delivery, note = send(new_key_per_call, scripted([], [True, True]))
    assert [exchange.answer is None for exchange in delivery.exchanges] == [True, True, False]
    assert (delivery.calls, delivery.effects, len(note.tabs)) == (3, 1, 4)


def test_a_conflict_always_arrives_and_brings_the_version_to_go_on_with():
    delivery, note = send(new_key_after_conflict, scripted([True]), Order.VERSION_THEN_KEY)
    assert [exchange.expected_version for exchange in delivery.exchanges] == [1, 1, 2]
    assert (delivery.conflicts, delivery.effects) == (1, 2)
    assert delivery.result["tab_id"] == note.tabs[-1].tab_id


def test_a_client_gives_up_after_the_sends_it_allows_itself():
    with pytest.raises(GaveUp, match="create_note_tab was not settled within 5 sends"):
        send(same_key_on_retry, scripted([True] * 99), max_sends=5)


def test_a_key_must_be_kept_until_the_last_send_can_no_longer_arrive():
    schedule = RetrySchedule(timeout_s=10, first_wait_s=1, factor=2, cap_s=4, sends=5)
    assert schedule.send_times_s == (0, 11, 23, 37, 51)
    assert schedule.keep_key_s == 61
    assert RetrySchedule(sends=1).keep_key_s == 10


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [
        ("sends", 0, "at least 1, but it is 0"),
        ("timeout_s", -1, "above 0, but it is -1"),
        ("factor", float("nan"), "finite number, but it is nan"),
        ("factor", -2, "above 0, but it is -2"),
        ("cap_s", 10**400, "finite number, but it is 1000"),
    ],
)
def test_an_impossible_schedule_is_refused(field, value, complaint):
    with pytest.raises(ParameterError, match=f"{field} must be .*{complaint}"):
        RetrySchedule(**{field: value})


def test_a_share_of_replies_that_is_none_is_refused():
    with pytest.raises(ParameterError, match=r"reply_loss must be a probability from 0 to 1, but it is 1.5"):
        lossy(1.5, random.Random(1))


def test_a_lossy_network_loses_its_share_of_the_replies_and_no_request():
    network = lossy(0.3, random.Random(1))
    # Four standard errors on each side.
    assert abs(sum(network.loses_reply() for _ in range(10_000)) / 10_000 - 0.3) < 0.0183
    assert not network.loses_request()
