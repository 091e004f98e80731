"""Words that a device may owe in a round of a stack game: wagers of which other devices tell, the end of the deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from processors.core.state import Logged, said, seat_of, stake_key
from processors.games.readings import resolve
from processors.games.stacks.profile import STACKS_PROFILES
from processors.games.stacks.turns import orders, passes
from processors.law.rehear.lost_wagers import (
    BORNE_OUT,
    LATE,
    Search,
    Supposed,
    before_the_deal,
    key_of,
    mains_of,
    name_of,
    staked,
)  # fmt: skip
from schemas import events as e
from schemas.payload import Payload
from schemas.rulesets.numbers import StackGameNumbers, StacksNumbers
from schemas.values import BONUS, DEALER, UNKNOWN, WagerKind

Wager = tuple[int, WagerKind]
"""Seat and kind."""

SERVES = (e.CardPlaced, e.StackDelivered)
AFTER_THE_DEAL = (
    e.StubRemoved, e.StubCounted, e.CardsRacked, e.HandRevealed, e.WagerSettled, e.MisdealDetermined, e.RoundVoided,
    e.RoundEnded,
)  # fmt: skip


def supposed(
    log: Sequence[Logged],
    at: int,
    config: e.TableConfigured,
    numbers: StackGameNumbers,
    chip: int,
    search: Search,
) -> Iterator[tuple[Supposed, ...]]:
    """What may be missing before event `at`: a wager, all of them, or the end of the deal; `chip` is the smallest."""
    place = before_the_deal(log, at)
    words = []
    for seat, kind in _unplaced(log, borne_out=search == BORNE_OUT):
        cents = next(iter(staked(log, seat, kind, None, chip)), 0)
        if search != BORNE_OUT and kind == "fortune_bonus" and isinstance(numbers, StacksNumbers):
            cents = max(cents, numbers.envy_from_cents)  # an Envy lammer may lie by it
        if cents:
            data = e.WagerPlaced(seat=seat, kind=kind, cents=cents)
            words.append(Supposed(place, data, name_of(seat, kind)))
    yield from ((word,) for word in words)
    if len(words) > 1:
        yield tuple(words)
    if search == LATE and (rest := tuple(_rest_of_the_deal(log[: at + 1], config, numbers))):
        yield rest


def _rest_of_the_deal(
    log: Sequence[Logged], config: e.TableConfigured, numbers: StackGameNumbers
) -> Iterator[Supposed]:
    """The draws and placements with which a deal ends of which no device has said more."""
    came = [spot for one in log if (spot := _served(one.data))]
    drawn = sum(type(one.data) in (e.CardDrawn, e.StackDispensed) for one in log)
    place = next((n for n, one in enumerate(log) if type(one.data) in AFTER_THE_DEAL), len(log))
    hand, stacks = numbers.cards_in_hand, STACKS_PROFILES[config.ruleset].deals_stacks
    if not came or place == len(log):
        return
    if stacks:
        last = resolve(config.readings or {}, {})["A29"] == "dealer_last"
        lacking = [spot for spot in orders(config, came[0], last=last)[0] or () if spot not in came]
        cards = (UNKNOWN,) * hand
    else:
        spots = [*(f"{seat}.1" for seat in sorted(mains_of(log))), DEALER]
        lacking = passes(dict.fromkeys(spots, hand))
        for spot in came:
            if spot in lacking:
                lacking.remove(spot)
    undrawn = len(lacking) + len(came) - drawn
    for nth, spot in enumerate(lacking, 1):
        if nth > len(lacking) - undrawn:
            draw = e.StackDispensed(cards=cards) if stacks else e.CardDrawn(card=UNKNOWN)
            yield Supposed(place, draw, "the last draws of the deal")
        laid = (
            e.StackDelivered(position=spot, cards=cards, face_up=False)
            if stacks
            else e.CardPlaced(hand=spot, card=UNKNOWN, face_up=False)
        )
        yield Supposed(place, laid, "the last placements of the deal")


def _served(data: Any) -> str:
    """The spot to which this brings a card or stack."""
    return str(getattr(data, "hand", "") or getattr(data, "position", "")) if type(data) in SERVES else ""


def _unplaced(log: Sequence[Logged], *, borne_out: bool) -> Iterator[Wager]:
    """The wagers that nobody placed and of which words of other devices tell.

    `borne_out`: settlements alone; the other words may be a breach themselves, as a card dealt without a wager.
    """
    placed = {key_of(data): data for data in said(log, e.WagerPlaced)}
    told: set[str] = set()
    for one in log:
        wager = _wager_of(one.data)
        if wager is None or (borne_out and type(one.data) is not e.WagerSettled):
            continue
        seat, kind = wager
        if not seat:
            if any(data.kind == kind for data in placed.values()):
                continue
            seat = next((data.seat for data in placed.values() if data.kind == "main"), 0)
        key = stake_key(seat, kind, None)
        if seat and key not in placed and key not in told:
            told.add(key)
            yield seat, kind


def _wager_of(data: Payload) -> Wager | None:
    """The wager without which another device would not have said this; seat 0 where any seat may have made it."""
    if isinstance(data, e.WagerSettled):
        return (data.seat, data.kind) if data.kind != "lammer" else None
    if isinstance(data, e.LammerPlaced):
        return (seat_of(data.hand), "fortune_bonus") if data.kind == "envy" else None
    if not isinstance(data, e.CardPlaced | e.HandRevealed):
        return None
    spot = data.hand if isinstance(data, e.CardPlaced) else data.position
    if isinstance(data, e.CardPlaced) and spot == BONUS:
        return 0, "six_card_bonus"
    return (seat_of(spot), "main") if seat_of(spot) else None
