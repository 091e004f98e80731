"""Lines that are no event of the contract, each made from an event that is one."""

from __future__ import annotations

import json
from collections.abc import Callable

GARBAGE: dict[str, bytes] = {
    "invalid UTF-8": b'{"specversion":"1.0","id":"\xff\xfe"}',
    "half a UTF-8 character": "{é".encode()[:-1],
    "a megabyte": b'{"data":"' + b"x" * (1 << 20) + b'"}',
    "a megabyte of white space": b" " * (1 << 20),
    "a hundred thousand brackets": b"[" * 100_000,
    "a hundred thousand objects": b'{"a":' * 100_000,
    "null bytes": b"\x00" * 40,
    "white space": b"  \t ",
    "a number": b"42",
    "a list": b"[]",
    "an empty object": b"{}",
    "null": b"null",
    "a string": b'"card_drawn"',
    "no JSON": b"shoe jammed, see log",
    "half a line": b'{"specversion":"1.0","id":"FB-12-',
    "a byte order mark": b"\xef\xbb\xbf",
}


def _with(**changes: object) -> Callable[[bytes], bytes]:
    def change(line: bytes) -> bytes:
        return json.dumps({**json.loads(line), **changes}, separators=(",", ":")).encode()

    return change


def _without(name: str) -> Callable[[bytes], bytes]:
    def change(line: bytes) -> bytes:
        event = json.loads(line)
        del event[name]
        return json.dumps(event, separators=(",", ":")).encode()

    return change


def _data(text: str) -> Callable[[bytes], bytes]:
    """A `wager_placed` whose data is this text."""

    def change(line: bytes) -> bytes:
        event = {**json.loads(line), "type": "catwalk.v1.wager_placed"}
        del event["data"]
        return json.dumps(event).encode()[:-1] + f',"data":{text}}}'.encode()

    return change


def _wager(cents: str, more: str = "") -> Callable[[bytes], bytes]:
    return _data(f'{{"seat":1,"kind":"main","cents":{cents}{more}}}')


SPOILT: dict[str, Callable[[bytes], bytes]] = {
    "a BOM before the event": lambda line: b"\xef\xbb\xbf" + line,
    "a truncated end": lambda line: line[:-7],
    "something after the event": lambda line: line + b" x",
    "the event twice": lambda line: line + line,
    "a null byte in it": lambda line: line.replace(b'"data"', b'"da\x00ta"'),
    "a raw control character": lambda line: line.replace(b'"id":"', b'"id":"\x01'),
    "an unknown type": _with(type="catwalk.v1.card_swallowed"),
    "a type of the next version": _with(type="catwalk.v2.card_drawn"),
    "a type that is a number": _with(type=7),
    "no subject": _without("subject"),
    "no data": _without("data"),
    "no prevhash": _without("prevhash"),
    "a subject that is a path": _with(subject="../../etc/passwd"),
    "a subject of a thousand letters": _with(subject="F" * 1000),
    "a sequence in words": _with(sequence="forty"),
    "a sequence of nought": _with(sequence=0),
    "a sequence below nought": _with(sequence=-3),
    "a sequence that is a fraction": _with(sequence=1.5),
    "a sequence as large as a star": _with(sequence=10**30),
    "a time without a zone": _with(time="2026-03-02T15:00:01"),
    "a thirteenth month": _with(time="2026-13-02T15:00:01Z"),
    "a short hash": _with(prevhash="00"),
    "a hash in capitals": _with(prevhash="AB" * 32),
    "data that is a list": _with(data=[]),
    "data of another event": _with(data={"no": "such field"}),
    "a name twice in the envelope": lambda line: b'{"id":"another",' + line[1:],
    "a name twice, once escaped": lambda line: b'{"\\u0069d":"another",' + line[1:],
    "a name twice in the data": _wager("100", ',"cents":100'),
    "a name twice, nested": lambda line: line[:-1] + b',"extension":{"a":1,"b":[{"a":1,"a":2}]}}',
    "NaN": _wager("NaN"),
    "Infinity": _wager("Infinity"),
    "minus Infinity": _wager("-Infinity"),
    "NaN where nobody looks": lambda line: line[:-1] + b',"extension":NaN}',
    "1e400": _wager("1e400"),
    "a huge integer": _wager("1" + "0" * 5000),
    "half a cent": _wager("100.5"),
    "cents in words": _wager('"hundred"'),
    "cents below nought": _wager("-100"),
    "a lone surrogate": _wager("100", ',"player":"\\ud800"'),
    "a lone surrogate where nobody looks": lambda line: line[:-1] + b',"extension":"\\udc00"}',
    "nested too deeply where nobody looks": lambda line: (
        line[:-1] + b',"extension":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    ),
    "a hand that does not exist": _wager("100", ',"hand":"10.1"'),
    "a number for a card": _with(type="catwalk.v1.card_drawn", data={"card": 7}),
    "a card that does not exist": _with(type="catwalk.v1.card_drawn", data={"card": "1s"}),
    "null for a choice": _with(type="catwalk.v1.card_drawn", data={"card": "As", "from_hand": None}),
    "a thousand and one cards": _with(type="catwalk.v1.stack_dispensed", data={"cards": ["As"] * 1001}),
}
