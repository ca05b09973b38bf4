"""The full code: sizes stand beside the published ones, and lines decide what a person reads."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osfhelpers.engine.calls import call
from osfhelpers.engine.parameters import ParameterError
from osfhelpers.engine.room import Room, State
from osfhelpers.engine.sizes import request_bytes, tokens
from osfhelpers.experiments import full_code
from osfhelpers.experiments.full_code import Params, measure, sizes
from osfhelpers.measuring.comparison import compare
from osfhelpers.measuring.evidence import Key, published
from osfhelpers.models.proposals import (
    PATHS,
    REPOSITORY,
    SNIPPET,
    added_bytes,
    arguments,
    pinned_arguments,
    repeated,
    timer,
    weigh,
)
from osfhelpers.models.review_card import review_card


def test_every_published_figure_has_a_measured_one_beside_it_and_no_verdict():
    rows = [row for row in compare(full_code).rows if row.published is not None]
    assert len(rows) == len(published("full_code")) == 18
    for row in rows:
        assert row.agrees is None
        assert row.replayed is None
        assert row.measured > 0
        assert row.simulated is None


def test_the_timer_has_the_published_shape():
    measured = {(key.arm, key.measure): value.value for key, value in sizes().items()}
    for figure in published("full_code"):
        if figure.key.arm in PATHS or "files" in figure.key.arm:
            assert measured[figure.key[:2]] == pytest.approx(figure.number, rel=0.08), figure
    assert [measured[path, "lines"] for path in PATHS] == [63, 14]


def test_the_published_overhead_follows_from_the_published_bytes():
    printed = {figure.key: figure for figure in published("full_code")}
    source, envelope = (
        printed[Key("whole proposal", f"{what} bytes")].number for what in ("source", "envelope")
    )
    assert printed[Key("whole proposal", "overhead, %")].shows(100 * (envelope / source - 1))


def test_every_byte_between_source_and_envelope_is_accounted_for():
    weight = weigh(timer())
    rows = added_bytes(timer())
    assert sum(row.bytes for row in rows) == weight.envelope_bytes - weight.source_bytes
    assert rows[0].what == "escaped \\n"
    assert rows[0].bytes == weight.lines


@given(st.integers(2, 40), st.sampled_from([20, 63, 150]))
def test_each_further_file_adds_the_same_bytes_but_for_its_number(files, lines):
    def envelope(count):
        return request_bytes(SNIPPET, arguments(repeated(count, lines)))

    second, further = envelope(2) - envelope(1), envelope(files + 1) - envelope(files)
    assert further == second + (files + 1 >= 10)


def test_the_published_line_is_straight_and_so_is_the_measured_one():
    for name in ("envelope bytes", "argument tokens"):
        for line in full_code.line_per_file(name):
            first, middle, last = line
            assert (middle - first) / 4 == pytest.approx((last - middle) / 15, rel=0.01)
    assert full_code.per_file(full_code.line_per_file("argument tokens")[1]) == pytest.approx(671, abs=0.01)
    assert full_code.per_file(full_code.line_per_file("envelope bytes")[1]) == pytest.approx(2114.5, abs=0.1)


@pytest.mark.parametrize("lines", [1, 62, 63, 64, 200])
def test_a_repeated_component_has_the_lines_that_were_asked_for(lines):
    files = repeated(3, lines)
    assert len(files) == 3
    assert PATHS[0] in files
    assert {len(text.splitlines()) for text in files.values()} == {lines}


def test_a_real_room_takes_both_proposals_and_the_card_shows_every_file_in_full():
    room = Room(repositories={"stand-up-timer": ("v1", "v2")})
    room.open_to("agent")
    snippet = call(SNIPPET, arguments(timer()), on=room).result["instance_id"]
    pinned = {**pinned_arguments(), "idempotency_key": "pinned-v2"}
    pointing = call(REPOSITORY, pinned, on=room).result["instance_id"]
    card, link = (str(review_card(room.app(each))) for each in (snippet, pointing))
    assert all(text in card for text in timer().values())
    assert "v2" in link
    assert "useState" not in link
    assert {app.state for app in room.pending} == {State.AWAITING_REVIEW}


def test_the_pinned_call_is_lighter_than_the_smallest_snippet():
    given_ = pinned_arguments()
    assert request_bytes(REPOSITORY, given_) < request_bytes(SNIPPET, arguments(repeated(1, 63)))


def test_minutes_follow_from_tokens_written_twice_and_lines_read_once():
    result = measure(Params(files=6, lines_per_file=50, read_lines_per_h=300, write_tokens_per_s=10))
    files = repeated(6, 50)
    first, again, pinned, read = result.minutes.values()
    assert first == sum(map(tokens, files.values())) / 600
    assert again > first > pinned
    assert read == pytest.approx(60)
    assert full_code.files_in_a_sitting(result.params) == 6


def test_more_files_never_take_less_time():
    states = [measure(Params(files=files)).minutes for files in (1, 2, 4, 6, 11, 21)]
    for name in states[0]:
        minutes = [state[name] for state in states]
        assert minutes == sorted(minutes)


def test_the_largest_app_that_is_accepted_is_measured_in_bounded_time():
    assert measure(Params(files=500)).weight.lines == 500 * 63


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"files": 0}, "files must be a whole number from 1 to 500, but it is 0"),
        ({"files": 10_000}, "10000"),
        ({"lines_per_file": 2.5}, "lines_per_file"),
        ({"read_lines_per_h": 0}, "read_lines_per_h"),
        ({"write_tokens_per_s": -1}, "write_tokens_per_s"),
    ],
)
def test_an_impossible_app_is_refused_by_name(wrong, words):
    with pytest.raises(ParameterError, match=words):
        Params(**wrong)


def test_the_ledger_row_is_that_of_the_small_app():
    row = full_code.ledger_row()
    assert (row.without_per_100, row.with_per_100) == (100, 0)
    assert (
        f"{measure(Params()).weight.source_tokens + measure(Params()).weight.argument_tokens:,}" in row.cost
    )
