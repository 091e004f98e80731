"""SVG by construction: no text becomes markup, no attribute becomes a script."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboards.drawing.cards import STEP, SUIT_PATHS, symbols
from dashboards.drawing.palette import CONTRAST, DARK, LIGHT, Palette
from dashboards.drawing.rack import RackRow, draw_rack
from dashboards.drawing.scene import Card
from dashboards.drawing.svg import element, folded, label, printable
from tests.drawing.scenes import SVG


@given(st.text())
def test_any_text_is_content_and_never_markup(text: str) -> None:
    node = ElementTree.fromstring(element("text", text, class_=text))
    assert (node.text or "") == printable(text)
    assert list(node) == []
    assert node.attrib["class"] == printable(text)


@pytest.mark.parametrize("name", ["onclick", "onload", "style", "on_click", "STYLE", "x y", 'x="'])
def test_attributes_a_strict_page_refuses_are_refused_here(name: str) -> None:
    with pytest.raises(ValueError, match="no attribute"):
        element("rect", **{name: "x"})


@pytest.mark.parametrize("name", ["script", "style", "foreignObject", "image", "a", "animate"])
def test_elements_that_run_or_fetch_something_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="no element"):
        element(name)


@pytest.mark.parametrize("target", ["https://example.org/x.svg#a", "javascript:alert(1)", "other.svg#a", ""])
def test_a_drawing_refers_to_nothing_outside_itself(target: str) -> None:
    with pytest.raises(ValueError, match="itself alone"):
        element("use", href=target)


def test_a_line_too_long_for_its_place_is_cut_and_says_so_but_never_made_smaller() -> None:
    node = ElementTree.fromstring(label(0, 0, "m" * 40, 14, "#000000", width=120))
    assert node.attrib["font-size"] == "14"
    text = node.text or ""
    assert text.endswith("…")
    assert 120 - 0.602 * 14 < len(text) * 0.602 * 14 <= 120.5


@given(
    st.lists(st.text("abcdefgh12", min_size=1, max_size=9), max_size=9),
    st.integers(1, 3),
    st.integers(90, 300),
)
def test_a_folded_text_loses_nothing_where_it_fits_and_never_leaves_its_place(
    words: list[str], most: int, width: int
) -> None:
    lines = folded(" ".join(words), width, 18, most)
    assert len(lines) <= most
    assert all(len(line) * 0.602 * 18 <= width + 0.2 for line in lines)
    if not any(line.endswith("…") for line in lines):
        assert " ".join(lines).split() == words


# Text on its ground, and marks on theirs: what must stay readable in either theme.
TEXT_PAIRS = (
    ("on_felt", "felt"), ("quiet", "felt"), ("text", "panel"), ("text", "ground"), ("on_rail", "rail"),
    ("card_red", "card"), ("card_black", "card"), ("chip_text", "chip"), ("lammer_text", "lammer"),
    ("ink", "wrong"), ("back_mark", "back"), ("agrees", "felt"), ("wrong", "ground"), ("agrees", "panel"),
    ("wrong", "panel"), ("quiet", "panel"),
)  # fmt: skip
MARK_PAIRS = (("ring", "felt"), ("edge", "felt"), ("card_edge", "card"))


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours by WCAG 2.1, from 1 to 21."""
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("palette", [DARK, LIGHT, CONTRAST], ids=lambda p: p.name)
def test_text_keeps_a_contrast_of_four_and_a_half_and_marks_of_three(palette: Palette) -> None:
    for one, other in TEXT_PAIRS:
        assert contrast(getattr(palette, one), getattr(palette, other)) >= 4.5, (one, other)
    for one, other in MARK_PAIRS:
        assert contrast(getattr(palette, one), getattr(palette, other)) >= 3, (one, other)


def test_contrast_is_measured_as_wcag_does() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert contrast("#123456", "#123456") == 1


def test_suits_are_shapes_of_their_own_and_no_character_of_a_font() -> None:
    markup = symbols(DARK)
    assert not re.search("[♠♣♥♦♤♧♡♢]", markup)
    assert len(set(SUIT_PATHS.values())) == 4
    paths = Counter(node.attrib["d"] for node in ElementTree.fromstring(markup).iter("path"))
    assert all(paths[path] == 26 for path in SUIT_PATHS.values())  # 13 ranks, each at the index and large


def test_the_index_of_every_card_lies_in_the_part_that_the_next_card_leaves_free() -> None:
    for symbol in ElementTree.fromstring(symbols(DARK)).iter("symbol"):
        for text in symbol.iter("text"):
            if symbol.attrib["id"] in ("cw-Jo", "cw-unknown"):
                continue
            right = float(text.attrib["x"]) + 0.602 * float(text.attrib["font-size"]) * len(text.text or "")
            assert right <= 50 * STEP + 2, symbol.attrib["id"]  # the last pixels of a letter are its margin


def test_the_rack_shows_both_orders_and_boxes_the_first_difference_alone() -> None:
    rows = tuple(
        RackRow(place, Card(one), Card(other) if other else None, "3.1", first=place == 1)
        for place, (one, other) in enumerate([("As", "As"), ("Kd", "2c"), ("2c", "Kd"), ("3h", "")])
    )
    assert [row.agrees for row in rows] == [True, False, False, False]
    root = ElementTree.fromstring(draw_rack(rows, LIGHT))
    assert sum((node.text or "") == "first" for node in root.iter(f"{SVG}text")) == 1
    assert len(list(root.iter(f"{SVG}use"))) == 7
    assert "first differs at place 2" in (root.findtext(f"{SVG}desc") or "")


def test_a_card_that_was_not_read_contradicts_nothing() -> None:
    assert RackRow(0, Card("As"), Card("??")).agrees
    assert RackRow(0, None, Card("As"), compared=False).agrees
    assert not RackRow(0, None, Card("As")).agrees
