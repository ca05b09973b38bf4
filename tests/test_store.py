"""The store keeps its rules under every interleaving, and under threads."""

import threading

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from osfhelpers.engine.calls import call
from osfhelpers.engine.note import Note
from osfhelpers.engine.refusals import InvalidArguments, KeyReused, NotOpen, Refused
from osfhelpers.engine.room import Room
from osfhelpers.engine.store import Conflict, Done, OnMismatch, Order

KEY = "a-key-of-mine"
PATIENCE_S = 60


def note_for(*principals: str, **options) -> Note:
    note = Note(**options)
    for principal in principals or ("agent",):
        note.open_to(principal)
    return note


def create(note: Note, *, key: str = KEY, version: int = 1, principal: str = "agent", **more):
    arguments = {"note_id": note.place_id, "expected_version": version, "idempotency_key": key}
    return call("create_note_tab", {**arguments, "tab_type": "slides", **more}, on=note, principal=principal)


def new_tabs(note: Note) -> int:
    return len(note.tabs) - 3


def test_a_repeated_key_returns_the_first_result_whatever_the_version_says():
    note = note_for()
    first = create(note)
    note.save("the person types")
    again = create(note, version=1)
    assert again == Done(first.result, replayed=True)
    assert new_tabs(note) == 1


def test_a_fresh_version_does_not_make_a_repeated_key_another_wish():
    note = note_for(on_mismatch=OnMismatch.REFUSE)
    create(note)
    assert create(note, version=note.version).replayed


def test_a_server_that_checks_the_version_first_meets_a_resend_with_a_conflict():
    note = note_for(order=Order.VERSION_THEN_KEY)
    create(note)
    assert create(note, version=1) == Conflict(expected_version=1, current_version=2)
    assert create(note, version=2).replayed


def test_a_conflict_writes_nothing_and_carries_the_current_version():
    note = note_for()
    note.save("newer")
    assert create(note, version=1) == Conflict(1, 2)
    assert new_tabs(note) == 0
    assert create(note, version=2).result["version"] == 3


@pytest.mark.parametrize("order", Order)
def test_another_payload_gets_the_first_result_or_is_refused_and_never_a_second_effect(order):
    promise = note_for(order=order)
    first = create(promise, label="Q3")
    assert create(promise, version=promise.version, label="Q4").result == first.result
    strict = note_for(order=order, on_mismatch=OnMismatch.REFUSE)
    create(strict, label="Q3")
    with pytest.raises(KeyReused, match="other arguments"):
        create(strict, version=strict.version, label="Q4")
    assert create(strict, version=strict.version, label="Q3").replayed
    assert new_tabs(promise) == new_tabs(strict) == 1


@pytest.mark.parametrize("on_mismatch", OnMismatch)
def test_another_tool_under_a_known_key_is_refused_under_either_option(on_mismatch):
    note = note_for(on_mismatch=on_mismatch)
    create(note)
    source = {"note_id": note.place_id, "expected_version": 2, "idempotency_key": KEY}
    with pytest.raises(KeyReused, match="create_note_tab"):
        call("add_note_source", {**source, "title": "t", "url": "https://example.org/"}, on=note)
    assert note.sources == ()


def test_a_refused_call_leaves_its_key_free_for_the_corrected_one():
    note = note_for()
    with pytest.raises(InvalidArguments):
        create(note, tab_type="markdown")
    assert create(note).replayed is False


def test_a_refusal_by_the_effect_stores_nothing_under_the_key():
    note = note_for()
    edit = {"note_id": note.place_id, "expected_version": 1, "idempotency_key": KEY}
    edit |= {"operation": "slide_add", "title": "Revenue"}
    with pytest.raises(Refused):
        call("edit_note_tab", {**edit, "tab_id": "slides-9-nowhere"}, on=note)
    assert note.version == 1
    made = create(note, key="another-key").result
    edit |= {"tab_id": made["tab_id"], "expected_version": made["version"]}
    assert call("edit_note_tab", edit, on=note).replayed is False


def test_keys_of_two_principals_are_independent():
    note = note_for("ann's agent", "ben's agent")
    first = create(note, principal="ann's agent")
    second = create(note, version=2, principal="ben's agent")
    assert first.result["tab_id"] != second.result["tab_id"]


