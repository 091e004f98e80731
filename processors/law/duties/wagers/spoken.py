"""Spoken wagers with cash: refused where the game takes none, else confirmed and exchanged for chips (reading A55)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from processors.core.state import Logged, Round, seat_of
from processors.law.check import UPHELD, Breach, Judged, Judgment, Moment, check
from processors.law.wording import dollars
from schemas.events import CardPlaced, CashConverted, CashWagerCalled, RoundEnded


@check(
    "wagers.spoken", decides=("wagers.chips_placed",),
    reads=(CashWagerCalled,), where="free_bets", in_round=False,
)  # fmt: skip
def no_spoken_wager_is_confirmed(moment: Moment, data: CashWagerCalled) -> Judgment:
    """Wagers are made with chips; a spoken wager that the dealer confirms is none (reading A55)."""
    if not data.confirmed:
        return UPHELD
    return Breach(
        message=f"A spoken wager of {dollars(data.cents)} at seat {data.seat} was confirmed; this game takes none.",
        expected={"confirmed": False},
        observed={"confirmed": True, "cents": data.cents},
        seat=data.seat,
    )


@check(
    "wagers.cash_converted", decides=("wagers.cash_converted",), reads=(RoundEnded,), after=(CashWagerCalled,)
)
def spoken_cash_becomes_chips(moment: Moment, data: RoundEnded) -> Iterator[Judgment]:
    """The cash of a confirmed spoken wager is exchanged for chips by the end of the round (reading A32)."""
    round_, _ = moment.play
    called, exchanged = Counter[int](), Counter[int]()
    since: dict[int, int] = {}
    for entry in round_.told(CashWagerCalled, CashConverted):
        seat, cents = entry.data.seat, entry.data.cents
        if isinstance(entry.data, CashWagerCalled) and entry.data.confirmed:
            called[seat] += cents
            since.setdefault(seat, entry.sequence)
        elif isinstance(entry.data, CashConverted) and seat in called:
            exchanged[seat] += cents
    for seat, cents in called.items():
        done = exchanged[seat]
        if done >= cents:
            yield UPHELD
            continue
        yield Breach(
            message=f"{dollars(cents - done)} of the cash of seat {seat}'s spoken wager ({dollars(cents)}) was not "
            "exchanged for chips.",
            expected={"converted_cents": cents},
            observed={"converted_cents": done},
            sequences=(since[seat],),
            seat=seat,
        )


@check(
    "wagers.unconfirmed", decides=("wagers.spoken_confirmed",),
    reads=(CashConverted, CardPlaced), after=(CashWagerCalled, CashConverted),
)  # fmt: skip
def an_unconfirmed_spoken_wager_does_not_count(moment: Moment, data: CashConverted | CardPlaced) -> Judged:
    """Only a spoken wager that the dealer confirmed counts: its cash becomes chips, and its box gets cards."""
    round_, _ = moment.play
    seat = data.seat if isinstance(data, CashConverted) else seat_of(data.hand)
    called = [entry for entry in round_.told(CashWagerCalled) if entry.data.seat == seat]
    refused = [entry for entry in called if not entry.data.confirmed]
    confirmed = sum(entry.data.cents for entry in called if entry.data.confirmed)
    if isinstance(data, CardPlaced):
        return _dealt_for(round_, refused, seat) if refused and not confirmed else None
    before = sum(entry.data.cents for entry in round_.told(CashConverted) if entry.data.seat == seat)
    if confirmed and (not refused or before + data.cents <= confirmed):
        return UPHELD
    return _counted(seat, data.cents, refused)


def _dealt_for(round_: Round, refused: list[Logged], seat: int) -> Breach | None:
    """The breach of a box that has no wager but the one spoken, and gets its first card."""
    hand = round_.hands.get(f"{seat}.1")
    if round_.main_stake(seat) is not None or (hand is not None and hand.cards):
        return None
    return _counted(seat, refused[-1].data.cents, refused)


def _counted(seat: int, cents: int, refused: list[Logged]) -> Breach:
    return Breach(
        message=f"Seat {seat}'s spoken wager of {dollars(cents)} counted, but no dealer confirmed it.",
        expected={"confirmed": True},
        observed={"confirmed": False, "called": bool(refused)},
        sequences=tuple(entry.sequence for entry in refused[-1:]),
        seat=seat,
    )
