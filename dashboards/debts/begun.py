"""Rounds by the event they began with: a table may deal two rounds of one number, and an alert is of one of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec
from msgspec import Struct

from dashboards.desk.alerts import Alert
from dashboards.reader.question import Reader
from dashboards.reader.restitution import BegunRow, ended_rounds, started_rounds

AT_ONCE: Final = 100  # numbers asked for at a time
RoundNumber = tuple[str, int]  # table and number
Begun = Mapping[RoundNumber, tuple[int, ...]]


class _Started(Struct, frozen=True):
    round: int


class _StartedLine(Struct, frozen=True):
    data: _Started


_STARTED = msgspec.json.Decoder(_StartedLine)


def begun(reader: Reader, numbers: Iterable[RoundNumber]) -> Begun:
    """The first events of every round of these numbers in order, also of a round that goes on.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    of_table: dict[str, set[int]] = defaultdict(set)
    for subject, number in numbers:
        of_table[subject].add(number)
    found: dict[RoundNumber, set[int]] = defaultdict(set)
    for subject, wanted in of_table.items():
        # Asked for first: a round that ends between the two questions is in the second answer.
        for number, first in _going_on(reader, subject):
            if number in wanted:
                found[subject, number].add(first)
        for ended in _ended(reader, subject, wanted):
            found[subject, ended.round].add(ended.first_sequence)
    return {number: tuple(sorted(firsts)) for number, firsts in found.items()}


def begun_with(reader: Reader, number: RoundNumber, first: int) -> Begun:
    """The rounds of a number, of which the one that began with event `first` is known.

    Where that one goes on, no other does: an event that tells late of its start begins no second round.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    subject, wanted = number
    going_on = [one for told, one in _going_on(reader, subject) if told == wanted]
    ended = [one.first_sequence for one in _ended(reader, subject, [wanted])]
    return {number: tuple(sorted({first, *ended, *(going_on if first in ended else ())}))}


def _going_on(reader: Reader, subject: str) -> list[tuple[int, int]]:
    """Number and event of each start that was told behind the last round that ended at a table."""
    told = started_rounds(subject).ask(reader)
    return [(_STARTED.decode(one.line).data.round, one.sequence) for one in told]


def _ended(reader: Reader, subject: str, numbers: Iterable[int]) -> Iterator[BegunRow]:
    in_order = sorted(numbers)
    for at in range(0, len(in_order), AT_ONCE):
        yield from ended_rounds(subject, in_order[at : at + AT_ONCE]).ask(reader)


def first_before(firsts: Iterable[int], sequence: int) -> int | None:
    """The round of an event, by its first: the last that began by then, since a finding may come after its round."""
    return max((one for one in firsts if one <= sequence), default=None)


def numbers_closed(alerts: Iterable[Alert]) -> set[RoundNumber]:
    """Tables and numbers of the rounds of the alerts that were closed with an amount."""
    return {
        (one.finding.subject, one.finding.round)
        for one in alerts
        if one.money_cents and one.closing_holds and isinstance(one.finding.round, int)
    }


def begun_of_closed(reader: Reader, alerts: Iterable[Alert], number: RoundNumber, first: int) -> Begun:
    """The rounds of a number, `first` among them, as far as alerts of them were closed with an amount.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    if number not in numbers_closed(alerts):
        return {}
    return begun_with(reader, number, first)
