"""Keeping a person's searches and columns, and what a page shows of them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from msgspec import Struct

from dashboards.accounts.accounts import User
from dashboards.desk.decisions import Refused
from dashboards.desk.state import DeskState
from dashboards.ledger.acts import Act
from dashboards.ledger.personal_acts import ColumnsChosen, ListName, PersonalAct, SearchSaved, StartChosen
from dashboards.personal.lists import LISTED, reads
from dashboards.web.console import Console


class SavedSearch(Struct, frozen=True, kw_only=True):
    """A search that somebody saved: its name, what it asks, and the address that asks it.

    `starts` says that the list opens with it.
    """

    name: str
    query: str
    href: str
    starts: bool = False


class Arranged(Struct, frozen=True, kw_only=True):
    """How a person has a list: their searches, and the columns in their order; `headings` are all that there are."""

    of: ListName
    searches: tuple[SavedSearch, ...]
    columns: tuple[str, ...]
    headings: dict[str, str]
    always: str
    is_chosen: bool

    @property
    def start(self) -> str | None:
        """The address of the search with which the list opens; None where it opens as it comes."""
        return next((one.href for one in self.searches if one.starts and one.query), None)


def arranged(console: Console, user: User, name: ListName) -> Arranged:
    """How this person has this list."""
    listed, place, role = LISTED[name], (user.name, name), console.role(user)
    saved, chosen, start = console.desk.look(
        lambda state: (
            dict(state.kept.searches.get(place, {})),
            state.kept.columns.get(place, ()),
            state.kept.starts.get(place),
        )
    )
    searches = (
        SavedSearch(name=one, query=query, href=listed.address(query), starts=one == start)
        for one, query in saved.items()
    )
    return Arranged(
        of=name,
        searches=tuple(searches),
        columns=listed.chosen(chosen, role),
        headings=listed.headings(role),
        always=listed.always,
        is_chosen=bool(chosen),
    )


def keep(console: Console, user: User, act: PersonalAct) -> None:
    """Keep it for this person.

    Raises:
        PermissionDeniedException: the role does not read that list.
        Refused: it cannot be kept, and why.
        DeskUnavailable: it was not kept.
    """
    console.require(
        reads(console.role(user), act.of), user, "action", f"arrange {act.of}", "does not read it"
    )
    listed = LISTED[act.of]
    if isinstance(act, StartChosen) and act.of != "alerts":
        raise Refused("the list of alerts alone has a start")
    if isinstance(act, ColumnsChosen):
        headings = listed.headings(console.role(user))
        unknown = [one for one in act.columns if one not in headings]
        if unknown or len(set(act.columns)) < len(act.columns):
            raise Refused(f"the columns of {act.of} are {', '.join(headings)}, each once")
    if isinstance(act, SearchSaved):
        act = SearchSaved(of=act.of, name=" ".join(act.name.split()), query=listed.query(act.query))
        if not act.name:
            raise Refused("give the search a name")

    def decide(state: DeskState, _at: dt.datetime) -> Sequence[Act]:
        if why := state.kept.why_not(act, user.name):
            raise Refused(why)
        return (act,)

    console.desk.decide(user.name, decide)
