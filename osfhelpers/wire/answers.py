"""How does an answer of the store travel over the wire, and how is it read back?

A result carries the same JSON twice, as structured content and as text, since older clients
read only the text. Its member `outcome` says what it is:

| answer of `call`       | `outcome`  | further members                                    |
|------------------------|------------|----------------------------------------------------|
| `Done`                 | `done`     | `replayed`, `result`                               |
| `Conflict`             | `conflict` | `expected_version`, `current_version`              |
| a read's dictionary    | `read`     | `result`                                           |
| `Refused`, as an error | `refused`  | `kind`, and all its `problems` by `place`, `what`  |

No result of the live server was seen, so these shapes are reconstruction.
"""

from typing import Any

from mcp_types import CallToolResult, TextContent

from osfhelpers.engine.refusals import Problem, Refused
from osfhelpers.engine.sizes import compact_json
from osfhelpers.engine.store import Conflict, Done

KINDS = {kind.__name__: kind for kind in Refused.__subclasses__()}


def to_wire(answer: Any) -> CallToolResult:
    """Return the result of a tool call that carries an answer of `call`, or a refusal of it."""
    if isinstance(answer, Refused):
        problems = [{"place": problem.place, "what": problem.what} for problem in answer.problems]
        body = {"outcome": "refused", "kind": type(answer).__name__, "problems": problems}
    elif isinstance(answer, Done):
        body = {"outcome": "done", "replayed": answer.replayed, "result": dict(answer.result)}
    elif isinstance(answer, Conflict):
        body = {"outcome": "conflict", **vars(answer)}
    else:
        body = {"outcome": "read", "result": answer}
    return CallToolResult(
        content=[TextContent(type="text", text=compact_json(body))],
        structured_content=body,
        is_error=isinstance(answer, Refused),
    )


def from_wire(result: CallToolResult) -> Any:
    """Return the answer that a result carries, as `call` would have returned it.

    Raises:
        Refused: the server refused the call; the kind and the problems are the server's.
    """
    body = result.structured_content
    match body["outcome"]:
        case "refused":
            raise KINDS[body["kind"]](*(Problem(**problem) for problem in body["problems"]))
        case "done":
            return Done(body["result"], body["replayed"])
        case "conflict":
            return Conflict(body["expected_version"], body["current_version"])
    return body["result"]
