"""The small validator answers its seven keywords as the JSON Schema test suite does."""

import pytest

from osfhelpers.engine.snapshot import tools
from osfhelpers.engine.validator import (
    KEYWORDS,
    argument_problems,
    full_problems,
    ignored_keywords,
    small_verdict,
)

# (schema, instance, valid): facts of the official test suite for draft 2020-12.
SUITE = [
    # required
    ({"required": ["foo"]}, {"foo": 1}, True),
    ({"required": ["foo"]}, {"bar": 1}, False),
    ({"required": ["foo"]}, [], True),
    ({"required": ["foo"]}, "", True),
    ({"required": ["foo"]}, 12, True),
    ({"required": ["foo"]}, None, True),
    ({"required": []}, {}, True),
    ({"required": ['foo"bar', "foo\nbar"]}, {'foo"bar': 1, "foo\nbar": 1}, True),
    ({"required": ['foo"bar', "foo\nbar"]}, {'foo"bar': 1}, False),
    ({"required": ["__proto__", "toString"]}, {}, False),
    # properties
    ({"properties": {"foo": {"enum": [1]}}}, {"foo": 1}, True),
    ({"properties": {"foo": {"enum": [1]}}}, {"foo": 2}, False),
    ({"properties": {"foo": {"enum": [1]}}}, {"quux": []}, True),
    ({"properties": {"foo": {"enum": [1]}}}, [], True),
    ({"properties": {"foo": {"enum": [1]}}}, 12, True),
    ({"properties": {"foo": True, "bar": False}}, {}, True),
    ({"properties": {"foo": True, "bar": False}}, {"foo": 1}, True),
    ({"properties": {"foo": True, "bar": False}}, {"bar": 2}, False),
    ({"properties": {"foo": True, "bar": False}}, {"foo": 1, "bar": 2}, False),
    ({"properties": {"__proto__": {"enum": ["x"]}}}, {"__proto__": "foo"}, False),
    ({"properties": {"foo": {"enum": [None]}}}, {"foo": None}, True),
    # enum
    ({"enum": [1, 2, 3]}, 1, True),
    ({"enum": [1, 2, 3]}, 4, False),
    ({"enum": [6, "foo", [], True, {"foo": 12}]}, [], True),
    ({"enum": [6, "foo", [], True, {"foo": 12}]}, None, False),
    ({"enum": [6, "foo", [], True, {"foo": 12}]}, {"foo": False}, False),
    ({"enum": [6, "foo", [], True, {"foo": 12}]}, {"foo": 12}, True),
    ({"enum": [6, "foo", [], True, {"foo": 12}]}, {"foo": 12, "boo": 42}, False),
    ({"enum": [False]}, False, True),
    ({"enum": [False]}, 0, False),
    ({"enum": [False]}, 0.0, False),
    ({"enum": [[False]]}, [False], True),
    ({"enum": [[False]]}, [0], False),
    ({"enum": [True]}, 1, False),
    ({"enum": [True]}, 1.0, False),
    ({"enum": [[True]]}, [1], False),
    ({"enum": [0]}, False, False),
    ({"enum": [0]}, 0.0, True),
    ({"enum": [1]}, True, False),
    ({"enum": [1]}, 1.0, True),
    ({"enum": [[1]]}, [True], False),
    ({"enum": [[1]]}, [1.0], True),
    ({"enum": ["hello\u0000there"]}, "hello\u0000there", True),
    ({"enum": ["hello\u0000there"]}, "hellothere", False),
    # additionalProperties
    ({"properties": {"foo": {}}, "additionalProperties": False}, {"foo": 1}, True),
    ({"properties": {"foo": {}}, "additionalProperties": False}, {"foo": 1, "quux": 1}, False),
    ({"properties": {"foo": {}}, "additionalProperties": False}, [1, 2], True),
    ({"properties": {"foo": {}}, "additionalProperties": False}, "foobarbaz", True),
    ({"properties": {"foo": {}}, "additionalProperties": {"enum": [True]}}, {"foo": 1, "b": True}, True),
    ({"properties": {"foo": {}}, "additionalProperties": {"enum": [True]}}, {"foo": 1, "b": 12}, False),
    ({"additionalProperties": {"enum": [True]}}, {"foo": True}, True),
    ({"additionalProperties": {"enum": [True]}}, {"foo": 1}, False),
    ({"properties": {"foo": {}}}, {"foo": 1, "quux": True}, True),
    ({"additionalProperties": {"enum": [None]}}, {"foo": None}, True),
    # items
    ({"items": {"enum": [1, 2]}}, [1, 2], True),
    ({"items": {"enum": [1, 2]}}, [1, "x"], False),
    ({"items": {"enum": [1, 2]}}, {"foo": "bar"}, True),
    ({"items": {"enum": [1, 2]}}, {"0": "invalid", "length": 1}, True),
    ({"items": True}, [1, "foo"], True),
    ({"items": False}, [1, "foo"], False),
    ({"items": False}, [], True),
    ({"items": {"items": {"items": {"enum": [1]}}}}, [[[1]], [[1, 1]]], True),
    ({"items": {"items": {"items": {"enum": [1]}}}}, [[["1"]]], False),
    # minItems, maxItems
    ({"minItems": 1}, [1, 2], True),
    ({"minItems": 1}, [1], True),
    ({"minItems": 1}, [], False),
    ({"minItems": 1}, "", True),
    ({"minItems": 1.0}, [], False),
    ({"maxItems": 2}, [1], True),
    ({"maxItems": 2}, [1, 2], True),
    ({"maxItems": 2}, [1, 2, 3], False),
    ({"maxItems": 2}, "foobar", True),
    ({"maxItems": 2.0}, [1, 2, 3], False),
    # boolean schemas
    (True, 1, True),
    (False, 1, False),
]


