"""The owner's gate: what no tool can do to a Room, and what its reads say."""

import threading

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from osfhelpers import Room, call
from osfhelpers.engine.client import GaveUp, deliver, scripted
from osfhelpers.engine.keys import content_key
from osfhelpers.engine.refusals import (
    InvalidArguments,
    KeyReused,
    NotInLauncher,
    NotOpen,
    NotPending,
    Refused,
    RuleBroken,
    UnknownApp,
)
from osfhelpers.engine.room import State
from osfhelpers.engine.snapshot import tools
from osfhelpers.models.review_card import BEFORE_APPROVAL, review_card

SECRET = "the words inside a file"
FILES = {"src/App.tsx": SECRET, "src/styles.css": f"/* {SECRET} */"}


@pytest.fixture
def room():
    room = Room(repositories={"standup-timer": ("v1", "v2")})
    room.open_to("agent")
    return room


def propose(room, key="key-00001", principal="agent", **changes):
    arguments = {"room_id": room.place_id, "name": "Stand-up timer", "files": FILES, **changes}
    return call(
        "propose_room_snippet_app", {**arguments, "idempotency_key": key}, on=room, principal=principal
    )


def propose_version(room, key="key-00001", **changes):
    version = {"repository_id": "standup-timer", "version_id": "v2", **changes}
    arguments = {"room_id": room.place_id, "name": "Stand-up timer", "idempotency_key": key, **version}
    return call("propose_room_repo_app", arguments, on=room)


def read(room, tool, **arguments):
    place = "resource_id" if tool == "poll_resource_events" else "room_id"
    return call(tool, {place: room.place_id, **arguments}, on=room)


def status(room, instance_id="app-1"):
    return read(room, "read_room_app_status", instance_id=instance_id)


def events(room, **arguments):
    return read(room, "poll_resource_events", resource_type="room", **arguments)


def test_a_proposal_is_not_an_app_until_its_owner_approves_it(room):
    answer = propose(room)
    assert answer.result == {"instance_id": "app-1", "version": 2, "state": "awaiting review"}
    assert not room.launcher
    assert read(room, "list_room_apps") == {"items": [], "next_cursor": None}
    room.approve("app-1")
    assert not room.pending
    assert read(room, "list_room_apps")["items"] == [{"instance_id": "app-1", "name": "Stand-up timer"}]


def test_nobody_opens_or_deploys_a_proposal_that_is_pending_or_declined(room):
    propose(room)
    for _ in range(2):
        for act in (room.open_app, room.deploy):
            with pytest.raises(NotInLauncher, match="app-1"):
                act("app-1")
        if room.pending:
            room.decline("app-1")


def test_an_approved_app_opens_with_exactly_the_code_that_was_reviewed(room):
    files = dict(FILES)
    propose(room, files=files)
    files["src/App.tsx"] = "changed after the review"
    room.approve("app-1")
    assert room.open_app("app-1") == FILES


def test_a_build_state_appears_only_when_a_person_deploys(room):
    propose(room)
    assert status(room) == {"instance_id": "app-1", "launcher": "awaiting review", "build": None}
    room.approve("app-1")
    assert status(room) == {"instance_id": "app-1", "launcher": "in the launcher", "build": None}
    room.deploy("app-1")
    room.deploy("app-1")
    assert status(room)["build"] == {"number": 2, "state": "deployed"}


def test_a_proposal_is_reviewed_once(room):
    propose(room)
    room.decline("app-1")
    for act in (room.approve, room.decline):
        with pytest.raises(NotPending, match="already declined"):
            act("app-1")
    assert not room.launcher


def test_an_unknown_app_is_an_error_that_names_it(room):
    for act in (room.approve, room.decline, room.open_app, room.deploy, room.app):
        with pytest.raises(UnknownApp, match="app-7"):
            act("app-7")
    with pytest.raises(UnknownApp, match="app-7"):
        status(room, "app-7")


def test_a_repeated_key_returns_the_first_proposal_and_what_became_of_it(room):
    first = propose(room)
    room.decline("app-1")
    again = propose(room)
    assert again.replayed
    assert again.result == {**first.result, "state": "declined"}
    assert len(room.pending) == 0


def test_a_key_belongs_to_one_of_the_two_proposal_tools(room):
    propose(room)
    with pytest.raises(KeyReused, match="propose_room_snippet_app"):
        propose_version(room)


def test_two_sends_at_once_make_one_card(room):
    barrier, answers = threading.Barrier(8), []

    def send():
        barrier.wait()
        answers.append(propose(room))

    threads = [threading.Thread(target=send) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.replayed for answer in answers) == [False] + [True] * 7
    assert len(room.pending) == 1


def test_keys_of_two_agents_are_independent(room):
    room.open_to("other agent")
    propose(room)
    propose(room, principal="other agent")
    assert [app.proposed_by for app in room.pending] == ["agent", "other agent"]


