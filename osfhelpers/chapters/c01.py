"""Chapter 01: its guess and its exercises."""

from collections.abc import Iterable
from typing import Any

from osfhelpers.engine.note import Note
from osfhelpers.engine.refusals import Refused
from osfhelpers.engine.validator import full_problems
from osfhelpers.models.mistakes import KEYWORDS, calls, passing
from osfhelpers.teaching.exercises import Exercise, predict
from osfhelpers.teaching.guesses import Guess

GUESS = Guess(
    number="01",
    question=(
        f"We wrote down {len(calls())} mistaken calls, eight for each of the eleven tools that the "
        "articles name: from an invented field or a text for a number to a well-formed call for the wrong "
        "deck. Only then did the schemas judge them. How many of the mistakes pass?"
    ),
    options=(0, 5, 11, 21, 44),
    unit="mistakes",
    answer=lambda: len(passing()),
    because="More than half of these have the right form in every field, and the wrong meaning.",
)

# 01.1: predict a number.

RENAMED = next(call for call in calls() if (call.tool, call.kind) == ("create_note_tab", "another name"))
PREDICTION = sum(RENAMED not in passing(frozenset({keyword})) for keyword in KEYWORDS)


# 01.2: write the schema; each hidden payload has what should become of it, if it is a right call.

BODY = "Revenue up 4%, margin 4%"
HIDDEN: tuple[tuple[Any, str | None], ...] = (
    ({"find": "4%", "replace": "5%"}, "the slide reads 'Revenue up 5%, margin 5%'"),
    ({"find": ", margin 4%", "replace": ""}, "the slide reads 'Revenue up 4%'"),
    ({"find": "4%", "replace": "5%", "count": 1}, None),
    ({"find": "4%"}, None),
    ({"replace": "5%"}, None),
    ({"find": "", "replace": "5%"}, None),
    ({"find": 4, "replace": 5}, None),
    ({"find": "4%", "replace": None}, None),
    ([["find", "4%"], ["replace", "5%"]], None),
)


def judge_schema(schema: Any) -> str | None:
    """Put every hidden payload to the schema and to the real store, and compare."""
    if not isinstance(schema, dict):
        return f"a schema is a dictionary here, and {schema!r} is none"
    for payload, wanted in HIDDEN:
        passes, became = not full_problems(schema, payload), _replaced(payload)
        if passes and became != wanted:
            return f"{payload} passes your schema, and then {became}"
        if not passes and became == wanted:
            return f"your schema refuses {payload}, a right call: without the schema, {became}"
    return None


def _replaced(payload: Any) -> str:
    note = Note()
    note.open_to("agent")
    tab_id = note.add("slides")
    frame = {"note_id": note.place_id, "tab_id": tab_id}
    slide = {"operation": "slide_add", "title": "Revenue", "body": BODY}
    for number, fields in enumerate((slide, {"operation": "text_replace"})):
        key = {"expected_version": note.version, "idempotency_key": f"replace-{number}"}
        try:
            given = {**frame, **key, **fields, **(payload if number else {})}
            note.answer("edit_note_tab", given, "agent")
        except (Refused, KeyError, TypeError) as error:
            return f"the store fails with {type(error).__name__}: {error}"
    return f"the slide reads {note.tab(tab_id).slides[0].body!r}"


SOLUTION = {
    "type": "object",
    "properties": {"find": {"type": "string", "minLength": 1}, "replace": {"type": "string"}},
    "required": ["find", "replace"],
    "additionalProperties": False,
}


def _fields(find: dict, replace: dict) -> dict:
    return {**SOLUTION, "properties": {"find": find, "replace": replace}}


# 01.3: transfer to an e-mail.

MAIL_SCHEMA = {
    "type": "object",
    "properties": {
        "to": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 20},
        "subject": {"type": "string", "maxLength": 200},
        "priority": {"enum": ["normal", "high"]},
    },
    "required": ["to", "subject"],
    "additionalProperties": False,
}
MAIL = {"to": ["anna@example.org"], "subject": "Q3 review"}
MAILS = {
    "a": ({"to": "anna@example.org"}, "type: the field is a list, and this is a text"),
    "b": ({"bcc": ["boss@example.org"]}, "additionalProperties: false, since no field has this name"),
    "c": ({"to": ["anna@example.com"]}, "this address has the same form as the right one"),
    "d": ({"to": ["all@example.org"] * 400}, "maxItems"),
    "e": ({"subject": "Q2 review"}, "the subject of another quarter is a subject too"),
    "f": ({"priority": "most urgent"}, "enum"),
}


