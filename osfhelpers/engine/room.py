"""What does a Room hold, who may change it, and what do an agent's tools see of it?

An agent proposes an app; a proposal is not an app. A person approves it into the launcher or
declines it, and deploys it; no tool reaches these. No tool returns the content of a file.

Published: the gate, the launcher, that a build state appears only once a person deploys.
Reconstruction: all result shapes; that a proposal has its `instance_id` from the start, so that
its status can be polled; what an event contains.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from types import MappingProxyType
from typing import Any

from osfhelpers.engine.refusals import NotInLauncher, NotOpen, NotPending, Problem, RuleBroken, UnknownApp
from osfhelpers.engine.store import Done, OnMismatch, Order, Store, Write, page, page_limit


class State(Enum):
    """Where an app stands; every app begins as a proposal that awaits its review."""

    AWAITING_REVIEW = "awaiting review"
    IN_LAUNCHER = "in the launcher"
    DECLINED = "declined"


@dataclass(frozen=True)
class RepositoryVersion:
    """A pinned version of a GitNest repository of the Room's project."""

    repository_id: str
    version_id: str


Code = Mapping[str, str] | RepositoryVersion


@dataclass(frozen=True)
class App:
    """One proposal and what became of it.

    Args:
        code: the files of a snippet by path, or the version of a repository.
        builds: how often a person has deployed it.
    """

    instance_id: str
    name: str
    proposed_by: str
    code: Code = field(repr=False)
    state: State = State.AWAITING_REVIEW
    builds: int = 0


