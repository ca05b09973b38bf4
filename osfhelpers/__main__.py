"""The command line: `osfhelpers report`, `validate`, `doctor`, `rooms` and `serve`."""

import argparse
import io
import sys
from collections.abc import Sequence
from pathlib import Path

DESCRIPTION = "Measure what each phrase of an agent tool's description prevents."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    from osfhelpers.wire.serve import add_arguments, serve

    parser = argparse.ArgumentParser(prog="osfhelpers", description=DESCRIPTION)
    commands = parser.add_subparsers(dest="command", required=True)
    report = commands.add_parser("report", help="every figure: published, replayed, expected, simulated")
    report.add_argument("--json", action="store_true", help="as JSON instead of a table")
    commands.add_parser("doctor", help="versions, kernel, data files, and what mends what is missing")
    validate = commands.add_parser("validate", help="would the server accept this call? (0 yes, 1 no)")
    validate.add_argument("tool", help="a tool of the snapshot, such as create_note_tab")
    validate.add_argument("file", help="a JSON file with the arguments, or - for standard input")
    actions = commands.add_parser("rooms", help="the owner's side of a server's store")
    actions = actions.add_subparsers(dest="action", required=True)
    for action, needs, what in (
        ("list", "?", "what awaits review; for one proposal, its full code"),
        ("approve", None, "put a proposal into the launcher"),
        ("decline", None, "set a proposal aside"),
    ):
        rooms = actions.add_parser(action, help=what)
        rooms.add_argument(
            "--store", required=True, metavar="FILE", help="the file that the server was given"
        )
        rooms.add_argument("room", nargs=needs, help="a Room, such as team-room")
        rooms.add_argument("instance_id", nargs=needs, help="a proposal, such as app-1")
    add_arguments(commands.add_parser("serve", help="the tools over MCP, on stdio or by HTTP"))
    given = parser.parse_args(arguments)
    if given.command == "serve":
        return serve(given)
    if given.command == "rooms":
        return _rooms(given)
    if given.command == "validate":
        return _validate(given.tool, given.file)
    return _report(as_data=given.json) if given.command == "report" else _doctor()


def _report(*, as_data: bool) -> int:
    from osfhelpers.report import report

    text, agrees = report(as_data=as_data)
    print(text)
    return 0 if agrees else 1


def _validate(tool: str, file: str) -> int:
    from osfhelpers.engine.check import check_text
    from osfhelpers.engine.json_text import JSONTextError
    from osfhelpers.engine.refusals import UnknownTool

    try:
        text = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        check = check_text(tool, text)
    except (OSError, JSONTextError, UnknownTool) as error:
        print(f"osfhelpers validate: {error}", file=sys.stderr)
        return 2
    _show_any_sign()
    for judge, verdict, problems in check.verdicts():
        print(f"{judge}: {verdict}", *problems, sep="\n    ")
    return 0 if check.passes else 1


def _rooms(given: argparse.Namespace) -> int:
    from osfhelpers.engine.refusals import Refused
    from osfhelpers.engine.store_file import StoreFileError
    from osfhelpers.rooms import review

    _show_any_sign()
    try:
        for line in review(given.action, given.store, given.room, given.instance_id):
            print(line)
    except (Refused, StoreFileError) as error:
        print(f"osfhelpers rooms: {given.store}: {error}", file=sys.stderr)
        return 1 if isinstance(error, Refused) else 2
    return 0


def _show_any_sign() -> None:
    if isinstance(sys.stdout, io.TextIOWrapper):  # an agent may write what a terminal cannot show
        sys.stdout.reconfigure(errors="backslashreplace")


def _doctor() -> int:
    from osfhelpers.doctor import examine

    findings = list(examine())
    print("\n".join(map(str, findings)))
    return 1 if any(finding.mend for finding in findings) else 0


if __name__ == "__main__":
    sys.exit(main())
