"""The audit log in the order of its chain: who saw, acknowledged, closed and exported what; and its proof."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Annotated
from urllib.parse import urlencode

from litestar import Response, get
from litestar.di import NamedDependency, Provide
from litestar.exceptions import PermissionDeniedException
from litestar.params import QueryParameter
from msgspec import Struct

from dashboards.accounts.accounts import User
from dashboards.alerts.queue_words import understood
from dashboards.desk.summary import ACTIONS, TAGS
from dashboards.filters.fields import OF_LOG
from dashboards.filters.names import stands_in, unknown_fields
from dashboards.ledger.acts import ChainProven
from dashboards.ledger.proof import Proven, prove
from dashboards.log.search import AT_ONCE, FoundRecords, LogRow, WantedRecords, search
from dashboards.log.words import log_terms, unread_of_log
from dashboards.personal.keeping import arranged
from dashboards.web.address import current_address
from dashboards.web.console import Console, ThisConsole, UserRequest
from dashboards.web.exports import export_file
from dashboards.web.rendering import page
from dashboards.wording.copying import copied
from schemas.amounts import amount
from schemas.events.codec import record_hash
from schemas.events.envelope import GENESIS

# records proven or exported at once: a quarter of a second of one core for each 100,000
MOST_PROVEN = 500_000
Who = Annotated[str, QueryParameter(max_length=64)]
What = Annotated[str, QueryParameter(max_length=40)]  # the longest name of an act is shorter
Number = Annotated[int | None, QueryParameter(ge=1)]


def may_read(console: Console, user: User, about: str) -> None:
    """Raise PermissionDeniedException, and keep the refusal, unless the user's role reads the log."""
    console.require(console.role(user).reads_log, user, "page", about, "does not read the audit log")


class Filter(Struct, frozen=True, kw_only=True):
    """The filter as it was typed, what of it cannot be read, and what it asks for.

    `understood` is what the times in its words were understood as.
    """

    day: str
    since: str
    until: str
    understood: str
    wrong: dict[str, str]
    wanted: WantedRecords


def filter_asked(
    request: UserRequest,
    console: ThisConsole,
    q: Annotated[str, QueryParameter(max_length=200)] = "",
    who: Who = "",
    what: What = "",
    about: Who = "",
    day: Annotated[str, QueryParameter(max_length=10)] = "",
    since: Annotated[str, QueryParameter(name="from", max_length=8)] = "",
    until: Annotated[str, QueryParameter(name="to", max_length=8)] = "",
    before: Number = None,
) -> Filter:
    """What is looked for, out of the address; what cannot be read is left out of it, and said."""
    wrong = unknown_fields(request, OF_LOG)
    words = " ".join(q.split())
    terms = log_terms(console, words)
    if unread := unread_of_log(terms):
        wrong["q"] = f"{unread}."
    if what.strip() and not any(stands_in(what.strip(), action) for action in (*ACTIONS, *TAGS)):
        wrong["what"] = f"{what.strip()} is nothing that is done; there are: {', '.join(ACTIONS)}."
    try:
        on = dt.date.fromisoformat(day) if day else None
    except ValueError:
        on, wrong["day"] = None, f"{day} is no day: write it as 2026-11-20. All days are shown."
    times: dict[str, dt.time | None] = {}
    for name, text in (("from", since), ("to", until)):
        try:
            times[name] = dt.time.fromisoformat(text).replace(tzinfo=None) if text else None
        except ValueError:
            times[name], wrong[name] = None, f"{text} is no time of day: write it as 20:15."
    wanted = WantedRecords(
        words=words,
        terms=terms,
        who=who.strip(),
        what=what.strip(),
        about=about.strip(),
        day=on,
        since=times["from"],
        until=times["to"],
        before=before,
    )
    return Filter(day=day, since=since, until=until, understood=understood(terms), wrong=wrong, wanted=wanted)


def looked_up(console: Console, user: User, wanted: WantedRecords) -> FoundRecords:
    """Search for a reader, and record the look together with the words of the search."""
    found = search(console, user, wanted)
    words = wanted.in_words()
    shown = f"audit log, {amount(len(found.rows), 'record')} down to {found.oldest}"
    console.note(user.name, "page", f"{shown}; asked for: {words}" if words else shown)
    return found


