"""Pages out of templates: the parts that every page has, and the filters for money and times."""

from __future__ import annotations

import datetime as dt
import logging
from functools import partial
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from litestar import MediaType, Response

from dashboards.accounts.roles import Role
from dashboards.desk.tunings import Tuning
from dashboards.suspicions.curve import odds
from dashboards.web.console import AnyRequest, Console, UserRequest
from dashboards.web.navigation import links_for
from dashboards.wording.addresses import part_of
from dashboards.wording.money import dollars, gained, owed, owed_briefly, settled, settled_for
from dashboards.wording.plain import plain
from dashboards.wording.times import age, in_utc, machine_time, zone_called
from schemas.amounts import amount

THEMES = ("dark", "contrast", "light")
THEME_COOKIE = "catwalk-theme"  # set by the page's own script: it is a preference, no secret
_log = logging.getLogger("catwalk.console")
_ROOMS = Path(__file__).resolve().parents[1]  # a template lies in the room of its page: `log/log.html`


_ENVIRONMENT = Environment(loader=FileSystemLoader(_ROOMS), autoescape=True, undefined=StrictUndefined)
_ENVIRONMENT.filters |= {"dollars": dollars, "gained": gained, "owed": owed, "settled": settled}
_ENVIRONMENT.filters |= {"amount": amount, "owed_briefly": owed_briefly, "odds": odds}
_ENVIRONMENT.filters |= {"settled_for": settled_for, "part": part_of}
_ENVIRONMENT.filters |= {"in_utc": in_utc, "machine_time": machine_time}


def theme_of(request: AnyRequest) -> str:
    """The theme the browser asks for."""
    asked = request.cookies.get(THEME_COOKIE, "")
    return asked if asked in THEMES else THEMES[0]


def page(
    request: UserRequest, console: Console, template: str, status: int = 200, **content: Any
) -> Response[str]:
    """A page for who is signed in: its template, with navigation, user, role, theme and the time."""
    role = console.role(request.user)
    return _rendered(
        template,
        status,
        theme=theme_of(request),
        alarm=alarm_of(console),
        user=request.user,
        role=role,
        links=links_for(role),
        here=request.url.path,
        now=console.clock(),
        play=console.play,
        at_table=partial(_at_table, console),
        how_old=age,
        tuned=partial(_tuned, console),
        **content,
    )


def zone_of_table(console: Console, subject: str) -> dt.tzinfo:
    """The time zone of a table's property; UTC where there is no table, or the store cannot tell."""
    try:
        return zone_called(console.states.zone(subject)) if subject else dt.UTC
    except Exception as error:  # whatever the store raises: the page stands without it
        _log.info("the zone of %s is not known: %s", subject, error)
        return dt.UTC


def _at_table(console: Console, at: dt.datetime, subject: str) -> str:
    """A moment by the clock of a table's property, with its zone; in UTC where the store cannot tell which it is."""
    return f"{at.astimezone(zone_of_table(console, subject)):%-d %b %Y %H:%M:%S %Z}"


def _tuned(console: Console) -> tuple[Tuning, ...]:
    """The tunings in force now, and those that wait for a second person."""
    at = console.clock()
    return console.desk.look(lambda state: state.tunings.live(at))


def page_of_nobody(request: AnyRequest, template: str, status: int = 200, **content: Any) -> Response[str]:
    """A page for who is not signed in yet."""
    console: Console = request.app.state.console
    nothing: dict[str, Any] = {"user": None, "role": Role(), "links": (), "here": "", "now": None}
    nothing["play"] = console.play
    alarm = "Nobody can sign in: the record of the desk was altered." if alarm_of(console) else ""
    return _rendered(template, status, theme=theme_of(request), alarm=alarm, **nothing, **content)


def alarm_of(console: Console) -> str:
    """What stands on every page and in every feed while the desk's ledger is not the one that was read; else empty."""
    alarm = console.desk.alarm
    return alarm.told if alarm is not None else ""


def _rendered(template: str, status: int, **content: Any) -> Response[str]:
    text = _ENVIRONMENT.get_template(template).render(**content)
    return Response(plain(text), media_type=MediaType.HTML, status_code=status)
