"""Readings, decisions and glossary agree with the code and with themselves."""

import re
from pathlib import Path

from msgspec import structs

from processors.games.readings import READINGS
from schemas.events.envelope import Envelope
from schemas.findings import Finding
from schemas.rounds import RoundResult

ROOT = Path(__file__).resolve().parents[2]


def _text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_every_reading_stands_once_with_question_and_answer() -> None:
    rows = re.findall(
        r"^\| A(\d+) \| (.+?) \| (.+) \|$", _text("docs/readings.md").partition("## All readings")[2], re.M
    )
    assert sorted(int(number) for number, _, _ in rows) == [*range(1, 65), *range(70, 76)]


def test_the_policies_of_the_document_are_those_of_the_code() -> None:
    table = _text("docs/readings.md").partition("## Policies")[2].partition("## All readings")[0]
    rows = re.findall(r"^\| (A\d+) \| (.+) \| (.+) \|$", table, re.M)
    shown = {
        name: (re.findall(r"`(\w+)`", default), re.findall(r"`(\w+)`", rivals))
        for name, default, rivals in rows
    }
    assert shown == {name: ([reading.default], list(reading.rivals)) for name, reading in READINGS.items()}


def test_decisions_are_numbered_in_order_and_dated_in_order() -> None:
    heads = re.findall(r"^(\d+)\. \*\*(\d{4}-\d\d-\d\d)\. ", _text("DECISIONS.md"), re.M)
    assert [int(number) for number, _ in heads] == list(range(1, len(heads) + 1))
    dates = [date for _, date in heads]
    assert dates == sorted(dates)


def test_the_glossary_gives_each_term_once_and_in_order() -> None:
    for section in _text("GLOSSARY.md").split("\n## ")[1:]:
        terms = re.findall(r"^\| (.+?) \| .+ \|$", section, re.M)[1:]
        assert terms == sorted(terms, key=str.lower)
        assert len(set(terms)) == len(terms)


def _fields(document: str, section: str) -> set[str]:
    text = _text(document).partition(f"## {section}")[2].partition("\n## ")[0]
    return set(re.findall(r"^\| `(\w+)` \|", text, re.M))


def test_the_documents_name_every_field_there_is_and_no_other() -> None:
    def named(struct: type) -> set[str]:
        return {field.encode_name for field in structs.fields(struct)}

    assert _fields("docs/files.md", "`rounds.ndjson`") == named(RoundResult)
    assert _fields("docs/files.md", "`findings.ndjson`") == named(Finding)
    assert _fields("docs/contract.md", "Envelope") == named(Envelope) | {"type"}
