"""Keys that come back in an awkward way: the store answers as the standards ask."""

from osfhelpers.models.key_cases import cases


def test_a_key_makes_one_tab_in_every_situation_until_it_is_forgotten():
    made = {case.situation: case.new_tabs for case in cases()}
    assert made.pop("the key was forgotten before the retry came") == 2
    assert set(made.values()) == {1}


def test_the_answers_are_those_that_the_grounds_ask_for():
    first_word = [case.answer.partition(":")[0] for case in cases()]
    again = "the first result again"
    assert first_word == [again, "conflict", again, "refused", "refused", again, "done", "done"]
