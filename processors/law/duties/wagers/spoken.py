"""Spoken wagers with cash: refused where the game takes none, else confirmed and exchanged for chips (reading A55)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from processors.law.wording import dollars
from schemas.events import CashConverted, CashWagerCalled, RoundEnded


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


@check("wagers.unconfirmed", decides=("wagers.spoken_confirmed",), reads=(CashConverted,))
def an_unconfirmed_spoken_wager_does_not_count(moment: Moment, data: CashConverted) -> Judgment:
    """Only a spoken wager that the dealer confirmed before the first card counts."""
    round_, _ = moment.play
    called = [entry for entry in round_.told(CashWagerCalled) if entry.data.seat == data.seat]
    last = called[-1] if called else None
    if last is not None and last.data.confirmed:
        return UPHELD
    return Breach(
        message=f"Seat {data.seat}'s spoken wager of {dollars(data.cents)} counted, but no dealer confirmed it.",
        expected={"confirmed": True},
        observed={"confirmed": False, "called": last is not None},
        sequences=(last.sequence,) if last is not None else (),
        seat=data.seat,
    )
