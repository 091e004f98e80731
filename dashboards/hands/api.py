"""Hands as JSON: the list, and one hand with every step drawn, which the replayer's script fetches at once."""

from __future__ import annotations

import datetime as dt
from typing import Annotated

from litestar import get
from litestar.di import NamedDependency
from litestar.exceptions import HTTPException
from litestar.params import QueryParameter
from msgspec import Struct
from msgspec.structs import replace

from dashboards.filters.hand_terms import HandTerms
from dashboards.filters.names import unknown_fields
from dashboards.hands import access
from dashboards.hands.found import Answer
from dashboards.hands.page import Number, Seat, Sequence, Subject
from dashboards.hands.search import Asking
from dashboards.hands.view import (
    CardView,
    MarkView,
    StakeView,
    StepView,
    cards_of,
    clauses_of,
    seat_in_question,
    stakes_of,
    steps_of,
)
from dashboards.web.console import Console, UserRequest
from dashboards.web.rendering import theme_of


class HandView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One hand; for those who see no cards its stakes alone."""

    subject: str
    round: int
    first_sequence: int
    last_sequence: int
    status: str
    is_going_on: bool
    net_cents: int | None
    stakes: tuple[StakeView, ...]
    decided_at: dt.datetime | None = None
    steps: tuple[StepView, ...] = ()
    phases: tuple[MarkView, ...] = ()
    mismatches: tuple[MarkView, ...] = ()
    clauses: dict[str, str] = {}
    cards: tuple[CardView, ...] = ()
    breaks: tuple[tuple[int, str], ...] = ()
    head_before: str = ""
    head_after: str = ""


@get("/api/hands", dependencies=access.TERMS, sync_to_thread=True)
def read_hands(
    request: UserRequest,
    console: NamedDependency[Console],
    terms: NamedDependency[HandTerms],
    words: NamedDependency[str],
) -> Answer:
    """The list of the hands that are asked for; 400 names the fields and words that could not be read."""
    user = request.user
    if words:
        terms, unread = access.told_terms(console, user, words, terms)
        if unread:
            raise HTTPException(status_code=400, detail=" ".join(f"{one}." for one in unread))
    role = access.may_look_for(console, user, terms)
    answer = Asking(console, user.name, role).answer(terms, unknown_fields(request, access.SEARCHED))
    if answer.wrong:
        detail = "; ".join(f"{name}: {why}" for name, why in answer.wrong.items())
        raise HTTPException(status_code=400, detail=detail)
    return answer


@get("/api/hands/{subject:str}/{number:int}", sync_to_thread=True)
def read_hand(
    request: UserRequest,
    console: NamedDependency[Console],
    subject: Subject,
    number: Number,
    first: Sequence = None,
    reading: Annotated[str, QueryParameter(max_length=64)] = "",
    tall: Seat = None,
) -> HandView:
    """One hand with every step of it; with `tall` the felts stand upright, that seat first (0: that of the breach)."""
    stored = access.opened_hand(console, request.user, subject, number, first, how="steps of hand")
    row = stored.row
    cards = console.role(request.user).sees_cards
    known = access.known_findings(console, request.user, stored)
    findings = known if cards else ()
    chosen, _ = access.chosen_reading(reading)
    first_seat = (tall or seat_in_question(findings)) if tall is not None else None
    asked = access.asked_by(
        console, stored, theme_of(request), frames=cards, readings=chosen or None, tall=first_seat
    )
    replay = stored.replay(asked, known)
    told = HandView(
        subject=stored.subject,
        round=stored.number,
        first_sequence=stored.first,
        last_sequence=stored.last,
        status=row.status if row is not None else "going on",
        is_going_on=stored.is_going_on,
        decided_at=row.decided_at if row is not None else None,
        net_cents=row.net_cents if row is not None else None,
        stakes=stakes_of(replay.payouts, findings, replay.decisions if cards else ()),
    )
    if not cards:
        return told
    steps = steps_of(replay)
    return replace(
        told,
        steps=steps,
        phases=tuple(MarkView(one.index, one.word) for one in replay.phases),
        mismatches=tuple(MarkView(one.index, one.word) for one in replay.mismatches),
        clauses=clauses_of(steps, findings),
        cards=cards_of(replay.cards),
        breaks=tuple((one.after, one.says) for one in stored.breaks),
        head_before=stored.head_before,
        head_after=stored.head_after,
    )


HANDLERS = (read_hands, read_hand)
