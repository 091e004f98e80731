"""A felt as rows of words: the same state for those who do not see the drawing."""

from __future__ import annotations

from typing import NamedTuple

from dashboards.drawing.cards import reasoned, spoken_card
from dashboards.drawing.money import KINDS, as_due, dollars, moved
from dashboards.drawing.scene import Bet, Card, DrawnHand, Felt


class FeltRow(NamedTuple):
    """A hand, or a seat with stakes of its own, in words."""

    place: str
    cards: str
    total: str
    stakes: str


def felt_rows(felt: Felt) -> tuple[FeltRow, ...]:
    """One row for each hand and for each seat with stakes of its own, the dealer first."""
    rows: list[FeltRow] = [_row(felt.dealer.name or "Dealer", felt.dealer.hand, (*felt.dealer.words,))]
    if felt.bonus is not None:
        rows.append(_row("Six Card Bonus", felt.bonus))
    for seat in felt.seats:
        name = f"Seat {seat.number}" + (f", {seat.player}" if seat.player else "")
        for hand in seat.hands:
            split = f", hand {hand.name}" if len(seat.hands) > 1 else ""
            rows.append(_row(name + split, hand))
        if seat.bets or (seat.player and not seat.hands):
            rows.append(FeltRow(name, "", seat.note, "; ".join(_staked(bet) for bet in seat.bets)))
    return tuple(rows)


def _row(name: str, hand: DrawnHand, words: tuple[str, ...] = ()) -> FeltRow:
    said = [hand.total, hand.state, "✕ something is wrong here" if hand.fault else "", *words]
    return FeltRow(
        place=name,
        cards=", ".join(_card(card) for card in hand.cards),
        total="; ".join(word for word in said if word),
        stakes="; ".join(_staked(bet) for bet in hand.bets),
    )


def _card(card: Card) -> str:
    return spoken_card(card) + (reasoned(card) or (f" ({card.inferred})" if card.inferred else ""))


def _staked(bet: Bet) -> str:
    kind = KINDS.get(bet.kind, bet.kind.replace("_", " ")) or "main"
    said = kind if bet.lammer else f"{dollars(bet.cents)} {kind}"
    if bet.moved is not None:
        said += f", {moved(bet.moved)}"
        if bet.due is not None:
            said += f", due {as_due(bet.due)} ✕" if bet.wrong else " ✓"
    return said + "".join(f" ({word})" for word in (bet.word, bet.inferred) if word)
