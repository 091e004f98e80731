"""The same JSON written otherwise: every spelling that RFC 8259 allows, and things that I-JSON refuses."""

from __future__ import annotations

import json
from random import Random
from typing import Any

SPACE = " \t\r"  # a line feed would end the line
SHORT = {
    '"': '\\"',
    "\\": "\\\\",
    "/": "\\/",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\b": "\\b",
    "\f": "\\f",
}


def spelt(value: Any, choose: Random, often: float = 0.3) -> str:
    """A JSON value in one of its spellings: white space, order of names, escapes and forms of numbers are chosen."""
    match value:
        case dict():
            members = list(value.items())
            if choose.random() < often:
                choose.shuffle(members)
            told = [
                f"{_text(name, choose, often)}{_space(choose)}:{_space(choose)}{spelt(inner, choose, often)}"
                for name, inner in members
            ]
            return "{" + _joined(told, choose) + "}"
        case list():
            return "[" + _joined([spelt(inner, choose, often) for inner in value], choose) + "]"
        case str():
            return _text(value, choose, often)
        case int() if not isinstance(value, bool):
            return _number(value, choose, often)
    return json.dumps(value)


def line_of(event: dict[str, Any], choose: Random) -> bytes:
    """An event as one line; it may begin with white space, and end with it but for a carriage return."""
    return (_space(choose) + spelt(event, choose) + choose.choice(["", "", " ", "\t"])).encode()


def _joined(told: list[str], choose: Random) -> str:
    return _space(choose) + f"{_space(choose)},{_space(choose)}".join(told) + _space(choose)


def _space(choose: Random) -> str:
    return choose.choice(SPACE) * choose.randint(1, 2) if choose.random() < 0.1 else ""


def _text(text: str, choose: Random, often: float) -> str:
    escaped = choose.random() < often
    return '"' + "".join(_letter(letter, escaped and choose.random() < 0.4, choose) for letter in text) + '"'


def _letter(letter: str, escaped: bool, choose: Random) -> str:
    if not escaped and letter >= " " and letter not in '"\\':
        return letter
    if letter in SHORT and choose.random() < 0.5:
        return SHORT[letter]
    units = letter.encode("utf-16-be")
    told = "".join(f"\\u{units[at] << 8 | units[at + 1]:04x}" for at in range(0, len(units), 2))
    return told if choose.random() < 0.5 else told.upper().replace("\\U", "\\u")


def _number(number: int, choose: Random, often: float) -> str:
    if choose.random() >= often or abs(number) >= 1 << 53:
        return str(number)
    forms = [f"{number}.0", f"{number}.000", f"{number}e0", f"{number * 10}E-1", f"{number}.0e+0"]
    if number == 0:
        forms.append("-0")
    if number and number % 100 == 0:
        forms += [f"{number // 100}e2", f"{number // 100}.00E+02"]
    return choose.choice(forms)


def escaped(name: str, at: int) -> str:
    """A name with its letter at this place escaped."""
    return f"{name[:at]}\\u{ord(name[at]):04x}{name[at + 1 :]}"
