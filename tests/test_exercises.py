"""Each exercise accepts its solution and rejects its misconceptions, each with its own reason."""

import ast
import pkgutil
import re
import sys
from pathlib import Path

import nbformat
import pytest

from osfhelpers import chapters
from osfhelpers.teaching.exercises import NotAttempted, State, chapter, exercise

ROOT = Path(__file__).resolve().parent.parent
CHAPTERS = [module.name.removeprefix("c") for module in pkgutil.iter_modules(chapters.__path__)]
EXERCISES = [each for number in CHAPTERS for each in chapter(number).EXERCISES]


@pytest.mark.parametrize("each", EXERCISES, ids=lambda each: each.number)
def test_the_solution_is_accepted(each):
    assert each.check(each.answer).state is State.RIGHT, each.check(each.answer)


@pytest.mark.parametrize("each", [e for e in EXERCISES if e.title == "Predict"], ids=lambda each: each.number)
def test_the_number_that_the_shown_solution_comes_to_is_accepted(each):
    # The right number is computed and the solution is written by hand.
    numbers = re.findall(r"\d+(?:\.\d+)?", each.worked.replace(",", ""))
    assert State.RIGHT in {each.check(float(number)).state for number in numbers}


@pytest.mark.parametrize("each", EXERCISES, ids=lambda each: each.number)
def test_at_least_two_misconceptions_are_rejected_with_the_reason(each):
    reasons = [each.check(wrong) for wrong in each.misconceptions.values()]
    assert len(reasons) >= 2
    for verdict in reasons:
        assert verdict.state is State.WRONG
        assert len(verdict.reason) > 15
        assert "raised" not in verdict.reason


@pytest.mark.parametrize("each", EXERCISES, ids=lambda each: each.number)
def test_an_exercise_that_was_not_attempted_says_so(each):
    assert each.check().state is State.NOT_ATTEMPTED
    assert each.check(...).state is State.NOT_ATTEMPTED
    if callable(each.answer):
        assert each.check(lambda *arguments: ...).state is State.NOT_ATTEMPTED


@pytest.mark.parametrize("each", EXERCISES, ids=lambda each: each.number)
def test_nonsense_is_judged_and_raises_nothing(each):
    for nonsense in (None, "", "nonsense", -1, [], {}, object()):
        assert each.check(nonsense).state in {State.WRONG, State.NOT_ATTEMPTED}


@pytest.mark.parametrize("each", EXERCISES, ids=lambda each: each.number)
def test_hints_and_solution_open_without_a_kernel(each):
    html = each._repr_html_()
    assert html.count("<details>") == len(each.hints) + 1
    assert each.hint().text == each.hints[0]
    assert each.worked in each.solution().text


@pytest.mark.parametrize("number", CHAPTERS)
def test_a_chapter_has_three_exercises_and_a_guess_among_whose_options_the_answer_is(number):
    module = chapter(number)
    if hasattr(module, "GUESS"):
        assert min(abs(option - module.GUESS.answer()) for option in module.GUESS.options) == 0
    # Chapter 00 proves no skill: in place of exercises it asks for a guess per row of the ledger.
    numbers = [] if number == "00" else [f"{number}.{n}" for n in (1, 2, 3)]
    assert [each.number for each in module.EXERCISES] == numbers


@pytest.mark.parametrize("each", [e for e in EXERCISES if callable(e.answer)], ids=lambda each: each.number)
def test_what_is_no_function_is_told_so_where_one_is_asked_for(each):
    assert "5 cannot be called" in each.check(5).reason


def test_an_error_in_the_readers_code_is_told_as_the_reason():
    verdict = exercise("04.2").check(lambda attempt: attempt.no_such_thing)
    assert verdict.state is State.WRONG
    assert "AttributeError" in verdict.reason
    assert "no_such_thing" in verdict.reason


def test_a_verdict_reads_well_in_text_and_in_html():
    assert repr(exercise("04.1").check(50)) == "right"
    assert repr(exercise("04.1").check(40)).startswith("not right yet: the client reads the version again")
    assert 'role="status"' in exercise("04.1").check(50)._repr_html_()


def test_an_unknown_exercise_hint_or_chapter_is_refused_with_what_there_is():
    with pytest.raises(ValueError, match=r"no exercise '04.9'; this chapter has 04.1, 04.2, 04.3"):
        exercise("04.9")
    with pytest.raises(ValueError, match="no chapter '99'"):
        exercise("99.1")
    with pytest.raises(ValueError, match="hints 1 to 2, not 3"):
        exercise("04.1").hint(3)


def test_a_policy_that_never_settles_is_told_so():
    verdict = exercise("04.2").check(lambda attempt: "x")
    assert verdict.state is State.WRONG


def test_only_the_ellipsis_of_a_reader_counts_as_not_attempted():
    assert issubclass(NotAttempted, Exception)
    assert exercise("04.2").check(lambda attempt: None).state is State.WRONG


def imports_of(number):
    """Return the names that a chapter's import lines give to its reader."""
    [path] = (ROOT / "notebooks").glob(f"{number}_*.ipynb")
    names = {}
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            lines = [n for n in ast.parse(cell.source).body if isinstance(n, ast.Import | ast.ImportFrom)]
            exec(compile(ast.Module(lines, []), str(path), "exec"), names)
    return names


@pytest.mark.parametrize("each", [e for e in EXERCISES if "def " in e.worked], ids=lambda each: each.number)
def test_the_shown_solution_runs_with_the_chapters_own_imports_and_is_accepted(each):
    names = imports_of(each.number.partition(".")[0])
    exec(each.worked, names)
    [function] = [n.name for n in ast.parse(each.worked).body if isinstance(n, ast.FunctionDef)]
    assert each.check(names[function]).state is State.RIGHT


def test_what_a_chapter_needs_and_lacks_is_named_and_not_taken_for_a_missing_chapter(monkeypatch):
    monkeypatch.setitem(sys.modules, "osfhelpers.engine.client", None)
    monkeypatch.delitem(sys.modules, "osfhelpers.chapters.c11")
    with pytest.raises(ModuleNotFoundError, match=r"osfhelpers\.engine\.client"):
        chapter("11")


def test_a_wrong_prediction_is_known_with_more_digits_too():
    four_chances_added = 100 * (1 - 0.75**4)
    assert "one colleague can save twice" in exercise("03.1").check(four_chances_added).reason


def test_a_prediction_that_is_no_number_at_all_is_told_so():
    assert "a prediction is a number" in exercise("04.1").check(float("nan")).reason
