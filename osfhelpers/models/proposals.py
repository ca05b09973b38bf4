"""The story's stand-up timer as a proposal to a Room: its files, its arguments, what it weighs."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from osfhelpers.engine.data import verify
from osfhelpers.engine.sizes import compact_json, escaped_bytes, request_bytes, tokens

SNIPPET, REPOSITORY = "propose_room_snippet_app", "propose_room_repo_app"
PATHS = ("src/App.tsx", "src/styles.css")


@cache
def timer() -> Mapping[str, str]:
    """Return the files of the stand-up timer, by path."""
    return {path: verify(f"snippet_app/{path}").read_text(encoding="utf-8") for path in PATHS}


def repeated(files: int, lines_per_file: int) -> dict[str, str]:
    """Return an app of so many files, each of them the timer's component, cut or continued."""
    component = timer()[PATHS[0]].splitlines(keepends=True)
    copies = -(-lines_per_file // len(component))
    text = "".join((component * copies)[:lines_per_file])
    return {PATHS[0] if n == 1 else f"src/Part{n}.tsx": text for n in range(1, files + 1)}


def arguments(files: Mapping[str, str]) -> dict[str, Any]:
    """Return the arguments of a proposal with these files."""
    key = f"snip-{0:032x}"  # the published shape of a key made from the content
    return {"room_id": "team-room", "name": "Stand-up timer", "files": files, "idempotency_key": key}


def pinned_arguments() -> dict[str, Any]:
    """Return the arguments of a proposal that points at a pinned version instead."""
    pinned = {"repository_id": "stand-up-timer", "version_id": "v2"}
    return {name: value for name, value in {**arguments({}), **pinned}.items() if name != "files"}


@dataclass(frozen=True)
class Weight:
    """What one proposal weighs: on the wire, in tokens and in lines."""

    source_bytes: int
    envelope_bytes: int
    source_tokens: int
    argument_tokens: int
    lines: int

    @property
    def overhead_percent(self) -> float:
        """How many bytes escaping and framing add to the source."""
        return 100 * (self.envelope_bytes / self.source_bytes - 1)


def weigh(files: Mapping[str, str]) -> Weight:
    """Measure the proposal of these files."""
    given = arguments(files)
    return Weight(
        source_bytes=sum(len(text.encode()) for text in files.values()),
        envelope_bytes=request_bytes(SNIPPET, given),
        source_tokens=sum(tokens(text) for text in files.values()),
        argument_tokens=tokens(compact_json(given)),
        lines=sum(len(text.splitlines()) for text in files.values()),
    )


@dataclass(frozen=True)
class Added:
    """Bytes that a proposal adds to its source, and for what."""

    what: str
    bytes: int


def added_bytes(files: Mapping[str, str]) -> list[Added]:
    """Say where the difference between source and envelope comes from, byte by byte."""
    rows = [
        Added(f"escaped {json.dumps(sign, ensure_ascii=False)[1:-1]}", gained)
        for sign, gained in sorted(escaped_bytes("".join(files.values())).items())
    ]
    weight = weigh(files)
    frame = weight.envelope_bytes - weight.source_bytes - sum(row.bytes for row in rows)
    return [*rows, Added("frame: method, names, paths, key", frame)]
