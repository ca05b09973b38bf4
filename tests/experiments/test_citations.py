"""Citations: the model is the store, the formula is the model, and the replay is the article."""

import itertools
import random

import numpy as np
import pytest

from osfhelpers.engine.client import Network, scripted
from osfhelpers.engine.keys import new_key_per_call
from osfhelpers.engine.parameters import ParameterError
from osfhelpers.engine.urls import browser_href, normalise
from osfhelpers.experiments import citations
from osfhelpers.experiments.citations import FORM, NORMALISED, POLICIES, UUID, WRITTEN, Params
from osfhelpers.measuring.comparison import compare
from osfhelpers.measuring.evidence import Key, published
from osfhelpers.models.sources_tab import three_turns
from osfhelpers.models.spellings import SPELLINGS, distinct

OTHER_SETTINGS = (
    Params(sessions=1, turns=1, pages=1, cited=1, spellings=1, reply_loss=0.0),
    Params(sessions=50, turns=5, pages=20, cited=3, spellings=4, reply_loss=0.5),
    Params(turns=2, pages=8, cited=8, spellings=7, reply_loss=0.1),
    Params(turns=3, pages=8, cited=2, spellings=1, reply_loss=0.4),
    Params(turns=4, pages=5, cited=3, spellings=6),
)
LOSSES = 2


def test_the_replay_returns_all_11_published_figures():
    figures, replayed = published("citations"), citations.replay()
    assert len(figures) == 11
    assert {figure.key for figure in figures} == set(replayed)
    assert [figure.key for figure in figures if not figure.shows(replayed[figure.key])] == []
    assert replayed[Key(UUID, FORM)] == 725


@pytest.mark.parametrize("params", [Params(), *OTHER_SETTINGS])
def test_simulated_and_expected_lie_within_four_standard_errors(params):
    rows = compare(citations, params).rows
    assert len(rows) == (14 if params == Params() else 13)
    assert [row for row in rows if row.agrees is not True] == []


def test_the_standard_deviation_of_a_run_is_that_of_the_written_record():
    exact = citations.expected(Params())
    known = {Key(WRITTEN, "stored"): 20.4, Key(NORMALISED, "stored"): 5.8, Key(UUID, FORM): 22.1}
    assert {key: round(exact[key].sd, 1) for key in known} == known
    assert exact[Key(WRITTEN, "stored")].value == pytest.approx(4842.1, abs=0.05)
    assert exact[Key(UUID, FORM)].value == pytest.approx(705.5, abs=0.05)


@pytest.mark.parametrize("params", OTHER_SETTINGS[1:])
def test_the_standard_deviation_of_a_session_is_as_expected(params):
    result = citations.simulate(params, trials=20_000, rng=1)
    exact = citations.expected(params)
    for key, session in {
        Key(WRITTEN, "stored"): result.stored[WRITTEN],
        Key(NORMALISED, "stored"): result.stored[NORMALISED],
        Key(UUID, FORM): result.stored[UUID] - result.hrefs,
    }.items():
        found = np.std(session) * params.sessions**0.5
        assert found == pytest.approx(exact[key].sd, rel=0.05, abs=1e-6), key


@pytest.mark.parametrize("params", [Params(), *OTHER_SETTINGS])
def test_a_citation_is_sent_until_its_reply_arrives(params):
    calls = citations.simulate(params, trials=20_000, rng=1).calls / params.citations
    error = np.std(calls) / len(calls) ** 0.5
    assert calls.mean() == pytest.approx(1 / (1 - params.reply_loss), abs=4 * error + 1e-12)


def on_the_store(history, lost_replies, policy):
    """Cite one page per turn on the real store: sources listed, and how often a citation was sent."""
    network = scripted(itertools.chain.from_iterable([True] * lost + [False] for lost in lost_replies))
    note, deliveries = citations.research(history, policy, network=network, rng=random.Random(1))
    return note, len(note.sources), sum(delivery.calls for delivery in deliveries)


