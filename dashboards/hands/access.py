"""Who may look at a hand, by role and deny list; every look is recorded before anything is shown."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Annotated, Any

from litestar.di import Provide
from litestar.exceptions import NotFoundException
from litestar.params import QueryParameter
from msgspec.structs import replace

from dashboards.accounts.accounts import User
from dashboards.accounts.roles import Role
from dashboards.accounts.visibility import knows
from dashboards.drawing.palette import CONTRAST, DARK, LIGHT, Palette
from dashboards.filters.hand_terms import FIELDS, HandTerms
from dashboards.filters.reading import Unread
from dashboards.hands.hand import StoredRound, UnknownRound, stored_round
from dashboards.hands.search import Asking
from dashboards.replayer.replay import ReplayAsked
from dashboards.web.console import Console
from processors.games.readings import READINGS, UnknownReading, resolve
from schemas.findings import Finding

Text = Annotated[str, QueryParameter(max_length=64)]
Name = Annotated[str, QueryParameter(max_length=200)]  # as long as the contract lets a name be
PALETTES: dict[str, Palette] = {"dark": DARK, "light": LIGHT, "contrast": CONTRAST}


def may_read_hands(console: Console, user: User, about: str) -> Role:
    """The role of a user who reads hands; a refusal is kept.

    Raises:
        PermissionDeniedException: the role does not.
    """
    role = console.role(user)
    console.require(role.reads_hands, user, "record", about, "reads no hands")
    return role


def terms_asked(
    table: Text = "",
    time: Text = "",
    seat: Text = "",
    round_: Annotated[str, QueryParameter(name="round", max_length=64)] = "",
    patron: Name = "",
    finding: Text = "",
    dealer: Name = "",
    shoe: Text = "",
    day: Text = "",
    status: Text = "",
    total: Text = "",
    against: Text = "",
    stake: Text = "",
    result: Text = "",
    findings: Text = "",
    clause: Text = "",
    check: Text = "",
    device: Text = "",
    pattern: Text = "",
    owed: Text = "",
    overpaid: Text = "",
    money: Text = "",
    since: Text = "",
    after: Annotated[str, QueryParameter(max_length=200)] = "",
) -> HandTerms:
    """What hands are looked for by, out of the address; for the page and for the JSON of it."""
    played = (total, against, stake, result, findings, clause, check, device, pattern, owed, overpaid, money)
    given = (table, time, seat, round_, patron, finding, dealer, shoe, day, status, *played, since, after)
    return HandTerms(**dict(zip(FIELDS, (one.strip() for one in given), strict=True)))


def words_asked(q: Annotated[str, QueryParameter(max_length=200)] = "") -> str:
    """A hand as it was told of, out of the address."""
    return " ".join(q.split())


# `said`: the line as typed; `said_of`: the fields that it was said of; `list`: no hand is opened by itself
SEARCHED = (*FIELDS, "q", "said", "said_of", "list")
TERMS = {
    "terms": Provide(terms_asked, sync_to_thread=False),
    "words": Provide(words_asked, sync_to_thread=False),
}


def may_look_for(console: Console, user: User, terms: HandTerms) -> Role:
    """The role of a user who may look for hands by these terms; the look, or its refusal, is kept.

    Raises:
        PermissionDeniedException: the role reads no hands, or looks up no patrons, suspicions or cards.
    """
    about = f"find hands: {terms.in_words()}"
    role = may_read_hands(console, user, about)
    console.require(not terms.patron or role.sees_cards, user, "record", about, "looks up no patrons")
    suspects = "suspected" in role.verdicts
    console.require(not terms.pattern or suspects, user, "record", about, "does not read suspicions")
    console.require(not terms.is_of_cards or role.sees_cards, user, "record", about, "looks for no cards")
    console.note(user.name, "record", about)
    return role


def told_terms(
    console: Console, user: User, words: str, terms: HandTerms
) -> tuple[HandTerms, tuple[Unread, ...]]:
    """The terms that words name beside those of the form, which go before them, and words that name none.

    Words that were not understood are kept with the look; others are kept as the search that they are.

    Raises:
        PermissionDeniedException: the role reads no hands.
    """
    about = f"find hands: {words}"
    role = may_read_hands(console, user, about)
    told = Asking(console, user.name, role).told(words)
    if told.unread:
        console.note(
            user.name, "record", f"{about}; not understood: {', '.join(one.text for one in told.unread)}"
        )
    return replace(
        terms, **{name: value for name, value in told.terms.items() if not getattr(terms, name)}
    ), told.unread


def opened_hand(
    console: Console,
    user: User,
    subject: str,
    number: int,
    first: int | None = None,
    how: str = "hand",
    at: int | None = None,
) -> StoredRound:
    """A round that this user may look at; that they look is kept before it is returned.

    Of two rounds of one number it is that which begins with `first`, or holds event `at`, else the last. A round of a
    table or dealer that is withheld from the user is answered as one that is not there.

    Raises:
        PermissionDeniedException: the role reads no hands.
        NotFoundException: there is no such round for this user.
        DeskUnavailable: the look could not be kept.
    """
    about = f"{how} {subject} round {number}"
    may_read_hands(console, user, about)
    withheld = console.desk.withheld_from(user.name)
    found: StoredRound | None = None
    if ("table", subject) not in withheld:
        with suppress(UnknownRound):
            found = stored_round(console.records, console.states, subject, number, first, at)
    if found is None or not withheld.isdisjoint(dealers_of(found)):
        console.note(user.name, "record", about, granted=False, reason="unknown or withheld")
        raise NotFoundException(f"no round {number} of table {subject}")
    console.note(user.name, "record", f"{about}, events {found.first} to {found.last}")
    return found


def dealers_of(stored: StoredRound) -> Iterable[tuple[str, str]]:
    """Who dealt: when it began, and when it ended."""
    yield "dealer", stored.table().dealer
    if stored.row is not None:
        yield "dealer", stored.row.dealer or ""


def known_findings(console: Console, user: User, stored: StoredRound) -> tuple[Finding, ...]:
    """The round's findings that this user may know of."""
    role, withheld = console.role(user), console.desk.withheld_from(user.name)
    return tuple(one for one in stored.findings if knows(role, withheld, one))


def asked_by(console: Console, stored: StoredRound, theme: str, **more: Any) -> ReplayAsked:
    """How a round is shown: in the theme's colours, with duties and decisions; hidden cards stay hidden."""
    config = stored.table().config
    duties = console.duties.get(config.ruleset) if config is not None else None
    known = {"duties": duties, "givings": console.givings, "video": console.video}
    return ReplayAsked(palette=PALETTES.get(theme, DARK), **(known | more))


def chosen_reading(text: str) -> tuple[dict[str, str], str]:
    """The reading an address chooses, and what is wrong with one that does not exist."""
    if not text:
        return {}, ""
    place, _, policy = text.partition(":")
    try:
        resolve({}, {place: policy})
    except UnknownReading as error:
        return {}, f"{error}: the reading in force is shown."
    if not READINGS[place].rivals:
        return {}, f"{place} has one reading only."
    return {place: policy}, ""
