"""Whatever path is accepted stays inside the root, on every system, and collides with no other."""

import ntpath
import posixpath
import sys
import time
from pathlib import PureWindowsPath
from unicodedata import category, normalize
from urllib.parse import unquote

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from osfhelpers import Room, call
from osfhelpers.engine.paths import PATH_RULES, broken_rule, collisions, folded
from osfhelpers.engine.refusals import RuleBroken

REFUSED = {
    "": "empty",
    "/etc/hosts": "absolute",
    "//server/share/x.ts": "absolute",
    "\\\\server\\share\\x.ts": "absolute",
    "C:/x.ts": "drive",
    "c:x.ts": "drive",
    ".": "dots",
    "..": "dots",
    "./src/x.ts": "dots",
    "src/../../x.ts": "dots",
    "src/./x.ts": "dots",
    "src/..": "dots",
    "src//x.ts": "empty segment",
    "src/": "empty segment",
    "src\\x.ts": "backslash",
    "src\\..\\..\\x.ts": "backslash",
    "src/a\x00.ts": "unseen",
    "src/a\n.ts": "unseen",
    "src/x.ts\n": "unseen",
    "src/a\u200d.ts": "unseen",
    "src/\u202ets.x": "unseen",
    "src/\ud800.ts": "unseen",
    "src/\ufeffx.ts": "unseen",
    "src/\u3164.ts": "unseen",
    "src/a\u115f.ts": "unseen",
    "src/a\ufe0f.ts": "unseen",
    "src/a\u2800.ts": "unseen",
    "src/%2e%2e/x.ts": "escape",
    "src/%252e%252e/x.ts": "escape",
    "src/%u002e%u002e/x.ts": "escape",
    "src/App.tsx:hidden": "colon",
    "src/a?.ts": "sign",
    "src/*": "sign",
    "con": "device",
    "src/NUL": "device",
    "src/nul.tar.gz": "device",
    "src/Aux.ts": "device",
    "lpt1/x.ts": "device",
    "src/COM¹": "device",
    "src/con .ts": "device",
    "src/ＣＯＮ": "device",
    "~/x.ts": "home",
    "~root": "home",
    "src/COMPON~1.TSX": "short name",
    "src/x.ts.": "end",
    "src /x.ts": "end",
    "src/x.ts\u00a0": "end",
    "src/․․/x.ts": "look-alike",
    "src／x.ts": "look-alike",
    "src/…": "look-alike",
    "src/℀": "look-alike",
    "a" * 256: "too long",
    "/".join(["abc"] * 300): "too long",
}
ACCEPTED = (
    "x",
    "src/App.tsx",
    "src/styles.css",
    "src/components/Timer.test.tsx",
    ".eslintrc.json",
    "src/größe.ts",
    "src/समय/घड़ी.tsx",
    "src/計時.tsx",
    "src/..hidden/a...b.ts",
    "src/[id]/page (1).tsx",
    "src/100% done.md",
    "src/console.ts",
    "src/com10.ts",
    "src/my~file.ts",
    "a" * 255,
)


@pytest.mark.parametrize(("path", "rule"), REFUSED.items())
def test_a_bad_path_is_refused_by_the_rule_that_names_its_fault(path, rule):
    assert broken_rule(path).name == rule


def test_every_rule_is_broken_by_its_own_example_and_has_more_of_them_here():
    assert [broken_rule(rule.example) for rule in PATH_RULES] == list(PATH_RULES)
    assert {rule.name for rule in PATH_RULES} == set(REFUSED.values())


@pytest.mark.parametrize("path", ACCEPTED)
def test_an_ordinary_relative_path_is_accepted(path):
    assert broken_rule(path) is None


PIECES = st.sampled_from(
    [*"./\\:%~ a1", "..", "%2e", "con", "NUL", "com¹", "src", "x.ts", "é", "e\u0301", "ß", "ſ", "K", "İ", "ﬁ"]
)
PATHS = st.lists(PIECES | st.characters(), max_size=8).map("".join)
TWINS = st.sampled_from([*"aAéßsſkKiIİıσςΣǆǅ/-", "e\u0301", "SS", "ﬁ", "fi", "ŉ", "\u0345", "x/y"])
LETTERS = st.lists(TWINS | st.characters(categories=["L", "M"]), min_size=1, max_size=4).map("".join)


def reserved(path):
    # pathlib's answer moved to os.path in Python 3.13.
    return ntpath.isreserved(path) if sys.version_info >= (3, 13) else PureWindowsPath(path).is_reserved()


