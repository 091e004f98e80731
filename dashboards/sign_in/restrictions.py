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
from dashboards.reader.people import ever_seen
from dashboards.reader.revenue import dealers
from dashboards.web.address import current_address
from dashboards.web.console import Console
from dashboards.wording.copying import copied
from schemas.values import Text

Kind = Literal["alert", "table", "dealer", "patron"]
SHORTEST_REASON = 3
_NEAR = 3  # names that are offered in place of one that is not known
_EVER = dt.date(1971, 1, 1), dt.date(2148, 1, 1)  # what the store's days can be


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
    value, reason = wish.value.strip(), " ".join(wish.reason.split())
    if wish.user not in {person.name for person in console.accounts.people()}:
        raise Refused(f"there is no user {wish.user[:64]}")
    if not value:
        raise Refused(f"name the {wish.kind}")
    if len(reason) < SHORTEST_REASON:
        raise Refused("say why: auditors read it")
    now = console.desk.hidden_from(wish.user, wish.kind)
    if wish.withheld:
        if value in now:
            raise Refused("it is withheld already")
        _require_known(console, wish.kind, value)
    elif value not in now:
        raise Refused(f"{wish.kind} {value} is not withheld from {wish.user}{_or_near(value, now)}")
    form: type[Withheld | Released] = Withheld if wish.withheld else Released
    made = copied(form, wish, value=value, reason=reason, address=current_address())
    console.desk.note(made, by.name)
    return value


def _require_known(console: Console, kind: Kind, value: str) -> None:
    match kind:
        case "alert":
            known = console.desk.alert(value) is not None
            near = "" if known else _alerts_like(console, value)
        case "table":
            names = {alert.finding.subject for alert in _alerts(console)}
            if value not in names:
                names |= set(console.states.names())
            known = value in names
            near = _or_near(value, names)
        case "dealer":
            names = {alert.dealer for alert in _alerts(console) if alert.dealer}
            if value not in names:
                names |= {row.dealer for row in dealers(*_EVER).ask(console.records)}
            known = value in names
            near = _or_near(value, names)
        case "patron":
            # Pseudonyms are not offered: who gives rights out has none to the records.
            known, near = bool(ever_seen(value).ask(console.records)), ""
    if not known:
        raise Refused(f"there is no {kind} {value}{near}")


def _alerts(console: Console) -> Iterable[Alert]:
    yield from console.desk.snapshot().alerts
    yield from console.desk.closed()


def _alerts_like(console: Console, value: str) -> str:
    start = value.lower()[:6]
    found = [alert.id for alert in _alerts(console) if alert.id.startswith(start)] if start else []
    return f"; did you mean {' or '.join(found)}?" if 0 < len(found) <= _NEAR else ""


def _or_near(value: str, names: Iterable[str]) -> str:
    """What may have been meant, whatever the case of its letters."""
    folded: dict[str, str] = {}
    for name in sorted(names):
        folded.setdefault(name.casefold(), name)
    asked = value.casefold()
    near = [folded[one] for one in ([asked] if asked in folded else get_close_matches(asked, folded, _NEAR))]
    return f"; did you mean {' or '.join(near)}?" if near else ""