@get("/log", sync_to_thread=True, dependencies={"asked": Provide(filter_asked, sync_to_thread=False)})
def audit_log(request: UserRequest, console: ThisConsole, asked: NamedDependency[Filter]) -> Response[str]:
    """A page of the log; what its reader asked for is in the record of their look."""
    wanted = asked.wanted
    may_read(console, request.user, "audit log")
    found = looked_up(console, request.user, wanted)
    days = {} if wanted.day is None else _around(wanted.day)
    return page(
        request,
        console,
        "log/log.html",
        found=found,
        asked=asked,
        wanted=wanted,
        given=_given(asked),
        mine=arranged(console, request.user, "log"),
        query=request.url.query,
        days=days,
        names=[(name, f"/log?{urlencode(_given(asked) | {'who': name})}") for name in found.names],
        filmed=any(row.recording for row in found.rows),
        desk=console.desk,
        proof=console.desk.last_proof,
    )


def _around(day: dt.date) -> dict[str, dt.date]:
    """The day before and the day after, where there are such."""
    one = dt.timedelta(days=1)
    days = {"before": day - one} if day > dt.date.min else {}
    return days | ({"after": day + one} if day < dt.date.max else {})


def _given(asked: Filter) -> dict[str, str]:
    """The filter as an address has it."""
    wanted = asked.wanted
    given = {
        "q": wanted.words,
        "who": wanted.who,
        "what": wanted.what,
        "about": wanted.about,
        "day": asked.day,
    }
    given |= {"from": asked.since, "to": asked.until}
    return {name: value for name, value in given.items() if value}


class Range(Struct, frozen=True):
    """Numbers of the first and the last record."""

    first: int
    last: int


def range_of(console: Console, first: int | None, last: int | None) -> Range:
    """The range within the existing records, cut to as many as one answer proves."""
    newest = console.desk.records
    begin = min(max(first or 1, 1), max(newest, 1))
    end = min(last or newest, newest, begin + MOST_PROVEN - 1)
    return Range(begin, max(begin, end))


def _lines(console: Console, asked: Range) -> Iterator[bytes]:
    for first in range(asked.first, asked.last + 1, AT_ONCE):
        yield from console.desk.lines(first, min(AT_ONCE, asked.last + 1 - first))


def prove_range(console: Console, asked: Range) -> Proven:
    """Read the records again from where they are kept, and walk their chain up to the record that proves the last."""
    before = GENESIS
    if asked.first > 1:
        preceding = console.desk.lines(asked.first - 1, 1)
        before = record_hash(preceding[0]) if preceding else GENESIS
    return prove(_lines(console, Range(asked.first, asked.last + 1)), asked.first, before)


@get("/log/verify", sync_to_thread=True)
def verify_range(
    request: UserRequest, console: ThisConsole, first: Number = None, last: Number = None
) -> Response[str]:
    """What a range of the log proves."""
    asked, proven = proof_asked(console, request.user, first, last)
    missing = proven.bad is None and proven.last < asked.last
    around: list[LogRow] = []
    if proven.bad is not None:
        from_here = max(1, proven.bad - 1)
        lines = enumerate(console.desk.lines(from_here, 4), from_here)
        around = [LogRow(sequence=number, hash=record_hash(line), entry=None) for number, line in lines]
    return page(
        request,
        console,
        "log/log_proof.html",
        asked=asked,
        proven=proven,
        missing=missing,
        around=around,
        desk=console.desk,
    )


def proof_asked(console: Console, user: User, first: int | None, last: int | None) -> tuple[Range, Proven]:
    """Prove a range for a user; that they look and what the proof said is kept: the log shows the last one."""
    may_read(console, user, "proof of the audit log")
    asked = range_of(console, first, last)
    # Kept before it is looked at, so that even the newest record of the range has one behind it that proves it.
    console.note(user.name, "page", f"proof of records {asked.first} to {asked.last}")
    proven = prove_range(console, asked)
    bad = proven.bad if proven.bad is not None else proven.last + 1 if proven.last < asked.last else None
    said = copied(ChainProven, asked, head=proven.head, bad=bad, address=current_address())
    console.desk.note(said, user.name)
    return asked, proven


@get("/log/export", sync_to_thread=True)
def export_range(
    request: UserRequest, console: ThisConsole, first: Number = None, last: Number = None
) -> Response[bytes]:
    """A range of the log as it stands, byte for byte: one record a line, each with the hash of the one before."""
    user = request.user
    may_read(console, user, "export of the audit log")
    asked = range_of(console, first, last)
    if console.desk.withheld_from(user.name):
        console.note(user.name, "export", "audit log", granted=False, reason="records are withheld")
        raise PermissionDeniedException("records are withheld from you: an export would hold them")
    content = b"".join(line + b"\n" for line in _lines(console, asked))
    about = f"audit log, records {asked.first} to {asked.last}"
    return export_file(console, user, about, content, f"desk-{asked.first}-{asked.last}.ndjson")


HANDLERS = (audit_log, verify_range, export_range)
