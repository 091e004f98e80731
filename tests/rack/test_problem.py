"""A problem is decoded strictly: what is wrong is said with its place."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from benchmarks.rack_dealing import House
from processors.rack.solving import ProblemError, decode_problem
from tests.rack.asking import problem

GOOD = problem("9c 8d Th 7s", House("free_bet_672a"))


def _without(name: str) -> dict[str, Any]:
    table = {key: value for key, value in GOOD["table"].items() if key != name}
    return GOOD | {"table": table}


BAD: list[tuple[str, dict[str, Any], str, str]] = [
    ("an unknown field", GOOD | {"upkard": "Th"}, "upkard", "$"),
    ("an unknown card", GOOD | {"rack": ["9c", "1x"]}, "1x", "$.rack[1]"),
    ("a joker", GOOD | {"rack": ["9c", "Jo"]}, "joker", "$.rack[1]"),
    ("a joker known", GOOD | {"known": {"1.1": ["Jo"]}}, "joker", "$.known[1.1][0]"),
    ("a joker drawn", GOOD | {"drawn": ["Jo"]}, "joker", "$.drawn[0]"),
    ("a joker up", GOOD | {"upcard": "Jo"}, "joker", "$.upcard[0]"),
    ("a poker game", GOOD | {"ruleset": "fortune_670a10"}, "fortune_670a10", "$.ruleset"),
    ("a table without its pickup order", _without("pickup_order"), "pickup_order", "$.table"),
    ("a hand that is none", GOOD | {"known": {"seat 1": ["9c"]}}, "seat 1", "$.known"),
    ("a hand without cards", GOOD | {"known": {"1.1": []}}, "no card", "$.known[1.1]"),
    ("a seat that the table has not", GOOD | {"seats": [1, 7]}, "seat 7", "$.seats[1]"),
    ("a seat named twice", GOOD | {"seats": [1, 1]}, "twice", "$.seats[1]"),
    ("no seat at all", GOOD | {"seats": []}, "no round", "$.seats"),
    ("a negative number of early cards", GOOD | {"early": -1}, ">= 0", "$.early"),
    ("a rack that is text", GOOD | {"rack": "9c 8d"}, "array", "$.rack"),
]


@pytest.mark.parametrize(("stated", "word", "path"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_what_is_wrong_is_named_with_its_place(stated: dict[str, Any], word: str, path: str) -> None:
    with pytest.raises(ProblemError) as caught:
        decode_problem(msgspec.json.encode(stated))
    assert word in caught.value.reason
    assert caught.value.path.startswith(path)


@pytest.mark.parametrize(
    ("data", "word"), [(b"", "JSON"), (b"{", "JSON"), (b"\xff{}", "JSON"), (b"[]", "object")]
)
def test_what_is_no_json_of_a_problem_is_refused(data: bytes, word: str) -> None:
    with pytest.raises(ProblemError, match=word):
        decode_problem(data)


def test_a_name_that_stands_twice_is_refused() -> None:
    data = msgspec.json.encode(GOOD)
    with pytest.raises(ProblemError, match="twice"):
        decode_problem(data[:-1] + b',"rack":["9c"]}')


def test_what_is_not_known_may_be_null_or_absent() -> None:
    names = ("seats", "drawn", "known", "upcard", "surrendered", "early")
    decoded = decode_problem(msgspec.json.encode(GOOD | dict.fromkeys(names)))
    assert decoded == decode_problem(msgspec.json.encode(GOOD))


def test_the_published_form_of_table_configured_is_taken_with_fields_yet_unknown() -> None:
    table = GOOD["table"] | {"layout": ["name"], "cameras": ["C-1"], "added_later": 1}
    assert decode_problem(msgspec.json.encode(GOOD | {"table": table})) == decode_problem(
        msgspec.json.encode(GOOD)
    )