def test_a_refused_proposal_leaves_nothing_behind_and_its_key_free(room):
    with pytest.raises(RuleBroken, match=r"missing src/App\.tsx"):
        propose(room, files={})
    with pytest.raises(RuleBroken, match="collides with"):
        propose(room, files={**FILES, "SRC/app.tsx": ""})
    with pytest.raises(InvalidArguments):
        propose(room, files={"src/App.tsx": 1})
    with pytest.raises(InvalidArguments, match="canonical"):
        propose(room, files={"src/App.tsx": "\ud800"})
    assert (room.version, room.pending, events(room)["events"]) == (1, (), [])
    assert not propose(room).replayed


def test_a_refusal_names_every_bad_path_and_its_reason(room):
    with pytest.raises(RuleBroken) as refused:
        propose(room, files={**FILES, "/etc/hosts": "", "src\\x.ts": ""})
    assert [str(problem) for problem in refused.value.problems] == [
        "files['/etc/hosts']: unsafe path: it starts at a root, not in the app",
        "files['src\\\\x.ts']: unsafe path: a backslash separates folders on Windows",
    ]


def test_a_repository_version_must_be_one_of_the_project(room):
    with pytest.raises(RuleBroken, match="no repository 'elsewhere'"):
        propose_version(room, repository_id="elsewhere")
    with pytest.raises(RuleBroken, match="no version 'v9'"):
        propose_version(room, version_id="v9")
    assert not room.pending
    assert propose_version(room).result["instance_id"] == "app-1"


@pytest.mark.parametrize("tool", [name for name, tool in tools().items() if "room" in name])
def test_a_room_that_is_local_or_not_open_answers_no_tool(tool):
    given = {"instance_id": "app-1", "name": "Timer", "files": FILES, "idempotency_key": "key-00001"}
    given |= {"room_id": "team-room", "repository_id": "standup-timer", "version_id": "v1"}
    arguments = {name: given[name] for name in tools()[tool].input_schema["required"]}
    local = Room(local=True)
    local.open_to("agent")
    with pytest.raises(NotOpen, match="Local Rooms are unavailable"):
        call(tool, arguments, on=local)
    with pytest.raises(NotOpen, match="not approved it for 'agent'"):
        call(tool, arguments, on=Room())


def test_the_launcher_is_paged_without_loss_or_repetition(room):
    for number in range(7):
        propose(room, f"key-0000{number}")
    for number in (3, 1, 7, 2, 5):
        room.approve(f"app-{number}")
    found, cursor = [], {}
    while cursor is not None:
        page = read(room, "list_room_apps", limit=2, **cursor)
        found += [item["instance_id"] for item in page["items"]]
        cursor = page["next_cursor"] and {"cursor": page["next_cursor"]}
    assert found == ["app-3", "app-1", "app-7", "app-2", "app-5"]
    for limit in (0, 51):
        with pytest.raises(InvalidArguments):
            read(room, "list_room_apps", limit=limit)
    with pytest.raises(RuleBroken, match="'app-4' was not given"):
        read(room, "list_room_apps", cursor="app-4")


def test_polls_for_events_lose_nothing_and_repeat_nothing(room):
    seen, cursor = [], "0"
    for act in (
        lambda: propose(room),
        lambda: propose_version(room, "key-00002"),
        lambda: None,
        lambda: [room.approve("app-1"), room.decline("app-2"), room.deploy("app-1")],
        lambda: None,
        lambda: None,
    ):
        act()
        poll = events(room, cursor=cursor, limit=2)
        assert poll["contents"] == "reconstruction"
        seen += poll["events"]
        cursor = poll["cursor"]
    assert [(event["event"], event["instance_id"]) for event in seen] == [
        ("app proposed", "app-1"),
        ("app proposed", "app-2"),
        ("app approved", "app-1"),
        ("app declined", "app-2"),
        ("app deployed", "app-1"),
    ]
    assert seen == events(room)["events"]
    for unknown in ("6", "-1", "05", "app-1", ""):
        with pytest.raises(RuleBroken, match="was not given"):
            events(room, cursor=unknown)


def test_a_change_of_what_a_read_returned_does_not_reach_the_room(room):
    propose(room)
    events(room)["events"][0]["event"] = "app approved"
    assert events(room)["events"][0]["event"] == "app proposed"


def test_room_proposals_are_delivered_without_a_version(room):
    intent = {"room_id": room.place_id, "name": "Timer", "files": FILES}
    send = {"on": room, "policy": content_key, "fresh": str}
    settled = deliver("propose_room_snippet_app", intent, network=scripted([True]), **send)
    assert (settled.calls, settled.effects, len(room.pending)) == (2, 1, 1)
    with pytest.raises(GaveUp, match="within 2 sends") as gave_up:
        deliver("propose_room_snippet_app", intent, network=scripted([True] * 2), max_sends=2, **send)
    assert [exchange.answer.replayed for exchange in gave_up.value.exchanges] == [True, True]


