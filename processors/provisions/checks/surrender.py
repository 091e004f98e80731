"""Surrender before the hole card is read: the wager waits on top of the cards (590.9(a)(2), readings A26 and A38)."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.state import Hand, Round
from processors.games.totals import POINTS
from processors.provisions.check import UPHELD, Breach, Judgment, Moment, check
from schemas.events import HoleCardRead, WagerMoved, WagerSettled


@check(
    "surrender.marked",
    provisions={"free_bet_590": ("590.9(a)(2)#1",)},
    reads=(HoleCardRead, WagerSettled),
    follows=True,
)
def a_wager_surrendered_early_waits_on_the_cards(
    moment: Moment, data: HoleCardRead | WagerSettled
) -> Iterator[Judgment]:
    """A wager surrendered under an ace or ten-value card lies on the cards until the hole card is read."""
    round_, _ = moment.play
    if round_.reader is not None or POINTS.get(moment.dealer.up or "", 0) < 10:
        return
    for hand in round_.hands.values():
        if hand.surrendered is None or f"early:{hand.name}" in round_.reported:
            continue
        if isinstance(data, WagerSettled):
            if data.kind == "main" and (data.hand or f"{data.seat}.1") == hand.name:
                yield _breach(hand, "was settled before the hole card was read", "settled")
        elif _is_marked(round_, hand):
            yield UPHELD
        else:
            yield _breach(hand, "was not laid on the cards before the hole card was read", "beside")


def _is_marked(round_: Round, hand: Hand) -> bool:
    return any(
        isinstance(entry.data, WagerMoved) and entry.data.from_hand == entry.data.to_hand == hand.name
        for entry in round_.log
    )


def _breach(hand: Hand, what: str, lies: str) -> Breach:
    return Breach(
        clauses=("590.9(a)(2)#1",),
        message=f"Seat {hand.seat} surrendered under an ace or ten-value card, and its wager {what}.",
        expected={"wager": "on top of the cards until the reader"},
        observed={"wager": lies},
        sequences=(hand.surrendered,) if hand.surrendered is not None else (),
        seat=hand.seat,
        hand=hand.name,
        discriminator=f"early:{hand.name}",
    )