def test_the_model_equals_the_store_on_every_short_history():
    citing = list(itertools.product(range(2), range(len(SPELLINGS))))
    for first, second in itertools.product(citing, repeat=2):
        history, lost = (first, second), (first[1] % LOSSES, second[1] % LOSSES)
        cited, spelling = np.zeros((1, 2, 2), bool), np.zeros((1, 2, 2), int)
        for turn, (page, spelled) in enumerate(history):
            cited[0, turn, page], spelling[0, turn, page] = True, spelled
        modelled = {
            UUID: 2,
            WRITTEN: distinct(cited, spelling, str)[0],
            NORMALISED: distinct(cited, spelling, normalise)[0],
        }
        for arm, policy in POLICIES.items():
            note, stored, calls = on_the_store(history, lost, policy)
            assert (stored, calls) == (modelled[arm], 2 + sum(lost)), (arm, history)
            if arm == UUID:
                hrefs = {browser_href(source.url) for source in note.sources}
                assert len(hrefs) == distinct(cited, spelling, browser_href)[0]


def test_a_policy_that_forgets_its_key_would_be_caught():
    _, stored, _ = on_the_store(((0, 0), (1, 0)), (1, 1), new_key_per_call)
    assert stored == 4


@pytest.mark.parametrize("arm", POLICIES)
def test_no_duplicate_comes_from_a_resend_however_many_replies_are_lost(arm):
    rng = random.Random(3)
    history = [(page, rng.randrange(7)) for page in (0, 1, 2, 0, 1)]
    _, quiet, _ = on_the_store(history, (0,) * 5, POLICIES[arm])
    _, lossy, calls = on_the_store(history, (4, 0, 3, 1, 2), POLICIES[arm])
    assert lossy == quiet
    assert calls == 15


def test_losing_more_replies_changes_the_calls_of_every_session_and_nothing_else():
    few, many = (citations.simulate(Params(reply_loss=p), trials=2_000, rng=2) for p in (0.1, 0.4))
    assert (few.calls <= many.calls).all()
    assert few.calls.sum() < many.calls.sum()
    assert all((few.stored[arm] == many.stored[arm]).all() for arm in POLICIES)


def test_citing_more_pages_never_lists_fewer_in_any_session():
    few, many = (citations.simulate(Params(cited=cited), trials=2_000, rng=2) for cited in (3, 6))
    assert all((few.stored[arm] <= many.stored[arm]).all() for arm in POLICIES)


def test_the_sources_tab_of_the_stepper_holds_what_the_store_gave_back():
    history = three_turns()
    rows = {arm: history.say({"variant": arm, "steps": 6}) for arm in POLICIES}
    assert "6 rows for 3 pages" in rows[UUID]
    assert "5 rows for 3 pages" in rows[WRITTEN]
    assert "3 rows for 3 pages" in rows[NORMALISED]
    assert "empty" in history.say({"variant": UUID, "steps": 0})
    assert "listed again: source-3, source-4, source-5." in rows[UUID]
    assert all(steps[1].sends == 2 for steps in history.variants.values())


def test_the_ledger_row_is_computed():
    row = citations.ledger_row()
    assert row.without_per_100 == pytest.approx(1_012.5)
    assert row.with_per_100 == 0


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("sessions", 0),
        ("turns", 1.5),
        ("pages", -1),
        ("cited", 9),
        ("cited", 0),
        ("spellings", 8),
        ("reply_loss", 1.0),
        ("reply_loss", -0.1),
    ],
)
def test_an_impossible_setting_is_refused_with_its_name_and_value(name, value):
    with pytest.raises(ParameterError, match=name) as refusal:
        Params(**{name: value})
    assert str(value).rstrip(".0") in str(refusal.value)


def test_the_network_of_the_replay_is_asked_once_per_send():
    asked = []
    network = Network(lambda: bool(asked.append(1)))
    _, deliveries = citations.research(
        [(0, 0), (0, 1)], POLICIES[UUID], network=network, rng=random.Random(0)
    )
    assert len(asked) == sum(delivery.calls for delivery in deliveries) == 2
