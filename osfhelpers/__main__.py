"""The command line: `osfhelpers report` and `osfhelpers doctor`."""

import argparse
import sys
from collections.abc import Sequence

DESCRIPTION = "Measure what each phrase of an agent tool's description prevents."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    parser = argparse.ArgumentParser(prog="osfhelpers", description=DESCRIPTION)
    commands = parser.add_subparsers(dest="command", required=True)
    report = commands.add_parser("report", help="every figure: published, replayed, expected, simulated")
    report.add_argument("--json", action="store_true", help="as JSON instead of a table")
    commands.add_parser("doctor", help="versions, kernel, data files, and what mends what is missing")
    given = parser.parse_args(arguments)
    return _report(as_data=given.json) if given.command == "report" else _doctor()


def _report(*, as_data: bool) -> int:
    from osfhelpers.report import report

    text, agrees = report(as_data=as_data)
    print(text)
    return 0 if agrees else 1


def _doctor() -> int:
    from osfhelpers.doctor import examine

    findings = list(examine())
    print("\n".join(map(str, findings)))
    return 1 if any(finding.mend for finding in findings) else 0


if __name__ == "__main__":
    sys.exit(main())
