"""The command line: `osfhelpers report`, `osfhelpers validate` and `osfhelpers doctor`."""

import argparse
import io
import sys
from collections.abc import Sequence
from pathlib import Path

DESCRIPTION = "Measure what each phrase of an agent tool's description prevents."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    parser = argparse.ArgumentParser(prog="osfhelpers", description=DESCRIPTION)
    commands = parser.add_subparsers(dest="command", required=True)
    report = commands.add_parser("report", help="every figure: published, replayed, expected, simulated")
    report.add_argument("--json", action="store_true", help="as JSON instead of a table")
    commands.add_parser("doctor", help="versions, kernel, data files, and what mends what is missing")
    validate = commands.add_parser("validate", help="would the server accept this call? (0 yes, 1 no)")
    validate.add_argument("tool", help="a tool of the snapshot, such as create_note_tab")
    validate.add_argument("file", help="a JSON file with the arguments, or - for standard input")
    given = parser.parse_args(arguments)
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
    if isinstance(sys.stdout, io.TextIOWrapper):  # a payload may hold signs that a terminal cannot show
        sys.stdout.reconfigure(errors="backslashreplace")
    for judge, verdict, problems in check.verdicts():
        print(f"{judge}: {verdict}", *problems, sep="\n    ")
    return 0 if check.passes else 1


def _doctor() -> int:
    from osfhelpers.doctor import examine

    findings = list(examine())
    print("\n".join(map(str, findings)))
    return 1 if any(finding.mend for finding in findings) else 0


if __name__ == "__main__":
    sys.exit(main())
