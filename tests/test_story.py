"""One session on the real store: nobody is told of silent damage, and phrases make it loud or right."""

import itertools
import math
from collections import Counter

import pytest

from osfhelpers.drawing.figures import Outcome
from osfhelpers.engine.keys import new_key_per_call
from osfhelpers.engine.note import Note
from osfhelpers.engine.parameters import ParameterError
from osfhelpers.models import story, story_desk
from osfhelpers.models.story import Session, play
from osfhelpers.models.story_board import Stories
from osfhelpers.models.story_board import story as board
from osfhelpers.models.story_desk import Way
from osfhelpers.teaching.explorers import watch
from osfhelpers.teaching.showing import show

LOSSES = Stories().sliders[1].values
DECK, SLIDES, TIMERS = 0, 1, 9


@pytest.mark.parametrize("loss", LOSSES)
def test_with_every_phrase_back_nothing_is_silently_wrong_and_only_styling_is_left_to_the_person(loss):
    run = play(Way.BACK, loss)
    assert run.among(Outcome.SILENT) == ()
    assert [wish.found for wish in run.among(Outcome.LOUD)] == ["one column; the person sets it"]


def test_the_phrases_turn_damage_into_two_refusals_a_conflict_and_sends_under_one_key():
    told = [wish.told for wish in play(Way.BACK, 0.3).wishes]
    assert sum(words.startswith(("no such field", "refused")) for words in told) == 2
    assert sum("conflict" in words for words in told) == 1
    assert sum("at send" in words for words in told) == 2


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("way", Way)
def test_an_agent_is_told_of_every_loud_failure_and_of_no_silent_one(way, loss):
    run = play(way, loss)
    assert len(run.wishes) == 11
    for wish in run.among(Outcome.SILENT):
        assert wish.told.startswith(("done", "nothing"))
    for wish in run.among(Outcome.LOUD):
        assert wish.told.startswith("no such")


def test_most_of_the_damage_needs_no_lost_reply():
    silent = play(Way.STRUCK, 0.0).among(Outcome.SILENT)
    assert Counter(wish.chapter for wish in silent) == Counter(
        {"01": 2, "02": 1, "03": 1, "05": 1, "07": 1, "08, 09": 1, "10": 1}
    )
    assert play(Way.LOOKING, 0.0).wishes == play(Way.STRUCK, 0.0).wishes


@pytest.mark.parametrize("session", range(10))
@pytest.mark.parametrize("way", Way)
def test_a_higher_loss_rate_never_mends_a_wish(way, session):
    wrong = [
        [wish.outcome is not Outcome.RIGHT for wish in play(way, loss, session=session).wishes]
        for loss in LOSSES
    ]
    for before, after in itertools.pairwise(wrong):
        assert all(later or not earlier for earlier, later in zip(before, after, strict=True))


@pytest.mark.parametrize("session", range(10))
def test_looking_helps_exactly_where_a_reading_tool_shows_the_effect(session):
    struck, looking = (play(way, 0.4, session=session).wishes for way in (Way.STRUCK, Way.LOOKING))
    assert looking[DECK].outcome is Outcome.RIGHT
    assert looking[TIMERS].found == "1 timer running, unread"
    for number, (one, other) in enumerate(zip(struck, looking, strict=True)):
        if number not in (DECK, TIMERS):
            assert one.outcome is other.outcome, one.wish


@pytest.mark.parametrize("loss", [0.1, 0.3, 0.5])
def test_an_extra_deck_and_extra_slides_are_as_frequent_as_the_loss_rate_says(loss):
    sessions = 150
    runs = [play(Way.STRUCK, loss, session=session) for session in range(sessions)]
    for wish, chance in ((DECK, loss), (SLIDES, 1 - (1 - loss) ** 10)):
        share = sum(run.wishes[wish].outcome is Outcome.SILENT for run in runs) / sessions
        assert abs(share - chance) <= 4 * math.sqrt(chance * (1 - chance) / sessions) + 1e-9


def test_the_person_does_the_same_in_every_way_of_working():
    notes = []
    for way in Way:
        session = Session(way, 0.0, 1)
        list(session.wishes())
        notes.append([(tab.tab_type, tab.label) for tab in session.note.tabs])
    assert notes[0] == notes[1] == notes[2]


def test_the_session_of_the_story_loses_what_it_was_picked_for():
    at_20 = play(Way.STRUCK, 0.2).wishes
    assert at_20[DECK].outcome is Outcome.SILENT
    assert at_20[TIMERS].found == "2 timers running, unread"


@pytest.mark.parametrize(
    ("name", "planted", "chapter"),
    [
        ("same_key_on_retry", new_key_per_call, None),
        ("content_key", new_key_per_call, "08, 09"),
        ("normalised_url_key", new_key_per_call, "05"),
    ],
)
def test_a_phrase_that_is_not_really_back_is_found(monkeypatch, name, planted, chapter):
    if chapter is None:
        monkeypatch.setattr(Session.write, "__kwdefaults__", {**Session.write.__kwdefaults__, "key": planted})
        chapter = "04"
    else:
        monkeypatch.setattr(story, name, planted)
    silent = {wish.chapter for wish in play(Way.BACK, 0.3).among(Outcome.SILENT)}
    assert chapter in silent


def test_a_server_without_its_version_check_is_found(monkeypatch):
    monkeypatch.setattr(story_desk, "Note", lambda check_version: Note(check_version=False))
    assert "03" in {wish.chapter for wish in play(Way.BACK, 0.0).among(Outcome.SILENT)}


def test_an_impossible_loss_rate_is_refused_with_its_value():
    for loss in (-0.1, 1, 1.5, float("nan"), "often"):
        with pytest.raises(ParameterError, match=f"loss must be .*{loss}"):
            play(Way.STRUCK, loss)


def test_every_position_of_the_explorer_is_drawn_on_the_same_axes():
    explorer, limits = watch(Stories()), set()
    for state in explorer.states():
        _, scene = explorer.picture(state)
        axes = explorer._canvas[1]
        limits.add((axes.get_xlim(), axes.get_ylim()))
        assert state["way"][1:] in scene.sentence
        assert "of 11 wishes" in axes.get_title(loc="left")
    assert len(limits) == 1


def test_no_text_of_a_row_runs_into_the_next_column_or_off_the_figure():
    explorer = watch(Stories())
    figure, axes = explorer._canvas
    for state in explorer.states():
        explorer.picture(state)
        rows = {}
        for text in axes.texts:
            if text.get_transform() == axes.transData:
                rows.setdefault(text.get_position()[1], []).append(text.get_window_extent())
        for boxes in rows.values():
            boxes.sort(key=lambda box: box.x0)
            assert all(a.x1 < b.x0 for a, b in itertools.pairwise(boxes)), state
            assert boxes[-1].x1 <= figure.bbox.x1


def test_the_picture_says_what_it_shows():
    picture = show(board(Way.STRUCK, 0.3))
    assert "10 of 11 wishes silently wrong. Among them: 3 decks called Q3 review" in picture.sentence
    assert picture.sentence.endswith("1 failed: no date; the agent says so.")
