"""Text that two readers would understand differently is refused before any schema sees it."""

import time

import pytest

from osfhelpers.engine.json_text import JSONTextError, read_json


def test_ordinary_json_is_read():
    assert read_json('{"a": [1, 2.5, "x", null, true]}') == {"a": [1, 2.5, "x", None, True]}
    assert read_json(b'"\xc3\xa9"') == "é"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"limit": NaN}', "NaN is no JSON value"),
        ("[-Infinity]", "-Infinity is no JSON value"),
        ("[1e999]", "1e999 is too large"),
        ('{"key": 1, "key": 2}', "'key' stands twice"),
        ('{"a": {"b": 1, "b": 1}}', "'b' stands twice"),
        ('{"a": 1,\n "b" 2}', "line 2, column 6"),
        ("", "line 1, column 1"),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 5000, "cannot be read"),
        (b"\xff", "not UTF-8 at byte 0"),
    ],
)
def test_a_text_that_is_no_or_ambiguous_json_is_refused_with_the_reason(text, complaint):
    with pytest.raises(JSONTextError, match=complaint):
        read_json(text)


def test_a_name_that_stands_twice_among_very_many_is_found_at_once():
    # Anyone may send such a text to the server, before any token is asked for.
    names = [*map(str, range(100_000)), "99999"]
    start_s = time.perf_counter()
    with pytest.raises(JSONTextError, match="'99999' stands twice"):
        read_json("{" + ",".join(f'"{name}":0' for name in names) + "}")
    assert time.perf_counter() - start_s < 5
