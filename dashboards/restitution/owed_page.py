"""Who is to be paid back: every stake of the days that was not settled as it was due, by patron, also as files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Annotated, Any, Final
from urllib.parse import urlencode

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import PathParameter
from msgspec import Struct

from dashboards.restitution.causes import of_days
from dashboards.restitution.claims import Restitution
from dashboards.restitution.files import as_csv, as_workbook
from dashboards.restitution.printed import as_pdf
from dashboards.revenue.books import places_of
from dashboards.revenue.opened import address
from dashboards.revenue.pages.page import MEDIA, PERIOD_NAMES, may_read, wanted_of
from dashboards.revenue.wanted import WantedRevenue
from dashboards.web.console import Console, UserRequest
from dashboards.web.rendering import page
from dashboards.wording.settlements import stake_name

Form = Annotated[str, PathParameter(max_length=8)]
SHOWN: Final = 500  # stakes on the page; files have all
_FILES: Final[Mapping[str, Callable[[Restitution], bytes]]] = MappingProxyType(
    {"csv": lambda made: as_csv(made).encode(), "xlsx": as_workbook, "pdf": as_pdf}
)


class OwedPatron(Struct, frozen=True, kw_only=True):
    """What one patron is owed and was paid too much in these days, both without sign; `player` None: nobody seen."""

    player: str | None
    stakes: int
    owed_cents: int
    overpaid_cents: int


def by_patron(made: Restitution) -> list[OwedPatron]:
    """The patrons, those who are owed most first."""
    owed, overpaid, stakes = Counter[str | None](), Counter[str | None](), Counter[str | None]()
    for one in made.lines:
        owed[one.player] += max(one.owed, 0)
        overpaid[one.player] += max(-one.owed, 0)
        stakes[one.player] += 1
    found = (
        OwedPatron(player=name, stakes=stakes[name], owed_cents=owed[name], overpaid_cents=overpaid[name])
        for name in stakes
    )
    return sorted(found, key=lambda one: (-one.owed_cents, -one.overpaid_cents, one.player or ""))


def _asked(request: UserRequest, console: Console) -> tuple[WantedRevenue, list[str], str]:
    """The days of an address: a list of stakes is of the whole floor."""
    asked = {name: str(request.query_params.get(name, ""))[:64] for name in ("day", "period")}
    wanted, wrong = wanted_of(console, asked)
    return wanted, wrong, f"owed of revenue {urlencode({'day': wanted.day, 'period': wanted.period})}"


@get("/revenue/owed", sync_to_thread=True)
def owed_page(request: UserRequest, console: NamedDependency[Console]) -> Response[str]:
    """The stakes that were not settled as they were due, and those of which nobody can say it."""
    wanted, wrong, about = _asked(request, console)
    may_read(console, request.user, about)
    made = of_days(console.records, wanted.first, wanted.day, console.desk.withheld_from(request.user.name))
    return page(
        request,
        console,
        "restitution/owed.html",
        wanted=wanted,
        wrong=wrong,
        made=made,
        patrons=by_patron(made),
        lines=made.lines[:SHOWN],
        undecided=made.undecided[:SHOWN],
        periods=PERIOD_NAMES,
        exports=console.role(request.user).exports,
        address=address,
        stake_name=stake_name,
        zone=places_of(console.records).zone,
    )


@get("/revenue/owed/{form:str}", sync_to_thread=True)
def owed_file(request: UserRequest, console: NamedDependency[Console], form: Form) -> Response[Any]:
    """The same stakes, all of them, as `catwalk report restitution --day` writes them."""
    wanted, _, about = _asked(request, console)
    user, role = request.user, console.role(request.user)
    console.require(role.reads_revenue and role.exports, user, "export", about, "exports no revenue")
    write = _FILES.get(form)
    if write is None:
        raise NotFoundException(f"there is no such file; there are {', '.join(_FILES)}")
    console.note(user.name, "export", about)
    made = of_days(console.records, wanted.first, wanted.day, console.desk.withheld_from(user.name))
    days = f"{wanted.day}" if wanted.first == wanted.day else f"{wanted.first}-to-{wanted.day}"
    name = f"owed-{days}.{form}"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(write(made), media_type=MEDIA[form], headers=headers)


HANDLERS = (owed_page, owed_file)
