"""The deny list: an administrator withholds only what exists, and the reason is recorded."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Annotated, Literal

from msgspec import Meta, Struct

from dashboards.accounts.accounts import User
from dashboards.desk.alerts import Alert
from dashboards.desk.decisions import Refused
from dashboards.ledger.acts import Released, Withheld
from dashboards.reader.people import ever_dealt, ever_seen
from dashboards.reader.revenue import dealers
from dashboards.web.address import current_address
from dashboards.web.console import Console
from dashboards.wording.copying import copied
from schemas.values import Text

Kind = Literal["alert", "table", "dealer", "patron"]
SHORTEST_REASON = 3
_MOST_NEAR = 3  # names that are offered in place of one that is not known
_EVER = dt.date(1971, 1, 1), dt.date(2148, 1, 1)  # days of dealers who may have been meant


class Restriction(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What shall be withheld from a user, or released to them, and why."""

    user: Text
    kind: Kind
    value: Annotated[str, Meta(max_length=200)]
    withheld: bool
    reason: Annotated[str, Meta(max_length=2000)] = ""


def restrict(console: Console, by: User, wish: Restriction) -> str:
    """Keep that something is withheld from a user from now on, or is so no longer; returns its name as it is kept.

    Raises:
        Refused: there is no such user, table, dealer, patron or alert; it is so already; or no reason was given.
        DeskUnavailable: it could not be kept, and nothing has changed.
    """
    reason, now = " ".join(wish.reason.split()), console.desk.hidden_from(wish.user, wish.kind)
    if wish.user not in {person.name for person in console.accounts.people()}:
        raise Refused(f"there is no user {wish.user[:64]}")
    value = wish.value
    if value not in now and not _is_known(console, wish.kind, value):
        value = value.strip()  # a name that is recorded may have spaces round it, or be one
    if not value:
        raise Refused(f"name the {wish.kind}")
    if len(reason) < SHORTEST_REASON:
        raise Refused(f"say why, in {SHORTEST_REASON} characters or more: auditors read it")
    if wish.withheld:
        if value in now:
            raise Refused("it is withheld already")
        if not _is_known(console, wish.kind, value):
            raise Refused(f"there is no {wish.kind} {value}{_near(console, wish.kind, value)}")
    elif value not in now:
        raise Refused(f"{wish.kind} {value} is not withheld from {wish.user}{_or_near(value, now)}")
    form: type[Withheld | Released] = Withheld if wish.withheld else Released
    made = copied(form, wish, value=value, reason=reason, address=current_address())
    console.desk.note(made, by.name)
    return value


def _is_known(console: Console, kind: Kind, value: str) -> bool:
    if not value:
        return False
    match kind:
        case "alert":
            return console.desk.alert(value) is not None
        case "table":
            named = any(alert.finding.subject == value for alert in _alerts(console))
            return named or value in console.states.names()
        case "dealer":
            named = any(alert.dealer == value for alert in _alerts(console))
            return named or bool(ever_dealt(value).ask(console.records))
        case "patron":
            return bool(ever_seen(value).ask(console.records))


def _near(console: Console, kind: Kind, value: str) -> str:
    """What may have been meant by a name of which nothing is known."""
    match kind:
        case "alert":
            return _alerts_like(console, value)
        case "table":
            return _or_near(
                value, {*console.states.names(), *(one.finding.subject for one in _alerts(console))}
            )
        case "dealer":
            dealt = {row.dealer for row in dealers(*_EVER).ask(console.records)}
            return _or_near(value, dealt | {alert.dealer for alert in _alerts(console) if alert.dealer})
        case "patron":
            return ""  # who gives rights out has no right to the records, and is offered no pseudonyms


def _alerts(console: Console) -> Iterable[Alert]:
    yield from console.desk.snapshot().alerts
    yield from console.desk.closed()


def _alerts_like(console: Console, value: str) -> str:
    start = value.lower()[:6]
    found = [alert.id for alert in _alerts(console) if alert.id.startswith(start)] if start else []
    return f"; did you mean {' or '.join(found)}?" if 0 < len(found) <= _MOST_NEAR else ""


def _or_near(value: str, names: Iterable[str]) -> str:
    """What may have been meant, whatever the case of its letters."""
    folded: dict[str, str] = {}
    for name in sorted(names):
        folded.setdefault(name.casefold(), name)
    asked = value.casefold()
    near = [
        folded[one] for one in ([asked] if asked in folded else get_close_matches(asked, folded, _MOST_NEAR))
    ]
    return f"; did you mean {' or '.join(near)}?" if near else ""
