"""Rounds by the event they began with: a table may deal two rounds of one number, and an alert is of one of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec
from msgspec import Struct

from dashboards.desk.alerts import Alert
from dashboards.reader.question import Reader
from dashboards.reader.restitution import ended_rounds, started_rounds

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
        in_order = sorted(wanted)
        for at in range(0, len(in_order), AT_ONCE):
            for ended in ended_rounds(subject, in_order[at : at + AT_ONCE]).ask(reader):
                found[subject, ended.round].add(ended.first_sequence)
        for started in started_rounds(subject).ask(reader):
            number = _STARTED.decode(started.line).data.round
            if number in wanted:
                found[subject, number].add(started.sequence)
    return {number: tuple(sorted(firsts)) for number, firsts in found.items()}


def first_before(firsts: Iterable[int], sequence: int) -> int | None:
    """The round of an event, by its first: the last that began by then, since a finding may come after its round."""
    return max((one for one in firsts if one <= sequence), default=None)


def numbers_closed(alerts: Iterable[Alert]) -> set[RoundNumber]:
    """Tables and numbers of the rounds of the alerts that were closed with an amount."""
    return {
        (one.finding.subject, one.finding.round)
        for one in alerts
        if one.money_cents and not one.open and isinstance(one.finding.round, int)
    }


def begun_of_closed(reader: Reader, alerts: Iterable[Alert], number: RoundNumber, first: int) -> Begun:
    """The rounds of a number, `first` among them, as far as alerts of them were closed with an amount.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    if number not in numbers_closed(alerts):
        return {}
    return {number: tuple(sorted({first, *begun(reader, [number]).get(number, ())}))}
