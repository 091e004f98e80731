"""What a page says: enough to know how grave it is and where, and nothing of hands and cards.

What is sent leaves the console, with its roles and its record of who looked: mailboxes and pagers keep it for ever.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Sequence
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Any

from msgspec import UNSET, Struct

from dashboards.desk.alerts import Alert
from dashboards.queue.views import without_cards
from dashboards.wording.money import owed
from dashboards.wording.times import in_utc, machine_time
from schemas.check_names import current

_LISTED = 20  # of the alerts of a mail; all are in the console


class Page(Struct, frozen=True, kw_only=True):
    """One alert as it is sent; money in cents, patron's view. `link` leads to the console; empty where none is set."""

    id: str
    severity: str
    table: str
    round: int | None
    seat: int | None
    dealer: str | None
    check: str
    cites: tuple[str, ...]
    money_cents: int
    says: str
    event_at: dt.datetime
    raised_at: dt.datetime
    link: str

    @property
    def where(self) -> str:
        """Table, round and seat."""
        parts = [self.table]
        parts += [f"round {self.round}"] if self.round is not None else []
        parts += [f"seat {self.seat}"] if self.seat is not None else []
        return " ".join(parts)


def page_of(alert: Alert, console: str) -> Page:
    """What is sent of an alert; `console` is the address that people type."""
    finding = alert.finding
    return Page(
        id=alert.id,
        severity=finding.severity,
        table=finding.subject,
        round=finding.round,
        seat=None if finding.seat is UNSET else finding.seat,
        dealer=alert.dealer,
        check=current(finding.check),
        cites=finding.cites,
        money_cents=finding.money_cents,
        says=without_cards(finding),
        event_at=alert.decided_at,
        raised_at=alert.raised_at,
        link=f"{console}/alerts/{alert.id}" if console else "",
    )


def headline(pages: Sequence[Page]) -> str:
    """One line for a subject or a pager: `Critical: BJ-12 round 7 seat 3, owed to patron $400.00`."""
    first = pages[0]
    parts = [f"{first.severity.capitalize()}: {first.where}", owed(first.money_cents)]
    told = ", ".join(filter(None, parts))
    return f"{told}, and {len(pages) - 1} more" if len(pages) > 1 else told


def as_mail(pages: Sequence[Page], sender: str, to: str, at: dt.datetime) -> EmailMessage:
    """The mail of some alerts; sent again it has the same Message-ID, by which mailboxes know a copy."""
    mail = EmailMessage()
    mail["Subject"] = _one_line(f"[Catwalk] {headline(pages)}")[:200]
    mail["From"] = sender
    mail["To"] = to
    mail["Date"] = format_datetime(at)
    mail["Message-ID"] = f"<{digest(pages)}@catwalk.invalid>"
    mail["Auto-Submitted"] = "auto-generated"
    lines: list[str] = []
    for page in pages[:_LISTED]:
        lines += [
            f"{page.severity.capitalize()}: {_one_line(page.where)}",
            _one_line(page.says),
            f"Event {in_utc(page.event_at)}, raised {in_utc(page.raised_at)}",
            *filter(None, (page.link,)),
            "",
        ]
    if len(pages) > _LISTED:
        lines.append(f"{len(pages) - _LISTED} more are in the console.")
    mail.set_content("\n".join(lines))
    return mail


def as_json(pages: Sequence[Page]) -> dict[str, Any]:
    """The body of a webhook's request: `headline`, which most pagers show, and each alert."""
    return {
        "source": "catwalk",
        "id": digest(pages),
        "headline": headline(pages),
        "alerts": [
            {name: getattr(page, name) for name in page.__struct_fields__}
            | {
                "money": owed(page.money_cents),
                "event_at": machine_time(page.event_at),
                "raised_at": machine_time(page.raised_at),
            }
            for page in pages
        ],
    }


def digest(pages: Sequence[Page]) -> str:
    """The same for the same alerts, however often they are sent."""
    return hashlib.sha256(" ".join(page.id for page in pages).encode()).hexdigest()[:32]


def _one_line(text: str) -> str:
    """The text without anything a header or a mail program would obey."""
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())
