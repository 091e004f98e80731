"""Numbers beside their nouns agree with one, and the sources say them in one way."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from dashboards.wording.short_titles.title import LONGEST
from schemas.amounts import amount, verb
from tests.architecture.tracked import ROOT, syntax_of, tracked_files
from tests.golden.titles import entitled

_COUNTED = (
    "alerts|attempts|batches|boxes|cards|cases|checkpoints|checks|chips|copies|days|decks|disputes|entries|events|"
    "files|findings|frames|hands|hours|ids|letters|lines|migrations|minutes|observations|partitions|players|"
    "provisions|records|relations|results|rounds|rows|scenarios|seals|seats|seconds|shoes|stacks|stakes|tables|"
    "topics|users|words|years"
)
_BESIDE = re.compile(
    rf"^ (?:(?:adjacent|dead|drawn|lawful|more|open|other|unsent|void) )?(?:{_COUNTED})\b(?!/)"
)
_LIMIT = re.compile(r"_?[A-Z]{2}")  # a constant, never one
_MEASURE = re.compile(r"(?:\.[1-9]f|g)'$")  # the format of what is measured, not counted
_NO_NUMBERS = {"asked.tab", "rules.severity"}  # words before a noun
_SAYING = ("schemas/", "processors/", "producers/", "dashboards/", "deploy/")
_FROZEN = "processors/detectors/"  # has `amount` of its own beside its figures


@pytest.mark.parametrize(
    ("number", "noun", "said"),
    [
        (0, "card", "0 cards"),
        (1, "card", "1 card"),
        (1404, "hand", "1,404 hands"),
        (2, "adjacent box", "2 adjacent boxes"),
        (2, "batch of cards", "2 batches of cards"),
        (1, "batch of cards", "1 batch of cards"),
        (2, "shoe or round", "2 shoes or rounds"),
        (2, "round called void", "2 rounds called void"),
        (2, "entry of a log", "2 entries of a log"),
        (2, "gaming day", "2 gaming days"),
    ],
)
def test_a_noun_agrees_with_its_number(number: int, noun: str, said: str) -> None:
    assert amount(number, noun) == said


@pytest.mark.parametrize(
    ("of_one", "of_several"),
    [
        ("was", "were"),
        ("is", "are"),
        ("has", "have"),
        ("lies", "lie"),
        ("goes", "go"),
        ("does", "do"),
        ("differs", "differ"),
    ],
)
def test_a_verb_agrees_with_its_number(of_one: str, of_several: str) -> None:
    assert [verb(number, of_one) for number in (0, 1, 2)] == [of_several, of_one, of_several]


def _written_beside(text: str) -> Iterator[str]:
    """Each number of a template beside a noun of several that is written out."""
    for node in ast.walk(syntax_of(text)):
        if isinstance(node, ast.JoinedStr):
            for number, after in zip(node.values, node.values[1:], strict=False):
                words = after.value if isinstance(after, ast.Constant) else ""
                if not (isinstance(number, ast.FormattedValue) and isinstance(words, str)):
                    continue
                said, form = ast.unparse(number.value), ast.unparse(number.format_spec or ast.Constant(""))
                in_words = isinstance(number.value, ast.Call) and not said.startswith(("len(", "sum("))
                no_count = _LIMIT.match(said) or said in _NO_NUMBERS or _MEASURE.search(form)
                if not (in_words or no_count) and _BESIDE.match(words):
                    yield said + words


def test_a_noun_written_out_beside_a_number_is_seen() -> None:
    assert len(list(_written_beside('f"{n} cards were left"'))) == 1
    assert len(list(_written_beside('f"{len(n):,} more decks, {m} seats"'))) == 2
    assert list(_written_beside('f"{n:,.1f} days of {MOST} files, {n} events/s"')) == []
    assert list(_written_beside("f\"{amount(n, 'card')} of {m}, {cardinal(n)} cards\"")) == []


def test_messages_say_numbers_beside_their_nouns_in_one_way() -> None:
    sources = [
        path
        for path in tracked_files()
        if path.suffix == ".py"
        and (name := str(path.relative_to(ROOT))).startswith(_SAYING)
        and not name.startswith(_FROZEN)
    ]
    assert len(sources) > 200
    found = [f"{path}: {one}" for path in sources for one in _written_beside(path.read_text("utf-8"))]
    assert found == []


@pytest.mark.parametrize(
    ("check", "message", "title"),
    [
        (
            "integrity.shoe",
            "1 card was left in shoe 1; by count there should be 0.",
            "1 card was left in shoe 1; by count there should be 0",
        ),
        (
            "shuffle_cut.shuffle_whole_rack",
            "1 card of the rack was taken for the new stack; the rack holds 57.",
            "1 card was taken for the new stack; the rack holds 57",
        ),
        (
            "shoe.early_reshuffle",
            "Shoe 1 was replaced in the middle of a round with 1 card left in it.",
            "Shoe 1 was replaced within a round with 1 card left",
        ),
        (
            "stacks.six_cards",
            "Position 1 was dealt 1 card instead of 6, and the round went on.",
            "Position 1 was dealt 1 card, not 6, and the round went on",
        ),
        (
            "stub.unwagered",
            "Position 3 has no wager; 1 of the 6 cards of its stack was put in the discard rack.",
            "Position 3 has no wager; 1 of its 6 cards was racked",
        ),
        (
            "submission.match_decks",
            "Match-the-Dealer is offered at a table of 1 deck; it may be offered with 6 or 8 decks only.",
            "Match-the-Dealer offered with 1 deck; allowed with 6 or 8",
        ),
    ],
)
def test_a_title_agrees_with_one_as_its_message_does(check: str, message: str, title: str) -> None:
    assert entitled(check, message) == title
    assert len(title) <= LONGEST
