"""The audit log: who saw, acknowledged, disposed of and exported what, as it stands in the chain; and its proof."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.exceptions import PermissionDeniedException
from litestar.params import QueryParameter
from msgspec import Struct

from dashboards.desk.acts import OnAlert, Raised, Record
from dashboards.desk.dispute_acts import DisputeAct
from dashboards.desk.proof import Proven, hash_of, prove
from dashboards.desk.summary import Entry, entry
from dashboards.server.accounts import User
from dashboards.server.console import Console
from dashboards.server.dispute_views import is_theirs
from dashboards.server.rendering import page
from schemas.envelope import GENESIS

PAGE = 100  # records shown at once
SEARCHED = 20_000  # records looked through for one page of a filtered log: some 100 ms
MOST_PROVEN = (
    500_000  # records proven or exported at once: a quarter of a second of one core for each 100,000
)
_AT_ONCE = 2_000
_read = msgspec.json.Decoder(Record).decode

Asked = Request[User, str, Any]
Who = Annotated[str, QueryParameter(max_length=64)]
What = Annotated[str, QueryParameter(max_length=64)]
Number = Annotated[int | None, QueryParameter(ge=1)]


class Row(Struct, frozen=True, kw_only=True):
    """One line of the log; `entry` is None where the record is withheld from the reader: its hash still counts."""

    sequence: int
    hash: str
    entry: Entry | None


class Found(Struct, frozen=True, kw_only=True):
    """A page of the log, the newest first; `further` is where the next page begins, None at the log's beginning.

    `searched_to` is the oldest record that was looked at.
    """

    rows: tuple[Row, ...]
    further: int | None
    searched_to: int


class Wanted(Struct, frozen=True, kw_only=True):
    """Which records: all empty means every one; `before` a number, days in UTC."""

    who: str = ""
    what: str = ""
    about: str = ""
    day: dt.date | None = None
    before: int | None = None

    def takes(self, one: Entry) -> bool:
        """Whether a record is one of them."""
        told = " ".join((one.about, *one.detail)).lower()
        return (
            self.who.lower() in one.actor.lower()
            and self.what.lower() in one.action.lower()
            and self.about.lower() in told
            and (self.day is None or one.at.date() == self.day)
        )


def may_read(console: Console, user: User, about: str) -> None:
    """Return if the user reads the log; a refusal is kept.

    Raises:
        PermissionDeniedException: they do not.
    """
    if not console.role(user).reads_log:
        console.note(user.name, "page", about, granted=False, reason=f"role {user.role}")
        raise PermissionDeniedException(f"the role {user.role} does not read the audit log")


def search(console: Console, user: User, wanted: Wanted) -> Found:
    """The newest records that are wanted, of those before `wanted.before`."""
    desk = console.desk
    last = desk.records if wanted.before is None else min(wanted.before - 1, desk.records)
    rows: list[Row] = []
    reached = last + 1
    everything = wanted == Wanted(before=wanted.before)
    while reached > 1 and len(rows) < PAGE and last - reached < SEARCHED:
        first = max(1, reached - (PAGE if everything else _AT_ONCE))
        for line in reversed(desk.lines(first, reached - first)):
            if len(rows) == PAGE:
                break
            row = _row(console, user, line)
            reached = row.sequence
            if everything or (row.entry is not None and wanted.takes(row.entry)):
                rows.append(row)
    return Found(rows=tuple(rows), further=reached if reached > 1 else None, searched_to=reached)


def _row(console: Console, user: User, line: bytes) -> Row:
    record = _read(line)
    seen = entry(record) if _readable(console, user, record) else None
    return Row(sequence=record.sequence, hash=hash_of(line), entry=seen)


def _readable(console: Console, user: User, record: Record) -> bool:
    act = record.data
    if isinstance(act, Raised | OnAlert):
        name = act.finding.finding_id if isinstance(act, Raised) else act.alert
        alert = console.desk.alert(name)
        return alert is not None and console.sees(user, alert)
    if isinstance(act, DisputeAct):
        dispute = console.desk.dispute(act.dispute)
        return dispute is not None and is_theirs(console, user, dispute)
    return True


@get("/log", sync_to_thread=True)
def audit_log(
    request: Asked,
    console: NamedDependency[Console],
    who: Who = "",
    what: What = "",
    about: What = "",
    day: Annotated[str, QueryParameter(max_length=10)] = "",
    before: Number = None,
) -> Response[str]:
    """A page of the log."""
    user = request.user
    may_read(console, user, "audit log")
    try:
        on = dt.date.fromisoformat(day) if day else None
    except ValueError:
        on = None
    wanted = Wanted(who=who.strip(), what=what.strip(), about=about.strip(), day=on, before=before)
    found = search(console, user, wanted)
    shown = f"audit log, {len(found.rows)} records down to {found.searched_to}"
    console.note(user.name, "page", shown)
    wrong_day = bool(day) and on is None
    return page(
        request,
        console,
        "log.html",
        found=found,
        wanted=wanted,
        desk=console.desk,
        wrong_day=wrong_day,
        day=day,
    )


class Range(Struct, frozen=True):
    """Numbers of the first and the last record."""

    first: int
    last: int


def range_of(console: Console, first: int | None, last: int | None) -> Range:
    """The records asked for, within what there is: as many as one answer proves."""
    newest = console.desk.records
    begin = min(max(first or 1, 1), max(newest, 1))
    end = min(last or newest, newest, begin + MOST_PROVEN - 1)
    return Range(begin, max(begin, end))


def _lines(console: Console, asked: Range) -> Iterator[bytes]:
    for first in range(asked.first, asked.last + 1, _AT_ONCE):
        yield from console.desk.lines(first, min(_AT_ONCE, asked.last + 1 - first))


def prove_range(console: Console, asked: Range) -> Proven:
    """Read the records again from where they are kept, and walk their chain up to the record that proves the last."""
    before = GENESIS
    if asked.first > 1:
        preceding = console.desk.lines(asked.first - 1, 1)
        before = hash_of(preceding[0]) if preceding else GENESIS
    return prove(_lines(console, Range(asked.first, asked.last + 1)), asked.first, before)


@get("/log/verify", sync_to_thread=True)
def verify_range(
    request: Asked, console: NamedDependency[Console], first: Number = None, last: Number = None
) -> Response[str]:
    """What a range of the log proves."""
    may_read(console, request.user, "proof of the audit log")
    asked = range_of(console, first, last)
    # Kept before it is looked at, so that even the newest record of the range has one behind it that proves it.
    console.note(request.user.name, "page", f"proof of records {asked.first} to {asked.last}")
    proven = prove_range(console, asked)
    missing = proven.bad is None and proven.last < asked.last
    around: tuple[Row, ...] = ()
    if proven.bad is not None:
        first_shown = max(1, proven.bad - 1)
        around = tuple(
            _raw(line, first_shown + place) for place, line in enumerate(console.desk.lines(first_shown, 4))
        )
    return page(
        request,
        console,
        "log_proof.html",
        asked=asked,
        proven=proven,
        missing=missing,
        around=around,
        desk=console.desk,
    )


def _raw(line: bytes, number: int) -> Row:
    return Row(sequence=number, hash=hash_of(line), entry=None)


@get("/log/export", sync_to_thread=True)
def export_range(
    request: Asked, console: NamedDependency[Console], first: Number = None, last: Number = None
) -> Response[bytes]:
    """A range of the log as it stands, byte for byte: one record a line, each with the hash of the one before."""
    user = request.user
    may_read(console, user, "export of the audit log")
    asked = range_of(console, first, last)
    if console.desk.withheld_from(user.name):
        console.note(user.name, "export", "audit log", granted=False, reason="records are withheld")
        raise PermissionDeniedException("records are withheld from you: an export would hold them")
    console.note(user.name, "export", f"audit log, records {asked.first} to {asked.last}")
    content = b"".join(line + b"\n" for line in _lines(console, asked))
    name = f"desk-{asked.first}-{asked.last}.ndjson"
    return Response(
        content,
        media_type="application/x-ndjson",
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


HANDLERS = (audit_log, verify_range, export_range)
