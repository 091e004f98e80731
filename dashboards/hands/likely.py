"""Hands that fit what was told of one, best first: what differs in each, and what would fit without a told thing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from dashboards.filters.hand_terms import SEVERITIES
from dashboards.hands.found import HandLine, LikelyHand, Likeness
from dashboards.reader.likeliest import LONGEST, LikeRow, about, likeliest, told_things
from dashboards.reader.newest import WantedRounds, seats_of
from dashboards.reader.question import Reader
from dashboards.reader.search import FoundRow
from dashboards.wording.money import dollars, figures
from schemas.values import UNKNOWN

GRAVEST_FIRST: tuple[str, ...] = SEVERITIES
LEAST = 2  # told things beside table and time of which one may be wrong
MOVED = {"pay": "won", "collect": "lost", "return": "push"}
Known = Callable[[Sequence[LikeRow]], Mapping[str, str]]


def may_be_wrong(wanted: WantedRounds) -> bool:
    """Whether so much was told of one hand, in so short a time, that hands which fit less are worth a look."""
    if (
        not wanted.moments
        or wanted.stretches
        or wanted.among is not None
        or wanted.number is not None
        or wanted.shoe is not None
        or wanted.day is not None
    ):
        return False
    since, until = about(wanted)
    return until - since <= LONGEST and len(told_things(wanted)) > LEAST


def most_like(
    reader: Reader, wanted: WantedRounds, *, cards: bool, known: Known
) -> tuple[Likeness, tuple[FoundRow, ...]]:
    """The hands about the told time that fit best, and the rounds of those that fit all, newest first.

    `known` gives the severity of findings that the user may know of.
    """
    seats = seats_of(wanted).ask(reader) if wanted.patron is not None else []
    rows = likeliest(wanted, seats, cards=cards).ask(reader)
    told = told_things(wanted)
    since, until = about(wanted)
    if not rows:
        return Likeness(told=told, since=since, until=until), ()
    marks = known(rows)
    first = rows[0]
    named = dict(zip(told, zip(first.each, first.but_one, strict=True), strict=True))
    exact = {row.key: row for row in rows if all(row.fits)}
    like = Likeness(
        told=told,
        hands=tuple(likely_hand(row, told, marks, cards=cards) for row in rows),
        looked=first.looked,
        exact=first.exact,
        never=tuple(name for name, (fit, _) in named.items() if not fit),
        without={name: but for name, (_, but) in named.items() if but},
        since=since,
        until=until,
    )
    return like, tuple(sorted(exact.values(), key=lambda row: (row.decided_at, row.key), reverse=True))


def likely_hand(row: LikeRow, told: Sequence[str], marks: Mapping[str, str], *, cards: bool) -> LikelyHand:
    """One row in words; nothing is said of what was not seen, and of what was due only to those who see cards."""
    mine = [marks[name] for name in row.findings if name in marks]
    return LikelyHand(
        subject=row.subject,
        round=row.round,
        first_sequence=row.first_sequence,
        ended_at=row.decided_at,
        seat=row.seat,
        hand=row.hand,
        own=HandLine(row.cards, row.total, row.result or ""),
        dealt=HandLine(row.dealt, row.dealt_total, row.dealt_result or ""),
        unread=UNKNOWN in row.cards or UNKNOWN in row.dealt,
        staked=" + ".join(figures(one) for one in row.staked),
        outcome=_outcome(row),
        moved="not all seen" if row.unsettled else _signed(row.won_cents),
        due=_due(row) if cards else "",
        owed_cents=None if not cards or row.unsettled or row.undecided else row.due_cents - row.won_cents,
        dealer=row.dealer or "",
        status=row.status,
        findings=len(mine),
        worst=min(mine, key=GRAVEST_FIRST.index, default=""),
        fits=sum(row.fits),
        differs=tuple(name for name, fit in zip(told, row.fits, strict=True) if not fit),
    )


def _outcome(row: LikeRow) -> str:
    """What was seen to happen to the seat's main wagers, and the end of the hand where it was not to stand."""
    moved = " / ".join(MOVED.get(one, one) for one in row.moved) or "not seen"
    return f"{moved}, {row.result}" if row.result and row.result != "stand" else moved


def _due(row: LikeRow) -> str:
    """What was due; in games of stacks the store keeps none of it, and a hand in which all is right is in no doubt."""
    if not row.undecided:
        return _signed(row.due_cents)
    return "" if row.status == "consistent" else "?"


def _signed(cents: int) -> str:
    return f"+{dollars(cents)}" if cents > 0 else dollars(cents)


def in_words(name: str, value: str, called: Mapping[str, str]) -> str:
    """A told thing as a sentence names it: `the player's total 20`, `the time 15 min ago`."""
    return f"the {called.get(name, name)} {value}"