class Room(Store):
    """A Room in memory, safe under threads.

    Args:
        place_id: the Room's ID, which every tool call names.
        local: a Room of the desktop app's own database, which no cloud client reaches.
        repositories: the project's GitNest repositories, with the IDs of their versions.
        order, on_mismatch: see `osfhelpers.engine.store`.
    """

    def __init__(
        self,
        place_id: str = "team-room",
        *,
        local: bool = False,
        repositories: Mapping[str, Collection[str]] = MappingProxyType({}),
        order: Order = Order.KEY_THEN_VERSION,
        on_mismatch: OnMismatch = OnMismatch.RETURN_FIRST,
    ) -> None:
        super().__init__(place_id, order=order, on_mismatch=on_mismatch)
        self.local = local
        self.repositories = repositories
        self._apps: dict[str, App] = {}
        self._launcher: list[str] = []
        self._events: list[dict[str, Any]] = []

    # The person's side: no tool reaches these.

    @property
    def pending(self) -> tuple[App, ...]:
        """The owner's review cards, in the order in which they were proposed."""
        with self._lock:
            return tuple(app for app in self._apps.values() if app.state is State.AWAITING_REVIEW)

    @property
    def launcher(self) -> tuple[App, ...]:
        """The tab bar that every member sees, in the order of approval."""
        return tuple(self._apps[instance_id] for instance_id in self._launcher)

    def app(self, instance_id: str) -> App:
        """Return an app by its ID, whatever became of it; an ID that was never given is an error."""
        if instance_id not in self._apps:
            raise UnknownApp(Problem("instance_id", f"no app {instance_id!r} in {self.place_id!r}"))
        return self._apps[instance_id]

    def approve(self, instance_id: str) -> None:
        """Press "Approve and create": the proposal enters the launcher."""
        with self._lock:
            self._review(instance_id, State.IN_LAUNCHER)
            self._launcher.append(instance_id)

    def decline(self, instance_id: str) -> None:
        """Press "Decline": the proposal is set aside."""
        with self._lock:
            self._review(instance_id, State.DECLINED)

    def open_app(self, instance_id: str) -> Code:
        """Open an app as a member does, and run its code; one that was not approved is refused."""
        return self._in_launcher(instance_id).code

    def deploy(self, instance_id: str) -> None:
        """Deploy an app of the launcher; only now it has a build state."""
        with self._lock:
            app = self._in_launcher(instance_id)
            self._change(replace(app, builds=app.builds + 1), "app deployed")

    # The agent's tools.

    @property
    def tools(self) -> Collection[str]:
        """The tools that a Room answers."""
        return READS.keys() | PROPOSALS.keys()

    def require_open(self, principal: str) -> None:
        """Refuse every principal in a local Room, and those whom the owner has not admitted."""
        if self.local:
            raise NotOpen(Problem(self.place_id, "Local Rooms are unavailable"))
        super().require_open(principal)

    def answer(self, tool: str, arguments: Mapping[str, Any], principal: str) -> Any:
        """Carry out a validated call of one of this Room's tools."""
        with self._lock:
            if tool in READS:
                self.require_open(principal)
                return READS[tool](self, arguments)
            answer = self.write(Write(principal, tool, arguments))
            if isinstance(answer, Done):
                # A repeated key returns the first proposal, and says what has become of it since.
                state = self._apps[answer.result["instance_id"]].state.value
                return replace(answer, result=MappingProxyType({**answer.result, "state": state}))
            return answer

    def effect(self, write: Write) -> dict[str, Any]:
        """Put a proposal before the owner."""
        instance_id = f"app-{len(self._apps) + 1}"
        code = PROPOSALS[write.tool](self, write.arguments)
        app = App(instance_id, write.arguments["name"], write.principal, code)
        self._record(app, "app proposed")
        return {"instance_id": instance_id}

    def _snippet(self, arguments: Mapping[str, Any]) -> Code:
        return MappingProxyType(dict(arguments["files"]))

    def _repository(self, arguments: Mapping[str, Any]) -> Code:
        version = RepositoryVersion(arguments["repository_id"], arguments["version_id"])
        if version.repository_id not in self.repositories:
            what = f"the project has no repository {version.repository_id!r}"
            raise RuleBroken(Problem("repository_id", what))
        if version.version_id not in self.repositories[version.repository_id]:
            what = f"{version.repository_id!r} has no version {version.version_id!r}"
            raise RuleBroken(Problem("version_id", what))
        return version

    def _read_room(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        return {"room_id": self.place_id, "version": self.version, "apps": len(self._launcher)}

    def _list_apps(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        ids, next_cursor = page(self._launcher, arguments)
        rows = [{"instance_id": each, "name": self._apps[each].name} for each in ids]
        return {"items": rows, "next_cursor": next_cursor}

    def _app_status(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        app = self.app(arguments["instance_id"])
        build = {"number": app.builds, "state": "deployed"} if app.builds else None
        return {"instance_id": app.instance_id, "launcher": app.state.value, "build": build}

    def _poll_events(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        # A cursor is the number of events seen: none is lost or repeated between two polls.
        cursor = arguments.get("cursor", "0")
        if cursor not in map(str, range(len(self._events) + 1)):
            raise RuleBroken(Problem("cursor", f"{cursor!r} was not given by an earlier poll"))
        start = int(cursor)
        events = [event.copy() for event in self._events[start : start + page_limit(arguments)]]
        return {"events": events, "cursor": str(start + len(events)), "contents": "reconstruction"}

    # What both sides rest on.

    def _review(self, instance_id: str, state: State) -> None:
        app = self.app(instance_id)
        if app.state is not State.AWAITING_REVIEW:
            raise NotPending(Problem("instance_id", f"{instance_id!r} is already {app.state.value}"))
        self._change(
            replace(app, state=state), f"app {'approved' if state is State.IN_LAUNCHER else 'declined'}"
        )

    def _in_launcher(self, instance_id: str) -> App:
        app = self.app(instance_id)
        if app.state is not State.IN_LAUNCHER:
            raise NotInLauncher(Problem("instance_id", f"{instance_id!r} is {app.state.value}"))
        return app

    def _change(self, app: App, event: str) -> None:
        self._record(app, event)
        self.version += 1

    def _record(self, app: App, event: str) -> None:
        self._apps[app.instance_id] = app
        self._events.append({"event": event, "instance_id": app.instance_id})


READS = {
    "read_room": Room._read_room,
    "list_room_apps": Room._list_apps,
    "read_room_app_status": Room._app_status,
    "poll_resource_events": Room._poll_events,
}
PROPOSALS = {
    "propose_room_snippet_app": Room._snippet,
    "propose_room_repo_app": Room._repository,
}
