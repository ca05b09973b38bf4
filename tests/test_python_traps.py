"""Python's traps: in every row, the check in Python and JSON Schema disagree."""

from osfhelpers.models.python_traps import traps


def test_python_is_wrong_in_every_row_in_both_directions():
    assert {trap.it_says for trap in traps()} == {"ok, instead of refused", "refused, instead of ok"}


def test_the_five_traps_have_the_right_answer():
    assert {trap.payload.split(",")[0]: trap.it_says.split()[-1] for trap in traps()} == {
        "expected_version: true": "refused",
        "expected_version: 7.0": "ok",
        "limit: NaN": "refused",
        "limit: 100": "refused",
        "name: é 200 times": "ok",
    }