def test_keys_of_two_notes_are_independent():
    notes = {name: Note(name) for name in ("a", "b")}
    for note in notes.values():
        note.open_to("agent")
    for name in notes:
        arguments = {"note_id": name, "expected_version": 1, "idempotency_key": KEY, "tab_type": "sheet"}
        assert not call("create_note_tab", arguments, on=notes).replayed


def test_a_note_that_its_owner_has_not_opened_refuses_every_tool():
    note = Note()
    with pytest.raises(NotOpen, match="agent"):
        create(note)
    with pytest.raises(NotOpen):
        call("list_note_tabs", {"note_id": note.place_id}, on=note)
    assert note.version == 1


def test_a_tool_of_another_kind_of_place_is_refused():
    places = {"q3-review": note_for(), "team-room": Room()}
    polled = {"resource_type": "room", "resource_id": "q3-review"}
    tab = {"note_id": "team-room", "expected_version": 1, "idempotency_key": KEY, "tab_type": "sheet"}
    for tool, arguments in (("poll_resource_events", polled), ("create_note_tab", tab)):
        with pytest.raises(NotOpen, match=tool):
            call(tool, arguments, on=places)


def test_a_first_result_cannot_be_changed_by_whoever_holds_it():
    answer = create(note_for())
    with pytest.raises(TypeError):
        answer.result["tab_id"] = "slides-1-mine"


def test_arguments_without_canonical_form_are_refused_with_nothing_half_done():
    note = note_for()
    with pytest.raises(InvalidArguments, match="canonical"):
        create(note, label="\ud800")
    assert new_tabs(note) == 0
    assert note.version == 1


def test_while_the_first_call_runs_a_second_send_waits_and_gets_its_result(monkeypatch):
    note = note_for()
    started, go_on, answers = threading.Event(), threading.Event(), []
    make_tab = Note._make_tab

    def slow(self, *arguments):
        started.set()
        assert go_on.wait(PATIENCE_S)
        return make_tab(self, *arguments)

    monkeypatch.setattr(Note, "_make_tab", slow)
    threads = [threading.Thread(target=lambda: answers.append(create(note))) for _ in range(2)]
    threads[0].start()
    assert started.wait(PATIENCE_S)
    threads[1].start()
    threads[1].join(0.1)
    assert threads[1].is_alive()
    go_on.set()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert sorted(answer.replayed for answer in answers) == [False, True]
    assert new_tabs(note) == 1


def test_in_flight_and_mismatching_is_reported_as_the_mismatch(monkeypatch):
    note = note_for(on_mismatch=OnMismatch.REFUSE)
    started, go_on, errors = threading.Event(), threading.Event(), []
    make_tab = Note._make_tab

    def slow(self, *arguments):
        started.set()
        assert go_on.wait(PATIENCE_S)
        return make_tab(self, *arguments)

    def mismatching():
        try:
            create(note, label="another")
        except Refused as error:
            errors.append(error)

    monkeypatch.setattr(Note, "_make_tab", slow)
    first = threading.Thread(target=create, args=(note,))
    second = threading.Thread(target=mismatching)
    first.start()
    assert started.wait(PATIENCE_S)
    second.start()
    go_on.set()
    first.join(PATIENCE_S)
    second.join(PATIENCE_S)
    assert [type(error) for error in errors] == [KeyReused]
    assert new_tabs(note) == 1


THREADS, CALLS = 8, 500


@pytest.mark.parametrize("shared_keys", [True, False])
def test_eight_threads_of_500_calls_have_one_effect_per_key_and_leave_no_gap(shared_keys):
    note = note_for()
    results: list[list[tuple[str, str]]] = [[] for _ in range(THREADS)]

    def work(number: int) -> None:
        for index in range(CALLS):
            key = f"shared-{index:06}" if shared_keys else f"own-{number}-{index:06}"
            answer = create(note, key=key, version=note.version)
            while isinstance(answer, Conflict):
                answer = create(note, key=key, version=answer.current_version)
            results[number].append((key, answer.result["tab_id"]))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seen = {pair for rows in results for pair in rows}
    keys = CALLS if shared_keys else THREADS * CALLS
    assert len(seen) == keys == new_tabs(note)
    assert len({tab.tab_id for tab in note.tabs}) == keys + 3
    assert note.version == 1 + keys


