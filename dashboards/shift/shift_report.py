"""A shift on paper: what was raised, closed and is open, disputes, cases and devices, and the last handovers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping

from msgspec import Struct

from dashboards.desk.shifts import Handover
from dashboards.reports.case_report import Footer
from dashboards.reports.typesetting import typeset
from dashboards.reports.wording import listed
from dashboards.shift.figures import AlertLine, MatterLine, ShiftFigures
from dashboards.wording.money import owed
from dashboards.wording.times import age, in_zone_of
from schemas.amounts import amount

TEMPLATE = "shift.typ"


class ShiftContent(Struct, frozen=True, kw_only=True):
    """Everything on the pages; rows of tables as texts."""

    title: str
    facts: tuple[tuple[str, str], ...]
    alerts: tuple[tuple[str, ...], ...]
    left_out: int
    devices: tuple[tuple[str, ...], ...]
    disputes: tuple[tuple[str, ...], ...]
    cases: tuple[tuple[str, ...], ...]
    handovers: tuple[tuple[str, ...], ...]
    proving: Footer = Footer()


def shift_report(told: ShiftFigures, handovers: Iterable[Handover], zone: dt.tzinfo, by: str) -> bytes:
    """The report of a shift as PDF, made by this person at the moment of its figures."""
    content = ShiftContent(
        title=f"{in_zone_of(told.since, zone)} to {in_zone_of(told.until, zone)}",
        facts=facts_of(told, zone, by),
        alerts=tuple(_alert(one, zone, told.as_of) for one in told.open_alerts),
        left_out=told.open_in_all - len(told.open_alerts),
        devices=tuple(_alert(one, zone, told.as_of) for one in told.open_devices),
        disputes=tuple(_matter(one, zone) for one in told.open_disputes),
        cases=tuple(_matter(one, zone) for one in told.open_cases),
        handovers=tuple(_handover(one, zone) for one in handovers),
    )
    return typeset(TEMPLATE, content, told.as_of)


def facts_of(told: ShiftFigures, zone: dt.tzinfo, by: str) -> tuple[tuple[str, str], ...]:
    """The figures of a shift as pairs of name and value."""
    return (
        ("Alerts raised", counted(told.raised_in_all, told.raised)),
        ("Alerts closed", counted(told.closed_in_all, told.closed)),
        ("Alerts open", counted(told.open_in_all, told.open)),
        ("Not acknowledged", str(told.unacknowledged)),
        ("Wait for a second person", str(told.awaiting_second)),
        (
            "Disputes",
            f"{told.disputes_opened} opened, {told.disputes_decided} decided, {told.disputes_open} open,"
            f" {told.disputes_awaiting} awaiting a second",
        ),
        ("Cases", f"{told.cases_opened} opened, {told.cases_closed} closed, {told.cases_open} open"),
        ("Devices", f"{amount(told.devices_raised, 'alert')} raised, {told.devices_open} open"),
        ("What is open", f"as of {in_zone_of(told.as_of, zone)}"),
        ("Made by", by),
    )


def counted(total: int, parts: Mapping[str, int]) -> str:
    """A number and what it consists of: `12: critical 2, major 10`."""
    return f"{total:,}: {listed(f'{name} {count:,}' for name, count in parts.items())}" if total else "none"


def _alert(one: AlertLine, zone: dt.tzinfo, as_of: dt.datetime) -> tuple[str, ...]:
    return (
        one.severity,
        one.table,
        one.message,
        owed(one.money_cents),
        one.status,
        one.owner or "nobody",
        in_zone_of(one.event_at, zone),
        age(as_of, one.raised_at),
    )


def _matter(one: MatterLine, zone: dt.tzinfo) -> tuple[str, ...]:
    return one.id, one.title, one.status, in_zone_of(one.due, zone) if one.due is not None else ""


def _handover(one: Handover, zone: dt.tzinfo) -> tuple[str, ...]:
    taken = "withdrawn" if one.withdrawn else "waits to be taken over"
    if one.taken_by is not None and one.taken_at is not None:
        taken = f"taken by {one.taken_by}, {in_zone_of(one.taken_at, zone)}"
        taken += f": {one.remark}" if one.remark else ""
    return f"{one.id}, record {one.record}", f"{one.by}, {in_zone_of(one.at, zone)}", one.note, taken
