"""The model at the head of docs/witnesses.md: each sentence beside a test that there is."""

import re

from tests.documents.held import faults_of, rows_of, section

MODEL = section("witnesses.md", "## The model in short")
PROSE = MODEL.rpartition("```")[2]
ROWS = rows_of(section("witnesses.md", "### What holds the model"))
MOST_WORDS = 600


def test_each_sentence_of_the_model_names_tests_that_there_are() -> None:
    assert [fault for held in ROWS.values() for fault in faults_of(held)] == []
    numbers = re.findall(r"\. \[(\d+)\](?:\s|$)", PROSE)
    assert numbers == list(ROWS) == [str(number) for number in range(1, len(numbers) + 1)]


def test_no_sentence_of_the_model_is_without_a_number() -> None:
    *numbered, rest = re.sub(r"\*\*[^*]+\*\*", "", PROSE).split("]")
    assert rest.strip() == ""
    assert [one for one in numbered if len(re.findall(r"\.\s", one)) != 1] == []


def test_the_model_is_short() -> None:
    assert len(MODEL.split()) <= MOST_WORDS
