"""Chapters 04 and 09 over real sessions, a server that is killed, and what the wire says."""

import json
import random
import re
import subprocess
import sys
import textwrap

import pytest

from osfhelpers import compare
from osfhelpers.engine.client import RetrySchedule, scripted
from osfhelpers.engine.data import load
from osfhelpers.engine.keys import new_key_per_call, same_key_on_retry
from osfhelpers.engine.note import Note
from osfhelpers.engine.parameters import ParameterError
from osfhelpers.engine.store import Order
from osfhelpers.experiments import over_the_wire, retries, review_gate, room_rules
from osfhelpers.measuring.evidence import published
from osfhelpers.models.boundary import boundary
from osfhelpers.models.challenges import challenges
from osfhelpers.models.client_settings import client_settings
from osfhelpers.models.killed_server import RIGHT, WRONG, killed_server, tabs_after_a_kill
from osfhelpers.models.line import one_lost_reply
from osfhelpers.models.round_trips import round_trips
from osfhelpers.models.sessions import in_sessions, make_tabs
from osfhelpers.teaching.exercises import exercise
from osfhelpers.wire.layers import checked


def test_every_published_figure_of_chapters_04_and_09_comes_out_of_real_sessions():
    assert over_the_wire.replay() == retries.replay() | review_gate.replay()
    rows = compare(over_the_wire).rows
    assert len(rows) == 44
    assert all(row.agrees for row in rows)


def sessions(**params):
    return over_the_wire.measure(over_the_wire.Params(**params)).sessions


def test_more_loss_never_means_fewer_calls_tabs_or_seconds_in_any_session():
    rates = (0.0, 0.2, 0.5)
    by_rate = [sessions(calls=6, reply_loss=rate) for rate in rates]
    for arm in over_the_wire.ARMS:
        for measure in ("tabs", "calls", "conflicts", "seconds"):
            found = [getattr(held[arm], measure) for held in by_rate]
            assert found == sorted(found), (arm, measure)
    assert by_rate[2] != by_rate[1] != by_rate[0]


def test_sessions_end_as_the_model_of_chapter_04_says_for_the_replies_that_were_lost():
    for (order, policy), session in sessions(calls=8, reply_loss=0.4).items():
        draws = [random.Random(f"write {number}") for number in range(8)]
        lost = []
        for rng in draws:
            lost.append(0)
            while rng.random() < 0.4:
                lost[-1] += 1
        hit = sum(each > 0 for each in lost)
        expected = retries.settle(retries.fate(order, policy), 8, sum(lost), hit)
        assert (session.tabs, session.calls, session.conflicts) == expected


def test_the_seconds_are_the_time_outs_and_waits_of_the_schedule():
    rng = random.Random(1)
    _, run = make_tabs(
        Order.KEY_THEN_VERSION,
        same_key_on_retry,
        tabs=5,
        reply_loss=0.5,
        keys=rng,
        losses=lambda number: rng,
    )
    schedule = RetrySchedule()
    assert run.seconds == sum(schedule.send_times_s[delivery.calls - 1] for delivery in run.deliveries)


def test_impossible_values_are_refused_with_the_value():
    with pytest.raises(ParameterError, match="reply_loss must be below 1"):
        over_the_wire.Params(reply_loss=1.0)
    with pytest.raises(ParameterError, match="calls must be a whole number of at least 1, but it is 0"):
        over_the_wire.Params(calls=0)


def test_what_is_said_is_what_the_sessions_came_to():
    result = over_the_wire.measure(over_the_wire.Params(calls=6, reply_loss=0.5))
    twice = result.sessions[Order.KEY_THEN_VERSION, "new key per call"]
    kept = result.sessions[Order.KEY_THEN_VERSION, "same key on retry"]
    sentence = over_the_wire.say(result)
    assert f"leaves {twice.tabs} under a new key" in sentence
    assert f"leaves {kept.tabs}, in {kept.calls} calls" in sentence


# A server that is killed.


def test_a_kill_before_the_reply_leaves_one_tab_with_one_transaction_and_two_with_two():
    assert tabs_after_a_kill(one_transaction=True) == 1
    assert tabs_after_a_kill(one_transaction=False) == 2
    row = over_the_wire.ledger_row()
    assert (row.without_per_100, row.with_per_100) == (100, 0)


def test_two_real_servers_that_are_killed_come_to_the_same():
    variants = killed_server().variants
    assert variants[RIGHT].effects == tabs_after_a_kill(one_transaction=True)
    assert variants[WRONG].effects == tabs_after_a_kill(one_transaction=False)
    for delivery in variants.values():
        assert delivery.exchanges[0].reply_lost
        assert len({exchange.key for exchange in delivery.exchanges}) == 1
    assert (variants[RIGHT].conflicts, variants[WRONG].conflicts) == (0, 1)


# What the wire says.


