"""An invented field: dropped without a word by an open schema, named by a closed one."""

import pytest

from osfhelpers.models.invented_field import CLOSED_WORDS, OPEN_WORDS, add_slides, one_invented_field
from osfhelpers.teaching.explorers import watch


def test_an_open_schema_lets_the_cover_land_at_the_end_and_says_done():
    last = add_slides(closed=False)[-1]
    assert (last.refusal, last.deck) == ("", ("Revenue", "Costs", "Q3 review"))


def test_a_closed_schema_names_the_field_and_the_deck_stays():
    last = add_slides(closed=True)[-1]
    assert (last.refusal, last.deck) == ("unexpected index", ("Revenue", "Costs"))


@pytest.mark.parametrize(
    ("schema", "sends", "finding"),
    [
        (OPEN_WORDS, 0, "the deck is empty"),
        (OPEN_WORDS, 2, "every slide is where it belongs"),
        (OPEN_WORDS, 3, "“Done”, and the cover is the last slide"),
        (CLOSED_WORDS, 3, "The cover is refused, and the field named"),
    ],
)
def test_each_step_says_its_finding(schema, sends, finding):
    picture, scene = watch(one_invented_field()).picture({"variant": schema, "steps": sends})
    assert finding in scene.sentence
    assert picture.png.startswith(b"\x89PNG")
