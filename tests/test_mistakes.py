"""The list of mistakes: eight habits on each of eleven tools, and right calls beside them."""

from collections import Counter

from osfhelpers.chapters.c01 import GUESS
from osfhelpers.engine.check import check_call
from osfhelpers.engine.data import load
from osfhelpers.engine.snapshot import tool, tools
from osfhelpers.engine.validator import small_verdict
from osfhelpers.models.mistakes import KEYWORDS, LIST, by_habit, calls, loopholes, refused


def test_every_habit_is_tried_once_on_every_tool():
    assert len(calls()) >= 60
    assert Counter((call.tool, call.kind) for call in calls()) == Counter(
        (name, habit) for name in tools() for habit in load(LIST)["habits"]
    )


def test_every_right_call_passes_the_schema_and_the_rules():
    assert [call.tool for call in calls("right_calls")] == list(tools())
    assert all(check_call(call.tool, call.arguments).passes for call in calls("right_calls"))


def test_no_mistake_is_a_right_call_or_stands_twice():
    seen = [(call.tool, call.arguments) for call in (*calls(), *calls("right_calls"))]
    assert all(call not in seen[:number] for number, call in enumerate(seen))


def test_the_small_validator_is_the_full_one_with_its_keywords():
    through = Counter(
        call.kind
        for call in calls()
        if not small_verdict(tool(call.tool).input_schema, call.arguments).problems
    )
    assert {habit.habit: habit.pass_the_small_validator for habit in by_habit()} == {
        habit.habit: through[habit.habit] for habit in by_habit()
    }


def test_the_loopholes_are_the_mistakes_that_the_whole_schema_accepts():
    verdicts = zip(calls(), refused(frozenset(KEYWORDS)), strict=True)
    assert {hole.mistake for hole in loopholes()} == {
        f"{call.tool}: {call.mistake}" for call, no in verdicts if not no
    }


def test_a_server_rule_refuses_one_loophole_alone_the_slide_without_a_title():
    verdicts = [(call.mistake, check_call(call.tool, call.arguments)) for call in calls()]
    ruled = [(mistake, list(map(str, check.rules))) for mistake, check in verdicts if check.rules]
    assert ruled == [("adds a slide without a title", ["$.title: slide_add needs it"])]


def test_more_than_half_of_the_loopholes_are_wrong_in_meaning_only():
    assert by_habit()[-1].habit == "wrong meaning"
    assert 2 * by_habit()[-1].pass_the_full_schema > len(loopholes()) == GUESS.answer()
    assert GUESS.answer() in GUESS.options