def test_the_line_shows_the_lost_reply_the_cancelled_request_and_the_same_key_again():
    first, lost, cancelled, again, answer = one_lost_reply()
    assert [each.to for each in (lost, answer)] == ["client (lost)", "client"]
    assert first.says == again.says
    assert answer.says == f"{lost.says} again"
    assert cancelled.message == first.message.replace("tools/call", "notifications/cancelled")
    assert [each.second for each in (first, cancelled, again)] == [0, 10, 11]


def test_the_401_and_the_403_are_read_off_the_wire_without_a_port():
    text = challenges().text
    assert [int(status) for status in re.findall(r"HTTP/1.1 (\d+)", text)] == [200, 401, 403, 200]
    published = re.findall(r'(\w+)="', text.partition("401")[2].partition("403")[0])
    assert published == ["resource_metadata", "error", "error_description"]
    assert 'error="insufficient_scope"' in text
    assert not re.search(r"127\.0\.0\.1:\d", text)


def test_each_layer_checks_what_the_chapter_says_it_checks():
    rows = {row.payload: row for row in checked(room_rules.PAYLOADS)}
    assert {row.low_level for row in rows.values()} == {"passed on"}
    refused = [name for name, row in rows.items() if row.high_level == "refused"]
    assert refused == ["name of 201 characters", "key of 7 characters", "file content that is no string"]
    assert rows["extra field visibility"].high_level == "passed on without visibility"
    by_project = {
        name: row.this_project.removeprefix("refused: ").replace("passed on", "")
        for name, row in rows.items()
    }
    assert by_project == room_rules.measure(room_rules.Params()).caught_by


def test_the_boundary_is_answered_by_the_server():
    answers = [row.answer for row in boundary()]
    assert json.loads(answers[0]) == {"tools": {"listChanged": False}}
    assert json.loads(answers[1])["room_id"] == "team-room"
    assert "Local Rooms are unavailable" in answers[2]
    assert "not approved" in answers[3]


def test_the_round_trips_are_the_stored_measurements_beside_the_published_ones():
    stored = load("round_trips.json")["rows"]
    rows = round_trips()
    assert len(rows) == 3 + len(stored)
    assert all(len(row["milliseconds"]) == 10 for row in stored)
    printed = {
        figure.key.arm: figure.number for figure in published("round_trips") if figure.unit == "HTTP status"
    }
    assert {row["request"]: row["status"] for row in stored if row["transport"] == "HTTP"} == printed


def test_the_settings_name_no_folder_and_start_this_server():
    servers = json.loads(client_settings().text)["mcpServers"]
    assert servers["osfhelpers"]["command"] == "python"
    assert servers["osfhelpers"]["args"][:3] == ["-m", "osfhelpers", "serve"]
    assert client_settings("/opt/bin/python").text.count("/opt/bin/python") == 1


# The exercises.


def test_the_predicted_seconds_are_those_of_a_real_session():
    async def work(session):
        from osfhelpers.engine.keys import random_keys
        from osfhelpers.wire.client import call_with_retries
        from osfhelpers.wire.clock import now_s

        intent = {"note_id": "q3-review", "tab_type": "slides"}
        fresh = random_keys(random.Random(1))
        await call_with_retries(session, "create_note_tab", intent, policy=new_key_per_call, fresh=fresh)
        return now_s()

    note = Note("q3-review", check_version=False)
    assert exercise("11.1").check(in_sessions(note, scripted([True] * 3), work)).state.value == "right"


@pytest.mark.parametrize("answer", ["", None, "perhaps"])
def test_a_step_that_is_none_of_the_three_is_told_so(answer):
    verdict = exercise("11.2").check(lambda reply: answer)
    assert f"after 'done' it returned {answer!r}" in verdict.reason


# Without the SDK.


def test_without_the_sdk_all_but_chapter_11_runs_and_chapter_11_says_what_to_install():
    program = """
        import importlib, pkgutil, sys

        class Hidden:
            def find_spec(self, name, path=None, target=None):
                if name.split(".")[0] in ("mcp", "mcp_types", "uvicorn", "httpx2", "anyio", "starlette"):
                    raise ModuleNotFoundError(f"No module named {name!r}", name=name)

        sys.meta_path.insert(0, Hidden())
        from osfhelpers import chapters, compare, exercise, explore, guess, ledger
        from osfhelpers.experiments import over_the_wire, retries
        from osfhelpers.teaching.exercises import chapter

        numbers = [module.name for module in pkgutil.iter_modules(chapters.__path__)]
        for number in numbers:
            module = chapter(number.removeprefix("c"))
            if hasattr(module, "GUESS"):
                module.GUESS.answer()
        assert "11" in [row.chapter for row in ledger().rows], ledger().rows
        assert compare(over_the_wire).agrees
        assert compare(retries, trials=50).rows
        from osfhelpers.wire import require_sdk
        try:
            require_sdk()
        except ModuleNotFoundError as error:
            print(error)
    """
    found = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stderr
    assert 'pip install "osfhelpers[wire]"' in found.stdout
