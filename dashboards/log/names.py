"""The things that records of the log are about, by the names that the pages give them."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import quote, urlencode

from msgspec import UNSET

from dashboards.accounts.accounts import User
from dashboards.desk.alerts import Alert
from dashboards.ledger.acts import Accessed, DeskRecord, EvidenceKept, OnAlert, PageSent, Raised
from dashboards.ledger.case_acts import CaseAct
from dashboards.ledger.dispute_acts import DisputeAct
from dashboards.ledger.seal_acts import FiguresSealed
from dashboards.queue.views import titled
from dashboards.web.console import Console

# What the pages call the states of alerts; those of disputes and cases are called alike everywhere.
STATES = {"awaiting": "waits for second", "disposed": "closed"}


class Named(NamedTuple):
    """What a thing is called, and the address of its page; both empty where a record says its own name."""

    name: str = ""
    href: str = ""


def named(console: Console, user: User, record: DeskRecord) -> Named:
    """The thing that a record is about, which its reader may see."""
    act = record.data
    match act:
        case Raised():
            return _alert(console, user, act.finding.finding_id)
        case PageSent() | EvidenceKept():
            return _alert(console, user, act.alert)
        case Accessed(what="alert" | "action"):
            return _alert(console, user, act.object.split(" ")[-1])
        case _ if isinstance(act, OnAlert):
            return _alert(console, user, act.alert)
        case _ if isinstance(act, DisputeAct):
            return Named(f"Dispute {act.dispute}", f"/disputes/{quote(act.dispute, safe='')}")
        case _ if isinstance(act, CaseAct):
            return Named(f"Case {act.case}", f"/cases/{quote(act.case, safe='')}")
        case FiguresSealed() if console.role(user).reads_revenue:
            whole = {} if act.first == act.last else {"period": "month"}
            days = f"{act.last:%Y-%m}" if whole else f"{act.last}"
            return Named(
                f"Sealed figures of {days}", f"/revenue/sealed?{urlencode({'day': act.last} | whole)}"
            )
    return Named()


def place_of(alert: Alert) -> str:
    """Table, round and seat of an alert: `BJ-12 round 7 seat 3`."""
    finding = alert.finding
    parts = [finding.subject]
    parts += [f"round {finding.round}"] if finding.round is not None else []
    parts += [f"seat {finding.seat}"] if finding.seat is not UNSET else []
    return " ".join(parts)


def _alert(console: Console, user: User, name: str) -> Named:
    alert = console.desk.alert(name)
    if alert is None or not console.sees(user, alert):
        return Named()
    return Named(f"{place_of(alert)}: {titled(alert.finding, console.role(user))}", f"/alerts/{alert.id}")
