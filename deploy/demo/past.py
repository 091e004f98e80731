"""Disputes of the day behind a demonstration: opened minutes after their hands, one after the other, and reviewed.

They are written before the desk is served, for its time never goes back; the hands are dealt here in memory, and the
ledger holds the same bytes a little later.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import UNSET

from dashboards.desk.desk import Desk
from dashboards.desk.disputes import Dispute
from dashboards.desk.disputes import DisputeTerms as Terms
from dashboards.ledger import dispute_acts as acts
from dashboards.terminal.floor import dollars
from deploy.configured.desk_ledger import FILE, SqliteDeskLog
from deploy.demo.tables import Begun, Played, played
from processors.pipeline import TablePipeline
from schemas.findings import Finding

WHO: Final = "surveillance"
LOOKED_AT: Final = 4  # tables whose day is dealt to find hands in: each costs a quarter of a second
ASKED_AFTER: Final = dt.timedelta(minutes=5)  # what a patron takes to say that a hand was settled wrongly
UNDATED: Final = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)  # nothing is written at this time
NOT_AS_DEALT: Final = "My hand at seat {seat} was not settled as the cards lay: I am owed {owed}."
SAID_AT_ONCE: Final = "At seat {seat} I got {owed} too little, and said so before the cards were taken."


class Owed(NamedTuple):
    """A hand of the day behind that was settled wrongly, at the patron's cost, and when that was found."""

    finding: Finding
    settled: dt.datetime
    first_sequence: int
    patron: str | None
    dealer: str
    floorperson: str
    camera: str


class _Time:
    """The time of what happened before now."""

    def __init__(self, now: dt.datetime) -> None:
        self.now = now

    def __call__(self) -> dt.datetime:
        """As it was."""
        return self.now


def write_past(folder: Path, begun: Begun, terms: Terms) -> None:
    """Two disputes, one decided and a later one under review, if the desk has no record and a day lies behind it."""
    with closing(SqliteDeskLog(folder / FILE)) as log:
        time = _Time(UNDATED)
        desk = Desk(log, time)
        if desk.alarm is not None or desk.records or not begun.history:
            return
        hands = sorted(_hands(begun), key=lambda one: one.settled)
        for place, owed in enumerate(hands, 1):
            time.now = max(time.now, owed.settled + ASKED_AFTER)
            if place < len(hands):
                _decide(desk, time, _opened(desk, owed, terms, SAID_AT_ONCE), owed)
            else:
                _leave_open(desk, time, _opened(desk, owed, terms, NOT_AS_DEALT), owed)


def _hands(begun: Begun) -> tuple[Owed, ...]:
    """Two hands at most, of different tables if the first tables have them."""
    found: list[Owed] = []
    for table in played(begun):
        if table.setup.number > LOOKED_AT or len({one.finding.subject for one in found}) > 1:
            break
        found += _owed(table)
    if not found:
        return ()
    first = found[0].finding
    elsewhere = [one for one in found if one.finding.subject != first.subject]
    later = [
        one for one in found if one.finding.subject == first.subject and one.finding.round != first.round
    ]
    return (found[0], *[*elsewhere, *later][:1])


def _owed(table: Played) -> Iterator[Owed]:
    pipeline = TablePipeline(table.setup.subject, proofs=False)
    for line in table.lines:
        under_way = pipeline.state.round
        outcome = pipeline.advance(line)
        state = pipeline.state
        round_ = state.round or under_way
        if state.gaming_day is not None and state.gaming_day >= table.live_from:
            return
        for finding in outcome.findings:
            wrong = finding.verdict == "breached" and finding.money_cents > 0
            own = round_ is not None and round_.number == finding.round
            if not wrong or round_ is None or not own:
                continue
            if finding.seat is not UNSET and state.time is not None:
                yield Owed(
                    finding,
                    state.time.astimezone(dt.UTC),
                    round_.first_sequence,
                    state.players.get(finding.seat),
                    state.dealer,
                    state.floorperson,
                    table.setup.cameras[0],
                )


def _opened(desk: Desk, owed: Owed, terms: Terms, words: str) -> Dispute:
    finding = owed.finding
    cents = finding.money_cents

    def made(name: str, at: dt.datetime) -> acts.DisputeOpened:
        return acts.DisputeOpened(
            dispute=name,
            subject=finding.subject,
            round=finding.round or 0,
            first_sequence=owed.first_sequence,
            seat=None if finding.seat is UNSET else finding.seat,
            hand=None if finding.hand is UNSET else finding.hand,
            sequence=finding.sequence,
            claim=words.format(seat=finding.seat, owed=dollars(cents)),
            claimed_cents=cents,
            patron=owed.patron,
            review=acts.Review(requested_by="floor", dealer=owed.dealer, supervisor=owed.floorperson),
            due=at + dt.timedelta(days=terms.days),
            two_from_cents=terms.two_from_cents,
        )

    return desk.open_dispute(made, WHO)


def _reviewed(
    dispute: Dispute, owed: Owed, begun: dt.datetime, ended: dt.datetime | None
) -> acts.DisputeReviewed:
    review = acts.Review(
        requested_by="floor",
        method="recording",
        camera=owed.camera,
        begun_at=begun,
        ended_at=ended,
        error_type="dealer error" if ended is not None else None,
        dealer=owed.dealer,
        supervisor=owed.floorperson,
    )
    return acts.DisputeReviewed(dispute=dispute.id, version=dispute.version, review=review)


def _leave_open(desk: Desk, time: _Time, dispute: Dispute, owed: Owed) -> None:
    time.now += dt.timedelta(minutes=25)
    dispute = desk.act_on_dispute(_reviewed(dispute, owed, time.now, None), WHO)
    time.now += dt.timedelta(minutes=5)
    note = f"The recording of {owed.camera} is kept until this is decided; the dealer's statement is still to come."
    desk.act_on_dispute(acts.DisputeNoted(dispute=dispute.id, version=dispute.version, note=note), WHO)


def _decide(desk: Desk, time: _Time, dispute: Dispute, owed: Owed) -> None:
    looked, cents = time.now + dt.timedelta(minutes=10), owed.finding.money_cents
    time.now += dt.timedelta(minutes=35)
    dispute = desk.act_on_dispute(_reviewed(dispute, owed, looked, time.now), WHO)
    time.now += dt.timedelta(minutes=5)
    decided = acts.DisputeDecided(
        dispute=dispute.id,
        version=dispute.version,
        ruling="for the patron",
        amount_cents=cents,
        reason=f"The recording shows what the record says: {dollars(cents)} is owed. Paid at the table.",
    )
    desk.act_on_dispute(decided, WHO)
