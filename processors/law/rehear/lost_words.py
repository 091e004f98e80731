"""Words that a device may owe in a Blackjack round: wagers and decisions that what the others tell would rest on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from msgspec import UNSET

from processors.core.state import Logged, hand_named, said, seat_of, spot_named, stake_key
from processors.law.rehear.lost_wagers import (
    BORNE_OUT,
    LATE,
    LOST,
    Search,
    Supposed,
    before_the_deal,
    key_of,
    mains_of,
    name_of,
    staked,
)  # fmt: skip
from schemas import events as e
from schemas.values import DEALER

_FREE: dict[str, Literal["free_double", "free_split"]] = {"double": "free_double", "split": "free_split"}
_NOT_OVER = ("hit", "double", "stand", "surrender")


def supposed(
    log: Sequence[Logged], at: int, spots: set[str], sides: Sequence[str], chip: int, search: Search
) -> Iterator[Supposed]:
    """The words about these hands that may be missing before event `at`; `chip` is the smallest chip in cents."""
    for spot in sorted(spots - {DEALER}):
        for word in _decisions(log, at, spot):
            grows = type(word.data) is e.PlayerDecision and word.data.kind in ("double", "split")
            to_come = search == LATE or (search == LOST and grows)
            if to_come or _shown(log, word.data):
                yield word
    if search == LATE:
        yield from stands(log, at)
        yield from _lammers(log, at, spots)
    seats = {seat_of(spot) for spot in spots} - {0}
    for seat, kind, hand in _unplaced(log, seats, sides, over=search == BORNE_OUT):
        if search == BORNE_OUT and not _dealt(log, seat, kind, hand):
            continue
        place = before_the_deal(log, at)
        if kind in ("double", "split"):
            place = next((n + 1 for n, one in enumerate(log) if _adds(one.data, kind, hand)), at)
        elif kind == "insurance":
            place = next((n + 1 for n, one in enumerate(log) if type(one.data) is e.InsuranceOffered), at)
        for cents in staked(log, seat, kind, hand, chip):
            data = e.WagerPlaced(seat=seat, kind=kind, cents=cents, hand=hand or UNSET)
            yield Supposed(min(place, at), data, name_of(seat, kind))


def _decisions(log: Sequence[Logged], at: int, spot: str) -> Iterator[Supposed]:
    """Hits, doubles and splits that gave the hand the card it has, a surrender that halved its wager."""
    before = _before_the_card(log, at)
    called = f"the decision of {spot_named(spot)} at the console"
    carded = any(one.hand == spot for one in said(log[before:], e.CardPlaced))
    doubled = _first_of(log, len(log), spot, "double")
    if carded:
        yield Supposed(before, e.PlayerDecision(hand=spot, kind="hit"), called)
    if carded or doubled < len(log):
        yield Supposed(min(doubled, before), e.PlayerDecision(hand=spot, kind="double"), called)
    if any(_surrenders(one.data, spot) for one in log):
        yield Supposed(before, e.PlayerDecision(hand=spot, kind="surrender"), called)
    grown = {one.new_hand for one in said(log, e.PlayerDecision) if one.new_hand}
    for new in sorted(_hands_named(log, spot) - grown - {f"{spot[0]}.1"}):
        place = _first_of(log, before, new, "split")
        for parent in sorted({f"{spot[0]}.1", *grown} if new == spot else {spot}):
            if seat_of(parent) == seat_of(new) and parent != new:
                data = e.PlayerDecision(hand=parent, kind="split", new_hand=new)
                yield Supposed(place, data, f"the decision of {spot_named(parent)} at the console")


def _shown(log: Sequence[Logged], decided: Any) -> bool:
    """Whether the layout tells of the decision: of a double's sideways card or chips, of a split's new hand."""
    cards, wagers = said(log, e.CardPlaced), said(log, e.WagerPlaced)
    if decided.kind == "split":
        return any(one.hand == decided.new_hand for one in cards)
    return decided.kind == "double" and (
        any(one.hand == decided.hand and one.sideways is True for one in cards)
        or any(one.hand == decided.hand and one.kind == "double" for one in wagers)
    )


def _lammers(log: Sequence[Logged], at: int, spots: set[str]) -> Iterator[Supposed]:
    """The lammers of doubles and splits that were decided on and beside which none was laid."""
    laid = {(one.hand, one.kind) for one in said(log, e.LammerPlaced)}
    for place, one in enumerate(log[:at]):
        data = one.data
        if type(data) is not e.PlayerDecision or data.kind not in ("double", "split"):
            continue
        hand, kind = data.new_hand or data.hand, _FREE[data.kind]
        if not spots.isdisjoint((hand, data.hand)) and (hand, kind) not in laid:
            lammer = e.LammerPlaced(hand=hand, kind=kind)
            yield Supposed(place + 1, lammer, f"the lammer of {spot_named(hand)} on the layout")


def stands(log: Sequence[Logged], at: int) -> Iterator[Supposed]:
    """The stand of any hand that has its cards and has not made its last decision."""
    before = _before_the_card(log, at)
    while before and _calls_for_a_card(log[before - 1].data):
        before -= 1  # a hand stands before another one is served
    last: dict[str, str] = {}
    for one in log[:before]:
        if type(one.data) is e.HoleCardRevealed and not _decides_later(log, one.sequence):
            return  # the players' turns are over
        if type(one.data) is e.CardPlaced:
            last[one.data.hand] = ""
        elif type(one.data) is e.PlayerDecision:
            last[one.data.hand] = one.data.kind
    for spot, kind in sorted(last.items()):
        if spot != DEALER and kind not in _NOT_OVER:
            word = f"the decision of {spot_named(spot)} at the console"
            yield Supposed(before, e.PlayerDecision(hand=spot, kind="stand"), word)


def _calls_for_a_card(data: Any) -> bool:
    """Whether this is the decision, or the stake or lammer of one, whose card comes next."""
    if type(data) is e.PlayerDecision:
        return data.kind in ("hit", "double", "split")
    return type(data) in (e.WagerPlaced, e.LammerPlaced)


def _decides_later(log: Sequence[Logged], after: int) -> bool:
    return any(type(one.data) is e.PlayerDecision and one.sequence > after for one in log)


def _surrenders(data: Any, spot: str) -> bool:
    """Whether the hand is treated as surrendered."""
    if type(data) is e.CardsRacked:
        return bool(data.hand == spot and data.reason == "surrender")
    if type(data) is e.WagerMoved:
        return bool(data.from_hand == data.to_hand == spot)
    if type(data) is not e.WagerSettled:
        return False
    return data.outcome == "collect" and hand_named(data.seat, data.hand) == spot


def _adds(data: Any, kind: str, hand: str | None) -> bool:
    """Whether this is the decision whose wager lies by that hand."""
    return type(data) is e.PlayerDecision and data.kind == kind and hand in (data.hand, data.new_hand)


def _before_the_card(log: Sequence[Logged], at: int) -> int:
    """The place before an act: of a card laid, before it was drawn."""
    data = log[at].data
    if type(data) is e.CardPlaced:
        for place in range(at - 1, max(at - 4, -1), -1):
            drawn = log[place].data
            if type(drawn) is e.CardDrawn and drawn.card == data.card:
                return place
    return at


def _first_of(log: Sequence[Logged], before: int, spot: str, kind: str) -> int:
    """The first place where the stake, lammer or card of a double or split is told of, not after `before`."""
    told = {(e.WagerPlaced, kind), (e.LammerPlaced, f"free_{kind}")}
    for place, one in enumerate(log[:before]):
        if (type(one.data), getattr(one.data, "kind", "")) in told and one.data.hand == spot:
            return place
    return before


def _hands_named(log: Sequence[Logged], spot: str) -> set[str]:
    """The hands of the seat that any device names."""
    named = {getattr(one.data, "hand", UNSET) for one in log}
    return {name for name in named if name and name != DEALER and name[0] == spot[0] and "." in name}


def _unplaced(
    log: Sequence[Logged], seats: set[int], sides: Sequence[str], *, over: bool
) -> Iterator[tuple[int, Any, str | None]]:
    """Seat, kind and hand of wagers that are settled and were never placed; before the round is over, that may be."""
    placed = {key_of(one) for one in said(log, e.WagerPlaced)}
    wanted: dict[str, tuple[int, Any, str | None]] = {}
    for one in log:
        data = one.data
        if type(data) is e.WagerSettled and data.kind != "lammer" and key_of(data) not in placed:
            wanted[key_of(data)] = (data.seat, data.kind, data.hand or None)
        elif not over and type(data) is e.PlayerDecision and data.kind in ("double", "split"):
            hand = data.new_hand or data.hand
            if stake_key(seat_of(hand), data.kind, hand) not in placed:
                wanted[stake_key(seat_of(hand), data.kind, hand)] = (seat_of(hand), data.kind, hand)
    if not over:
        for seat in sorted(seats or mains_of(log)):
            for kind in ("main", "insurance", *sides):
                if stake_key(seat, kind, None) not in placed:
                    wanted.setdefault(stake_key(seat, kind, None), (seat, kind, None))
    yield from wanted.values()


def _dealt(log: Sequence[Logged], seat: int, kind: str, hand: str | None) -> bool:
    """Whether cards bear a wager out: those of the box, and after its decision the one of the double or the split."""
    if kind not in ("main", "double", "split"):
        return True
    spot = hand_named(seat, hand)
    decided = next(
        (n for n, one in enumerate(log) if kind == "main" or _adds(one.data, kind, spot)), len(log)
    )
    return any(one.hand == spot for one in said(log[decided:], e.CardPlaced))