def judge_mail(answer: Iterable[str]) -> str | None:
    """Compare the chosen calls with those that a narrow schema refuses."""
    chosen = set("".join(answer).lower()) - set(", ")
    if unknown := chosen - MAILS.keys():
        return f"the calls are a to f, and {', '.join(map(repr, sorted(unknown)))} is none of them"
    for letter, (fields, why) in MAILS.items():
        stopped = bool(full_problems(MAIL_SCHEMA, MAIL | fields))
        if stopped and letter not in chosen:
            return f"({letter}) can be stopped, by {why}"
        if not stopped and letter in chosen:
            return f"({letter}) passes every schema that serves other days too: {why}"
    return None


EXERCISES = (
    predict(
        "01.1",
        "You can tell which keyword stops a mistake, and whether it is the only one. An agent calls "
        "<code>create_note_tab</code> and writes <code>version</code> for "
        "<code>expected_version</code>. How many keywords must you strike out of the schema before "
        "this call passes? Give a number; the explorer above can show you.",
        right=PREDICTION,
        wrong={
            "a name is only a word": (
                0,
                "a schema knows the names of its fields: with every keyword in place, this call is refused",
            ),
            "one keyword stops one mistake": (
                1,
                "strike out either of the two that see it, and the other one still refuses the call",
            ),
            "the type of the field counts too": (
                3,
                "type speaks only of fields that the schema names, and it does not name this one",
            ),
        },
        hints=(
            "Read the call as the schema does: what is there, and what should be?",
            "In the explorer, this call is one of the row “another name”. Which knobs move that row?",
        ),
        worked="2: required misses expected_version, and additionalProperties: false sees version.",
        advice="count the keywords that see something wrong",
    ),
    Exercise(
        number="01.2",
        title="Write the schema",
        task=(
            "You can write a schema that is as narrow as the code behind it. The flat schema of "
            "<code>edit_note_tab</code> cannot say which fields belong to which operation. Write one for the "
            "fields of <code>text_replace</code> alone, <code>find</code> and <code>replace</code>, as a "
            "Python dictionary. Hidden payloads are put to it and to the real store, on a slide that reads "
            f"<q>{BODY}</q>: every call that works as asked must pass, and no other."
        ),
        hints=(
            "Go through the keywords of this chapter one by one: which of them has something to say here?",
            "Is an empty text to find ever meant? And an empty text to put in its place?",
        ),
        worked=(
            "my_schema = {\n"
            '    "type": "object",\n'
            '    "properties": {\n'
            '        "find": {"type": "string", "minLength": 1},\n'
            '        "replace": {"type": "string"},\n'
            "    },\n"
            '    "required": ["find", "replace"],\n'
            '    "additionalProperties": False,\n'
            "}"
        ),
        answer=SOLUTION,
        judge=judge_schema,
        misconceptions={
            "an open object is friendlier": {**SOLUTION, "additionalProperties": True},
            "a named property is a required one": {**SOLUTION, "required": []},
            "an empty text is never meant": _fields(*[{"type": "string", "minLength": 1}] * 2),
            "a type is narrow enough": _fields(*[{"type": "string"}] * 2),
            "the names are enough": _fields({"minLength": 1}, {}),
        },
    ),
    Exercise(
        number="01.3",
        title="Take it elsewhere",
        task=(
            "You can say what no schema will ever stop. A tool <code>send_mail</code> takes "
            "<code>to</code> (at most 20 addresses), <code>subject</code> and <code>priority</code> (normal "
            "or high). The "
            "person wants Anna, at anna@example.org, to hear about the third quarter. The agent sends "
            "(a) <code>to</code> as one text instead of a list; (b) a field <code>bcc</code> of its own; "
            "(c) to anna@example.com; (d) to 400 addresses; (e) the subject Q2 review; (f) the priority "
            "most urgent. Which of them can a schema stop that still lets every right mail of another day "
            'pass? Give the letters, such as <code>"af"</code>.'
        ),
        hints=(
            "For each letter, name the keyword that would refuse it.",
            "Two of them would be right calls on another day.",
        ),
        worked='"abdf": type, additionalProperties, maxItems, enum. (c) and (e) are wrong in meaning only.',
        answer="abdf",
        judge=judge_mail,
        misconceptions={
            "a schema checks meaning": "abcdef",
            "a schema checks fields and types only": "ab",
            "an enum is only advice": "abd",
        },
    ),
)
