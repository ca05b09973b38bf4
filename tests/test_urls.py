"""URLs as identity: the seven steps, and the answers to what names no page."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osfhelpers.engine.keys import Attempt, Event
from osfhelpers.engine.urls import (
    STEPS,
    NotAPage,
    Why,
    browser_href,
    normalise,
    normalised_url_key,
    same_page,
    trace,
)

ALL_BUT = {name: tuple(step for step in STEPS if step != name) for name in STEPS}


def key(url, note_id="q3-review", **more):
    return normalised_url_key(Attempt({"note_id": note_id, "url": url, **more}, Event.FIRST, None, str))


@pytest.mark.parametrize(
    ("step", "a", "b"),
    [
        ("https", "http://x.example/a", "https://x.example/a"),
        ("https", "x.example/a", "https://x.example/a"),
        ("https", "//x.example/a", "https://x.example/a"),
        ("syntax", "https://x.example:443/a", "https://x.example/a"),
        ("syntax", "https://x.example/b/../a", "https://x.example/a"),
        ("syntax", "https://x.example/é", "https://x.example/%C3%A9"),
        ("syntax", "https://bücher.example:8080/a", "https://xn--bcher-kva.example:8080/a"),
        ("www", "https://www.x.example/a", "https://x.example/a"),
        ("fragment", "https://x.example/a#b", "https://x.example/a"),
        ("utm_*", "https://x.example/a?utm_source=b&c=d&utm_medium=e", "https://x.example/a?c=d"),
        ("trailing slash", "https://x.example/a/", "https://x.example/a"),
    ],
)
def test_a_step_merges_two_spellings_and_switched_off_it_keeps_them_apart(step, a, b):
    assert same_page(a, b)
    assert not same_page(a, b, ALL_BUT[step])


def test_host_case_is_merged_by_its_own_step_and_by_the_syntax_step():
    a, b = "https://X.Example/A", "https://x.example/A"
    assert same_page(a, b, ["host case"])
    assert same_page(a, b, ["syntax"])
    assert not same_page(a, b, [name for name in STEPS if name not in ("host case", "syntax")])
    assert not same_page(b, "https://x.example/a")


def test_an_empty_path_is_the_root_also_where_slashes_are_kept():
    assert same_page("https://example.com", "https://example.com/", ALL_BUT["trailing slash"])


@pytest.mark.parametrize("url", ["www.foo.com:80/foo", "//www.foo.com:80/foo", "http://www.foo.com:080/foo"])
def test_port_80_never_goes_over_to_https(url):
    assert normalise(url) == "https://foo.com/foo"
    assert ":80" not in browser_href(url)


def test_another_port_speaks_one_protocol_so_http_stays_on_it():
    assert not same_page("http://x.example:8080/", "https://x.example:8080/")
    assert normalise("x.example:443/a") == "https://x.example/a"


def test_an_encoded_question_mark_stays_encoded():
    assert normalise("https://x.example/More+Tea%3F/x") == "https://x.example/More+Tea%3F/x"


def test_www_goes_only_where_a_host_remains():
    assert normalise("https://www.com/") == "https://www.com/"
    assert normalise("https://www.www.x.example/") == "https://x.example/"
    assert normalise("https://wwwx.example/") == "https://wwwx.example/"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("https://x y.example/", Why.UNPARSABLE),
        ("https://x.example\\@evil.example/", Why.UNPARSABLE),
        ("https://x.example:99999/", Why.UNPARSABLE),
        ("https://x.example:port/", Why.UNPARSABLE),
        ("https://[::1/", Why.UNPARSABLE),
        ("https://x.example/\ud800", Why.UNPARSABLE),
        ("https://x.exa\nmple/", Why.UNPARSABLE),
        ("../report", Why.RELATIVE),
        ("/report", Why.RELATIVE),
        ("report", Why.RELATIVE),
        ("?page=2", Why.RELATIVE),
        ("#top", Why.RELATIVE),
        ("", Why.RELATIVE),
        ("http:example.com", Why.NO_HOST),
        ("https:///report", Why.NO_HOST),
        ("mailto:ana@x.example", Why.NOT_WEB),
        ("ftp://x.example/a", Why.NOT_WEB),
        ("javascript:alert(1.5)", Why.NOT_WEB),
        ("tel:112", Why.NOT_WEB),
        ("https://ana@x.example/", Why.CREDENTIALS),
        ("https://ana:secret@x.example/", Why.CREDENTIALS),
        ("//ana:secret@x.example/", Why.CREDENTIALS),
    ],
)
def test_what_names_no_page_gets_the_reason_and_is_merged_with_nothing(text, why):
    with pytest.raises(NotAPage) as refusal:
        normalise(text)
    assert refusal.value.why is why
    assert str(refusal.value) == why.value
    assert not same_page(text, text)


def test_without_the_step_that_repairs_it_a_missing_scheme_is_refused():
    with pytest.raises(NotAPage) as refusal:
        normalise("x.example/a", ALL_BUT["https"])
    assert refusal.value.why is Why.RELATIVE


def test_an_unknown_step_is_named():
    with pytest.raises(KeyError, match="amp"):
        normalise("https://x.example/", ["https", "amp"])


@given(
    st.sampled_from(["https://", "http://", "", "HTTPS://"]),
    st.text("ana%3A:@", min_size=1, max_size=6),
    st.sampled_from(["tok-9f2c", "p%40ss", "s3cr3t"]),
    st.sampled_from(["x.example", "www.X.example:80", "[::1]"]),
)
def test_a_password_is_never_shown_and_never_part_of_a_key(scheme, user, password, host):
    url = f"{scheme}{user}:{password}@{host}/a"
    for function in (normalise, browser_href, key):
        try:
            shown = function(url)
        except NotAPage as refusal:
            shown = str(refusal)
        assert password not in shown


def test_a_key_names_the_page_and_the_note_and_nothing_else():
    assert key("https://x.example/a", title="A") == key("http://www.x.example/a/#b", title="B")
    assert key("https://x.example/a") != key("https://x.example/b")
    assert key("https://x.example/a", "q3-review") != key("https://x.example/a", "q4-review")
    assert 8 <= len(key("https://x.example/" + 5_000 * "a")) <= 128


def test_a_trace_names_every_step_that_is_on():
    assert list(trace("https://x.example/")) == ["as written", *STEPS, "normalised"]
    assert trace("HTTP://x.example", ["https"]) == {
        "as written": "HTTP://x.example",
        "https": "https://x.example",
        "normalised": "https://x.example",
    }


def test_a_browser_merges_a_missing_scheme_and_keeps_every_other_spelling():
    assert browser_href("x.example/a") == browser_href("https://x.example/a")
    others = [
        "https://x.example/a/",
        "https://www.x.example/a",
        "http://x.example/a",
        "https://x.example/a#b",
    ]
    assert len({*map(browser_href, others)}) == len(others)


HOSTS = ("x.example", "X.Example", "bücher.example", "127.1", "[::1]", "www.", "WWW.", "%77ww.", "ｗｗｗ.")
MARKS = (":", "//", "/", ".", "..", "?", "#", "&", "=", ";", "+", "~", "@", "%2e", "%3F", "%7e", "é")
WORDS = ("http", "https", ":80", ":443", ":8080", "utm_source=a", "utm_", "index.html")
PIECES = st.sampled_from([*HOSTS, *MARKS, *WORDS])
ADDRESSES = st.one_of(
    st.text(max_size=30),
    st.lists(PIECES, max_size=12).map("".join),
    st.tuples(
        st.sampled_from(["https://", "http://", "//", ""]),
        st.sampled_from(["x.example", "www.www.X.example", "%77ww.x.example", "bücher.example:80", "[::1]"]),
        st.lists(PIECES, max_size=8).map("".join),
    ).map("".join),
)


@given(ADDRESSES, st.sets(st.sampled_from(list(STEPS))))
def test_normalising_twice_changes_nothing_whatever_steps_are_on(text, steps):
    try:
        once = normalise(text, steps)
    except NotAPage:
        return
    assert normalise(once, steps) == once
