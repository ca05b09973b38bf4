"""Each check that people write lets through what it is known for, and the server rules nothing."""

import itertools

import pytest

from osfhelpers.engine.parameters import ParameterError
from osfhelpers.engine.paths import PATH_RULES
from osfhelpers.experiments import path_checks
from osfhelpers.experiments.path_checks import Params
from osfhelpers.measuring.comparison import compare
from osfhelpers.models.naive_checks import CHECKS, POSIX, SYSTEMS, WINDOWS, landing, opinions
from osfhelpers.models.path_catalogue import BAD_PATHS, GOOD_PATHS, catalogue
from osfhelpers.models.path_journeys import LONGEST, journeys

REFUSED = ("refused", "nothing")
BOTH = tuple(itertools.product(SYSTEMS, repeat=2))


def harmful(*params):
    return {found.path for found in path_checks.measure(Params(*params)).harmful}


@pytest.mark.parametrize(
    ("check", "checked_on", "used_on", "path"),
    [
        ('not path.startswith("/")', "POSIX", "POSIX", "src/../../x.ts"),
        ('".." not in path', "POSIX", "POSIX", "/etc/hosts"),
        ("normpath(path) is relative", "POSIX", "Windows", "src\\..\\..\\x.ts"),
        ("join(root, path).startswith(root)", "POSIX", "POSIX", "../timer-2/x.ts"),
        ("(root / path).resolve() below root", "POSIX", "Windows", "C:/x.ts"),
        ("(root / path).resolve() below root", "Windows", "Windows", "src/nul.ts"),
        ("the same, then unquote(path)", "Windows", "POSIX", "%2e%2e/x.ts"),
        ("the same, then normalize(path)", "POSIX", "Windows", "‥/x.ts"),
        ("propertyNames with a pattern", "POSIX", "Windows", "src/App.tsx:x"),
        ("propertyNames with a pattern", "POSIX", "Windows", "SRC/app.tsx"),
    ],
)
def test_a_naive_check_lets_a_bad_path_do_harm(check, checked_on, used_on, path):
    assert path in harmful(check, checked_on, used_on)


def test_every_naive_check_leaks_when_it_is_made_on_posix_and_the_path_used_on_windows():
    leaking = {check for check in CHECKS if harmful(check, "POSIX", "Windows")}
    assert leaking == set(CHECKS) - {"the server rules"}


@pytest.mark.parametrize(("checked_on", "used_on"), BOTH)
def test_the_server_rules_refuse_every_bad_path_and_no_good_one(checked_on, used_on):
    result = path_checks.measure(Params("the server rules", checked_on, used_on))
    assert not any(found.accepted for found in result.bad)
    assert all(found.accepted for found in result.good)


def test_every_bad_path_does_harm_somewhere_or_after_a_step():
    found = set().union(*(harmful(check, *systems) for check in CHECKS for systems in BOTH))
    assert found == set(BAD_PATHS)


def test_a_good_path_does_no_harm_on_either_system():
    for path in GOOD_PATHS:
        assert [landing(path, system)[1] for system in SYSTEMS.values()] == ["", ""]


def test_a_path_that_leads_back_to_the_folder_of_the_app_is_told_from_one_that_leaves_it():
    for path in (".", "src/.."):
        assert {landing(path, system)[1] for system in SYSTEMS.values()} == {"the folder itself"}


def test_the_comparison_is_empty_since_nothing_was_published_or_drawn():
    assert compare(path_checks).rows == ()


def test_an_unknown_check_or_system_is_refused_by_name():
    with pytest.raises(ParameterError, match="'trust'"):
        Params(check="trust")
    with pytest.raises(ParameterError, match="'VMS'"):
        Params(used_on="VMS")


def test_the_box_says_of_each_check_what_it_does_with_a_path():
    path, resolve = "src\\..\\..\\x.ts", "(root / path).resolve() below root"
    for checked_on, says in ((POSIX, ("passes", "outside the app: D:\\rooms\\x.ts")), (WINDOWS, REFUSED)):
        found = {each.check: (each.says, each.opened) for each in opinions(path, checked_on, WINDOWS)}
        assert found[resolve] == says
        assert found["the server rules"] == REFUSED
        assert set(found) == set(CHECKS)


def test_the_catalogue_lists_every_rule_once_with_something_to_see():
    assert [entry.rule for entry in catalogue()] == [rule.name for rule in PATH_RULES]
    assert all(entry.refused_for_example.isprintable() for entry in catalogue())


def test_a_journey_ends_where_its_path_is_refused_and_says_so_at_every_step():
    told = journeys()
    refused = 0
    for variant, stops in told.variants.items():
        for steps in range(told.longest + 1):
            sentence = told.say({"variant": variant, "steps": steps})
            assert ("the system opens" in sentence) == (len(stops) == LONGEST and steps == 3)
            assert ("(refused)" in sentence) == (len(stops) == 2 and steps > 0)
            refused += "(refused)" in sentence
    assert refused == 3
