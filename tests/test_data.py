"""The data files are the recorded ones, and every published figure is among them."""

import json
import re
import shutil

import pytest

from osfhelpers.engine import data
from osfhelpers.engine.data import DataError, checksums, data_path, digest, load, verify
from osfhelpers.measuring.evidence import Key, published


@pytest.fixture
def copied(tmp_path, monkeypatch):
    """A copy of the data folder that a test may damage."""
    shutil.copytree(data_path(), tmp_path / "data")
    monkeypatch.setattr(data, "FOLDERS", (tmp_path / "data",))
    for cached in (checksums, load):
        cached.cache_clear()
    yield tmp_path / "data"
    for cached in (checksums, load):
        cached.cache_clear()


def test_every_file_is_recorded_and_intact():
    folder = data_path()
    files = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()}
    assert files - {"SHA256SUMS", "README.md"} == set(checksums())
    for name in checksums():
        verify(name)


def test_the_readme_lists_every_file_with_its_checksum():
    text = data_path("README.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| `([^`]+)` \|.*\| `([0-9a-f]{64})` \|$", text, re.MULTILINE))
    assert listed == checksums(), "run: python tools/refresh.py"


def test_an_altered_file_is_refused_with_the_command_that_mends_it(copied):
    path = copied / "published" / "retries.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"63"', '"64"'), encoding="utf-8")
    with pytest.raises(DataError, match=r"'published/retries.json' was altered.*git checkout"):
        published("retries")


def test_a_missing_file_is_named_with_the_command_that_mends_it(copied):
    (copied / "tools_list.json").unlink()
    with pytest.raises(DataError, match=r"'tools_list.json' is missing.*pip install"):
        load("tools_list.json")


def test_a_file_that_nobody_recorded_is_refused(copied):
    (copied / "mine.json").write_text("{}", encoding="utf-8")
    with pytest.raises(DataError, match="no line in SHA256SUMS"):
        load("mine.json")


def test_a_missing_folder_says_where_it_was_looked_for(monkeypatch, tmp_path):
    monkeypatch.setattr(data, "FOLDERS", (tmp_path / "nowhere",))
    with pytest.raises(DataError, match="nowhere"):
        data_path("tools_list.json")


def test_a_checkout_with_crlf_line_ends_counts_as_intact(tmp_path):
    (tmp_path / "unix").write_bytes(b"a\nb\n")
    (tmp_path / "windows").write_bytes(b"a\r\nb\r\n")
    assert digest(tmp_path / "unix") == digest(tmp_path / "windows")


SECTIONS = {
    "bad_payloads": ("2.1", 8),
    "tab_handles": ("2.2", 24),
    "retries": ("2.3", 36),
    "citations": ("2.4", 11),
    "one_outline": ("2.5", 7),
    "room_rules": ("2.6", 17),
    "full_code": ("2.7", 18),
    "review_gate": ("2.8", 8),
    "waiting": ("2.9", 18),
    "round_trips": ("2.10", 15),
    "surface": ("1", 2),
}


@pytest.mark.parametrize("name", SECTIONS)
def test_each_section_of_published_figures_is_whole_and_has_unique_keys(name):
    section, count = SECTIONS[name]
    content = load(f"published/{name}.json")
    assert (content["experiment"], content["section"], content["source"]) == (
        name,
        section,
        content["source"],
    )
    assert content["source"] in {"H", "F"}
    keys = [figure.key for figure in published(name)]
    assert len(keys) == len(set(keys)) == count


def test_figures_keep_their_printed_digits():
    figures = {figure.key: figure for figure in published("one_outline")}
    figure = figures[Key("create_note_tab with slides", "conflicts")]
    assert (figure.value, figure.decimals, figure.number) == ("0.070", 3, 0.07)
    assert figure.shows(0.07)
    assert figure.shows(140 / 2000)
    assert not figure.shows(0.0706)


def test_json_files_are_plain_text_with_one_final_newline():
    for name in checksums():
        if name.endswith(".json"):
            text = data_path(name).read_text(encoding="utf-8")
            json.loads(text)
            assert text.endswith("\n"), name
            assert not text.endswith("\n\n"), name


@pytest.mark.parametrize("line", ["<<<<<<< HEAD", "", "\udcff"])
def test_a_list_of_checksums_that_cannot_be_read_is_named_with_its_line(copied, line):
    path = copied / "SHA256SUMS"
    path.write_bytes(line.encode(errors="surrogateescape") + b"\n" + path.read_bytes())
    with pytest.raises(DataError, match=r"line 1 of SHA256SUMS.*git checkout"):
        load("tools_list.json")
