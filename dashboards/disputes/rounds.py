"""The round a dispute is about, out of the store, as one user may see it."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import NamedTuple

from msgspec import UNSET

from dashboards.accounts.accounts import User
from dashboards.drawing.felt import draw_felt
from dashboards.drawing.palette import Palette
from dashboards.hands.access import asked_by, dealers_of, known_findings
from dashboards.hands.addresses import FoundBy
from dashboards.hands.hand import StoredRound, UnknownRound, stored_round
from dashboards.replayer.replay import Replay
from dashboards.reports.claims import ClaimedStakes, held_against, seated_at, step_in_dispute
from dashboards.reports.round_facts import RoundSource
from dashboards.reports.wording import dollars
from dashboards.web.console import Console
from dashboards.wording.money import figures
from dashboards.wording.times import zone_called
from dashboards.wording.titles import title_of


class ShownRound(NamedTuple):
    """A stored round and its replay for one user; `zone` is the property's."""

    stored: StoredRound
    replay: Replay
    zone: dt.tzinfo
    palette: Palette

    def source(self) -> RoundSource:
        """What a report of it is made of."""
        return RoundSource(
            before=self.stored.before,
            lines=tuple(one.line for one in self.stored.lines),
            findings=self.stored.findings,
            breaks=tuple(one.says for one in self.stored.breaks),
        )

    def held(self, seat: int | None, hand: str | None, patron: str | None = None) -> ClaimedStakes:
        """What the record says of the stakes of a hand, a seat, or a patron."""
        return held_against(self.replay, seat, hand, patron)

    def frame_at(self, seat: int | None, hand: str | None, sequence: int | None) -> str:
        """The felt at the event in dispute, as SVG; empty where the round has none."""
        step = step_in_dispute(self.replay, seat, hand, sequence)
        return str(draw_felt(step.felt, self.palette, standalone=True)) if step is not None else ""


class AlertOfForm(NamedTuple):
    """The alert from which a dispute is opened: what was found, where and when, and the disputes it has already."""

    says: str
    seat: int | None
    at: dt.datetime
    disputes: tuple[str, ...]


def alert_of_form(console: Console, user: User, alert: str) -> AlertOfForm | None:
    """The alert of this id as this user may see it; None where there is none."""
    found = console.desk.alert(alert) if alert else None
    if found is None or not console.sees(user, found):
        return None
    finding = found.finding
    return AlertOfForm(
        says=title_of(finding).removesuffix("."),
        seat=finding.seat if finding.seat is not UNSET else None,
        at=found.decided_at,
        disputes=tuple(case for case in found.cases if case.startswith("DIS-")),
    )


class Prefill(NamedTuple):
    """The record of a round and the words that led to it, for the form that opens a dispute.

    `claimed` is the stake that was told, in dollars, and `why_claimed` says so: both empty where none was told.
    `found_by` is how the hand was found.
    """

    dealer: str
    supervisor: str
    camera: str
    patron: str
    sequence: int | None
    began: dt.datetime | None
    claim: str
    claimed: str
    why_claimed: str
    found_by: str


def shown_round(
    console: Console, user: User, subject: str, number: int, first: int | None = None, theme: str = "light"
) -> ShownRound | None:
    """The round as this user may see it; None where the store has none, or it is not theirs to see.

    That they look is kept by whoever shows it, as a look at the dispute or as an export.
    """
    role = console.role(user)
    withheld = console.desk.withheld_from(user.name)
    if not (role.reads_hands and role.sees_cards) or ("table", subject) in withheld:
        return None
    try:
        stored = stored_round(console.records, console.states, subject, number, first)
    except UnknownRound:
        return None
    if not withheld.isdisjoint(dealers_of(stored)):
        return None
    findings = known_findings(console, user, stored)
    asked = asked_by(console, stored, theme, frames=False)
    config = stored.table().config
    zone = zone_called(config.timezone if config is not None else None)
    return ShownRound(replace(stored, findings=findings), stored.replay(asked, findings), zone, asked.palette)


def prefill_of(shown: ShownRound, seat: int | None, hand: str | None, by: FoundBy) -> Prefill:
    """What the record says already, and what was told where words led to the hand."""
    table, steps = shown.stored.table(), shown.replay.steps
    cameras = table.config.cameras if table.config is not None else UNSET
    step = step_in_dispute(shown.replay, seat, hand, None)
    claimed, why = _told(shown.held(seat, hand), by)
    return Prefill(
        dealer=table.dealer or (shown.stored.row.dealer or "" if shown.stored.row is not None else ""),
        supervisor=table.floorperson,
        camera=", ".join(cameras) if cameras is not UNSET else "",
        patron=seated_at(shown.replay, seat) or by.terms.get("patron", ""),
        sequence=step.sequence if step is not None else None,
        began=steps[0].time if steps else None,
        claim=by.claim,
        claimed=claimed,
        why_claimed=why,
        found_by=by.sentence,
    )


def _told(held: ClaimedStakes, by: FoundBy) -> tuple[str, str]:
    """The stake that was told as the amount claimed, and that it comes from there; both empty where none was told."""
    if not by.stake_cents:
        return "", ""
    owed = held.owed_cents
    record = "what the record owes cannot be said"
    if owed is not None:
        record = f"the record owes {dollars(owed)}" if owed > 0 else "the record owes nothing"
    return figures(by.stake_cents), f"The stake as told; {record}."
