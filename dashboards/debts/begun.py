"""Rounds by the event they began with: a table may deal two rounds of one number, and an alert is of one of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from dashboards.desk.alerts import Alert
from dashboards.reader.question import Reader
from dashboards.reader.restitution import ended_rounds, started_rounds
from dashboards.reader.rounds import RoundNumber

AT_ONCE: Final = 100  # numbers, rounds or tables asked for at a time
T = TypeVar("T")
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
    wanted = set(numbers)
    # Asked for first: a round that ends between the two questions is in the second answer.
    going_on = started(reader, {subject for subject, _ in wanted})
    found = _ended(reader, wanted)
    for number in wanted & going_on.keys():
        found[number].update(going_on[number])
    return {number: tuple(sorted(firsts)) for number, firsts in found.items()}


def begun_with(reader: Reader, number: RoundNumber, first: int) -> Begun:
    """The rounds of a number, of which the one that began with event `first` is known.

    Where that one goes on, no other does: an event that tells late of its start begins no second round.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    going_on = started(reader, {number[0]})
    return {number: all_with(first, _ended(reader, [number])[number], going_on.get(number, ()))}


def all_with(first: int, ended: Collection[int], going_on: Iterable[int]) -> tuple[int, ...]:
    """The rounds of a number in order, by their first events: the known one, those that ended, and the one going on."""
    return tuple(sorted({first, *ended, *(going_on if first in ended else ())}))


def started(reader: Reader, subjects: Collection[str]) -> Mapping[RoundNumber, list[int]]:
    """By number the events of the starts that were told behind the last round that ended at their table.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    found: dict[RoundNumber, list[int]] = defaultdict(list)
    for part in parts(sorted(subjects)):
        for one in started_rounds(part).ask(reader):
            found[one.subject, _STARTED.decode(one.line).data.round].append(one.sequence)
    return found


def parts(of: Iterable[T], most: int = AT_ONCE) -> Iterator[tuple[T, ...]]:
    """These in order, as many at a time as one question may ask for."""
    rest = iter(of)
    while part := tuple(islice(rest, most)):
        yield part


def _ended(reader: Reader, numbers: Collection[RoundNumber]) -> dict[RoundNumber, set[int]]:
    found: dict[RoundNumber, set[int]] = defaultdict(set)
    for part in parts(sorted(numbers)):
        for one in ended_rounds(part).ask(reader):
            found[one.subject, one.round].add(one.first_sequence)
    return found


def first_holding(firsts: Iterable[int], at: int | None) -> int | None:
    """Which of these rounds in order holds an event, by its first; of an event before them all, the last."""
    firsts = tuple(firsts)
    return max((one for one in firsts if at is None or one <= at), default=firsts[-1] if firsts else None)


def first_before(firsts: Iterable[int], sequence: int) -> int | None:
    """The round of an event, by its first: the last that began by then, since a finding may come after its round."""
    return max((one for one in firsts if one <= sequence), default=None)


def numbers_closed(alerts: Iterable[Alert]) -> set[RoundNumber]:
    """Tables and numbers of the rounds of the alerts that were closed with an amount."""
    closed = (one for one in alerts if one.money_cents and one.closing_holds)
    return {(subject, number) for subject, number in map(number_of, closed) if number is not None}


def number_of(alert: Alert) -> tuple[str, int | None]:
    """Table and number of the round of an alert; None between rounds."""
    return alert.finding.subject, alert.finding.round


def begun_of_closed(reader: Reader, alerts: Iterable[Alert], number: RoundNumber, first: int) -> Begun:
    """The rounds of a number, `first` among them, as far as alerts of them were closed with an amount.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    if number not in numbers_closed(alerts):
        return {}
    return begun_with(reader, number, first)