@pytest.mark.parametrize(("schema", "instance", "valid"), SUITE)
def test_both_validators_agree_with_the_official_suite(schema, instance, valid):
    assert (not small_verdict(schema, instance).problems) is valid
    assert (not full_problems(schema, instance)) is valid


def test_the_suite_has_a_valid_and_an_invalid_case_for_each_of_the_seven_keywords():
    for keyword in KEYWORDS:
        verdicts = {valid for schema, _, valid in SUITE if isinstance(schema, dict) and keyword in schema}
        assert verdicts == {True, False}, keyword


@pytest.mark.parametrize(
    ("schema", "instance", "valid"),
    [
        ({"type": "integer"}, 1.0, True),
        ({"type": "integer"}, True, False),
        ({"type": "number"}, True, False),
        ({"maxLength": 2}, "\U0001f4a9\U0001f4a9", True),
        ({"maxLength": 2}, "\U0001f4a9" * 3, False),
        ({"pattern": "^[a-z]+$"}, "goodstring", True),
        ({"pattern": "^[a-z]+$"}, "badstring\n", False),
        ({"pattern": r"^\d$"}, "\u0967", False),
        ({"patternProperties": {"^a$": False}}, {"a\n": 1}, True),
        ({"patternProperties": {"^a$": {"type": "string"}}}, {"a": 1}, False),
        ({"patternProperties": {"^a$": True}, "additionalProperties": False}, {"a\n": 1}, False),
        ({"patternProperties": {"^a$": True}, "additionalProperties": False}, {"a": 1}, True),
    ],
)
def test_the_full_validator_decides_as_the_standards_do(schema, instance, valid):
    assert (not full_problems(schema, instance)) is valid


def test_the_small_validator_says_which_keywords_it_ignored():
    schema = {"type": "object", "properties": {"limit": {"type": "integer", "maximum": 50}}}
    verdict = small_verdict(schema, {"limit": 100})
    assert str(verdict) == "ok"
    assert verdict.ignored == {"type", "maximum"}
    assert ignored_keywords({"items": {"pattern": "x"}, "additionalProperties": {"minLength": 1}}) == {
        "pattern",
        "minLength",
    }


def test_problems_name_their_place():
    schema = {"properties": {"slides": {"items": {"additionalProperties": False, "required": ["title"]}}}}
    verdict = small_verdict(schema, {"slides": [{"title": 1}, {"bullets": []}]})
    assert [(problem.place, problem.what) for problem in verdict.problems] == [
        ("slides[0]", "unexpected title"),
        ("slides[1]", "missing title"),
        ("slides[1]", "unexpected bullets"),
    ]


def test_a_misspelt_argument_is_an_error_that_names_it():
    [problem] = argument_problems("read_room", {"room_id": "r1", "visibilty": "public"})
    assert "visibilty" in problem.what


def test_a_long_value_is_shortened_in_the_message():
    [problem] = argument_problems("read_room", {"room_id": {"x": "y" * 10_000}})
    assert len(problem.what) < 200


def test_every_schema_of_the_snapshot_is_a_valid_schema():
    from jsonschema import Draft202012Validator

    for tool in tools().values():
        Draft202012Validator.check_schema(tool.input_schema)
