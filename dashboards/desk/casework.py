"""Work on the cases of a desk: opened, acted upon, found; each decided on the newest state, as acts on alerts are."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from itertools import takewhile

from dashboards.casebook.case import Case, case_id
from dashboards.casebook.index import FoundCases
from dashboards.desk.case_decisions import on_alert, permit_on_case
from dashboards.desk.desk import Desk
from dashboards.desk.state import DeskState
from dashboards.ledger.acts import Act
from dashboards.ledger.case_acts import CaseMemberAdded, CaseOpened, Member, OnCase

MOST_SHOWN = 50  # on one page of a list


def open_case(
    desk: Desk, title: str, summary: str, members: Sequence[Member], owner: str, actor: str
) -> Case:
    """Open a case with these members, all in one append.

    Raises:
        Refused: an alert that it names is not there.
        DeskUnavailable: it was not opened.
    """
    named = ""

    def decide(state: DeskState, _at: dt.datetime) -> list[Act]:
        nonlocal named
        named = case_id(len(state.casebook.cases) + 1)
        made: list[Act] = [CaseOpened(case=named, title=title, summary=summary, owner=owner)]
        for version, member in enumerate(members, 1):
            added = CaseMemberAdded(case=named, version=version, member=member)
            made += [added, *on_alert(state, added)]
        return made

    desk.decide(actor, decide)
    return desk.look(lambda state: state.casebook.cases[named])


def act_on_case(desk: Desk, act: OnCase, actor: str) -> Case:
    """Do what someone wants done to a case.

    Raises:
        Unknown, Conflict, Refused: it was not done, and why.
        DeskUnavailable: it was not done.
    """
    desk.decide(actor, lambda state, at: permit_on_case(state, act, at))
    return desk.look(lambda state: state.casebook.cases[act.case])


def case(desk: Desk, name: str) -> Case | None:
    """A case as it stands."""
    return desk.look(lambda state: state.casebook.cases.get(name))


def found_cases(
    desk: Desk, show: str, user: str, words: str = "", skip: int = 0, most: int = MOST_SHOWN
) -> FoundCases:
    """Cases that are there for a user, under a status or `mine`, that bear all these words; the last changed first."""
    withheld = desk.withheld_from(user)

    def look(state: DeskState) -> FoundCases:
        book = state.casebook
        return book.find(book.pool(show, user), words, withheld, skip, most)

    return desk.look(look)


def cases_of(desk: Desk, user: str, kind: str, value: str) -> tuple[Case, ...]:
    """The cases, there for a user, that an alert, a hand or a dispute belongs to."""
    withheld = desk.withheld_from(user)

    def look(state: DeskState) -> tuple[Case, ...]:
        hidden = state.casebook.hidden(withheld)
        return tuple(one for one in state.casebook.of_member(kind, value) if one.id not in hidden)

    return desk.look(look)


def is_hidden(desk: Desk, user: str, name: str) -> bool:
    """Whether a case is withheld from a user, by any alert, table or dealer in it."""
    withheld = desk.withheld_from(user)
    return desk.look(lambda state: name in state.casebook.hidden(withheld))


def cases_since(desk: Desk, user: str, since: dt.datetime) -> tuple[Case, ...]:
    """The cases, there for a user, that are not closed, and those of the closed ones that changed since then."""
    withheld = desk.withheld_from(user)

    def look(state: DeskState) -> tuple[Case, ...]:
        book = state.casebook
        hidden = book.hidden(withheld)
        last_first = map(book.cases.__getitem__, reversed(book.pool("closed", user)))
        closed = takewhile(lambda one: one.last_at >= since, last_first)
        held = (book.cases[name] for show in ("open", "waiting") for name in book.pool(show, user))
        return tuple(one for one in (*held, *closed) if one.id not in hidden)

    return desk.look(look)