def test_the_card_shows_every_file_in_full_and_runs_none(room):
    long = "\n".join(f"line {n}" for n in range(500))
    propose(room, name="<i>Timer</i>", files={"src/App.tsx": long, "src/a.css": "</pre><script>steal()"})
    card = review_card(room.pending[0])
    for words in ("Review all proposed files 2", BEFORE_APPROVAL, "Approve and create", "Decline", long):
        assert words in card.html
        assert words in card.text
    assert card.html.count("<pre") == 2
    assert "<script" not in card.html
    assert "<i>" not in card.html


def test_the_card_shows_code_in_the_order_in_which_it_runs(room):
    propose(room, files={"src/App.tsx": "if (admin\u202e) // \u2066check"})
    card = review_card(room.pending[0])
    for shown in (card.html, card.text):
        assert "if (admin[U+202E]) // [U+2066]check" in shown


def test_the_card_of_a_repository_version_links_it_and_pastes_no_code(room):
    propose_version(room)
    card = review_card(room.pending[0])
    for words in (
        "Review repository code before approving",
        "This path does not build or deploy a bundle.",
        "standup-timer at version v2",
    ):
        assert words in card.html
        assert words in card.text
    assert "<pre" not in card.html


class AnySequenceOfCalls(RuleBasedStateMachine):
    """Agents call every tool in any order; now and then a person reviews."""

    def __init__(self):
        super().__init__()
        self.room = Room(repositories={"standup-timer": ("v1",)})
        self.room.open_to("agent")
        self.room.open_to("other agent")
        self.approved = []

    @rule(
        tool=st.sampled_from([name for name in tools() if "room" in name or "events" in name]),
        principal=st.sampled_from(["agent", "other agent", "stranger"]),
        number=st.integers(1, 4),
        entry=st.sampled_from(["src/App.tsx", "src/../App.tsx"]),
    )
    def call_a_tool(self, tool, principal, number, entry):
        given = {
            "room_id": self.room.place_id,
            "resource_id": self.room.place_id,
            "resource_type": "room",
            "instance_id": f"app-{number}",
            "name": f"Timer {number}",
            "files": {entry: SECRET},
            "repository_id": "standup-timer",
            "version_id": "v1",
            "idempotency_key": f"key-0000{number}",
        }
        names = tools()[tool].input_schema["required"]
        try:
            answer = call(tool, {name: given[name] for name in names}, on=self.room, principal=principal)
        except Refused as refused:
            answer = refused
        assert SECRET not in str(answer)

    @rule(number=st.integers(1, 4), approve=st.booleans())
    def a_person_reviews(self, number, approve):
        try:
            (self.room.approve if approve else self.room.decline)(f"app-{number}")
        except Refused:
            return
        if approve:
            self.approved.append(f"app-{number}")

    @invariant()
    def the_launcher_holds_what_was_approved_and_nothing_else(self):
        assert [app.instance_id for app in self.room.launcher] == self.approved
        listed = call("list_room_apps", {"room_id": self.room.place_id}, on=self.room)["items"]
        assert [item["instance_id"] for item in listed] == self.approved

    @invariant()
    def nobody_opens_what_was_not_approved(self):
        for number in range(1, 5):
            try:
                self.room.open_app(f"app-{number}")
            except (NotInLauncher, UnknownApp):
                assert f"app-{number}" not in self.approved
            else:
                assert self.room.app(f"app-{number}").state is State.IN_LAUNCHER


TestAnySequenceOfCalls = AnySequenceOfCalls.TestCase
TestAnySequenceOfCalls.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)


def test_a_page_may_have_its_length_written_as_a_decimal_number(room):
    # JSON knows no whole numbers: for a schema, 2.0 is an integer.
    for number in range(3):
        propose(room, key=f"key-0000{number}")
        room.approve(f"app-{number + 1}")
    assert len(read(room, "list_room_apps", limit=2.0)["items"]) == 2
    assert len(events(room, limit=2.0)["events"]) == 2


def test_the_cards_can_be_read_while_agents_propose(room, monkeypatch):
    propose(room)
    proposes = threading.Thread(target=propose, args=[room, "key-00002"])

    class Apps(dict):
        def values(self):
            for app in super().values():
                proposes.start()
                proposes.join(timeout=0.2)
                yield app

    monkeypatch.setattr(room, "_apps", Apps(room._apps))
    assert [app.instance_id for app in room.pending] == ["app-1"]
    proposes.join()


def test_arguments_nested_too_deeply_are_refused_as_such(room):
    deep = []
    for _ in range(10_000):
        deep = [deep]
    with pytest.raises(InvalidArguments, match="nested too deeply"):
        propose(room, name=deep)
    assert room.pending == ()