class StoreMachine(RuleBasedStateMachine):
    """Persons and agents act on one Note in any order; the invariants hold after every step."""

    keys = st.sampled_from([f"key-{number}--" for number in range(4)])
    labels = st.sampled_from(["Q3", " Q4 ", "Plan"])
    ages = st.integers(0, 2)

    @initialize(order=st.sampled_from(Order), on_mismatch=st.sampled_from(OnMismatch))
    def start(self, order, on_mismatch):
        self.note = note_for(order=order, on_mismatch=on_mismatch)
        self.versions = [1]
        self.ids_ever = set()
        self.first: dict[str, tuple] = {}
        self.expected_slides: dict[str, list[str]] = {}

    def _slide_tabs(self):
        return [tab.tab_id for tab in self.note.tabs if tab.tab_type == "slides"]

    def _note_ids(self):
        for tab in self.note.tabs:
            if tab.tab_id not in self.ids_ever:
                self.ids_ever.add(tab.tab_id)

    @rule(label=labels)
    def person_adds(self, label):
        made = self.note.add("slides", label)
        assert made not in self.ids_ever
        self.expected_slides[made] = []

    @rule(data=st.data(), label=labels)
    def person_renames(self, data, label):
        if self._slide_tabs():
            tab_id = data.draw(st.sampled_from(self._slide_tabs()))
            self.note.rename(tab_id, label)
            assert self.note.tab(tab_id).label == label.strip()

    @rule(data=st.data())
    def person_drags(self, data):
        tabs = self.note.tabs
        tab = data.draw(st.sampled_from(tabs))
        to = data.draw(st.integers(0, len(tabs) - 1))
        self.note.drag(tab.tab_id, to)
        assert self.note.tabs[to] == tab
        assert sorted(t.tab_id for t in self.note.tabs) == sorted(t.tab_id for t in tabs)

    @rule(data=st.data())
    def person_closes(self, data):
        if self._slide_tabs():
            tab_id = data.draw(st.sampled_from(self._slide_tabs()))
            self.note.close(tab_id)
            del self.expected_slides[tab_id]

    @rule(key=keys, age=ages, label=labels)
    def agent_creates(self, key, age, label):
        arguments = ("create_note_tab", label.strip())
        self._send(
            key, arguments, lambda: create(self.note, key=key, version=self._version(age), label=label)
        )

    @rule(key=keys, age=ages, data=st.data(), title=st.sampled_from(["Revenue", "Costs"]))
    def agent_adds_a_slide(self, key, age, data, title):
        tab_id = data.draw(st.sampled_from([*self._slide_tabs(), "slides-99-none", "files"]))
        edit = {"note_id": self.note.place_id, "tab_id": tab_id, "operation": "slide_add", "title": title}
        edit |= {"expected_version": self._version(age), "idempotency_key": key}
        answer = self._send(
            key, ("edit_note_tab", tab_id, title), lambda: call("edit_note_tab", edit, on=self.note)
        )
        if isinstance(answer, Done) and not answer.replayed:
            self.expected_slides[tab_id].append(title)

    def _version(self, age):
        return max(1, self.note.version - age)

    def _send(self, key, arguments, send):
        before = self.note.tabs, self.note.version
        try:
            answer = send()
        except Refused:
            assert (self.note.tabs, self.note.version) == before
            return None
        if isinstance(answer, Conflict) or answer.replayed:
            assert (self.note.tabs, self.note.version) == before
        if isinstance(answer, Done):
            if answer.replayed:
                assert answer.result == self.first[key][1]
            else:
                assert key not in self.first, "a key had a second effect"
                assert answer.result["version"] == before[1] + 1
                self.first[key] = (arguments, answer.result)
                if arguments[0] == "create_note_tab":
                    assert answer.result["tab_id"] not in self.ids_ever
                    self.expected_slides[answer.result["tab_id"]] = []
        return answer

    @invariant()
    def versions_only_grow(self):
        if hasattr(self, "note"):
            assert self.note.version >= self.versions[-1]
            self.versions.append(self.note.version)
            self._note_ids()

    @invariant()
    def no_update_is_lost(self):
        if hasattr(self, "note"):
            found = {
                tab.tab_id: [slide.title for slide in tab.slides]
                for tab in self.note.tabs
                if tab.tab_type == "slides"
            }
            assert found == self.expected_slides


StoreMachine.TestCase.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
test_random_interleavings_keep_every_rule = StoreMachine.TestCase
