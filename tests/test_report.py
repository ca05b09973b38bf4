"""The command line says what holds, what does not, and what mends it; exit codes tell scripts."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest

from osfhelpers import doctor, report
from osfhelpers.__main__ import main
from osfhelpers.engine import data
from osfhelpers.experiments import retries
from osfhelpers.measuring.comparison import Comparison
from osfhelpers.measuring.damage import Ledger, ledger


@pytest.fixture(scope="module")
def everything():
    return report.all_rows()


def test_no_figure_of_the_series_disagrees(everything):
    assert [row for row in everything.rows if row.agrees is False] == []


def test_the_json_report_has_the_promised_keys_and_the_ledger(everything):
    content = json.loads(report.as_json(everything, ledger()))
    keys = {"experiment", "arm", "measure", "unit", "published", "replayed", "expected", "agrees"}
    keys |= {"simulated", "low", "high"}
    for row in content["rows"]:
        assert keys < set(row)
    exact = [
        row for row in content["rows"] if row["experiment"] == "retries" and row["published"] is not None
    ]
    assert len(exact) == 36
    assert all(row["published"] == row["replayed"] for row in exact)
    assert {row["chapter"] for row in content["ledger"]} >= {"04"}


def test_the_text_report_ends_with_a_verdict(everything):
    text = report.as_text(everything, ledger())
    assert text.splitlines()[-1].startswith("All ")
    assert "nan" not in text.lower()


def test_the_exit_status_is_1_exactly_when_a_row_disagrees(everything, monkeypatch, capsys):
    monkeypatch.setattr(report, "all_rows", lambda: everything)
    assert main(["report"]) == 0
    wrong = Comparison((replace(everything.rows[0], agrees=False), *everything.rows[1:]))
    monkeypatch.setattr(report, "all_rows", lambda: wrong)
    assert main(["report", "--json"]) == 1
    assert main(["report"]) == 1
    assert "1 of " in capsys.readouterr().out


def test_the_ledger_row_of_retries_is_computed_from_the_formula():
    row = retries.ledger_row()
    assert row.without_per_100 == pytest.approx(100 * (1 / 0.7 - 1))
    assert row.with_per_100 == 0
    assert "42.9" in repr(Ledger([row]))


def test_the_doctor_finds_this_installation_complete():
    findings = list(doctor.examine())
    assert [finding for finding in findings if finding.mend] == []
    assert {"python", "numpy", "ada-url", "jupyterlab", "mcp", "kernel", "data"} <= {
        finding.what for finding in findings
    }


def test_the_doctor_names_a_missing_package_and_the_command_that_mends_it(monkeypatch, capsys):
    monkeypatch.setattr(doctor, "needed", lambda: {"numpy": "", "no-such-package": "lab", "no-wire": "wire"})
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert "MISSING no-such-package" in out
    assert '-m pip install "osfhelpers[lab]"' in out
    assert "MISSING no-wire" not in out
    assert "chapter 11 alone needs it" in out


def test_the_doctor_names_an_altered_data_file(monkeypatch):
    monkeypatch.setattr(data, "digest", lambda path: "0" * 64)
    [finding] = [found for found in doctor.examine() if found.mend]
    assert "was altered" in finding.found
    assert "git checkout" in finding.mend


def test_both_ways_of_starting_the_command_line_work():
    for command in ([sys.executable, "-m", "osfhelpers"], ["osfhelpers"]):
        if command[0] == "osfhelpers":
            command = [str(__import__("pathlib").Path(sys.executable).with_name("osfhelpers"))]
        found = subprocess.run([*command, "--help"], check=True, capture_output=True, text=True)
        assert "report" in found.stdout
        assert "doctor" in found.stdout


def test_an_unknown_command_is_refused_with_the_known_ones(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["repport"])
    assert stopped.value.code == 2
    assert "report" in capsys.readouterr().err
