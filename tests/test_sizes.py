"""Sizes: bytes are those of the wire, tokens are counted without the network."""

import json
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osfhelpers.engine.sizes import (
    _cl100k_base,
    compact_json,
    escaped_bytes,
    request_bytes,
    request_text,
    tokens,
)

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@given(TEXTS)
def test_the_escapes_account_for_every_byte_that_a_json_string_is_longer(text):
    longer = len(compact_json(text).encode()) - 2 - len(text.encode())
    assert sum(escaped_bytes(text).values()) == longer


@given(TEXTS)
def test_only_quotes_backslashes_and_control_characters_are_escaped(text):
    assert all(sign in '"\\' or ord(sign) < 0x20 for sign in escaped_bytes(text))


def test_a_letter_beyond_ascii_costs_its_utf_8_bytes_and_no_escape():
    assert compact_json("é✓") == '"é✓"'
    assert request_bytes("read_room", {"room_id": "é"}) == 1 + request_bytes("read_room", {"room_id": "e"})


def test_a_request_is_the_json_rpc_call_without_a_space():
    text = request_text("read_room", {"room_id": "team-room"})
    assert json.loads(text)["params"] == {"name": "read_room", "arguments": {"room_id": "team-room"}}
    assert " " not in text


@pytest.mark.parametrize(
    ("text", "count"),
    # Counts of cl100k_base as its makers' own examples and tests have them.
    [
        ("", 0),
        ("hello world", 2),
        ("tiktoken is great!", 6),
        ("antidisestablishmentarianism", 6),
        ("2 + 2 = 4", 7),
    ],
)
def test_tokens_are_those_of_cl100k_base(text, count):
    assert tokens(text) == count


def test_a_word_that_the_tokeniser_reserves_counts_as_plain_text():
    assert tokens("<|endoftext|>") > 1


def test_tokens_are_counted_without_the_network(monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("a token count must not open a connection")

    _cl100k_base.cache_clear()
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert tokens("hello world") == 2


def test_five_megabytes_are_counted_in_bounded_time():
    assert tokens("const answer = 42;\n" * 10_000) > 10_000
    assert request_bytes("read_room", {"room_id": "x" * 5_000_000}) > 5_000_000
