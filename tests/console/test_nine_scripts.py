"""Names and notes in many scripts: read back from the pages of a report, a dispute and a letter, and their places."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace as replaced

import pytest
from msgspec.structs import replace
from pypdfium2 import PdfDocument, PdfTextPage

from dashboards.reports.scripts.glyphs import font_characters, has_glyphs
from dashboards.reports.scripts.printing import printed
from dashboards.reports.typesetting import typeset
from dashboards.web.console import Console
from tests.console.disputing import act, held, open_one, with_records
from tests.console.hands_building import SignedIn
from tests.console.test_reports import OVERPAID, content, replace_words, told
from tests.hands.stored import Recorded

NAMES = {
    "Latin": "Åsa Öström-Nguyễn",
    "Greek": "Ελένη Παπαδοπούλου",
    "Cyrillic": "Дмитрий Щербаков",
    "Hebrew": "שרה כהן־לוי",
    "Arabic": "محمد عبد الرحمن",
    "Devanagari": "प्रिया शर्मा",
    "Chinese": "王小明",
    "Japanese": "山田さくら",
    "Korean": "김민준",
}
TOGETHER = "\n".join(NAMES.values())
EVENT = told(OVERPAID, 12)[0].steps[-1]


@pytest.fixture
def records() -> Recorded:
    return held()


@pytest.fixture
def console(console: Console, records: Recorded) -> Console:
    return replaced(with_records(console), records=records.store)


def read_back(pdf: bytes) -> str:
    """What a person copies out of the pages in Chromium's reader."""
    return "\n".join(page.get_textpage().get_text_bounded() for page in PdfDocument(pdf))


def reported(*words: str) -> bytes:
    """A report of a round that holds these words as values, each on its own line, and nothing of the round."""
    page = replace_words(content(OVERPAID, 12), "")
    facts = tuple((f"Fact {place}", one) for place, one in enumerate(words))
    return typeset("hand.typ", replace(page, facts=facts, missing=()), EVENT.time)


def test_a_report_shows_names_in_all_nine_scripts() -> None:
    text = read_back(reported(*NAMES.values()))
    assert [script for script, name in NAMES.items() if name not in text] == []
    assert "[U+" not in text


def test_a_dispute_and_its_letter_show_what_the_patron_wrote_in_nine_scripts(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    one = open_one(hale, claim=TOGETHER)
    said = {"act": "decided", "version": 1, "ruling": "for the house", "amount_cents": 0, "reason": TOGETHER}
    assert act(hale, one.id, **said)[0] == 200
    for address in (f"/disputes/{one.id}.pdf", f"/disputes/{one.id}/letter.pdf"):
        text = read_back(hale.get(address).content)
        found = {script: text.count(name) for script, name in NAMES.items()}
        assert min(found.values()) >= 2, f"{address}: the claim and the reason, {found}"
        assert "[U+" not in text


@pytest.mark.parametrize("script", ["Hebrew", "Arabic"])
def test_what_is_written_from_right_to_left_keeps_its_place_among_other_words(script: str) -> None:
    name = NAMES[script]
    page = PdfDocument(reported(f"Paid to {name} 21 of 52"))[0].get_textpage()
    text = page.get_text_bounded()
    line = next(one for one in text.splitlines() if "Paid to" in one)
    at = text.index(line)
    first, last, word = (_left(page, at + line.index(one)) for one in (name[0], name[-1], "Paid"))
    assert word < last < first, "the name runs leftward, and stands after the words before it"
    number = _left(page, at + line.index("21"))
    assert first < number < _left(page, at + line.index("52")), "no number moves to the name's other end"


@pytest.mark.parametrize("name", ["علاء الدين", "سلام", "الإسلام", "لآلئ"])
def test_arabic_is_copied_as_it_was_written_where_a_font_would_join_two_letters_in_one_sign(
    name: str,
) -> None:
    paper = reported(f"Paid to {name} 21")
    words = read_back(paper).split()
    assert [one for one in name.split() if one not in words] == []
    if shutil.which("pdftotext"):
        read = subprocess.run(["pdftotext", "-", "-"], input=paper, capture_output=True, check=True).stdout
        marks = str.maketrans("", "", "\u202a\u202b\u202c\u2066\u2067\u2068\u2069")
        assert name in read.decode().translate(marks)


def _left(page: PdfTextPage, index: int) -> float:
    return float(page.get_charbox(index)[0])


def test_every_character_that_counts_as_shown_is_shown() -> None:
    """Those of all fonts, and every 40th of the one that holds 44,000: a page that lacks one is an error."""
    small, large = font_characters()[:-1], sorted(font_characters()[-1])
    codes = sorted(set(range(32, 0x2800)).union(*small, large[::40]))
    every = [chr(code) for code in codes if "[U+" not in printed(chr(code))]
    assert len(every) > 8_000
    assert reported(" ".join(every)).startswith(b"%PDF")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("山田\u3000さくら", "山田\u3000さくら"),
        ("می\u200cخواهم", "\u2067می\u200cخواهم\u2069"),
        ("a\u200cb", "a[U+200C]b"),
        ("م\u200c", "\u2067م\u2069[U+200C]"),
        ("ㅤ", "[U+3164]"),
        ("王\ufe00", "王[U+FE00]"),
        ("a\u093f", "a[U+093F]"),
        ("\u093f", "[U+093F]"),
        ("क\u0323", "क[U+0323]"),
        ("\u202eabc", "[U+202E]abc"),
        ("𠀋𪚥", "𠀋[U+2A6A5]"),
        ("שרה 150.00, דוד", "\u2067שרה 150.00, דוד\u2069"),
        ("To שרה 150.00, דוד 20", "To \u2067שרה\u2069 150.00, \u2067דוד\u2069 20"),
    ],
)
def test_nothing_is_hidden_and_no_amount_leaves_its_name(text: str, shown: str) -> None:
    assert printed(text) == shown


def test_what_one_person_wrote_is_set_by_its_first_letter() -> None:
    note = "שולם 20 ב BJ-12"
    assert printed(note, of_one_person=True) == f"\u2067{note}\u2069"
    assert printed("BJ-12: שולם", of_one_person=True) == "BJ-12: \u2067שולם\u2069"
    assert printed(note) == "\u2067שולם\u2069 20 \u2067ב\u2069 BJ-12"


def test_a_mark_is_asked_of_the_font_of_its_letter() -> None:
    assert has_glyphs("क्")
    assert not has_glyphs("王्")