@given(PATHS)
def test_an_accepted_path_is_joined_and_resolved_to_itself_below_the_root_on_both_systems(path):
    assume(broken_rule(path) is None)
    assert posixpath.normpath(posixpath.join("/rooms/timer", path)) == f"/rooms/timer/{path}"
    below = path.replace("/", "\\")
    assert ntpath.normpath(ntpath.join("D:\\rooms\\timer", path)) == f"D:\\rooms\\timer\\{below}"
    assert not reserved(path)
    assert unquote(path) == path
    normal = normalize("NFKC", path)
    assert normal.count("/") == path.count("/")
    assert not {"", ".", ".."}.intersection(normal.split("/"))


FILE_SYSTEMS = {
    "folds case": str.casefold,
    "upper case": str.upper,
    "upper case, one for one": lambda text: "".join(c.upper() if len(c.upper()) == 1 else c for c in text),
    "normalises": lambda text: normalize("NFD", text),
    "normalises and folds case": lambda text: normalize("NFD", normalize("NFD", text).casefold()),
    "folds case and normalises": lambda text: normalize("NFC", text.casefold()),
    "compatibility forms": lambda text: normalize("NFKC", normalize("NFKC", text).casefold()),
}


@given(st.lists(PATHS | LETTERS, unique=True, min_size=2, max_size=4), st.sampled_from(list(FILE_SYSTEMS)))
def test_accepted_paths_of_one_proposal_never_collide(paths, name):
    paths = [path for path in paths if broken_rule(path) is None]
    assume(not list(collisions(paths)))
    seen = [FILE_SYSTEMS[name](path) for path in paths]
    assert len(set(seen)) == len(seen)
    assert not any(one.startswith(f"{other}/") for one in seen for other in seen)


@given(LETTERS, st.sampled_from(list(FILE_SYSTEMS.values())))
def test_another_spelling_of_a_path_is_found_to_collide(path, spelt):
    assert list(collisions([path, spelt(path)]))


def test_no_letter_is_one_file_for_a_system_and_two_for_the_rule():
    letters = [c for c in map(chr, range(sys.maxunicode + 1)) if category(c)[0] in "LMN"]
    folds = {c: folded(c) for c in letters if c.isascii() or folded(c) != c or c.upper() != c}
    for spelt in FILE_SYSTEMS.values():
        together = {}
        for c, fold in folds.items():
            assert together.setdefault(spelt(c), fold) == fold, (c, hex(ord(c)))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("src/App.tsx", "SRC/app.tsx"),
        ("src/é.ts", "src/e\u0301.ts"),
        ("src/straße.ts", "src/STRASSE.ts"),
        ("src/a", "src/a/b.ts"),
        ("SRC", "src/App.tsx"),
    ],
)
def test_two_paths_that_are_one_file_or_a_file_and_a_folder_are_found(one, other):
    assert list(collisions([one, "src-x/App.tsx", other]))
    assert list(collisions([other, one]))


def test_neighbours_in_the_alphabet_do_not_collide():
    assert not list(collisions(["a", "a-b/c", "a.b/c", "ab", "b/a", "b/a.ts", "b/A-1.ts"]))


def test_everything_in_a_folder_that_is_a_file_as_well_is_named():
    paths = ["src/a.ts", "SRC", "src/b/c.ts", "src-b"]
    assert list(collisions(paths)) == [("SRC", "src/a.ts"), ("SRC", "src/b/c.ts")]


BIG = {
    "10,000 files": {f"src/part{n}/x.ts": "" for n in range(10_000)},
    "a file of 5 MB": {"src/data.ts": "é\n" * 1_700_000},
    "a path of 5 MB": {"../" * 1_700_000: ""},
    "10,000 bad paths": {f"../{n}.ts": "" for n in range(10_000)},
    "10,000 paths that collide": {"".join("aA"[n >> k & 1] for k in range(14)): "" for n in range(10_000)},
}


@pytest.mark.parametrize("size", BIG)
def test_a_proposal_of_any_size_is_answered_in_bounded_time_and_in_few_words(size):
    room = Room()
    room.open_to("agent")
    files = {"src/App.tsx": "", **BIG[size]}
    arguments = {"room_id": room.place_id, "name": "Timer", "files": files, "idempotency_key": "big-proposal"}
    started = time.perf_counter()
    if size in ("10,000 files", "a file of 5 MB"):
        call("propose_room_snippet_app", arguments, on=room)
        assert room.pending[0].code == files
    else:
        with pytest.raises(RuleBroken) as refused:
            call("propose_room_snippet_app", arguments, on=room)
        assert len(str(refused.value)) < 2_000
        assert not room.pending
    assert time.perf_counter() - started < 20
