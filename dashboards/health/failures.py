"""Devices of a table that are silent or lose words, since when and at what cost, out of the findings about them."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct

from dashboards.reader import devices
from dashboards.reader.devices import DeviceFindingRow, UndecidedRow
from dashboards.reader.question import Reader
from processors.core.devices.health import named
from processors.core.state import Table
from schemas.findings import Finding

LOOKED_BACK = dt.timedelta(hours=24)
State = Literal["silent", "unreliable", "in order again"]
# By the event that a silent device owes: its name, and what it counts.
_SILENT = {
    "card_placed": ("layout", "cards laid"),
    "wager_placed": ("layout", "wagers"),
    "cards_racked": ("discard rack", "hands racked"),
    "card_drawn": ("shoe", "cards drawn"),
    "hole_card_read": ("card reader", "readings"),
    "round_started, round_ended": ("console", "steps and decisions"),
}
_read = msgspec.json.Decoder(Finding).decode


class Failure(Struct, frozen=True, kw_only=True):
    """A stretch in which a device failed: from event `since`, of the time `since_at`, over at event `until`.

    `at` is when it was found, `finding` the finding that says so. `words_lost` are those known to be lost, so at least
    as many are; `rounds` those that lack them. `found_as` is the device that the finding names: of one that broke as a
    whole each part stands here by itself.
    """

    table: str
    device: str
    words: str
    state: State
    finding: str
    since: int
    since_at: dt.datetime
    at: dt.datetime
    until: int | None = None
    over_at: dt.datetime | None = None
    words_lost: int
    rounds: int
    message: str
    found_as: str = ""

    @property
    def goes_on(self) -> bool:
        """Whether the device still fails, as far as is known."""
        return self.until is None


def failures(rows: Iterable[DeviceFindingRow], undecided: Iterable[UndecidedRow]) -> tuple[Failure, ...]:
    """The stretches of these findings, those that go on first, then the latest.

    While one goes on the findings do not say which rounds lack its words: they are those left undecided since.
    """
    lacking: dict[str, list[int]] = defaultdict(list)
    for round_ in undecided:
        lacking[round_.subject].append(round_.last_sequence)
    found: dict[str, Failure] = {}
    for row in rows:
        finding = _read(row.record)
        if finding.severity == "info":
            begun = found.get(str(finding.because_of))
            if begun is not None and isinstance(finding.observed, dict):
                found[begun.finding] = _over(begun, finding.observed, row)
        else:
            rounds = lacking[row.subject]
            failure = _begun(row, finding)
            cost = len(rounds) - bisect_left(rounds, failure.since)
            found[finding.finding_id] = msgspec.structs.replace(failure, rounds=cost)
    latest = sorted(found.values(), key=lambda one: one.at, reverse=True)
    return tuple(sorted(latest, key=lambda one: not one.goes_on))


class DevicePart(Struct, frozen=True, kw_only=True):
    """A device of a table by what it reports: its stretch that goes on, or the last one that is over, if any."""

    device: str
    words: str
    failure: Failure | None


def parts(failed: Iterable[Failure], *, reader: bool) -> tuple[DevicePart, ...]:
    """Every device of one table, also those in order; `reader`: its game has a card reader."""
    last: dict[tuple[str, str], Failure] = {}
    for one in failed:  # those that go on come first
        last.setdefault((one.device, one.words), one)
    usual = [part for part in _SILENT.values() if reader or part[0] != "card reader"]
    others = [part for part in last if part not in usual]
    return tuple(
        DevicePart(device=device, words=words, failure=last.get((device, words)))
        for device, words in (*usual, *others)
    )


def _begun(row: DeviceFindingRow, finding: Finding) -> Failure:
    observed: dict[str, Any] = finding.observed if isinstance(finding.observed, dict) else {}
    expected: dict[str, Any] = finding.expected if isinstance(finding.expected, dict) else {}
    silent = "silent_since" in observed
    device, words = _SILENT.get(str(expected.get("event")), ("device", "words"))
    lost = len(finding.sequences) if finding.missing is UNSET else 0
    return Failure(
        table=row.subject,
        device=str(observed.get("device", device)),
        found_as=str(observed.get("device", device)),
        words=str(observed.get("words", words)),
        state="silent" if silent else "unreliable",
        finding=finding.finding_id,
        since=int(observed.get("silent_since", observed.get("since", row.sequence))),
        since_at=row.decided_at,
        at=row.decided_at,
        words_lost=int(observed.get("words_lost", lost)),
        rounds=0,
        message=finding.message,
    )


def _over(begun: Failure, observed: dict[str, Any], row: DeviceFindingRow) -> Failure:
    return msgspec.structs.replace(
        begun,
        state="in order again",
        until=row.sequence,
        over_at=row.decided_at,
        words_lost=int(observed.get("words_lost", 0)),
        rounds=int(observed.get("rounds", begun.rounds)),
    )


def still_going(failure: Failure, table: Table) -> tuple[Failure, ...]:
    """A stretch that goes on, as its table has counted it by now, and the parts of the same device that failed with it.

    The record says once that a device broke as a whole: its parts stand under the one finding, since its one event.
    """
    going: list[Failure] = []
    for what, tally in table.health.items():
        stretch = tally.stretch
        if stretch is None or failure.finding not in (stretch.finding_id, stretch.beside):
            continue
        count = msgspec.structs.replace(failure, words_lost=stretch.words, rounds=stretch.rounds)
        if stretch.beside:
            device, words = named(what)
            count = msgspec.structs.replace(count, device=device, words=words)
        going.append(count)
    return tuple(going) or (failure,)


def failures_of(reader: Reader, newest: dt.datetime, subject: str = "") -> tuple[Failure, ...]:
    """The stretches of one table, or of all, in the last day before `newest`.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    return failures_since(reader, newest - LOOKED_BACK, subject)


def failures_since(reader: Reader, since: dt.datetime, subject: str = "") -> tuple[Failure, ...]:
    """The stretches of one table, or of all, that were found from `since` on.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    rows = devices.found(since, subject).ask(reader)
    found = failures(rows, devices.undecided(since, subject).ask(reader) if rows else ())
    begun = devices.begun((one.table, one.since) for one in found).ask(reader) if found else ()
    times = {(row.subject, row.sequence): row.time for row in begun}
    return tuple(
        msgspec.structs.replace(one, since_at=times.get((one.table, one.since), one.at)) for one in found
    )
